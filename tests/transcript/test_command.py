"""`kseri transcript`: what real processes were sent, from the command line."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from arena.cli.transcript import _Row
from arena.store import Reader
from arena.transcript import sent_bytes, transcript
from tests.cli.program import assert_harmless, bot, cache, complaint, kseri
from tests.tournament.memory import InMemory, Stopped, entered, played

__all__ = ["cache"]

ECHO = "sys.stderr.write(line); sys.stderr.flush()"
"""Writes every turn that it reads to standard error."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of one match between a bot that echoes and one that errs."""
    folder = tmp_path_factory.mktemp("games")
    echo = bot(folder, "echo", ECHO)
    errs = bot(folder, "errs", "if turn > 12: play['card'] = '\\x1b[2J'")
    words = ["--set", "deals=1", "--seed", 3, "--isolation", "none", "--workers", 1]
    assert kseri("play", echo, "greedy", *words, folder=folder).returncode == 0
    assert kseri("play", errs, "greedy", *words[:2], *words[4:], folder=folder).returncode == 0
    return folder


def lines_of(folder: Path, game: str, seat: int, *more: str) -> list[str]:
    result = kseri("transcript", game, "--seat", seat, *more, folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.splitlines()


def test_the_turns_are_those_that_a_process_read(games: Path) -> None:
    with Reader(games / "kseri.db") as reader:
        for game in ("1", "2"):
            record = reader.game(game)
            seat = [seat.bot for seat in record.seats].index("echo")
            (log,) = (log for log in reader.logs(game) if log.seat == seat)
            sent = [line[2:] for line in lines_of(games, game, seat) if line.startswith("> ")]
            turns = [line for line in sent if json.loads(line)["type"] == "turn"]
            assert "".join(f"{line}\n" for line in turns) == log.stderr
            told = transcript(record, seat, seed_told=game == "2")
            assert "".join(f"{line}\n" for line in sent).encode() == sent_bytes(told)
            assert json.loads(sent[0])["type"] == "hello"
            assert (json.loads(sent[-1])["seed"] is None) == (game == "1")


def test_every_turn_is_followed_by_its_answer(games: Path) -> None:
    lines = lines_of(games, "1", 0)
    for before, line in pairwise(lines):
        asked = '"type":"turn"' in before
        assert line.startswith("< ") == asked
        if asked:
            assert json.loads(line[2:])["turn"] == json.loads(before[2:])["turn"]


def test_a_fault_shows_what_was_received_and_nothing_that_moves_a_cursor(games: Path) -> None:
    with Reader(games / "kseri.db") as reader:
        record = reader.game("3")
    (fault,) = record.faults
    text = "\n".join(lines_of(games, "3", fault.seat))
    assert_harmless([text])
    assert "# illegal: " in text
    rows = [json.loads(line) for line in lines_of(games, "3", fault.seat, "--json")]
    (wrong,) = (row for row in rows if "fault" in row)
    assert wrong == {"from": "bot", "line": fault.got, "turn": fault.turn, "fault": "illegal"}
    assert [json.loads(row["line"])["type"] for row in rows[-2:]] == ["error", "game_end"]


def test_a_seat_that_is_not_there_and_a_game_that_is_not_there(games: Path) -> None:
    complaint(kseri("transcript", "1", "--seat", 2, folder=games), 2, "seats 0 to 1")
    complaint(kseri("transcript", "nosuch", "--seat", 0, folder=games), 2, "no game 'nosuch'")
    complaint(kseri("transcript", "1", folder=games), 2, "--seat")


def test_a_game_whose_seed_may_not_be_known_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "kseri.db"
    with pytest.raises(Stopped):
        played(path, entered(path, "greedy", "random", matches=2), InMemory(stops_after=1))
    result = kseri("transcript", "1", "--seat", 0, folder=tmp_path)
    complaint(result, 1, "not available until all games on its decks are over")
    assert result.stdout == ""


def test_a_record_that_was_changed_is_said_to_be_wrong(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "kseri.db"
    path.write_bytes((games / "kseri.db").read_bytes())
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE games SET seed = ? WHERE id = 1", ["00" * 32])
    complaint(kseri("transcript", "1", "--seat", 0, folder=tmp_path), 1, "verify says more")


def test_the_rows_have_the_keys_that_are_promised() -> None:
    row = _Row(sender="arena", line="{}")
    assert msgspec.json.encode(row) == b'{"from":"arena","line":"{}"}'
