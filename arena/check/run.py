"""The steps of a check, one after another."""

from __future__ import annotations

import time

from arena.check.first import Restarting
from arena.check.games import ManyGames
from arena.check.odd import ODD, OddLines, backlog, carriage_returns, unknown_keys
from arena.check.opening import Opening
from arena.check.steps import (
    Finding,
    Steps,
    Unwatched,
    Watch,
    abridged,
    fine,
    unsure,
)
from arena.check.table import Alteration
from arena.check.trial import Trial, Tried, altering, plays_of_a_deal
from arena.check.verdicts import of_new_process, played
from arena.play import Bot
from arena.process import GRACE_MS, Host, open_host
from arena.sandbox import Launch, select_backend
from protocol.check import CheckReport
from protocol.manifest import Manifest
from protocol.messages import Limits
from protocol.rules import make_rules

_LONG_DEALS, _LONG_SECONDS, _FEW_DEALS = 30, 60.0, 2
"""Of the long game: how many deals, about how long, and how many deals at least."""

_AT_ONCE = (2, 64)
"""How many games at once are tried at most with a bot that takes several."""


async def run_check(
    bot: Bot,
    manifest: Manifest,
    isolation: str,
    *,
    short: bool = False,
    limits: Limits | None = None,
    again: str = "",
    takes_all: bool = False,
    watch: Watch | None = None,
) -> CheckReport:
    """Try a bot; see `check`. `short`: only what it must do to play at all. Raises `ArenaFault`."""
    started = time.monotonic()
    steps = Steps(watch or Unwatched())
    backend = select_backend(isolation)
    async with open_host(backend) as host:
        trial = Trial(host, bot, manifest, limits or Limits(), again)
        await _Check(trial, steps, takes_all).run(short)
    problem = steps.first_problem
    return CheckReport(
        bot=manifest.name,
        version=manifest.version,
        hash=bot.hash,
        isolation=backend.name,
        is_ready=not problem,
        first_problem=problem,
        steps=steps.taken,
        elapsed_ms=int((time.monotonic() - started) * 1000),
    )


class _Check:
    """All steps of the check of one bot."""

    def __init__(self, trial: Trial, steps: Steps, takes_all: bool) -> None:
        self.trial = trial
        self.steps = steps
        self.takes_all = takes_all
        trial.on_play = self._on_play

    def _on_play(self, done: int, planned: int) -> None:
        if not done:
            self.steps.set_out()
        self.steps.goes_on(done, planned, "plays")

    async def run(self, short: bool) -> None:
        """Take the steps; the later ones only with a bot that plays at all."""
        opening = Opening(self.trial, self.steps)
        self.steps.take("manifest", opening.manifest)
        if self.steps.first_problem:
            return
        await opening.first_game()
        if self.steps.first_problem:
            return
        await self._altered(
            "unknown keys and messages",
            unknown_keys,
            "Every line with keys of a later version, every turn after an unknown message",
        )
        if self.trial.bot.batch > 1 and self.trial.bot.reuse:
            await self.steps.take_async("games at once", self._at_once)
        if not short:
            await self._more()
        await ManyGames(self.trial, self.steps, self.takes_all).play(short)
        await self._end_of_input()

    async def _more(self) -> None:
        await self._altered("line ends", carriage_returns, "Every line ended by \\r\\n")
        await self.steps.take_async("start in mid-deal", self._restart)
        await self.steps.take_async("two games", self._two_games)
        await self.steps.take_async("a long game", self._long_game)
        await self._altered("backlog", backlog, "Every turn behind 256 KiB of other messages")
        await self.steps.take_async("odd lines", self._odd_lines)

    # Games with altered lines

    async def _altered(self, name: str, alter: Alteration, sent: str) -> None:
        async def play() -> Finding:
            table = self.trial.table(altering(alter))
            return played(await self.trial.play(table, self.trial.preset), sent)

        await self.steps.take_async(name, play)

    async def _restart(self) -> Finding:
        made: list[Restarting] = []

        def make(host: Host, launch: Launch) -> Restarting:
            made.append(Restarting(host, launch, self.trial.limits.boot_ms))
            return made[-1]

        tried = await self.trial.play(self.trial.table(make), self.trial.preset)
        if tried.problem and any(each.is_new for each in made):
            tried.problem = of_new_process(tried.problem, self.trial.limits.boot_ms)
        return played(tried, "A deal in which a new process takes over twice: hello, then a turn")

    async def _two_games(self) -> Finding:
        sent = "Three games to one process, one of them on the other side"
        if not self.trial.bot.reuse:
            return fine("Nothing", "reuse = false", "every game gets a process of its own")
        table = self.trial.table(keep=True)
        tried = await self.trial.play(table, self.trial.preset, games=2)
        if not tried.problem:
            tried.add(await self.trial.play(table, self.trial.preset, rotation=1))
        await table.close()
        if not tried.problem and len(table.started) > tried.seats:
            return unsure(
                sent,
                "its process ended with a game",
                "it is replaced without a fault, but a start costs time: read on after "
                "`game_end`, or set reuse = false",
            )
        return played(tried, sent)

    async def _at_once(self) -> Finding:
        """First few games, which a bot that reads no arrays fails soon; then many."""
        tried, sent = Tried(), ""
        for most in _AT_ONCE:
            games = min(most, self.trial.bot.batch)
            sent = f"{games} games at once to one process, in arrays of messages"
            table = self.trial.table()
            tried = await self.trial.play(table, self.trial.preset, games=games, at_once=True)
            if tried.problem:
                found = played(tried, sent)
                return found.but(f"with `batch` a line may be an array; {found.meaning}")
        return played(tried, sent)

    async def _long_game(self) -> Finding:
        table, deals = self.trial.table(), self._long_deals()
        tried = await self.trial.play(table, self.trial.preset, deals=deals)
        few = "" if deals == _LONG_DEALS else f" ({_LONG_DEALS} with --all): {self.trial.slowness}"
        return played(tried, f"A game of {deals} deals{few}")

    def _long_deals(self) -> int:
        """As many deals as a slow bot can play in a minute."""
        rules = make_rules(self.trial.preset)
        deal_s = self.trial.pace_s * plays_of_a_deal(rules) / rules.sides
        if self.takes_all or deal_s * _LONG_DEALS <= _LONG_SECONDS:
            return _LONG_DEALS
        return max(_FEW_DEALS, int(_LONG_SECONDS / deal_s))

    async def _odd_lines(self) -> Finding:
        odd = OddLines()
        table = self.trial.table(altering(odd))
        tried = await self.trial.play(table, self.trial.preset, deals=2)
        found = played(tried, f"{len(ODD)} kinds of lines that are odd and legal, a turn each")
        if not tried.problem:
            return found
        return found.but(f"a turn with {odd.sent[-1]}: {found.meaning}")

    # The end

    async def _end_of_input(self) -> None:
        await self.steps.take_async("end of input", self._close)

    async def _close(self) -> Finding:
        table = self.trial.table(keep=True)
        await self.trial.play(table, self.trial.preset)
        process = table.started[-1]
        lines = await process.last_words(GRACE_MS)
        code = process.returncode
        ended = process.exit_text()
        await table.close()
        sent = "The end of its input after a game"
        if code is None:
            return unsure(
                sent,
                f"it still ran {GRACE_MS} ms later",
                "it is killed then, without a fault, but every chunk of games waits for it: "
                "end when input ends",
            )
        got = f"the process {ended}" + (f", after {abridged(lines)}" if lines else "")
        if code:
            return unsure(sent, got, "that costs nothing, but it should end with exit status 0")
        return fine(sent, got, "it ends when its games are over")
