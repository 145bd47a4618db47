"""Two entrants of a tournament: what came of their games, and what that says."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.standings import (
    PairPoints,
    PairStrength,
    Standings,
    elo_a_game,
    pair_points,
    pair_scores,
    pair_strength,
)
from arena.store import Damaged, PlayedGame, Reader
from dashboard.crosstable import Cell, cell

MOST_BY_SEAT = 1_000
"""Games that are looked at seat by seat: the latest."""
MOST_GAMES = 24
"""Games that are listed."""


class SeatLine(msgspec.Struct, frozen=True, kw_only=True):
    """What the first of two made of its games from one seat."""

    seat: int
    """Its first one, from 0."""
    games: int
    wins: int
    draws: int
    losses: int
    percent: float
    margin: float
    """Points of its side less those of the other one's, a game."""


class PairGame(msgspec.Struct, frozen=True, kw_only=True):
    """One game of two, as the first of them had it."""

    game: str
    match: int
    seats: list[str]
    """The entrants by seat."""
    own: int
    """Its points."""
    other: int
    score: float
    """1 for the better rank, ½ for the same."""
    moved: float | None
    """By how much it moves the first one's rating, in Elo; None where that is not known."""


class HeadToHead(msgspec.Struct, frozen=True, kw_only=True):
    """Two entrants, the first one's view."""

    a: str
    b: str
    matches: int
    """Complete matches."""
    result: Cell | None
    """None where they never met."""
    strength: PairStrength | None
    """What these matches alone say."""
    superiority: float | None
    """Likelihood that the first is the stronger one by all games of the tournament, 0 to 1; None
    where they can't be compared, or too many entrants are on their scale."""
    points: PairPoints | None
    seats: list[SeatLine]
    """By seat, of the latest games."""
    games: list[PairGame]
    """The latest ones, the latest first."""


def head_to_head(
    reader: Reader, found: Standings, tournament_id: int, a: str, b: str
) -> HeadToHead:
    """Compare two different entrants."""
    lines = {line.label: line for line in found.lines}
    with reader.unchanging():
        row = reader.meeting(tournament_id, a, b)
        results = reader.results_between(tournament_id, a, b)
    stored = reader.stored(tournament_id)
    rotations = stored.rotations
    scores = pair_scores(results, a, b, rotations)
    games = [_Game(one, a, b) for one in reader.played_between(tournament_id, a, b, MOST_BY_SEAT)]
    games = [game for game in games if game.own_side != game.other_side]
    result = cell(row, lines[a], lines[b]) if row else None
    strength = pair_strength(scores, rotations)
    if result and strength is None:
        raise Damaged(f"the rows of results of {a} and {b} are not what they met in")
    points = [
        each
        for each in reader.points_between(tournament_id, a, b)
        if each.pairing.index(a) % stored.sides != each.pairing.index(b) % stored.sides
    ]
    moves = _moves(reader, found, tournament_id, a, result)
    return HeadToHead(
        a=a,
        b=b,
        matches=row.matches if row else 0,
        result=result,
        strength=strength,
        superiority=_superiority(found, a, b),
        points=pair_points(points, a, b),
        seats=_by_seat(games),
        games=[game.line(moves) for game in games[:MOST_GAMES]],
    )


def _superiority(found: Standings, a: str, b: str) -> float | None:
    for scale in found.scales:
        if a in scale.labels and b in scale.labels and scale.superiority:
            return scale.superiority[scale.labels.index(a)][scale.labels.index(b)]
    return None


def _moves(
    reader: Reader, found: Standings, tournament_id: int, a: str, result: Cell | None
) -> tuple[float, float] | None:
    """What a lost and what a won game moves of the first one's rating, in Elo."""
    if result is None or result.expected is None:
        return None
    step = elo_a_game(reader, found, tournament_id, a)
    if step is None:
        return None
    share = result.expected / 100
    return -step * share, step * (1 - share)


class _Game:
    """A game as the first of two had it."""

    def __init__(self, game: PlayedGame, a: str, b: str) -> None:
        sides = len(game.ranks)
        self._game = game
        self.seat = game.seats.index(a)
        self.own_side, self.other_side = self.seat % sides, game.seats.index(b) % sides
        own, other = game.ranks[self.own_side], game.ranks[self.other_side]
        self.score = 0.5 if own == other else float(own < other)
        self.own, self.other = game.scores[self.own_side], game.scores[self.other_side]

    def line(self, moves: tuple[float, float] | None) -> PairGame:
        """As it is listed."""
        moved = None if moves is None else moves[0] + (moves[1] - moves[0]) * self.score
        return PairGame(
            game=self._game.game,
            match=self._game.match,
            seats=self._game.seats,
            own=self.own,
            other=self.other,
            score=self.score,
            moved=moved,
        )


def _by_seat(games: Sequence[_Game]) -> list[SeatLine]:
    found = []
    for seat in sorted({game.seat for game in games}):
        here = [game for game in games if game.seat == seat]
        scores = [game.score for game in here]
        found.append(
            SeatLine(
                seat=seat,
                games=len(here),
                wins=scores.count(1),
                draws=scores.count(0.5),
                losses=scores.count(0),
                percent=100 * sum(scores) / len(here),
                margin=sum(game.own - game.other for game in here) / len(here),
            )
        )
    return found
