"""Anyone can check a game: `kseri verify` finds whatever was changed in it, and says what."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.store import Reader
from arena.verify import problems, secret_problems
from protocol.records import GameRecord
from tests.cli.program import HOSTILE, assert_harmless, complaint, exported, kseri

Record = dict[str, Any]


@pytest.fixture(scope="session")
def export(database: Path) -> dict[str, list[Record]]:
    """All games of the finished tournaments as they are exported."""
    return {
        name: [json.loads(line) for line in exported(database, "--tournament", name)]
        for name in ("two", "three", "hidden", "shouting")
    }


def checked(record: Record, tmp_path: Path) -> tuple[int, str]:
    """What the command says of one record in a file, and its exit status."""
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(record) + "\n", "utf-8")
    result = kseri("verify", file)
    assert result.stderr == ""
    return result.returncode, result.stdout


def test_honest_games_are_sound(database: Path, export: dict[str, list[Record]]) -> None:
    for name, records in export.items():
        result = kseri("verify", "--db", database, "--tournament", name)
        assert result.returncode == 0, result.stdout
        assert f"{len(records)} sound, 0 wrong, 0 not verifiable yet" in result.stdout
        assert f"{name}: checked against its secret " in result.stdout
    text = "".join(json.dumps(record) + "\n\n" for record in export["three"])
    assert kseri("verify", "-", given=text.encode()).stdout.startswith("6 sound, 0 wrong")


def other_card(record: Record) -> str:
    """A seat's first card becomes its last one, which it was dealt much later."""
    plays = record["deals"][0]["plays"]
    plays[0]["card"] = plays[-2]["card"] if plays[-2]["seat"] == plays[0]["seat"] else "??"
    return f"deal 1, play 1: {plays[0]['card']} is not in the hand"


def foreign_card(record: Record) -> str:
    plays = record["deals"][0]["plays"]
    plays[0]["card"] = plays[1]["card"]
    return "deal 1, play 1: "


def capture_flag(record: Record) -> str:
    play = next(p for d in record["deals"] for p in d["plays"] if not p["capture"])
    play["capture"] = True
    return "deal 1, play "


def points(record: Record) -> str:
    record["deals"][0]["sides"][1]["total"] += 1
    return "deal 1, side 1: total is "


def no_points(record: Record) -> str:
    del record["deals"][0]["sides"]
    return "deal 1: scores of 0 sides"


def score(record: Record) -> str:
    record["scores"][0] += 1
    return "scores: recorded ["


def seed(record: Record) -> str:
    record["seed"] = "00" + record["seed"][2:]
    return "commitment: recorded "


def short_seed(record: Record) -> str:
    record["seed"] = record["seed"][2:]
    return "seed: 62 hex digits, expected 64"


def salt(record: Record) -> str:
    record["salt"] = "00" + record["salt"][2:]
    return "commitment: recorded "


def commitment(record: Record) -> str:
    record["commitment"] = "00" * 32
    return f"commitment: recorded {'00' * 32}, by salt and seed "


def winner(record: Record) -> str:
    record["winner"] = 1 - record["winner"]
    return "winner: recorded "


def ranks(record: Record) -> str:
    record["ranks"].reverse()
    return "ranks: recorded ["


def reason(record: Record) -> str:
    record["reason"] = "deals"
    return "reason: recorded deals, played target"


def dealer(record: Record) -> str:
    deal = record["deals"][0]
    deal["dealer"] = 1 - deal["dealer"]
    return "deal 1: dealer is "


def attempt(record: Record) -> str:
    record["deals"][0]["attempt"] += 1
    return "deal 1: attempt is 1, by the seed 0"


def fewer_plays(record: Record) -> str:
    record["deals"][-1]["plays"].pop()
    return "the game is not over"


def one_deal_more(record: Record) -> str:
    record["deals"].append(record["deals"][-1] | {"number": len(record["deals"]) + 1})
    return "the game was over"


def seats_exchanged(record: Record) -> str:
    one, two = record["seats"]
    one["bot"], two["bot"] = two["bot"], one["bot"]
    return "seat 0: random, by pairing and rotation greedy"


def side(record: Record) -> str:
    record["seats"][0]["side"] = 1
    return "seat 0: side 1, by the rules 0"


def one_seat(record: Record) -> str:
    record["seats"].pop()
    return "seats: 1 of them, by the rules 2"


def rules(record: Record) -> str:
    record["rules"]["preset"] = "kseri-plain"
    return ""


def unknown_rules(record: Record) -> str:
    record["rules"]["preset"] = "nosuch"
    return "unknown preset"


def version(record: Record) -> str:
    record["rules"]["version"] = 99
    return "rules: played by version 99"


def a_fault(record: Record) -> str:
    fault = {"seat": 0, "deal": 1, "turn": 1, "kind": "crash", "detail": ""}
    record["faults"] = [fault | {"seat": record["deals"][0]["plays"][0]["seat"]}]
    return ""


def fault_of_another(record: Record) -> str:
    seat = 1 - record["deals"][0]["plays"][0]["seat"]
    record["faults"] = [{"seat": seat, "deal": 1, "turn": 1, "kind": "crash", "detail": ""}]
    return f"fault at turn 1: of seat {seat}, but seat {1 - seat} was in turn"


def fault_of_nobody(record: Record) -> str:
    record["faults"] = [{"seat": 5, "deal": 1, "turn": 1, "kind": "crash", "detail": ""}]
    return "fault at turn 1: of seat 5"


def fault_after_the_end(record: Record) -> str:
    record["faults"] = [{"seat": 0, "deal": 1, "turn": 9999, "kind": "crash", "detail": ""}]
    return "faults: one at turn 9999"


CHANGES = [
    *(other_card, foreign_card, capture_flag, points, no_points, score, seed, short_seed, salt),
    *(commitment, winner, ranks, reason, dealer, attempt, fewer_plays, one_deal_more),
    *(seats_exchanged, side, one_seat, rules, unknown_rules, version),
    *(a_fault, fault_of_another, fault_of_nobody, fault_after_the_end),
]


@pytest.mark.parametrize("change", CHANGES, ids=[change.__name__ for change in CHANGES])
def test_whatever_is_changed_is_found_and_named(
    export: dict[str, list[Record]], change: Callable[[Record], str]
) -> None:
    record = copy.deepcopy(export["two"][0])
    assert not problems(msgspec.convert(record, GameRecord))
    expected = change(record)
    found = problems(msgspec.convert(record, GameRecord))
    assert any(expected in problem for problem in found), found


@pytest.mark.parametrize("change", [foreign_card, score, dealer])
def test_the_command_says_what_is_wrong_and_ends_with_status_1(
    export: dict[str, list[Record]], change: Callable[[Record], str], tmp_path: Path
) -> None:
    record = copy.deepcopy(export["two"][0])
    expected = change(record)
    status, said = checked(record, tmp_path)
    assert status == 1
    assert said.startswith(f"{record['game']}: ")
    assert expected in said
    assert said.endswith("0 sound, 1 wrong, 0 not verifiable yet\n")


@pytest.mark.parametrize("field", ["seed", "salt", "game", "bot_seed", "master_commitment"])
def test_what_does_not_follow_from_the_secret_is_named(
    database: Path, export: dict[str, list[Record]], field: str
) -> None:
    with Reader(database) as reader:
        master = bytes.fromhex(reader.tournament("two").master)
    record = copy.deepcopy(export["two"][0])
    assert not secret_problems(msgspec.convert(record, GameRecord), master)
    if field == "bot_seed":
        record["seats"][1]["bot_seed"] += 1
    else:
        record[field] = "00" * (len(record[field]) // 2)
    [found] = secret_problems(msgspec.convert(record, GameRecord), master)
    assert found.startswith("seat 1: bot_seed " if field == "bot_seed" else f"{field}: ")


def test_games_whose_decks_are_still_played_are_not_verifiable(database: Path) -> None:
    with Reader(database) as reader:
        rows = reader.games(tournament_id=reader.tournament("open").id)
        records = [reader.game(row.game) for row in rows]
    secret = [record.game for record in records if not record.seed]
    # Its plays would tell the cards of the other games on its decks.
    assert all(not record.deals for record in records if not record.seed)
    told = kseri("export", "--tournament", "open", "--db", database)
    assert not any(game in told.stdout for game in secret)
    assert "2 game(s) left out until the other games on their decks are over" in told.stderr
    result = kseri("verify", secret[0], "--db", database)
    assert result.returncode == 1
    assert f"{secret[0]}: not verifiable until the other games on its decks are over" in (
        result.stdout
    )
    whole = kseri("verify", "--tournament", "open", "--db", database)
    assert whole.returncode == 1
    assert "2 sound, 0 wrong, 2 not verifiable yet" in whole.stdout
    assert "open: seeds not verifiable until its last game is over" in whole.stdout
    with Reader(database) as reader:
        assert reader.tournament("open").master not in whole.stdout


def test_a_file_that_is_no_export_is_told_by_line(
    tmp_path: Path, export: dict[str, list[Record]]
) -> None:
    file = tmp_path / "games.jsonl"
    sound = json.dumps(export["hidden"][0]).encode()
    for number, line in enumerate((b"{}", b"not json", b"[]", b'"\xff"', b"[" * 100_000)):
        file.write_bytes(sound + b"\n" + line + b"\n")
        if number < 2:
            complaint(kseri("verify", file), 2, f"{file}, line 2: not a game record: ")
        else:
            with pytest.raises((msgspec.DecodeError, UnicodeDecodeError, RecursionError)):
                msgspec.json.decode(line, type=GameRecord)
    complaint(kseri("verify", tmp_path / "no.jsonl"), 2, "no.jsonl: No such file")
    complaint(kseri("verify", f"{tmp_path}/"), 2, "Is a directory")


def test_an_export_of_a_stranger_does_nothing_to_a_terminal(
    tmp_path: Path, export: dict[str, list[Record]]
) -> None:
    record = copy.deepcopy(export["two"][0]) | {"game": HOSTILE}
    record["seats"][0]["bot"] = HOSTILE
    status, said = checked(record, tmp_path)
    assert status == 1
    assert "seat 0: " in said
    assert_harmless([said])
