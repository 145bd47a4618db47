"""What a tournament file comes to is what is played then; time and certainty by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.bots import BotFiles, find_bot
from arena.rating import Results, fit
from arena.schedule import rotations_of, rules_of
from arena.store import Reader
from arena.tournament import Outlook, outlook
from arena.tournament.outlook import plays_a_game
from protocol.rules import make_rules
from protocol.tournament import TimeControl, Tournament
from tests.tournament.made_up import MadeUp, by_order, entered, played
from tests.tournament.memory import InMemory
from tests.tournament.memory import entered as entered_in_memory
from tests.tournament.memory import played as played_in_memory

LABELS = ("a", "b", "c", "d", "e", "f")
NOBODY = Path("/nonexistent/games.db")


def expected(*labels: str, workers: int = 1, database: Path = NOBODY, **keys: Any) -> Outlook:
    """The outlook of a tournament of these entrants, all of them `greedy`."""
    tournament = Tournament(**{"name": "t", "bots": list(labels), **keys})
    return outlook(tournament, dict.fromkeys(labels, find_bot("greedy")), database, workers)


KINDS: list[dict[str, Any]] = [
    {"kind": "round-robin", "matches": 3},
    {"kind": "round-robin", "matches": 3, "rotations": 1},
    {"kind": "round-robin", "matches": 2, "rules": "kseri-3"},
    {"kind": "round-robin", "matches": 1, "rules": "kseri-partners", "partners": "drawn"},
    {"kind": "gauntlet", "matches": 3},
    {"kind": "gauntlet", "matches": 2, "challengers": 2},
    {"kind": "swiss", "matches": 2},
    {"kind": "swiss", "matches": 2, "rounds": 2},
    {"kind": "knockout", "matches": 2},
    {"kind": "double-knockout", "matches": 1},
    {"kind": "league", "matches": 2, "rounds": 1, "seed": None},
    {"kind": "league", "matches": 2, "rounds": 3, "pairings": 4, "seed": None},
]


@pytest.mark.parametrize("keys", KINDS, ids=str)
@pytest.mark.parametrize("count", [4, 5, 6])
def test_as_many_games_are_played_as_were_expected(
    tmp_path: Path, keys: dict[str, Any], count: int
) -> None:
    labels = LABELS[:count]
    executor = MadeUp(by_order(*labels))
    played(tmp_path / "games.db", entered(tmp_path / "games.db", *labels, **keys), executor)
    found = expected(*labels, **{key: value for key, value in keys.items() if key != "seed"})
    assert found.games == len(executor.played)
    assert found.is_least == (keys["kind"] in ("knockout", "double-knockout"))
    at_table = len(executor.played[0][0])
    assert found.games_a_bot == pytest.approx(found.games * at_table / count)


def test_entrants_are_told_by_seed_and_identical_files_are_found() -> None:
    bots = {"x": find_bot("saver"), "y": find_bot("greedy"), "z": find_bot("saver")}
    found = outlook(Tournament(name="t", bots=list(bots)), bots, NOBODY, 1)
    assert found.entrants == [(label, "1.0", bot.hash) for label, bot in bots.items()]
    assert found.same_files == [["x", "z"]]
    assert found.assumed == ["x", "y", "z"]
    del bots["z"]
    assert not outlook(Tournament(name="t", bots=list(bots)), bots, NOBODY, 1).same_files


def test_time_is_games_by_plays_by_what_a_play_needs() -> None:
    one = expected("a", "b", matches=50)
    assert one.expected_s == pytest.approx(100 * one.plays_a_game * 0.001)
    assert expected("a", "b", "c", matches=50, workers=3).expected_s == pytest.approx(
        one.expected_s
    ), "three times the games on three times the workers"


def test_no_more_workers_than_chunks_are_of_use() -> None:
    one = expected("a", "b", matches=50)
    assert expected("a", "b", matches=50, workers=8).expected_s == one.expected_s / 2
    both = {"kind": "knockout", "matches": 25}
    four = expected(*LABELS[:4], workers=8, **both)
    assert four.expected_s == pytest.approx(expected(*LABELS[:4], **both).expected_s / 2)


def test_games_that_wait_for_a_pace_are_played_many_at_once() -> None:
    rules = {"rules": "kseri-partners", "matches": 100, "chunk_matches": 10}
    plays = plays_a_game(make_rules("kseri-partners"))
    free = expected("a", "b", rated=False, **rules)
    assert free.expected_s == pytest.approx(200 * plays * 0.001)
    paced = expected("a", "b", **rules)
    assert paced.expected_s == pytest.approx(200 * plays * 0.050 / 10), "ten chunks at once"
    paced = expected("a", "b", concurrency=4, **rules)
    assert paced.expected_s == pytest.approx(200 * plays * 0.050 / 4)
    paced = expected("a", "b", time=TimeControl(tick_ms=20), concurrency=1, workers=2, **rules)
    assert paced.expected_s == pytest.approx(200 * plays * 0.020 / 2)


def test_what_bots_needed_before_is_known(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    keys = {"matches": 1, "overrides": {"target": 11}}
    played_in_memory(database, entered_in_memory(database, "greedy", "random", **keys), InMemory())
    with Reader(database) as reader:
        rows = {row.label: row for row in reader.totals(1)}
        needed = [rows[label].elapsed_us / rows[label].plays for label in ("greedy", "random")]
    bots: dict[str, BotFiles] = {name: find_bot(name) for name in ("greedy", "random", "saver")}
    found = outlook(Tournament(name="u", bots=list(bots), matches=10), bots, database, 1)
    assert found.assumed == ["saver"]
    mean_us = (sum(needed) + 1000) / 3
    assert found.expected_s == pytest.approx(60 * found.plays_a_game * mean_us / 1e6, rel=1e-6)


def test_the_error_is_that_of_a_rating_of_equals() -> None:
    """As Bradley and Terry's model has it, every bot having won half of its games."""
    labels, matches = LABELS[:5], 40
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    # Alternating whole wins, so that every match is as uncertain as two independent games are.
    score = {0: 10, 1: 20, 2: 10}
    rows = [(a, b, 2, float(s), count) for a, b in pairs for s, count in score.items()]
    a, b, games, won, count = map(np.array, zip(*rows, strict=True))
    [group] = fit(Results(a, b, games, won, count))
    found = expected(*labels, matches=matches)
    for rating in group.ratings:
        assert 1.96 * rating.se == pytest.approx(found.error, rel=0.03), "but for the prior"
    assert found.apart == pytest.approx(found.error * math.sqrt(2 / (1 - 1 / 5)))
    assert expected("a", "b", matches=100).apart == pytest.approx(
        1.96 * 400 / math.log(10) * 2 / math.sqrt(200), rel=1e-3
    )


def test_a_game_has_as_many_plays_as_its_deals_have_cards() -> None:
    deal = make_rules("kseri", {"deals": 1})
    assert plays_a_game(deal) == pytest.approx(48, abs=2)
    assert plays_a_game(make_rules("kseri")) > 2 * plays_a_game(deal)


def test_rotations_are_those_of_the_table() -> None:
    for preset, rotations in (("kseri", 2), ("kseri-3", 3), ("faro-4", 4)):
        tournament = Tournament(name="t", bots=["a", "b"], rules=preset)
        assert rotations_of(tournament, rules_of(tournament)) == rotations
