"""Fakes for tests of whatever plays games: bots in memory, whose thinking is trio's time.

A `ScriptedHost` goes where `arena.process.Host` goes. On trio's autojump clock games of bots that
think for hours are over at once, and every run is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import trio

from arena.errors import BotCannotStart
from arena.play import Bot, Plan
from arena.process import FLOOD_BYTES, Judge, Outcome, ProcessFacts
from arena.sandbox import Launch, NoIsolation
from protocol.messages import Limits
from protocol.rules import make_rules

Said = tuple[float, "bytes | dict[str, Any] | None"]
"""What a bot does so many ms after it was asked: it writes a line, or (None) it ends."""
Script = Callable[[dict[str, Any]], Iterable[Said]]
"""From a turn's message to what the bot does about it."""


def first_legal(turn: dict[str, Any]) -> Iterable[Said]:
    """Answers at once with the first legal answer."""
    answer = {"type": "play", "game": turn["game"], "turn": turn["turn"]}
    return [(0, answer | turn["legal"][0])]


class ScriptedBot:
    """Stands in for a `BotProcess`: what it does to each turn is a function's result."""

    def __init__(self, script: Script = first_legal, greeting: Sequence[Said] = ()) -> None:
        """`greeting`: what it does when started, before it is asked anything."""
        self.received: list[dict[str, Any]] = []
        """Every message that it was sent."""
        self.games = 0
        self.has_answered = False
        self.heard_in_game = False
        self.has_ended = False
        self.has_unread = False
        self.was_out_of_memory = False
        self.sandbox_failure: str | None = None
        self.charges_cpu = False
        self.lasted_us = 0
        self.is_frozen = False
        self.frozen = 0
        """How often it was stopped while others thought."""
        self._script = script
        self._greeting = greeting
        self._due: list[tuple[float, bytes | None]] = []
        self._said_bytes = 0
        self._flood_bytes = FLOOD_BYTES
        self._takes_arrays = False
        self._turn_began = 0.0

    def started(self) -> None:
        """The host has started it."""
        self._plan(self._greeting)

    def _plan(self, said: Iterable[Said]) -> None:
        now = trio.current_time()
        for after_ms, message in said:
            line = msgspec.json.encode(message) if isinstance(message, dict) else message
            self._due.append((now + after_ms / 1000, line))
        self._due.sort(key=lambda due: due[0])

    def new_game(self) -> None:
        """A game begins."""
        if self.games:
            self.early_lines()
        self._said_bytes = 0
        self.games += 1
        self.heard_in_game = False

    def new_game_beside(self) -> None:
        """A game begins while others go on."""
        self.games += 1
        self.heard_in_game = False

    def take_batches(self, games: int) -> None:
        """So many games may go on in it at once."""
        self._flood_bytes = games * FLOOD_BYTES
        self._takes_arrays = True

    def post(self, line: bytes) -> None:
        """Take a line that asks for no answer."""
        if not self.has_ended:
            message = msgspec.json.decode(line)
            assert self._takes_arrays or not isinstance(message, list)
            self.received += message if isinstance(message, list) else [message]

    def early_lines(self) -> list[bytes]:
        """What it has said by now."""
        lines = []
        while self._due and self._due[0][0] <= trio.current_time() and not self.has_flooded:
            line = self._say()
            if line is not None:
                lines.append(line)
        return lines

    def _say(self) -> bytes | None:
        _, line = self._due.pop(0)
        if line is None:
            self.has_ended = True
            self._due.clear()
        else:
            self.has_answered = self.heard_in_game = True
            self._said_bytes += len(line) + 1
        return line

    @property
    def has_flooded(self) -> bool:
        """Whether it said more than it may between two turns."""
        return self._said_bytes > self._flood_bytes

    async def turn(
        self, line: bytes, judge: Judge, alone: bool, slow: Callable[[], None] | None = None
    ) -> Outcome:
        """Let it act until the judge is satisfied or its time is over."""
        self._turn_began = started = trio.current_time()
        self._said_bytes = 0
        self.is_frozen = False
        known = len(self.received)
        self.post(line)
        for message in self.received[known:]:
            if message["type"] == "turn":
                self._plan(self._script(message))
        if slow and not (self._due and self._due[0][0] <= started + 0.001):
            slow()
        return await self.go_on(judge)

    async def go_on(self, judge: Judge, slow: Callable[[], None] | None = None) -> Outcome:
        """Let it act further in a turn that the judge was not satisfied with."""
        started = self._turn_began
        while not self.has_ended:
            deadline = started + judge.budget_us / 1e6
            if not self._due or self._due[0][0] > deadline:
                await trio.sleep_until(deadline)
                return Outcome.TIMED_OUT
            await trio.sleep_until(self._due[0][0])
            at_us = round((trio.current_time() - started) * 1e6)
            # As with any process, no turn is over in no time.
            self.lasted_us = max(1, at_us)
            said = self._say()
            if said is not None and judge.heard(said, at_us):
                return Outcome.ANSWERED
            if self.has_flooded:
                return Outcome.FLOODED
        await trio.lowlevel.checkpoint()
        return Outcome.ENDED

    def freeze(self) -> None:
        """Another's answer takes long; it does not think before its next turn."""
        self.is_frozen = self.has_answered
        self.frozen += self.is_frozen

    def facts(self) -> ProcessFacts:
        """Nothing that a process would tell."""
        return ProcessFacts()

    def exit_text(self) -> str:
        """How it ended."""
        return "ended as its script said"

    def kill(self) -> None:
        """End it."""
        self.has_ended = True

    def cpu_us(self) -> int:
        """It uses no CPU time."""
        return 0

    def peak_memory_kb(self) -> int:
        """It uses no memory of its own."""
        return 0

    def stderr_text(self) -> str:
        """It has no standard error."""
        return ""

    def forget_stderr(self) -> None:
        """There is nothing to forget."""


class ScriptedHost:
    """Stands in for a `Host`; a bot is found by the first word of its command."""

    def __init__(self, bots: Mapping[str, Callable[[], ScriptedBot]]) -> None:
        self.backend = NoIsolation()
        self.games = 0
        self.started: list[ScriptedBot] = []
        """Every bot it has started, in order."""
        self._bots = bots

    def start(self, launch: Launch) -> ScriptedBot:
        """Start a bot; the functions that make them may raise what `Host.start` raises."""
        name = launch.command[0]
        if name not in self._bots:
            raise BotCannotStart(f"{name}: no such command on this machine")
        bot = self._bots[name]()
        bot.started()
        self.started.append(bot)
        return bot

    async def end(self, bot: ScriptedBot) -> None:
        """End it."""
        bot.kill()
        await trio.lowlevel.cancel_shielded_checkpoint()


def practice_plan(
    *names: str, preset: str = "kseri-plain", limits: Limits | None = None, **overrides: Any
) -> Plan:
    """A plan for games between bots whose command is their name, of a seed that is known."""
    bots = {name: Bot(name=name, version="1.0", hash="", folder="/", run=(name,)) for name in names}
    return Plan(
        tournament=None,
        rules=make_rules(preset, overrides),
        overrides=overrides,
        limits=limits or Limits(),
        names_hidden=True,
        rated=False,
        practice=True,
        master=bytes(32),
        bots=bots,
    )
