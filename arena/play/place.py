"""Who plays on a seat: its process over the games of one rotation, and its part in one game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import trio

from arena.errors import ArenaFault, BotCannotStart
from arena.play.plan import Bot, Plan, batch_of
from arena.process import Asked, Starter
from arena.referee import Referee
from arena.sandbox import Launch
from protocol.codec import LINE_LIMIT, join_lines
from protocol.messages import FaultKind
from protocol.records import SeatRecord

_EARLY_BYTES, _EARLY_LINES = 64 * 1024, 128


class Place:
    """A bot on one seat: its process, and the one that takes its place when it has ended."""

    def __init__(self, host: Starter, plan: Plan, label: str, name: str) -> None:
        """`name`: of the place, unique in its chunk."""
        self.bot: Bot = plan.bots[label]
        self.label = label
        self.batch = batch_of(plan, label)
        """How many games may go on at once in its process."""
        self.process: Asked | None = None
        self.is_booted = False
        """Whether its process has been ready, or has answered."""
        self.is_spent = False
        """Whether it has forfeited a game: no other begins in this process."""
        self.mail: list[bytes] = []
        """What is to be sent with the next turns, where several games go on at once."""
        self.problem = ""
        """Why there is no process, where it could not be started."""
        self._host = host
        self._launch = Launch(
            self.bot.run,
            Path(self.bot.folder),
            plan.limits.memory_mb,
            processes=self.bot.processes,
            hosted=True,
        )
        self._charges_cpu = plan.limits.clock == "cpu"
        self._name = name
        self._started = 0

    @property
    def process_name(self) -> str:
        """The name of its process, unique in its chunk."""
        return f"{self._name}.{self._started}"

    def start(self) -> None:
        """Start a process; a bot that can't be started is left without one."""
        self._started += 1
        self.is_booted = self.is_spent = False
        self.mail.clear()
        try:
            self.process = self._host.start(self._launch)
        except BotCannotStart as error:
            self.problem = str(error)
            return
        except (OSError, ValueError) as error:
            # By what the bot brings, or the machine: it may cost others the match, and no more.
            why = f"{type(error).__name__}: {error}"
            raise ArenaFault(f"bot {self.label} could not be started: {why}") from error
        self.process.charges_cpu = self._charges_cpu
        if self.batch > 1:
            self.process.take_batches(self.batch)

    def take_mail(self, more: Sequence[bytes] = ()) -> list[bytes]:
        """What waits for the next turns, and `more`, as the lines that are to be sent."""
        lines, self.mail = [*self.mail, *more], []
        return join_lines(lines, self.batch * LINE_LIMIT) if self.batch > 1 else lines

    def post_mail(self) -> None:
        """Send what waits for the next turns."""
        for line in self.take_mail():
            if self.process:
                self.process.post(line)

    async def stop(self, kill: bool = False) -> None:
        """End the process."""
        self.post_mail()
        process, self.process = self.process, None
        self.is_spent = False
        if process:
            if kill:
                process.kill()
            await self._host.end(process)


async def stop_all(places: Iterable[Place], kill: bool = False) -> None:
    """End their processes, all at once: each may take its time to go."""
    async with trio.open_nursery() as nursery:
        for place in places:
            nursery.start_soon(place.stop, kill)


class Player:
    """A place in one game: the process that plays it, and what that did in it."""

    def __init__(self, place: Place, beside: bool = False) -> None:
        """Begin a game, with a new process where there is none.

        `beside`: other games go on in the process. Raises `ArenaFault`.
        """
        self.place = place
        self.overruns = 0
        """Its answers that took longer than the table's pace."""
        self._stderr = ""
        """What a process that was ended wrote in this game."""
        self.early: list[bytes] = []
        """Lines for this game that came while its turn was not open."""
        self.fault: tuple[FaultKind, str] | None = None
        """The fault that the process ended with."""
        self.lasted_us = 0
        """How long its turn had lasted then."""
        self.facts_at_end: dict[str, Any] = {}
        """What was known of the process then."""
        self._early_bytes = 0
        self._was_heard = False
        if place.process is None:
            place.start()
        self._join(beside)
        # Else it is one of the process's first games.
        self._may_be_replaced = self.process is not None and self.process.has_answered

    def _join(self, beside: bool = False) -> None:
        self.process = process = self.place.process
        """The process that plays; None where it has ended, or could not be started."""
        self._process_name = self.place.process_name
        self._nth, self._cpu_us, self._max_rss_kb = 1, 0, 0
        self._cpu_before_us = 0
        if process:
            if beside:
                process.new_game_beside()
            else:
                process.new_game()
            self._nth = process.games
            self._cpu_before_us = process.cpu_us() if self._nth > 1 else 0

    async def replace(self) -> None:
        """Start a new process in place of one that has ended."""
        await self.stop()
        self.place.start()
        self._join()

    async def stop(self, kill: bool = False) -> None:
        """End the process; what it wrote in this game is kept."""
        process, self.process = self.process, None
        if process:
            await self.place.stop(kill)
            self._leave(process)

    def _leave(self, process: Asked) -> None:
        """Keep what a process that has ended did in this game."""
        self._stderr += process.stderr_text()
        self._note_use(process)

    def _note_use(self, process: Asked) -> None:
        self._cpu_us = max(0, process.cpu_us() - self._cpu_before_us)
        self._max_rss_kb = process.peak_memory_kb()

    def facts(self) -> dict[str, Any]:
        """What is known of the process now, for the record of a fault."""
        if self.process is None:
            return {}
        facts = self.process.facts()
        return facts._asdict() | {"cpu_us": max(0, facts.cpu_us - self._cpu_before_us)}

    def end_game(self, referee: Referee, seat: int) -> str:
        """Take leave of the game; returns what the process wrote to standard error in it."""
        if self.process is None:
            return self._stderr
        for line in self.process.early_lines():
            referee.overheard(seat, line)
        self.place.is_booted = referee.seats[seat].clock.booted
        self._note_use(self.process)
        return self._stderr + self.process.stderr_text()

    # Beside other games

    def end_game_beside(self) -> str:
        """As `end_game`, where what the process says is not this game's alone.

        What it wrote to standard error belongs to the first of its games that ends.
        """
        process = self.process
        if process is None:
            return self._stderr
        self._note_use(process)
        text = process.stderr_text()
        if self.place.batch > 1:
            process.forget_stderr()
        return self._stderr + text

    def note_heard(self) -> None:
        """Keep whether the process has said anything in this game, before another begins."""
        if self.process:
            self._was_heard = self._was_heard or self.process.heard_in_game

    def is_replaceable(self) -> bool:
        """Whether the process, if it ends now, ended before its first output in this game."""
        self.note_heard()
        return self._may_be_replaced and not self._was_heard

    def lose(
        self,
        process: Asked,
        fault: tuple[FaultKind, str],
        facts: dict[str, Any],
        lasted_us: int,
    ) -> None:
        """The process has ended: a fault, to be judged when the seat is next asked.

        `lasted_us`: how long its turn had lasted, 0 where none was open.
        """
        self.fault, self.facts_at_end, self.lasted_us = fault, facts, lasted_us
        self.process = None
        self._leave(process)

    def part(self, process: Asked) -> None:
        """The side has forfeited; its process may go on in other games."""
        self.facts_at_end = self.facts()
        self.process = None
        self._leave(process)
        process.forget_stderr()

    def rejoin(self, ended: Asked) -> None:
        """Go on with the place's new process, this once, after one that has ended."""
        self._leave(ended)
        self._join(beside=True)
        self._may_be_replaced = False

    @property
    def has_said_enough(self) -> bool:
        """Whether so much is kept for this game that no more of it is looked at."""
        return len(self.early) >= _EARLY_LINES or self._early_bytes >= _EARLY_BYTES

    def keep_early(self, line: bytes) -> None:
        """Keep a line for this game until its seat is asked; what is too much is dropped."""
        if not self.has_said_enough:
            self.early.append(line[:LINE_LIMIT])
            self._early_bytes += len(line)

    def take_early(self) -> list[bytes]:
        """The lines that were kept, in order."""
        lines, self.early, self._early_bytes = self.early, [], 0
        return lines

    def record(self, side: int, bot_seed: int, boot_us: int) -> SeatRecord:
        """Who played on this seat and what it used."""
        bot = self.place.bot
        return SeatRecord(
            bot=self.place.label,
            version=bot.version,
            hash=bot.hash,
            side=side,
            bot_seed=bot_seed,
            process=self._process_name,
            nth=self._nth,
            batch=self.place.batch,
            boot_us=boot_us,
            cpu_us=self._cpu_us,
            overruns=self.overruns,
            max_rss_kb=self._max_rss_kb,
        )


def attach_facts(referee: Referee, known: int, facts: dict[str, Any]) -> None:
    """Add what is known of the process to the faults after the first `known`."""
    referee.faults[known:] = [
        msgspec.structs.replace(fault, **facts) for fault in referee.faults[known:]
    ]


def how_ended(process: Asked) -> tuple[FaultKind, str]:
    """Which fault it is that a process has ended. Raises `ArenaFault` where it is none."""
    # First: the kernel may have ended what of the sandbox would have told of the bot's end.
    if process.was_out_of_memory:
        return "memory", "the process was ended for its memory"
    if process.sandbox_failure:
        raise ArenaFault(process.sandbox_failure)
    return "crash" if process.has_answered else "boot", f"the process {process.exit_text()}"


def flood_text(batch: int) -> str:
    """What a flood is, of a process that plays up to `batch` games at once."""
    return f"more than {batch} MiB of output between two of its turns"


def pids_of_side(referee: Referee, players: Sequence[Player], seat: int) -> list[int]:
    """The processes of the side on which `seat` plays."""
    side = referee.seats[seat].side
    return [
        player.process.pid
        for player, notes in zip(players, referee.seats, strict=True)
        if player.process and notes.side == side
    ]
