"""Games of visitors with real bots, taken from the database and put there: no page is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio

import arena.person.entry
from arena.bots import BotFiles, read_bot
from arena.errors import ArenaFault, Trouble
from arena.person import Room
from arena.person.visitors import play_visitors
from arena.play import Bot
from arena.process import Host
from arena.store import (
    Reader,
    Sitting,
    add_sitting,
    keep_submission,
    open_for_writing,
    put_answer,
    undisturbed,
    writing,
)
from arena.verify import problems
from protocol.messages import Play, Turn
from protocol.records import GameRecord
from tests.cli.program import bot, cache

__all__ = ["cache"]

SILENT = "says nothing"
Answer = Callable[[Turn], Play | str | None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    open_for_writing(tmp_path / "arena.db").close()
    return tmp_path / "arena.db"


@pytest.fixture
def room(path: Path) -> Room:
    return Room(path, "none")


def submitted(path: Path, name: str, code: str = "pass", **keys: str) -> str:
    """A bot that was handed in."""
    with writing(path) as db, undisturbed(db):
        keep_submission(db, read_bot(bot(path.parent, name, code, **keys)))
    return name


def sit_down(path: Path, *bots: str, rules: str = "kseri-short", visitor: str = "ada") -> int:
    with writing(path) as db:
        return add_sitting(db, visitor, bots, rules, 9)


def first(turn: Turn) -> Play:
    """A capture where there is one."""
    legal = max(turn.legal, key=lambda each: bool(each.capture))
    return Play(card=legal.card, capture=legal.capture, turn=turn.turn)


async def ended(path: Path, number: int, answer: Answer, visitor: str = "ada") -> Sitting:
    """Answer as a visitor does until the sitting is over."""
    answered = 0
    while True:
        with Reader(path) as reader:
            sitting = reader.sitting(number, visitor)
        if sitting.is_over:
            return sitting
        if sitting.turn > answered:
            answered, turn = sitting.turn, sitting.told[-1]
            assert isinstance(turn, Turn)
            play = answer(turn)
            if not isinstance(play, str):
                with writing(path) as db:
                    put_answer(db, number, visitor, answered, play)
        await trio.sleep(0.01)  # as a page without a stream does


def while_played(room: Room, visit: Callable[[], Awaitable[None]]) -> None:
    """Play the games of visitors for as long as `visit` takes."""

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_visitors, room)
            await visit()
            nursery.cancel_scope.cancel()

    trio.run(main)


def played(room: Room, *bots: str, answer: Answer = first, rules: str = "kseri-short") -> Sitting:
    """One sitting from its beginning to its end."""
    found: list[Sitting] = []
    number = sit_down(room.database, *bots, rules=rules)

    async def visit() -> None:
        found.append(await ended(room.database, number, answer))

    while_played(room, visit)
    return found[0]


def record_of(path: Path, sitting: Sitting) -> GameRecord:
    assert (sitting.state, sitting.told) == ("over", [])
    assert sitting.game
    with Reader(path) as reader:
        return reader.game(sitting.game)


def test_a_game_is_judged_like_any_other_and_counts_for_nothing(room: Room, path: Path) -> None:
    record = record_of(path, played(room, "greedy"))
    assert (record.reason, record.faults, record.rated, record.tournament) == (
        "target",
        [],
        False,
        None,
    )
    assert sorted(seat.bot for seat in record.seats) == ["greedy", "visitor"]
    assert problems(record) == []
    with Reader(path) as reader:
        (row,) = reader.games()
        assert (row.game, row.tournament) == (record.game, "visitor v greedy")
        stored = reader.stored(row.tournament_id)
        assert (stored.kind, stored.rated, stored.games_planned) == ("person", False, 1)
        assert stored.finished
        assert reader.tournaments() == reader.unfinished(9) == []
        assert [row.games for row in reader.bots()] == [0, 0]
        assert reader.entries("greedy") == []


def test_other_seats_are_the_last_bot_and_there_is_one_game_with_partners(
    room: Room, path: Path
) -> None:
    sitting = played(room, "greedy", "saver", rules="pisti", answer=lambda turn: None)
    record = record_of(path, sitting)
    assert sorted(seat.bot for seat in record.seats) == ["greedy", "saver", "saver-2", "visitor"]
    with Reader(path) as reader:
        assert len(reader.games()) == 1


def test_every_game_has_cards_of_its_own(room: Room, path: Path) -> None:
    seeds = {record_of(path, played(room, "greedy", answer=lambda _: None)).seed for _ in "12"}
    assert len(seeds) == 2


def test_whoever_gives_up_has_lost(room: Room, path: Path) -> None:
    record = record_of(path, played(room, "greedy", answer=lambda turn: None))
    (fault,) = record.faults
    assert record.seats[fault.seat].bot == "visitor"
    assert (record.reason, record.winner) == ("forfeit", 1 - record.seats[fault.seat].side)
    assert fault.detail == "the process is a person, who gave up"


@pytest.mark.parametrize(
    ("limit", "told"),
    [("play_s", "who did not play in time"), ("game_s", "who used up the time for the game")],
)
def test_whoever_does_not_come_back_has_lost(room: Room, path: Path, limit: str, told: str) -> None:
    hurried = replace(room, **{limit: 0.4})  # type: ignore[arg-type]
    record = record_of(path, played(hurried, "greedy", answer=lambda turn: SILENT))
    (fault,) = record.faults
    assert record.seats[fault.seat].bot == "visitor"
    assert fault.detail == f"the process is a person, {told}"


def test_a_bot_that_crashes_has_lost_and_its_fault_is_found(room: Room, path: Path) -> None:
    name = submitted(path, "crashes", "raise SystemExit('no')")
    record = record_of(path, played(room, name))
    (fault,) = record.faults
    assert (record.seats[fault.seat].bot, fault.kind) == ("crashes", "boot")
    assert record.seats[record.winner or 0].bot == "visitor"


def test_a_bot_that_can_not_play_is_refused_with_its_reason(room: Room, path: Path) -> None:
    kids = submitted(path, "kids", rules='["kseri-kids"]')
    sitting = played(room, kids)
    assert (sitting.state, sitting.text) == (
        "refused",
        "bot kids: plays kseri-kids, not kseri-short",
    )
    assert played(room, "nobody").state == "refused"


def test_the_folders_of_the_machine_are_for_the_organiser_alone(room: Room, path: Path) -> None:
    said: list[str] = []
    broken = submitted(path, "broken", build='["sh", "-c", "pwd; exit 1"]')
    sitting = played(replace(room, say=said.append), broken)
    assert (sitting.state, sitting.text) == ("refused", "a bot of this table can't be built here")
    assert "broken" in said[0]


def test_two_visitors_play_at_once(room: Room, path: Path) -> None:
    ada, ben = (sit_down(path, "greedy", visitor=name) for name in ("ada", "ben"))
    found: list[Sitting] = []

    async def visit() -> None:
        async with trio.open_nursery() as nursery:
            is_asked = waiting(nursery, path, ada)
            await is_asked.wait()
            found.append(await ended(path, ben, first, "ben"))
            nursery.cancel_scope.cancel()
        found.append(await ended(path, ada, lambda _: None))

    while_played(room, visit)
    records = [record_of(path, sitting) for sitting in found]
    assert [record.reason for record in records] == ["target", "forfeit"]
    assert records[0].seed != records[1].seed


def waiting(nursery: trio.Nursery, path: Path, number: int) -> trio.Event:
    """A visitor who sits there and says nothing; the event is that they were asked."""
    is_asked = trio.Event()

    def answer(_: Turn) -> str:
        is_asked.set()
        return SILENT

    nursery.start_soon(ended, path, number, answer)
    return is_asked


def test_an_arena_that_is_stopped_leaves_the_game_void(room: Room, path: Path) -> None:
    number = sit_down(path, "greedy")

    async def visit() -> None:
        async with trio.open_nursery() as nursery:
            await waiting(nursery, path, number).wait()
            nursery.cancel_scope.cancel()

    while_played(room, visit)
    with Reader(path) as reader:
        sitting = reader.sitting(number, "ada")
        assert (sitting.state, sitting.told) == ("void", [])
        assert sitting.text == "the arena was stopped before this game was over"
        assert reader.stored(1).finished
        assert reader.games() == []


def test_a_game_that_the_arena_failed_is_void_and_not_played_again(
    room: Room, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[object] = []

    def fail(_: Host, launch: object) -> None:
        starts.append(launch)
        raise ArenaFault("no process could be started: /secret/folder")

    monkeypatch.setattr(Host, "start", fail)
    said: list[str] = []
    sitting = played(replace(room, say=said.append), "greedy")
    assert sitting.state == "void"
    assert sitting.text == "the arena failed in this game; its organiser is told why"
    assert len(starts) == 1
    assert "no process could be started" in said[0]


def test_a_bot_that_the_machine_does_not_let_be_made_ready_ends_one_table_only(
    room: Room, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submitted(path, "large")
    prepare = arena.person.entry.prepare

    def without_space(found: BotFiles, isolation: str) -> Bot:
        if found.manifest.name == "large":
            raise Trouble("a bot's copy: /secret/folder: No space left on device")
        return prepare(found, isolation)

    monkeypatch.setattr(arena.person.entry, "prepare", without_space)
    said: list[str] = []
    found: list[Sitting] = []
    numbers = [
        sit_down(path, bot, visitor=visitor)
        for bot, visitor in (("large", "eve"), ("greedy", "ada"))
    ]

    async def visit() -> None:
        found.append(await ended(path, numbers[0], first, "eve"))
        found.append(await ended(path, numbers[1], first))

    while_played(replace(room, say=said.append), visit)
    assert [sitting.state for sitting in found] == ["void", "over"]
    assert found[0].text == "the arena failed in this game; its organiser is told why"
    assert said == [
        "a visitor's game is void: a bot's copy: /secret/folder: No space left on device"
    ]
