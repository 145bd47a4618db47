"""Shows a game while it is played."""

from __future__ import annotations

from arena.cli.story import tell_deal, tell_end, tell_fault, tell_play
from arena.cli.tables import console
from arena.referee import Referee


class Watcher:
    """Called after every turn; tells what has happened since the last call."""

    def __init__(self) -> None:
        self._out = console()
        self._referee: Referee | None = None
        self._told = 0
        self._deal = 0
        self._faults = 0

    def __call__(self, referee: Referee) -> None:
        """Tell what is new."""
        if referee is not self._referee:
            self._referee, self._told, self._deal, self._faults = referee, 0, 0, 0
        names = referee.setup.names or [f"seat {n}" for n in range(referee.setup.rules.seats)]
        for played in referee.played[max(self._deal - 1, 0) :]:
            deal = played.deal
            if deal.number > self._deal:
                self._deal, self._told = deal.number, 0
                tell_deal(self._out, deal, names)
            before = sum(len(each.deal.plays) for each in referee.played[: deal.number - 1])
            for number in range(self._told, len(deal.plays)):
                forced, time_us = number in played.forced, played.times_us[number]
                turn = before + number + 1
                tell_play(self._out, deal, number, names, time_us, forced, turn)
            self._told = len(deal.plays)
        for fault in referee.faults[self._faults :]:
            tell_fault(self._out, fault, names)
        self._faults = len(referee.faults)
        if referee.reason:
            game = referee.game
            tell_end(self._out, game.scores, game.winner, referee.reason, names)
