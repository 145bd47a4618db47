"""`kseri what-if`: other bots go on with a game at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protocol.records import GameRecord
from tests.cli.program import bot, complaint, kseri
from tests.dashboard.made import Made


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, GameRecord, GameRecord]:
    """A database with a game that is over, and one whose decks are in play."""
    made = Made(tmp_path_factory.mktemp("what-if") / "cup.db", "Cup", ["ann", "ben"], matches=2)
    over = made.game(1, 0)
    made.game(1, 1)
    return made.path, over, made.game(2, 0)


def what_if(cup: tuple[Path, GameRecord, GameRecord], *words: str) -> tuple[int, str]:
    found = kseri("what-if", cup[1].game, *words, "--db", cup[0], "--isolation", "none")
    return found.returncode, found.stdout


def test_a_table_of_points_beside_those_of_the_game(
    cup: tuple[Path, GameRecord, GameRecord],
) -> None:
    status, text = what_if(cup, "1.44", "greedy", "saver", "--times", "2")
    assert status == 0
    assert text.splitlines()[0].split() == [
        "Side",
        "In",
        "the",
        "game",
        "What",
        "if",
        "±",
        *["Least", "Most"],
    ]
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["greedy", "saver"]
    assert "2 of 2 times to its end" in text


def test_none_that_came_to_the_end_is_trouble(
    cup: tuple[Path, GameRecord, GameRecord], tmp_path: Path
) -> None:
    quitter = bot(tmp_path, "quitter", "sys.exit(3)")
    words = ["1.44", quitter, "greedy", "--times", "2", "--isolation", "none", "--db", cup[0]]
    found = kseri("what-if", cup[1].game, *words)
    assert found.returncode == 1
    assert "none of 2 times came to the end of the deal" in found.stderr
    assert "time 1: quitter: boot: " in found.stdout


def test_every_time_as_json(cup: tuple[Path, GameRecord, GameRecord]) -> None:
    status, text = what_if(cup, "1.44", "greedy", "greedy", "--times", "2", "--json")
    assert status == 0
    ways = [json.loads(line) for line in text.splitlines()]
    assert [len(way["deal"]["plays"]) for way in ways] == [48, 48]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["1.48", "-", "-"], "1.48: deal 1 can be gone on with after 0 to 47 plays"),
        (["1", "-", "-"], "1: expected DEAL.PLAYS, such as 2.17"),
        (["1.2", "greedy"], "give 2 bots, one a seat (-: whoever sat there), got 1"),
    ],
)
def test_what_cant_be_gone_on_with(
    cup: tuple[Path, GameRecord, GameRecord], words: list[str], expected: str
) -> None:
    found = kseri("what-if", cup[1].game, *words, "--db", cup[0])
    complaint(found, 2, expected)


def test_a_game_whose_decks_are_in_play_can_wait(
    cup: tuple[Path, GameRecord, GameRecord],
) -> None:
    found = kseri("what-if", cup[2].game, "1.2", "greedy", "greedy", "--db", cup[0])
    complaint(found, 1, "not available until")
