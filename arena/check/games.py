"""The steps of a check in which many games are played and measured."""

from __future__ import annotations

import trio

from arena.check.measure import memory, standard_error, times
from arena.check.steps import Finding, Steps, fine, unsure
from arena.check.table import CheckHost
from arena.check.trial import Trial
from arena.check.verdicts import played
from arena.text import counted

_GAMES, _SECONDS, _SHORT_SECONDS = 100, 120.0, 60.0
"""How many games a bot plays at most, and for how long; the last for the short check."""


class ManyGames:
    """Games of all presets, and what they cost."""

    def __init__(self, trial: Trial, steps: Steps, takes_all: bool) -> None:
        """`takes_all`: however long they take."""
        self.trial = trial
        self.steps = steps
        self._seconds = float("inf") if takes_all else _SECONDS

    async def play(self, short: bool) -> None:
        """Take these steps; `short`: one game of each preset."""
        games = len(self.trial.presets) if short else _GAMES
        table = self.trial.table(keep=self.trial.bot.reuse)

        async def play() -> Finding:
            await self._rounds(table, games, _SHORT_SECONDS if short else self._seconds)
            return self._played(games, "" if short else " (--all plays all)")

        await self.steps.take_async(counted(games, "game"), play)
        await table.close()
        tried, limits = self.trial.everything, self.trial.limits
        self.steps.take("time", lambda: times(tried, limits))
        self.steps.take("memory", lambda: memory(tried, limits))
        self.steps.take("standard error", lambda: standard_error(tried, table))

    async def _rounds(self, table: CheckHost, games: int, seconds: float) -> None:
        """One game of every preset after another, while there is time; the second whole."""
        tried, presets, before = self.trial.everything, self.trial.presets, self.trial.on_play
        self.trial.on_play = lambda *_: self.steps.goes_on(
            len(tried.games), games, "games", seconds
        )
        with trio.move_on_after(seconds):
            for number in range(games):
                turn, place = divmod(number, len(presets))
                game = await self.trial.play(
                    table,
                    presets[place],
                    rotation=turn % 2,
                    deals=None if turn == 1 else 1,
                )
                tried.add(game)
                if tried.problem:
                    break
        self.trial.on_play = before

    def _played(self, games: int, hint: str) -> Finding:
        tried, presets = self.trial.everything, self.trial.presets
        sent = f"{counted(games, 'game')} of {counted(len(presets), 'preset')}"
        if tried.problem:
            return played(tried, sent)
        met = {game.record.rules.preset for game in tried.games}
        got = (
            f"{tried.plays} answers in {counted(len(tried.games), 'game')}, {tried.won} of them won"
        )
        fewer = f"{len(tried.games)} of {counted(games, 'game')}, {self.trial.slowness}{hint}"
        missing = [name for name in presets if name not in met]
        if missing:
            return unsure(sent, got, f"{fewer}; it did not come to {', '.join(missing)}")
        if len(tried.games) < games:
            return fine(sent, got, f"all legal; {fewer}")
        return fine(sent, got, "all legal")
