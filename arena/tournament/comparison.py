"""A against B, looked at after every whole match in the order of the schedule. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from arena.faults import forfeited_sides
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


class Comparison:
    """A sequential test of the first of two bots against the second.

    Workers end matches in any order; they are looked at in the schedule's, so that which matches
    a decision rests on does not depend on who was faster.
    """

    def __init__(self, first: str, rotations: int, hypotheses: Hypotheses) -> None:
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
        self.look: Look | None = None
        """The latest look; the deciding one once there is a decision."""

    @property
    def is_decided(self) -> bool:
        """Whether further matches change nothing."""
        return self.look is not None and self.look.decision is not None

    def take(self, game: GameRecord) -> None:
        """Take another game; looks at all matches that have become whole, in order."""
        replays = self._games.setdefault(game.match, {})
        before = replays.get(game.rotation)
        if before is None or before.replay < game.replay:
            replays[game.rotation] = game
        self._look()

    def skip(self, match: int) -> None:
        """Leave out a match that the arena failed too often: it is never played."""
        self._unplayed.add(match)
        self._look()

    def _look(self) -> None:
        """Look at all matches that have become whole, in order."""
        while not self.is_decided:
            if self._is_whole(self._next):
                self._look_at(list(self._games.pop(self._next).values()))
            elif self._next not in self._unplayed:
                return
            self._next += 1

    def _is_whole(self, match: int) -> bool:
        games = self._games.get(match, {})
        same = {game.replay for game in games.values()}
        return len(games) == self._rotations and len(same) == 1

    def _look_at(self, games: Sequence[GameRecord]) -> None:
        score, own, other, deals = 0.0, 0, 0, 0
        for game in games:
            side = next(seat.side for seat in game.seats if seat.bot == self._first)
            score += 0.5 if game.winner is None else float(game.winner == side)
            if not forfeited_sides(game):
                own += game.scores[side]
                other += game.scores[1 - side]
                deals += len(game.deals)
        self._scores[round(2 * score)] += 1
        if deals:
            self._points = self._points.with_match((own, other), deals)
        if isinstance(self._hypotheses, EloHypotheses):
            self.look = look_at_scores(self._scores, self._hypotheses, Bounds())
        elif self._points.matches:
            self.look = look_at_points(self._points, self._hypotheses, Bounds())
