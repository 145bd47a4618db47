"""The only place where the referee and the bots' processes meet: plays games and chunks."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import trio

from arena.errors import ArenaFault, BotCannotStart
from arena.process import BotProcess, Canary, Host, Outcome
from arena.referee import GameSetup, Referee
from arena.sandbox import Launch
from arena.schedule import Chunk, GameKey, Secret, VoidMatch, drawn_for, seating
from arena.version import VERSION
from protocol.messages import FaultKind, Limits
from protocol.records import BotLog, GameRecord, PlayedRules, SeatRecord
from protocol.rules import RULES_VERSION, RuleSet


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot ready to be started."""

    name: str
    version: str
    hash: str
    """SHA-256 over its files, in hex."""
    folder: str
    """Its copy, built, as the tournament began."""
    run: tuple[str, ...]
    reuse: bool = True
    """Whether one process may play several games."""
    processes: int = 1
    """How many it may have at once."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What all games of a tournament have in common."""

    tournament: str | None
    """Its name; None for games of their own."""
    rules: RuleSet
    overrides: dict[str, Any]
    """What the rule set changes of its preset."""
    limits: Limits
    names_hidden: bool
    rated: bool
    practice: bool
    """Whether the user gave the master secret."""
    master: bytes
    """The secret that everything random comes from; empty where chunks say what was drawn."""
    commitment: str = ""
    """Of the master secret, in hex; may be left out where that is given."""
    think_on_opponents_time: bool = False
    bots: dict[str, Bot]
    """By the entrants' labels."""


class FinishedGame(msgspec.Struct, frozen=True):
    """One game that has ended, and what the bots wrote beside it."""

    record: GameRecord
    logs: list[BotLog]


Report = Callable[[FinishedGame | VoidMatch], Awaitable[None]]
"""Called with every game that ends, between games."""
Observer = Callable[[Referee], None]
"""Called after every turn of a game that somebody watches."""


class _Player:
    """One seat's processes, over the games of one rotation."""

    def __init__(self, host: Host, bot: Bot, label: str, limits: Limits, name: str) -> None:
        self.bot = bot
        self.label = label
        self.process: BotProcess | None = None
        self.is_booted = False
        """Whether its process has been ready, or has answered, in a game before this."""
        self.problem = ""
        """Why there is no process, where it could not be started."""
        self.stderr = ""
        """What a process that was ended wrote in this game."""
        self.overruns = 0
        """Its answers in this game that took longer than the table's pace."""
        self._host = host
        self._launch = Launch(
            bot.run, Path(bot.folder), limits.memory_mb, processes=bot.processes, hosted=True
        )
        self._charges_cpu = limits.clock == "cpu"
        self._name = name
        self._started = 0
        self._cpu_before_us = 0
        self._use: tuple[int, int, int] = (1, 0, 0)

    def begin_game(self) -> None:
        """Make sure that there is a process, and that nothing of the game before counts."""
        if self.process is None:
            self.start()
        self.stderr = ""
        self.overruns = 0
        if self.process:
            self.process.new_game()
            self._cpu_before_us = self.process.cpu_us() if self.process.games > 1 else 0

    def start(self) -> None:
        """Start a process; a bot that can't be started is left without one."""
        try:
            self.process = self._host.start(self._launch)
            self.process.charges_cpu = self._charges_cpu
        except BotCannotStart as error:
            self.problem = str(error)
        self._started += 1
        self.is_booted = False
        self._use = (1, 0, 0)

    async def replace(self) -> None:
        """Start a new process in place of one that has ended."""
        await self.stop()
        self.start()
        if self.process:
            self.process.new_game()
            self._cpu_before_us = 0

    async def stop(self, kill: bool = False) -> None:
        """End the process; what it wrote in this game is kept."""
        process, self.process = self.process, None
        if process:
            if kill:
                process.kill()
            await self._host.end(process)
            self.stderr += process.stderr_text()
            self._note_use(process)

    def _note_use(self, process: BotProcess) -> None:
        cpu_us = max(0, process.cpu_us() - self._cpu_before_us)
        self._use = (process.games, cpu_us, process.peak_memory_kb())

    def facts(self) -> dict[str, Any]:
        """What is known of the process now, for the record of a fault."""
        if self.process is None:
            return {}
        facts = self.process.facts()
        return facts._asdict() | {"cpu_us": max(0, facts.cpu_us - self._cpu_before_us)}

    def end_game(self, referee: Referee, seat: int) -> str:
        """Take leave of a game; returns what the process wrote to standard error in it."""
        if self.process is None:
            return self.stderr
        for line in self.process.early_lines():
            referee.overheard(seat, line)
        self.is_booted = referee.seats[seat].clock.booted
        self._note_use(self.process)
        return self.stderr + self.process.stderr_text()

    def record(self, side: int, bot_seed: int, boot_us: int) -> SeatRecord:
        """Who played on this seat and what it used."""
        nth, cpu_us, max_rss_kb = self._use
        return SeatRecord(
            bot=self.label,
            version=self.bot.version,
            hash=self.bot.hash,
            side=side,
            bot_seed=bot_seed,
            process=f"{self._name}.{self._started}",
            nth=max(1, nth),
            boot_us=boot_us,
            cpu_us=cpu_us,
            overruns=self.overruns,
            max_rss_kb=max_rss_kb,
        )


async def play_chunk(
    host: Host,
    plan: Plan,
    chunk: Chunk,
    report: Report,
    observer: Observer | None = None,
    canary: Canary | None = None,
) -> None:
    """Play all games of a chunk, rotation after rotation, each with processes of its own.

    A match in which the machine fails the arena is reported void and left; so is one in which
    time runs out while the `canary` is late.
    """
    void: set[int] = set()
    for rotation in sorted({key.rotation for key in chunk.games}):
        keys = [key for key in chunk.games if key.rotation == rotation]
        await _Rotation(host, plan, chunk, keys, observer, canary).play(report, void)


class _Rotation:
    """The games of one rotation of a chunk, and the processes that play them."""

    def __init__(
        self,
        host: Host,
        plan: Plan,
        chunk: Chunk,
        keys: Sequence[GameKey],
        observer: Observer | None,
        canary: Canary | None,
    ) -> None:
        self.host, self.plan, self.chunk, self.keys = host, plan, chunk, keys
        self.observer, self.canary = observer, canary
        rotation = keys[0].rotation
        self.labels = seating(chunk.pairing, rotation, plan.rules)
        self.players = [
            _Player(
                host,
                plan.bots[label],
                label,
                plan.limits,
                f"{chunk.number}.{rotation}.{seat}",
            )
            for seat, label in enumerate(self.labels)
        ]

    async def play(self, report: Report, void: set[int]) -> None:
        """Play the games in order, but for matches in `void`, to which failed ones are added."""
        finished = False
        try:
            for key in self.keys:
                if key.match not in void:
                    await self._play_and_report(key, report, void)
            finished = True
        finally:
            await _stop(self.players, kill=not finished)

    async def _play_and_report(self, key: GameKey, report: Report, void: set[int]) -> None:
        try:
            finished = await self._play_game(key)
        except ArenaFault as error:
            void.add(key.match)
            await _stop(self.players, kill=True)
            await report(VoidMatch(self.chunk.pairing, key, str(error)))
            return
        await report(finished)
        await _stop([player for player in self.players if not player.bot.reuse])

    async def _play_game(self, key: GameKey) -> FinishedGame:
        started, before = datetime.now(UTC), time.monotonic()
        setup = game_setup(self.plan, self.chunk, key, self.labels)
        for player in self.players:
            player.begin_game()
        referee = Referee(setup, [player.is_booted for player in self.players])
        self.host.games += 1
        try:
            await run_game(
                self.host,
                referee,
                self.players,
                self.observer,
                self.plan.think_on_opponents_time,
                self.canary,
            )
        except ArenaFault:
            referee.void()
            await _deliver(referee, self.players)
            raise
        finally:
            self.host.games -= 1
        stderr = [player.end_game(referee, seat) for seat, player in enumerate(self.players)]
        record = self._record(key, setup, referee, started, time.monotonic() - before)
        return FinishedGame(record, referee.bot_logs(stderr))

    def _record(
        self,
        key: GameKey,
        setup: GameSetup,
        referee: Referee,
        started: datetime,
        elapsed_s: float,
    ) -> GameRecord:
        plan = self.plan
        seats = [
            player.record(seat.side, setup.bot_seeds[place], seat.clock.boot_used_us)
            for place, (player, seat) in enumerate(zip(self.players, referee.seats, strict=True))
        ]
        return GameRecord(
            game=setup.game,
            tournament=plan.tournament,
            pairing=list(self.chunk.pairing),
            round=self.chunk.round,
            match=key.match,
            rotation=key.rotation,
            replay=key.replay,
            names_hidden=plan.names_hidden,
            rated=plan.rated,
            master_commitment=plan.commitment or Secret(plan.master).commitment,
            rules=PlayedRules(
                preset=plan.rules.preset, overrides=plan.overrides, version=RULES_VERSION
            ),
            seats=seats,
            seed=setup.seed.hex(),
            salt=setup.salt.hex(),
            commitment=referee.commitment,
            deals=referee.deals(),
            scores=list(referee.game.scores),
            winner=referee.game.winner,
            ranks=referee.game.ranks(),
            reason=referee.reason or "void",
            faults=referee.faults,
            limits=plan.limits,
            isolation=self.host.backend.name,
            practice=plan.practice,
            started=started.strftime("%Y-%m-%dT%H:%M:%SZ"),
            elapsed_ms=int(elapsed_s * 1000),
            arena=VERSION,
        )


async def _stop(players: Sequence[_Player], kill: bool = False) -> None:
    """End their processes, all at once: each may take its time to go."""
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.stop, kill)


def game_setup(plan: Plan, chunk: Chunk, key: GameKey, labels: Sequence[str]) -> GameSetup:
    """What the game `key` of a chunk begins with."""
    drawn = drawn_for(plan.master, chunk, key, len(labels))
    return GameSetup(
        game=drawn.game,
        rules=plan.rules,
        seed=drawn.seed,
        salt=drawn.salt,
        bot_seeds=list(drawn.bot_seeds),
        names=None if plan.names_hidden else labels,
        limits=plan.limits,
        reveal=key in chunk.last,
    )


async def run_game(
    host: Host,
    referee: Referee,
    players: Sequence[_Player],
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
            await _deliver(referee, players)
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
            facts = players[seat].facts()
            referee.faults[known:] = [
                msgspec.structs.replace(fault, **facts) for fault in referee.faults[known:]
            ]


class _Pace:
    """Turns that follow each other by multiples of a tick, whatever the answers took.

    Where a side has several seats the pace of answers could carry signals between partners.
    """

    def __init__(
        self, tick_ms: int, players: Sequence[_Player], rest: Callable[[], None] | None
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


def _freeze_others(players: Sequence[_Player], seat: int | None) -> None:
    for other, player in enumerate(players):
        if other != seat and player.process:
            player.process.freeze()


async def _deliver(referee: Referee, players: Sequence[_Player]) -> None:
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
    host: Host,
    referee: Referee,
    players: Sequence[_Player],
    seat: int,
    slow: Callable[[], None] | None,
    canary: Canary | None,
) -> None:
    player = players[seat]
    process = player.process
    if process is None:
        return referee.ended("boot", player.problem)
    turn = referee.turn_number
    while lines := process.early_lines():
        for line in lines:
            referee.early(seat, line)
            if referee.turn_number != turn or referee.reason or referee.is_gone(seat):
                return None
        # A bot that says much must not keep other games waiting.
        await trio.lowlevel.checkpoint()
    if process.has_flooded:
        return referee.flooded(_FLOODED)
    if referee.has_mail:
        await _deliver(referee, players)
    outcome = await process.turn(referee.turn(), referee, host.games == 1, slow)
    if outcome is Outcome.ANSWERED:
        return None
    if outcome is Outcome.TIMED_OUT:
        if canary:
            # It is 0 where the bot did not even take the turn's line.
            lasted_us = max(process.lasted_us, referee.budget_us)
            canary.check(lasted_us, _pids_of_side(referee, players, seat))
        referee.timed_out()
    elif outcome is Outcome.FLOODED:
        referee.flooded(_FLOODED, process.lasted_us)
    elif outcome is Outcome.ENDED:
        await _ended(referee, player, process, seat)
    return None


def _pids_of_side(referee: Referee, players: Sequence[_Player], seat: int) -> list[int]:
    side = referee.seats[seat].side
    return [
        player.process.pid
        for player, notes in zip(players, referee.seats, strict=True)
        if player.process and notes.side == side
    ]


_FLOODED = "more than 1 MiB of output between two of its turns"


async def _ended(referee: Referee, player: _Player, process: BotProcess, seat: int) -> None:
    """The process has ended: replace it where it had not begun this game, else it is a fault."""
    if process.games > 1 and not process.heard_in_game:
        await player.replace()
        if player.process:
            player.process.post(referee.restarted(seat))
        return
    # First: the kernel may have ended what of the sandbox would have told of the bot's end.
    if process.was_out_of_memory:
        return referee.ended("memory", "the process was ended for its memory", process.lasted_us)
    if process.sandbox_failure:
        raise ArenaFault(process.sandbox_failure)
    kind: FaultKind = "crash" if process.has_answered else "boot"
    referee.ended(kind, f"the process {process.exit_text()}", process.lasted_us)
