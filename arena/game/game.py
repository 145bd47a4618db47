"""One game: deal after deal from its seed until R23 to R25 end it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from arena.game.deal import Deal
from arena.game.dealing import NeedsRedeal
from arena.game.scoring import side_scores
from arena.game.shuffle import Stream, first_dealer, shuffled
from protocol.rules import RuleSet, SideScore


def make_deal(rules: RuleSet, seed: bytes, number: int, dealer: int) -> Deal:
    """Deal number `number` (from 1) of the game with this seed, made again where R5 says so."""
    attempt = 0
    while True:
        stream = Stream(seed, number, attempt)
        deck = shuffled(stream, rules)
        try:
            return Deal(rules, dealer, deck, _bury_at(stream), number, attempt)
        except NeedsRedeal:
            attempt += 1


def _bury_at(stream: Stream) -> Callable[[int], int]:
    return lambda length: 1 + stream.uniform(length - 1)


Ending = Literal["target", "deals", "max_deals", "forfeit"]
"""Why a game ended (R23 to R25)."""


class Game:
    """The deals and scores of one game.

    Play on `deal`; when it is over call `finish_deal`, which scores it and, unless the game has
    ended, makes the next one.
    """

    __slots__ = ("deal", "forfeited", "reason", "rules", "scores", "seed")

    def __init__(self, rules: RuleSet, seed: bytes) -> None:
        self.rules = rules
        self.seed = seed
        self.scores = [0] * rules.sides
        """Points by side over the finished deals."""
        self.reason: Ending | None = None
        """Why the game ended (`target`, `deals`, `max_deals`, `forfeit`); None while it goes on."""
        self.forfeited: list[int] = []
        """Sides that forfeited, in order; they rank below all others and can't win."""
        self.deal = make_deal(rules, seed, 1, first_dealer(seed, rules.seats))

    @property
    def standing(self) -> list[int]:
        """The sides that did not forfeit."""
        return [side for side in range(self.rules.sides) if side not in self.forfeited]

    def finish_deal(self) -> list[SideScore]:
        """Score the deal that is over; then end the game (R23 to R25) or make the next deal."""
        sides = side_scores(self.deal)
        self.scores = [old + side.total for old, side in zip(self.scores, sides, strict=True)]
        self.reason = self._why_over()
        if self.reason is None:
            dealer = (self.deal.dealer + 1) % self.rules.seats
            self.deal = make_deal(self.rules, self.seed, self.deal.number + 1, dealer)
        return sides

    def _why_over(self) -> Ending | None:
        rules, played = self.rules, self.deal.number
        if rules.deals is not None:
            return "deals" if played >= rules.deals else None
        best = max(self.scores[side] for side in self.standing)
        if best >= rules.target and len(self._leaders()) == 1:
            return "target"
        return "max_deals" if played >= rules.max_deals else None

    def _leaders(self) -> list[int]:
        best = max(self.scores[side] for side in self.standing)
        return [side for side in self.standing if self.scores[side] == best]

    def forfeit(self, side: int) -> None:
        """Take `side` out of the running; where one side is left it has won at once."""
        self.forfeited.append(side)
        if len(self.standing) == 1:
            self.reason = "forfeit"

    @property
    def winner(self) -> int | None:
        """The winning side of a game that has ended; None for a draw."""
        leaders = self._leaders()
        return leaders[0] if len(leaders) == 1 else None

    def ranks(self) -> list[int]:
        """Every side's rank from 1, equal scores sharing one; forfeits last, the latest best."""
        order = [(1, self.scores[side]) for side in range(self.rules.sides)]
        for place, side in enumerate(self.forfeited):
            order[side] = (0, place)
        return [1 + sum(other > own for other in order) for own in order]
