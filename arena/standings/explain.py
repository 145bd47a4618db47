"""What moved a rating: every opponent's part in it, and what it would be without some of them.

The ratings of all others are taken as they are. Then a rating is the one at which its score
equation holds: games won, less those that it lets expect, less the pull of the one virtual game
that keeps ratings finite (see `arena.rating.bradley_terry`). Leaving games out of the sums and
solving it again says what they did to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.rating import ELO
from arena.standings.line import Standings
from arena.standings.pairs import expected_share, residual
from arena.store import Meeting, Reader

Floats = NDArray[np.float64]

MOST_OPPONENTS = 50
"""Of so many it is computed what the rating would be without them: those that moved it most."""
_CLOSE_ENOUGH = 1e-7
_MOST_STEPS = 100


class Influence(msgspec.Struct, frozen=True, kw_only=True):
    """One opponent's part in a rating."""

    meeting: Meeting
    """The games with it, the explained bot's side first."""
    rating: float
    """The opponent's, in Elo."""
    expected: float
    """How many of the games its rating and the opponent's let expect it to win."""
    residual: float
    """The score beyond that, in standard deviations of independent games."""
    moved: float
    """Elo that the games with it have added: the rating less what it would be without them."""
    win_moves: float
    """Elo that one more game won against it would add."""
    loss_moves: float
    """Elo that one more game lost against it would add: below 0."""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Where a rating comes from."""

    label: str
    rating: float
    """At which the score equation holds, in Elo: that of the standings, but for games since."""
    games: int
    """Against single opponents."""
    score: float
    elo_a_game: float
    """By how much one game won beyond expectation moves the rating."""
    influences: list[Influence]
    """The opponents whose games moved it, the most at first."""
    opponents: int
    """How many there are; `influences` has those that moved it most."""
    without: list[str]
    """Opponents that are left out."""
    rating_without: float | None
    """What the rating would be without their games; None where none are left out, or no game
    is left."""


def explain(
    reader: Reader,
    found: Standings,
    tournament_id: int,
    label: str,
    without: Collection[str] = (),
) -> Explanation | None:
    """Explain the rating of an entrant; None where it has none, or partners share the credit."""
    equation = _equation(reader, found, tournament_id, label)
    if equation is None:
        return None
    meetings = equation.meetings
    chosen = [place for place, row in enumerate(meetings) if row.b in without]
    return Explanation(
        label=label,
        rating=equation.rating,
        games=sum(row.games for row in meetings),
        score=sum(row.score for row in meetings),
        elo_a_game=equation.elo_a_game,
        influences=_influences(equation),
        opponents=len(meetings),
        without=[meetings[place].b for place in chosen],
        rating_without=_without(equation, chosen),
    )


def elo_a_game(reader: Reader, found: Standings, tournament_id: int, label: str) -> float | None:
    """By how much a game won beyond expectation moves a rating; None like `explain`."""
    equation = _equation(reader, found, tournament_id, label)
    return None if equation is None else equation.elo_a_game


def _equation(reader: Reader, found: Standings, tournament_id: int, label: str) -> _Equation | None:
    if reader.stored(tournament_id).definition.partners == "drawn":
        return None
    ratings = _same_scale(found, label)
    meetings = [row for row in reader.meetings(tournament_id, label) if row.b in ratings]
    if not meetings:
        return None
    phantom = next(scale.phantom for scale in found.scales if label in scale.labels)
    return _Equation(meetings, [ratings[row.b] for row in meetings], phantom)


def _same_scale(found: Standings, label: str) -> dict[str, float]:
    """The ratings of those who can be compared with an entrant; of nobody where it has none."""
    group = next((line.group for line in found.lines if line.label == label), None)
    return {
        line.label: line.rating
        for line in found.lines
        if line.rating is not None and line.group == group
    }


def _without(equation: _Equation, places: Sequence[int]) -> float | None:
    if not places or len(places) == len(equation.meetings):
        return None
    weights = np.ones((1, len(equation.meetings)))
    weights[:, places] = 0
    return float(equation.solved(weights)[0])


def _influences(equation: _Equation) -> list[Influence]:
    """Those that moved it most, the most at first; below 0 are those that lowered it."""
    surplus = np.abs(equation.surplus)
    places = np.argsort(-surplus, kind="stable")[:MOST_OPPONENTS]
    weights = np.ones((len(places), len(surplus)))
    weights[np.arange(len(places)), places] = 0
    moved = equation.rating - equation.solved(weights)
    found = [
        _influence(equation, place, change)
        for place, change in zip(places.tolist(), moved.tolist(), strict=True)
    ]
    return sorted(found, key=lambda one: -one.moved)


def _influence(equation: _Equation, place: int, moved: float) -> Influence:
    meeting, opponent = equation.meetings[place], equation.ratings[place]
    share = expected_share(equation.rating, opponent)
    step = equation.elo_a_game
    return Influence(
        meeting=meeting,
        rating=opponent,
        expected=meeting.games * share,
        residual=residual(meeting.score, meeting.games, share),
        moved=moved,
        win_moves=step * (1 - share),
        loss_moves=-step * share,
    )


class _Equation:
    """The score equation of one bot against opponents whose ratings stand."""

    def __init__(
        self, meetings: Sequence[Meeting], ratings: Sequence[float], phantom: float
    ) -> None:
        """`phantom`: Elo of the opponent of the virtual half-won game."""
        self.meetings, self.ratings = meetings, ratings
        self._phantom = phantom
        self._opponents = (np.array(ratings) - phantom) / ELO
        self._games = np.array([row.games for row in meetings], dtype=np.float64)
        self._won = np.array([row.score for row in meetings])
        self._ability = 0.0
        self.rating = float(self.solved(np.ones((1, len(meetings))))[0])
        """Of all these games, in Elo."""
        self._ability = (self.rating - phantom) / ELO
        share = _share(self._ability - self._opponents)
        self.surplus: Floats = self._won - self._games * share
        """By opponent the games won beyond those that the rating lets expect."""
        _, stiffness = _pull(np.array(self._ability))
        self.elo_a_game = float(ELO / (self._games @ (share * (1 - share)) + stiffness))
        """By how much one game won beyond expectation moves the rating, in Elo."""

    def solved(self, weights: Floats) -> Floats:
        """The rating for every row of weights of the opponents, 0 leaving one out.

        Newton's method with the damped step of `arena.rating.bradley_terry`.
        """
        ability = np.full(len(weights), self._ability)
        won, games = weights @ self._won, weights * self._games
        for _ in range(_MOST_STEPS):
            share = _share(ability[:, None] - self._opponents)
            pull, stiffness = _pull(ability)
            expected = games * share
            gradient = won - expected.sum(axis=1) - pull
            information = (expected - expected * share).sum(axis=1) + stiffness
            move = gradient / information
            size = np.abs(move)
            ability = ability + np.sign(move) * np.log1p(size)
            if size.max() < _CLOSE_ENOUGH:
                break
        rating: Floats = ability * ELO + self._phantom
        return rating


def _share(ahead: Floats) -> Floats:
    """Expected score of who is so far ahead, in natural-log units."""
    expected: Floats = 1 / (1 + np.exp(-ahead))
    return expected


def _pull(ability: Floats) -> tuple[Floats, Floats]:
    """Of the virtual game, half won, against the mean: what it takes away, and its slope."""
    half = np.tanh(ability / 2)
    return half / 2, (1 - half**2) / 4
