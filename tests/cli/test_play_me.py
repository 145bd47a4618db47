"""`kseri play me`: a person at a terminal, and one whose input is a pipe or a file."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import trio
from rich.console import Console

from arena.cli.board import Board
from arena.cli.me import card_of, seated
from arena.errors import UsageError
from arena.game import DECK
from arena.person import Keyboard, person_files
from arena.seen import captures
from arena.store import Reader
from arena.version import VERSION
from protocol.codec import LINE_LIMIT
from protocol.messages import DealEnd, Hello, ToBot, Turn
from protocol.records import GameRecord
from protocol.rules import PRESETS, make_rules
from tests.cli.conftest import Here
from tests.cli.program import (
    HOSTILE,
    START,
    assert_harmless,
    bot,
    cache,
    complaint,
    environment,
    kseri,
    started,
)
from tests.referee.table import Table, setup_of
from tests.transcript.terminal import Terminal, terminal

__all__ = ["cache"]

PLAY = ("play", "me", "greedy", "--isolation", "none", "--set")
FIRST = b"1\n\n" * 2000
"""Always the first card; where that may capture it does, else the second line is complained of."""


def played(folder: Path, *words: object, given: bytes = FIRST) -> str:
    result = kseri(*words, folder=folder, given=given)
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    return result.stdout


def only_game(folder: Path) -> GameRecord:
    with Reader(folder / "kseri.db") as reader:
        return reader.game("1")


# Through a pipe


@pytest.mark.parametrize("preset", ["kseri", "kseri-3", "pisti", "kseri-partners", "faro-5"])
def test_a_game_by_every_kind_of_rules_is_stored_like_any_other(
    here: Here, tmp_path: Path, preset: str
) -> None:
    text = played(tmp_path, *PLAY, "deals=1", "--rules", preset)
    db = ("--db", tmp_path / "kseri.db")
    assert max(map(len, text.replace("\ufe0e", "").splitlines())) <= 80
    assert "Deal 1 is over" in text
    record = only_game(tmp_path)
    assert (record.reason, record.rated, record.faults) == ("deals", False, [])
    (me,) = (seat for seat in record.seats if seat.bot == "me")
    assert (me.version, me.hash) == (VERSION, person_files().hash)
    assert here("verify", "1", *db).stdout.startswith("1 sound")
    scores = "-".join(map(str, record.scores))
    assert f"{scores}, won by" in here("show", "1", *db).stdout
    assert f"{scores}, won by" in text
    seat = record.seats.index(me)
    assert here("transcript", "1", "--seat", seat, *db).returncode == 0
    assert here("standings", *db).returncode == 0
    complaint(here("rerun", "1", "--seat", seat, *db), 2, "was a person")


def test_time_is_not_charged_to_a_person_and_bots_have_their_clock(tmp_path: Path) -> None:
    played(tmp_path, *PLAY, "deals=1")
    record = only_game(tmp_path)
    me = [seat.bot for seat in record.seats].index("me")
    assert {play.elapsed_us for play in record.deals[0].plays if play.seat == me} == {0}
    assert record.limits.move_ms == 1_000


def test_what_was_typed_wrongly_is_explained(tmp_path: Path) -> None:
    text = played(tmp_path, *PLAY, "deals=1", given=b"9\n0\nZZ\n\n\xff\nhelp\nnot a card\n" + FIRST)
    for what in ("'9'", "'0'", "'zz'", "'\ufffd'", "'not a card'"):
        assert f"{what} is no card of yours: type 1 to 4, a card such as " in text
    assert "Type the number of a card" in text
    assert "\nType 1 to 4, a card such as " in text
    assert "'' is no card" not in text


def test_what_a_pipe_brings_is_repeated_harmlessly_and_in_short(tmp_path: Path) -> None:
    given = HOSTILE.encode() + b"\n" + b"x" * LINE_LIMIT + b"\nq\n"
    text = played(tmp_path, *PLAY, "deals=1", given=given)
    assert_harmless([text])
    assert max(map(len, text.splitlines())) < 300
    assert f"'{'x' * 40}' is no card of yours" in " ".join(text.split())


def test_a_keyboard_that_is_closed(here: Here, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("arena.cli.me.sys", SimpleNamespace(stdin=None))
    words = (*PLAY, "deals=1", "--db", tmp_path / "kseri.db")
    complaint(here(*words), 2, "me: standard input is closed")
    assert not list(tmp_path.iterdir())


def test_several_games_in_a_row_and_a_seed_that_goes_on(tmp_path: Path) -> None:
    words = [*PLAY, "deals=1", "--seed", 5, "--matches", 2]
    result = kseri(*words, folder=tmp_path, given=b"1\n\n" * 30)
    assert result.returncode == 130
    assert "Stopped: " in result.stderr
    played(tmp_path, *words)
    with Reader(tmp_path / "kseri.db") as reader:
        games = [reader.game(number) for number in ("1", "2")]
    assert [record.match for record in games] == [1, 2]
    assert all(record.practice for record in games)
    complaint(kseri(*words, folder=tmp_path), 2, "were played before")
    complaint(kseri(*words[:-2], folder=tmp_path), 2, "these cards were dealt there before")


def test_an_end_of_the_input_stores_nothing(tmp_path: Path) -> None:
    result = kseri(*PLAY, "deals=1", folder=tmp_path, given=b"1\n\n1\n")
    assert result.returncode == 130
    assert result.stderr.splitlines()[-1] == "Stopped: 0 of 1 games are stored"
    assert kseri("games", folder=tmp_path).stdout == "No such games.\n"


def test_input_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "typed").write_bytes(b"q\n")
    with (tmp_path / "typed").open() as typed:
        words = [*START, *PLAY, "deals=1"]
        result = subprocess.run(
            words, cwd=tmp_path, env=environment(), stdin=typed, capture_output=True, check=False
        )
    assert result.returncode == 0, result.stderr
    assert only_game(tmp_path).reason == "forfeit"


@pytest.mark.parametrize("preset", ["kseri", "kseri-3"])
def test_giving_up_is_a_forfeit_and_others_play_on(here: Here, tmp_path: Path, preset: str) -> None:
    text = played(tmp_path, *PLAY, "deals=1", "--rules", preset, given=b"1\n\n\nq\n")
    record = only_game(tmp_path)
    me = [seat.bot for seat in record.seats].index("me")
    assert [(fault.seat, fault.detail) for fault in record.faults] == [
        (me, "the process is a person, who gave up")
    ]
    assert record.ranks[me] == len(record.ranks)
    assert "won by " in text
    db = ("--db", tmp_path / "kseri.db")
    assert here("verify", "1", *db).returncode == 0
    shown = here("show", "1", *db).stdout
    assert "me: the person at the table gave up" in shown
    assert "crash" not in shown
    told = here("transcript", "1", "--seat", me, *db).stdout.splitlines()
    assert told[-1].startswith("# ")


def test_without_signs_and_colours(tmp_path: Path) -> None:
    plain = {"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    result = started(*PLAY, "deals=1", folder=tmp_path, given=FIRST, **plain)
    assert (result.returncode, "Traceback" in result.stderr) == (0, False), result.stderr
    text = result.stdout
    assert text.isascii()
    assert "+---+  +---+" in text
    assert "\\u" not in text


# At a terminal


def typing(screen: Terminal, answer: Callable[[str], str]) -> str:
    """Play on until the program ends, every prompt answered; what was shown last."""
    while True:
        try:
            shown = screen.until("): ")
        except AssertionError:
            assert screen.process.wait(60) == 0
            return screen.text
        screen.type(answer(shown))


def test_a_game_at_the_terminal(tmp_path: Path) -> None:
    def answer(shown: str) -> str:
        return "n\n" if "(y or n)" in shown else "1\n"

    with terminal(*PLAY, "deals=1", "--seed", 4, folder=tmp_path) as screen:
        text = typing(screen, answer)
    assert "\x1b[31m" in text, "red suits are red"
    lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if "): " not in line]
    assert max(len(line.replace("\ufe0e", "")) for line in lines) <= 80
    record = only_game(tmp_path)
    me = [seat.bot for seat in record.seats].index("me")
    assert not [p for p in record.deals[0].plays if p.seat == me and p.capture], "all declined"
    assert "(y or n)" in text


def test_ctrl_c_stops_and_stores_nothing(tmp_path: Path) -> None:
    with terminal(*PLAY, "deals=1", folder=tmp_path) as screen:
        screen.until("gives up): ")
        screen.type("1\n")
        screen.until("): ")
        screen.type("\x03")
        assert "Stopped: 0 of 1 games are stored" in screen.rest()
        assert screen.process.returncode == 130
    assert kseri("games", folder=tmp_path).stdout == "No such games.\n"


def test_ctrl_d_stops_too(tmp_path: Path) -> None:
    with terminal(*PLAY, "deals=1", folder=tmp_path) as screen:
        screen.until("gives up): ")
        screen.type("\x04")
        assert "Stopped: 0 of 1 games are stored" in screen.rest()
        assert screen.process.returncode == 130


def test_a_signal_to_end_stops_too(tmp_path: Path) -> None:
    with terminal(*PLAY, "deals=1", folder=tmp_path) as screen:
        screen.until("gives up): ")
        os.kill(screen.process.pid, signal.SIGTERM)
        screen.rest()
        assert screen.process.returncode == 130


# What is shown


def messages_of(table: Table, seat: int) -> list[ToBot]:
    return [msgspec.json.decode(line, type=ToBot) for line in table.sent[seat]]


def shown_cards(text: str) -> set[str]:
    found = re.findall(r"(10|[A2-9JQK])([♣♦♥♠])", text)
    return {f"{rank.replace('10', 'T')}{'CDHS'['♣♦♥♠'.index(suit)]}" for rank, suit in found}


def cards_in(value: Any) -> set[str]:
    return set(re.findall(r'"([A2-9TJQK][CDHS])"', json.dumps(msgspec.to_builtins(value))))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_only_what_the_seat_was_sent_is_shown(preset: str) -> None:
    """Every card on the screen stands in a message that this very seat was sent before."""
    table = Table(setup_of(make_rules(preset, {"deals": 1})))
    table.play_out()
    for seat in range(table.setup.rules.seats):
        screen = io.StringIO()
        out = Console(file=screen, width=80, force_terminal=False)
        known: set[str] = set()
        hello, *rest = messages_of(table, seat)
        assert isinstance(hello, Hello)
        board = Board(out, hello)
        board.begin()
        for message in rest:
            known |= cards_in(message)
            if isinstance(message, Turn):
                board.turn(message)
                own = shown_cards(screen.getvalue())
                assert set(message.hand) <= own <= known
                if not message.hidden_centre and table.setup.rules.decks == 1:
                    assert own < set(DECK) or message.stock == 0
            elif isinstance(message, DealEnd):
                board.end(message)
        assert shown_cards(screen.getvalue()) == known


def test_the_board_in_full() -> None:
    """Names, counts, scores, who is ahead, what can capture, what has happened."""
    table = Table(setup_of(make_rules("kseri"), names=["anna", "bert"]))
    while table.referee.game.deal.number < 2:
        table.play()
    table.play_until(0)
    table.ask()
    screen = io.StringIO()
    board = Board(Console(file=screen, width=80), messages_of(table, 0)[0])  # type: ignore[arg-type]
    turn = messages_of(table, 0)[-1]
    assert isinstance(turn, Turn)
    board.turn(turn)
    text = screen.getvalue()
    assert "Deal 2: dealt by " in text
    assert re.search(
        rf"^bert +\d+ +{turn.captured[1]} +{turn.bonus[1]} +{turn.scores[1]}", text, re.M
    )
    assert re.search(r"^you .*ahead|^bert .*ahead", text, re.M)
    assert f"Stock: {turn.stock}" in text
    for play in turn.plays:
        assert shown_cards(text) >= {play.card}


def test_capturing_cards_are_those_of_the_engine() -> None:
    for preset in ("kseri", "kseri-plain", "pisti", "kseri-kids"):
        table = Table(setup_of(make_rules(preset, {"deals": 2})))
        while table.referee.to_ask is not None:
            deal = table.referee.game.deal
            can = [deal.can_capture(card) for card in deal.hands[deal.seat]]
            turn = table.play()
            assert can == [captures(turn, card, table.setup.rules) for card in turn.hand]


# Pieces


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *[("1", "TC"), ("3", "2S"), ("4", None), ("0", None), ("-1", None), ("9" * 5000, None)],
        *[("10♣", "TC"), ("T♣\ufe0e", "TC"), ("10c", "TC"), ("tc", "TC"), ("3 H", "3H")],
        *[("3h", "3H"), ("3♥", "3H"), ("4H", None), ("", None), ("²", None)],
    ],
)
def test_cards_are_meant_by_number_or_name(text: str, card: str | None) -> None:
    assert card_of(text, ["TC", "3H", "2S"]) == card


def test_who_sits_where() -> None:
    a, b = (msgspec.structs.replace(person_files().manifest, name=n, run=[n]) for n in "ab")
    files = {n: type(person_files())(m, {}) for n, m in (("a", a), ("b", b))}

    def names(preset: str, *given: str) -> list[str]:
        bots = [None if name == "me" else files[name] for name in given]
        return [bot.manifest.name for bot in seated(bots, make_rules(preset))]

    assert names("kseri", "a", "me") == ["a", "me"]
    assert names("pisti", "me", "a") == ["me", "a", "a", "a"]
    assert names("pisti", "a", "me", "b") == ["a", "me", "b", "b"]
    assert names("kseri-3", "me", "a", "b") == ["me", "a", "b"]
    for preset, given in (("kseri", ["me", "me"]), ("kseri", ["me"]), ("kseri", ["me", "a", "b"])):
        with pytest.raises(UsageError):
            names(preset, *given)


def test_wrong_use(here: Here, tmp_path: Path) -> None:
    db = ("--db", tmp_path / "kseri.db")
    for words, part in [
        (["play", "me"], "give a bot to play against"),
        (["play", "me", "me"], "on one seat only"),
        (["play", "me", "greedy", "saver"], "has 2 seats, got 3"),
        (["play", "me", "greedy", "--watch"], "--watch and --workers: not with me"),
        (["play", "me", "nosuch"], "bot 'nosuch'"),
    ]:
        complaint(here(*words, *db), 2, part)
    assert not list(tmp_path.iterdir())
    path = bot(tmp_path, "me")
    complaint(here("play", path, "greedy", *db), 2, "'me' stands for the person")
    complaint(here("check", path, *db), 2, "'me' stands for the person")
    (tmp_path / "t.toml").write_text('name = "t"\nbots = ["greedy", "./me"]\n', "utf-8")
    words = ("tournament", "run", tmp_path / "t.toml", *db)
    complaint(here(*words), 2, "t.toml: line 2, bots: bot './me': 'me' stands for the person")


def test_lines_from_a_keyboard() -> None:
    async def lines(data: bytes) -> list[str | None]:
        ours, theirs = os.pipe()
        keyboard, found = Keyboard(ours), []
        async with trio.open_nursery() as nursery:

            async def write() -> None:
                for start in range(0, len(data), 4096):
                    await trio.lowlevel.wait_writable(theirs)
                    os.write(theirs, data[start : start + 4096])
                os.close(theirs)

            nursery.start_soon(write)
            while (line := await keyboard.line()) is not None:
                found.append(line)
        os.close(ours)
        return found

    assert trio.run(lines, b"a\n\nb") == ["a", "", "b"]
    assert trio.run(lines, b"") == []
    long = trio.run(lines, b"x" * (3 * LINE_LIMIT))
    assert all(line and len(line) <= 2 * LINE_LIMIT for line in long)
