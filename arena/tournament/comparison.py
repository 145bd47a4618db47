"""A against B, looked at after every whole match in the order of the schedule. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from arena.faults import forfeited_sides, forfeiters
from arena.rating import (
    Bounds,
    EloHypotheses,
    Look,
    PairingPoints,
    PointsHypotheses,
    look_at_points,
    look_at_scores,
    no_points,
)
from protocol.records import GameRecord

Hypotheses = EloHypotheses | PointsHypotheses
End = Literal["H0", "H1", "no points", "no variance"]
"""How a test ends before all of its matches are played: a hypothesis is accepted; ten matches in
a row have no points, since their games were forfeited; or a hundred matches were all the same, and
not one of them says anything for or against a hypothesis."""

MOST_WITHOUT_POINTS = 10
"""So many matches in a row without points end a test of points."""
MOST_ALIKE = 100
"""So many matches that are all the same, and say nothing, end a test."""
_NOTHING = 1e-9
"""A log-likelihood ratio that is zero but for rounding."""


@dataclass(frozen=True, slots=True)
class Forfeited:
    """What one of the two forfeited in the matches that were looked at."""

    games: int
    latest: str
    """The id of the last of these games, in the order of the schedule."""


class Comparison:
    """A sequential test of the first of two bots against the second.

    Workers end matches in any order; they are looked at in the schedule's, so that which matches
    a decision rests on does not depend on who was faster.
    """

    def __init__(self, first: str, rotations: int, hypotheses: Hypotheses) -> None:
        """`first`: its label; `rotations`: games of a match."""
        self._first = first
        self._rotations = rotations
        self._hypotheses = hypotheses
        self._games: dict[int, dict[int, GameRecord]] = {}
        """Games of matches that have not been looked at, by match and rotation."""
        self._unplayed: set[int] = set()
        self._next = 1
        self._scores = [0] * (2 * rotations + 1)
        """How many matches had each score of the first bot, in halves."""
        self._points: PairingPoints = no_points((0, 1))
        self._without_points = 0
        """How many matches in a row had no points, up to now."""
        self.matches = 0
        """How many matches were looked at; some of them may have no points."""
        self.forfeits: dict[str, Forfeited] = {}
        """By label; nothing for who has forfeited no game."""
        self.look: Look | None = None
        """The latest look, the last one where the test has ended; None where no match counts."""
        self.end: End | None = None
        """How the test has ended: further matches change nothing; None: play on."""

    def take(self, game: GameRecord) -> None:
        """Take another game; looks at all matches that have become whole, in order."""
        replays = self._games.setdefault(game.match, {})
        before = replays.get(game.rotation)
        if before is None or before.replay < game.replay:
            replays[game.rotation] = game
        self._look()

    def skip(self, match: int) -> None:
        """Leave out a match that is never played: annulled, or failed by the arena too often."""
        self._unplayed.add(match)
        self._look()

    def _look(self) -> None:
        """Look at all matches that have become whole, in order."""
        while self.end is None:
            if self._next in self._unplayed:
                self._games.pop(self._next, None)
            elif self._is_whole(self._next):
                games = self._games.pop(self._next)
                self._look_at([games[rotation] for rotation in sorted(games)])
            else:
                return
            self._next += 1

    def _is_whole(self, match: int) -> bool:
        games = self._games.get(match, {})
        same = {game.replay for game in games.values()}
        return len(games) == self._rotations and len(same) == 1

    def _look_at(self, games: Sequence[GameRecord]) -> None:
        self.matches += 1
        self._count_forfeits(games)
        self._count_score(games)
        has_points = self._count_points(games)
        if isinstance(self._hypotheses, EloHypotheses):
            self.look = look_at_scores(self._scores, self._hypotheses, Bounds())
        elif has_points:
            self.look = look_at_points(self._points, self._hypotheses, Bounds())
        self.end = self._how_it_ends()

    def _count_forfeits(self, games: Sequence[GameRecord]) -> None:
        for game in games:
            for label in forfeiters(game):
                before = self.forfeits.get(label)
                self.forfeits[label] = Forfeited(before.games + 1 if before else 1, game.game)

    def _count_score(self, games: Sequence[GameRecord]) -> None:
        halves = 0
        for game in games:
            halves += 1 if game.winner is None else 2 * (game.winner == self._side(game))
        self._scores[halves] += 1

    def _count_points(self, games: Sequence[GameRecord]) -> bool:
        """Add the points of all games that were not forfeited; whether there are any."""
        own, other, deals = 0, 0, 0
        for game in games:
            if not forfeited_sides(game):
                side = self._side(game)
                own += game.scores[side]
                other += game.scores[1 - side]
                deals += len(game.deals)
        if deals:
            self._points = self._points.with_match((own, other), deals)
        self._without_points = 0 if deals else self._without_points + 1
        return deals > 0

    def _side(self, game: GameRecord) -> int:
        return next(seat.side for seat in game.seats if seat.bot == self._first)

    def _how_it_ends(self) -> End | None:
        by_points = isinstance(self._hypotheses, PointsHypotheses)
        if self.look and self.look.decision:
            return self.look.decision
        if by_points and self._without_points >= MOST_WITHOUT_POINTS:
            return "no points"
        if self.look and self.look.matches >= MOST_ALIKE:
            is_alike = self.look.error == 0 if by_points else sum(map(bool, self._scores)) == 1
            if is_alike and abs(self.look.llr) < _NOTHING:
                return "no variance"
        return None
