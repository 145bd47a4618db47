"""Tables with partners keep a pace: what an answer takes tells nobody anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import MockClock

from arena.play import FinishedGame, play_chunk
from arena.schedule import TICK_MS, Chunk, GameKey, limits_of
from arena.testing import Said, ScriptedBot, ScriptedHost, practice_plan
from protocol.messages import Limits
from protocol.records import GameRecord
from protocol.tournament import TimeControl, Tournament

KEY = GameKey(1, 0, 0)


class Table:
    """One game of partners on a clock of its own; `delays` by side and the turn's number."""

    def __init__(self, delays: dict[tuple[int, int], float], tick_ms: int | None = 50) -> None:
        self.asked_ms: list[float] = []
        self.frozen: list[int] = []
        self._delays = delays
        limits = Limits(tick_ms=tick_ms) if tick_ms else Limits()
        self._plan = practice_plan("a", "b", preset="kseri-partners", limits=limits, deals=1)
        self.record = trio.run(self._play, clock=MockClock(autojump_threshold=0))

    async def _play(self) -> GameRecord:
        host = ScriptedHost({name: lambda: ScriptedBot(self._answer) for name in "ab"})
        events: list[Any] = []

        async def report(event: Any) -> None:
            events.append(event)

        await play_chunk(host, self._plan, Chunk(("a", "b"), 0, (KEY,)), report)  # type: ignore[arg-type]
        self.frozen = [bot.frozen for bot in host.started]
        [event] = events
        assert isinstance(event, FinishedGame)
        return event.record

    def _answer(self, turn: dict[str, Any]) -> Iterable[Said]:
        self.asked_ms.append(round(trio.current_time() * 1000, 3))
        delay = self._delays.get((turn["seat"], turn["turn"]), 0)
        return [(delay, {"type": "play", "turn": turn["turn"], **turn["legal"][0]})]

    @property
    def steps_ms(self) -> list[float]:
        """From every turn to the next."""
        return [
            round(after - before, 3)
            for before, after in zip(self.asked_ms, self.asked_ms[1:], strict=False)
        ]


def at(turn: int, seats: list[int]) -> int:
    """Who plays the turn of this number."""
    return seats[turn - 1]


@pytest.fixture(scope="module")
def seats() -> list[int]:
    """Who plays which turn; cards are those of the same game each time."""
    return [play.seat for play in Table({}).record.deals[0].plays]


def test_every_turn_follows_the_one_before_by_the_tick(seats: list[int]) -> None:
    table = Table({})
    assert set(table.steps_ms) == {50}
    assert len(table.steps_ms) == len(seats) - 1
    assert [seat.overruns for seat in table.record.seats] == [0] * 4


def test_what_an_answer_took_cannot_be_seen_in_the_pace(seats: list[int]) -> None:
    delays = {(at(turn, seats), turn): (turn * 7) % 50 for turn in range(1, len(seats) + 1)}
    table = Table(delays)
    assert table.asked_ms == Table({}).asked_ms
    assert [seat.overruns for seat in table.record.seats] == [0] * 4


@pytest.mark.parametrize(("delay_ms", "step_ms"), [(50, 50), (51, 100), (100, 100), (260, 300)])
def test_a_slow_answer_delays_by_whole_ticks_and_is_an_overrun(
    seats: list[int], delay_ms: float, step_ms: float
) -> None:
    seat = at(6, seats)
    table = Table({(seat, 6): delay_ms})
    steps = table.steps_ms
    assert steps[5] == step_ms
    assert set(steps[:5] + steps[6:]) == {50}
    overruns = [0] * 4
    overruns[seat] = int(delay_ms > 50)
    assert [entry.overruns for entry in table.record.seats] == overruns


def test_without_a_pace_turns_follow_at_once(seats: list[int]) -> None:
    table = Table({(at(6, seats), 6): 260}, tick_ms=None)
    assert set(table.steps_ms) == {0, 260}
    assert [seat.overruns for seat in table.record.seats] == [0] * 4


def test_nobody_thinks_while_the_table_waits_for_its_pace(seats: list[int]) -> None:
    """All answer at once; each is stopped before its next turn, in every round."""
    table = Table({})
    for seat, frozen in enumerate(table.frozen):
        assert frozen >= seats.count(seat) - 1


@pytest.mark.parametrize(
    ("rules", "rated", "tick_ms", "expected"),
    [
        ("kseri-partners", True, None, TICK_MS),
        ("kseri-partners", True, 80, 80),
        ("kseri-partners", False, None, None),
        ("kseri", True, None, None),
    ],
)
def test_rated_games_of_partners_have_a_pace(
    rules: str, rated: bool, tick_ms: int | None, expected: int | None
) -> None:
    time = TimeControl(tick_ms=tick_ms) if tick_ms else TimeControl()
    tournament = Tournament(name="t", bots=["a", "b"], rules=rules, rated=rated, time=time)
    found = limits_of(tournament).tick_ms
    assert (None if found is msgspec.UNSET else found) == expected
