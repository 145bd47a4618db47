"""One game between the referee and the bots' processes."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

import msgspec
import trio

from arena.play.place import Player, attach_facts, flood_text, how_ended, pids_of_side
from arena.play.plan import Observer
from arena.process import Asked, Canary, Outcome, Starter
from arena.referee import Referee


async def run_game(
    host: Starter,
    referee: Referee,
    players: Sequence[Player],
    observer: Observer | None = None,
    think_on_opponents_time: bool = False,
    canary: Canary | None = None,
) -> None:
    """Drive the referee until the game is over.

    Unless `think_on_opponents_time`, a bot is stopped when another's answer takes long. Raises
    `ArenaFault`, also where time runs out while the `canary` is late.
    """
    tick_ms = referee.setup.limits.tick_ms
    rest = None if think_on_opponents_time else functools.partial(_freeze_others, players, None)
    pace = None if tick_ms is msgspec.UNSET else _Pace(tick_ms, players, rest)
    slow = [
        None if think_on_opponents_time else functools.partial(_freeze_others, players, seat)
        for seat in range(len(players))
    ]
    while True:
        if referee.has_mail:
            await deliver(referee, players)
        if observer:
            observer(referee)
        seat = referee.to_ask
        if seat is None:
            return
        if pace:
            await pace.keep(seat)
        known = len(referee.faults)
        await _ask(host, referee, players, seat, slow[seat], canary)
        if len(referee.faults) > known:
            attach_facts(referee, known, players[seat].facts())


class _Pace:
    """Turns that follow each other by multiples of a tick, whatever the answers took.

    Where a side has several seats the pace of answers could carry signals between partners.
    """

    def __init__(
        self, tick_ms: int, players: Sequence[Player], rest: Callable[[], None] | None
    ) -> None:
        """`rest`: called before each wait for the next tick, in which nobody may think."""
        self._tick_s = tick_ms / 1000
        self._players = players
        self._rest = rest
        self._last: tuple[float, int] | None = None
        """When the turn before was written, and to which seat."""

    async def keep(self, seat: int) -> None:
        """Wait until the next turn is due; an answer that made it late is an overrun."""
        now = trio.current_time()
        due = now
        if self._last is not None:
            before, who = self._last
            ticks = max(1, math.ceil((now - before) / self._tick_s))
            self._players[who].overruns += ticks > 1
            due = before + ticks * self._tick_s
            if self._rest and due > now:
                self._rest()
            await trio.sleep_until(due)
        self._last = due, seat


def _freeze_others(players: Sequence[Player], seat: int | None) -> None:
    for other, player in enumerate(players):
        if other != seat and player.process:
            player.process.freeze()


async def deliver(referee: Referee, players: Sequence[Player]) -> None:
    """Send what asks for no answer, and end the processes of sides that have forfeited."""
    for seat, line in referee.take_outbox():
        process = players[seat].process
        if process:
            process.post(line)
    if referee.game.forfeited:
        for seat, player in enumerate(players):
            if player.process and referee.is_gone(seat):
                await player.stop(kill=True)


async def _ask(
    host: Starter,
    referee: Referee,
    players: Sequence[Player],
    seat: int,
    slow: Callable[[], None] | None,
    canary: Canary | None,
) -> None:
    player = players[seat]
    process = player.process
    if process is None:
        return referee.ended("boot", player.place.problem)
    turn = referee.turn_number
    while lines := process.early_lines():
        for line in lines:
            referee.early(seat, line)
            if referee.turn_number != turn or referee.reason or referee.is_gone(seat):
                return None
        # A bot that says much must not keep other games waiting.
        await trio.lowlevel.checkpoint()
    if process.has_flooded:
        return referee.flooded(flood_text(player.place.batch))
    if referee.has_mail:
        await deliver(referee, players)
    outcome = await process.turn(referee.turn(), referee, host.games == 1, slow)
    if outcome is Outcome.ANSWERED:
        return None
    if outcome is Outcome.TIMED_OUT:
        if canary:
            # It is 0 where the bot did not even take the turn's line.
            lasted_us = max(process.lasted_us, referee.budget_us)
            canary.check(lasted_us, pids_of_side(referee, players, seat))
        referee.timed_out()
    elif outcome is Outcome.FLOODED:
        referee.flooded(flood_text(player.place.batch), process.lasted_us)
    elif outcome is Outcome.ENDED:
        await _ended(referee, player, process, seat)
    return None


async def _ended(referee: Referee, player: Player, process: Asked, seat: int) -> None:
    """The process has ended: replace it where it had not begun this game, else it is a fault."""
    if process.games > 1 and not process.heard_in_game:
        await player.replace()
        if player.process:
            player.process.post(referee.restarted(seat))
        return
    referee.ended(*how_ended(process), process.lasted_us)
