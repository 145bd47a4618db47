"""Commands that only look: standings, games, show, log, export."""

from __future__ import annotations

import csv
import json
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest

from arena.store import Reader
from tests.cli.conftest import TOURNAMENTS
from tests.cli.program import (
    ROOT,
    START,
    assert_harmless,
    complaint,
    environment,
    exported,
    kseri,
    started,
)


def shown(*words: object) -> str:
    result = kseri(*words)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def games_of(database: Path, name: str) -> list[str]:
    with Reader(database) as reader:
        return [record.game for record in reader.records(reader.tournament(name).id)]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_standings_fit_eighty_columns(database: Path, name: str) -> None:
    text = shown("standings", "--db", database, "--tournament", name)
    # But for commands, which stand on lines of their own.
    assert max(len(line) for line in text.splitlines() if " --db " not in line) <= 80
    assert f"{name}: " in text
    assert "practice" in text


def test_the_latest_tournament_is_the_default(database: Path) -> None:
    latest = shown("standings", "--db", database)
    assert latest == shown("standings", "--db", database, "--tournament", "latest")
    assert "open: kseri, 4 of 6 games" in latest
    first = shown("standings", "--db", database, "--tournament", "1")
    assert any(line.startswith("two: ") for line in first.splitlines())


def test_games_are_listed_by_page_and_condition(database: Path) -> None:
    page = shown("games", "--db", database, "--limit", 2, "--before", 5, "--tournament", "two")
    assert [line.split()[0] for line in page.splitlines()[1:3]] == ["4", "3"]
    assert page.splitlines()[3] == "There are more, before these:"
    assert page.endswith(f" games --tournament two --limit 2 --before 3 --db {database}\n")
    assert "shouter" in shown("games", "--db", database, "--faults", "--bot", "shouter")
    assert shown("games", "--db", database, "--bot", "nobody") == "No such games.\n"


def test_a_list_of_games_says_who_was_at_fault(database: Path) -> None:
    faulty = shown("games", "--db", database, "--faults", "--bot", "quitter")
    lines = [line for line in faulty.splitlines() if re.match(r"\d", line)]
    assert lines
    with Reader(database) as reader:
        for line in lines:
            seats = sorted({fault.seat for fault in reader.game(line.split()[1]).faults})
            expected = " ".join(map(str, seats))
            assert re.search(rf"\d, seats? {expected}$", line.rstrip()), line


def test_a_game_is_shown_card_by_card(database: Path) -> None:
    for name in ("two", "three", "hidden"):
        game = games_of(database, name)[0]
        text = shown("show", "--db", database, game[:9])
        assert text.startswith(f"Game {game}: match 1 of ")
        assert "won by" in text.splitlines()[-1]
        with Reader(database) as reader:
            record = reader.game(game)
        plays = sum(len(deal.plays) for deal in record.deals)
        assert len(re.findall(r"\d\s+ms\n", text)) == plays
    assert "face down" in shown("show", "--db", database, games_of(database, "hidden")[0])


def test_forfeits_are_shown_where_they_happened(database: Path) -> None:
    text = shown("show", "--db", database, games_of(database, "three")[0])
    assert "quitter: crash: the process ended with exit status 3" in text
    assert "(played by the arena)" in text
    assert text.index("quitter: crash") < text.index("(played by the arena)")


def causes(text: str) -> list[str]:
    """What is told of every fault, without where and what it wrote."""
    return re.findall(r"likely cause: .*?(?=       when: )", text, re.DOTALL)


@pytest.mark.parametrize("name", ["three", "shouting"])
def test_show_and_log_say_the_same_of_a_fault(database: Path, name: str) -> None:
    for game in games_of(database, name):
        shown_causes = causes(shown("show", "--db", database, game))
        assert shown_causes == causes(shown("log", "--db", database, game))
        with Reader(database) as reader:
            assert len(shown_causes) == len(reader.game(game).faults)


def test_turns_have_the_numbers_that_messages_and_logs_have(database: Path) -> None:
    for game in games_of(database, "two"):
        text = shown("show", "--db", database, game)
        found = re.findall(r"^ *(\d+) +(\d+)  (?:greedy|random) ", text, re.MULTILINE)
        assert [int(turn) for turn, _ in found] == [*range(1, len(found) + 1)]
        assert "1" in [number for _, number in found][1:], "in a deal they begin anew"


def test_what_is_told_of_a_game_fits_eighty_columns(database: Path) -> None:
    for name in ("two", "three", "shouting"):
        for game in games_of(database, name):
            for command in ("show", "log"):
                lines = shown(command, "--db", database, game).replace("\ufe0e", "").splitlines()
                quoted = ("stderr: ", "log: ", "again: ")
                told = [line for line in lines if not line.lstrip().startswith(quoted)]
                assert max(map(len, told)) <= 80


def test_the_bot_of_a_fault_can_be_run_again_as_it_is_printed(database: Path) -> None:
    game = games_of(database, "three")[0]
    (again, *_) = re.findall(r"again: (.*)$", shown("show", "--db", database, game), re.MULTILINE)
    done = subprocess.run(
        f"{again} --isolation none", shell=True, env=environment(), capture_output=True, text=True
    )
    assert re.search(r"and its fault at turn \d+ \(crash: .*exit status 3\)$", done.stdout), (
        done.stderr
    )


def test_a_game_whose_decks_are_still_played_is_not_shown(database: Path) -> None:
    with Reader(database) as reader:
        secret = [r.game for r in reader.records(reader.tournament("open").id) if not r.seed]
    assert secret
    complaint(kseri("show", "--db", database, secret[0]), 2, "until all games on its decks")


def test_text_of_bots_does_nothing_to_a_terminal(database: Path, bots: Path) -> None:
    game = games_of(database, "shouting")[0]
    texts = [
        shown("show", "--db", database, game),
        shown("log", "--db", database, game),
        shown("games", "--db", database),
        shown("standings", "--db", database, "--tournament", "shouting"),
        shown("verify", "--db", database, game),
    ]
    assert "shouter: illegal: " in texts[0]
    assert "  stderr: " in texts[1]
    assert "  turn " in texts[1]
    assert "  log: " in texts[1]
    watched = kseri(
        "play", bots / "shouter", "greedy", "--watch", "--isolation", "none", "--seed", 1,
        "--db", bots / "watched.db",
    )  # fmt: skip
    assert "illegal" in watched.stdout
    assert_harmless([*texts, watched.stdout, watched.stderr])


def test_a_game_can_be_watched(tmp_path: Path) -> None:
    words = ["--rules", "kseri-short", "--isolation", "none", "--db", tmp_path / "games.db"]
    result = kseri("play", "greedy", "random", "--watch", "--seed", 4, *words)
    assert result.returncode == 0, result.stderr
    told = result.stdout
    assert told.index("Deal 1, dealt by ") < told.index("won by ") < told.index("Rank")
    with Reader(tmp_path / "games.db") as reader:
        records = list(reader.records(1))
    plays = sum(len(deal.plays) for record in records for deal in record.deals)
    assert len(re.findall(r"\d\s+ms\n", told)) == plays


def test_a_log_of_a_silent_game_says_so(database: Path) -> None:
    game = games_of(database, "two")[0]
    assert shown("log", "--db", database, game) == "No faults, and nothing written.\n"


def test_exports_follow_the_schema(database: Path) -> None:
    schema = json.loads((ROOT / "schemas" / "game-record.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for name in TOURNAMENTS:
        validator.validate(json.loads(min(exported(database, "--tournament", name), key=len)))


def test_an_export_keeps_secrets_until_all_games_on_their_decks_are_over(database: Path) -> None:
    records = [json.loads(line) for line in exported(database, "--tournament", "open")]
    open_matches = {record["match"] for record in records if "seed" not in record}
    legs = [record["match"] for record in records]
    assert open_matches == {match for match in legs if legs.count(match) < 2}
    assert all(("salt" in record) == ("seed" in record) for record in records)


def test_a_canonical_export_has_nothing_of_the_run(database: Path) -> None:
    lines = exported(database, "--canonical", "--tournament", "two")
    assert lines == exported(database, "--canonical", "--tournament", "two")
    text = b"".join(lines).decode()
    for key in ("started", "elapsed_ms", "elapsed_us", "arena", "process", "nth", "cpu_us"):
        assert f'"{key}"' not in text
    keys = [(r["match"], r["rotation"]) for r in map(json.loads, lines)]
    assert keys == sorted(keys)


def test_standings_are_exported_as_csv(database: Path) -> None:
    result = kseri("export", "--standings", "--db", database, "--tournament", "shouting")
    rows = {row["label"]: row for row in csv.DictReader(result.stdout.splitlines())}
    assert set(rows) == {"greedy", "shouter"}
    assert int(rows["shouter"]["faults"]) > 2
    assert rows["greedy"]["games"] == "2"


@pytest.mark.parametrize("command", ["export", "games", "standings"])
def test_a_reader_that_has_had_enough_gets_no_complaint(database: Path, command: str) -> None:
    process = subprocess.Popen(
        [*START, command, "--db", database],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout
    process.stdout.close()
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert said == b""


@pytest.mark.parametrize("command", ["export", "standings", "verify"])
def test_output_that_can_not_be_written_is_said(database: Path, command: str) -> None:
    words = ["1"] if command == "verify" else []
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [*START, command, *words, "--db", database],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment(),
            check=False,
        )
    complaint(result, 1, "No space left on device")


def test_a_terminal_without_the_signs_gets_them_escaped(database: Path) -> None:
    result = started("show", "--db", database, "1", PYTHONIOENCODING="ascii")
    assert result.returncode == 0, result.stderr
    assert "\\u2663" in result.stdout
