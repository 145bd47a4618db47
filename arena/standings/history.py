"""How the ratings of a tournament came to be: snapshots of them, taken while it is played.

Of a short tournament the first look comes late, or is the last one too: then all that was
played is gone through once more, and ratings are fitted after every so many matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from arena.rating import online_elo
from arena.standings.compute import error_of, fitted
from arena.standings.line import Standings
from arena.store import PlayedGame, RatingPoint, Reader, ResultRow, Snapshot, StoredTournament

FEWEST = 20
"""With fewer snapshots, or after a longer part without one, a curve tells little."""
MOST_REFITTED_GAMES = 4_000
MOST_REFITTED_ENTRANTS = 64
"""Up to so many games and entrants all ratings are fitted again after every so many matches."""
_REFITS = 40

Fit = Mapping[str, tuple[float | None, float | None]]
"""By label the rating, and half the width of its 95 % interval."""


def further_history(
    reader: Reader, found: Standings, tournament_id: int
) -> tuple[list[Snapshot], bool]:
    """What the history behind these standings lacks; and whether it takes the place of all."""
    count, last = reader.last_snapshot(tournament_id)
    labels = [entrant.label for entrant in reader.entrants(tournament_id)]
    stored = reader.stored(tournament_id)
    is_small = found.games_played <= MOST_REFITTED_GAMES and len(labels) <= MOST_REFITTED_ENTRANTS
    matches_now = found.games_played // stored.rotations
    missing = matches_now - (last.matches if last else 0)
    afresh = is_small and (count < FEWEST or missing * FEWEST > matches_now)
    walk = _Walk(stored, labels, None if afresh else last)
    matches: Iterable[list[PlayedGame]] = reader.played_since(tournament_id, walk.last_game)
    if afresh:
        rated = {line.label for line in found.lines if line.is_rated}
        snapshots = walk.refitted(list(matches), rated)
    else:
        snapshots = []
        for match in matches:
            walk.take(match)
    if walk.last_game == (last.last_game if last else 0):
        return [], False
    now = walk.snapshot({line.label: (line.rating, line.error) for line in found.lines})
    return [*(each for each in snapshots if each.matches < now.matches), now], afresh


class _Walk:
    """Goes through matches in the order in which they became complete."""

    def __init__(
        self, stored: StoredTournament, labels: Sequence[str], last: Snapshot | None
    ) -> None:
        """`last`: what earlier matches came to."""
        self._stored, self._labels = stored, labels
        self._online: dict[str, float] = {}
        self._matches, self.last_game = 0, 0
        self._outcomes: Counter[tuple[tuple[str, ...], tuple[float | None, ...]]] = Counter()
        if last:
            self._matches, self.last_game = last.matches, last.last_game
            for label, point in zip(labels, last.points, strict=False):
                if point.online is not None:
                    self._online[label] = point.online

    def take(self, match: Sequence[PlayedGame]) -> None:
        """Count one match, and let it move online Elo."""
        self._matches += 1
        self.last_game = match[-1].id
        pairing = tuple(match[0].pairing.split(","))
        scores = tuple(_score(match, a, b) for a, b in combinations(pairing, 2))
        self._outcomes[pairing, scores] += 1
        pairs = [
            (a, b, len(match), score)
            for (a, b), score in zip(combinations(pairing, 2), scores, strict=True)
            if score is not None
        ]
        known = {label: self._online[label] for label in pairing if label in self._online}
        for point in online_elo([pairs], known):
            self._online[point.bot] = point.rating

    def refitted(self, matches: Sequence[Sequence[PlayedGame]], rated: set[str]) -> list[Snapshot]:
        """Take all of these, with ratings fitted to those up to every so many of them."""
        found = []
        step = -(-len(matches) // _REFITS)
        for number, match in enumerate(matches, 1):
            self.take(match)
            if number % step == 0:
                found.append(self.snapshot(self._fit(rated)))
        return found

    def _fit(self, rated: set[str]) -> Fit:
        rows = [
            ResultRow(list(pairing), list(scores), count)
            for (pairing, scores), count in self._outcomes.items()
            if rated.issuperset(pairing)
        ]
        place = {label: number for number, label in enumerate(self._labels)}
        return {
            self._labels[rating.bot]: (rating.rating, error_of(rating))
            for group in fitted(self._stored, place, rows)
            for rating in group.ratings
        }

    def snapshot(self, fit: Fit) -> Snapshot:
        """How it stands now."""
        points = [
            RatingPoint(*fit.get(label, (None, None)), self._online.get(label))
            for label in self._labels
        ]
        return Snapshot(self._matches, self.last_game, points)


def _score(match: Sequence[PlayedGame], a: str, b: str) -> float | None:
    """Games of a match that the first of two won, draws as one half; None for partners."""
    score = 0.0
    for game in match:
        sides = len(game.ranks)
        first, second = game.seats.index(a) % sides, game.seats.index(b) % sides
        if first == second:
            return None
        ahead = game.ranks[second] - game.ranks[first]
        score += 0.5 if ahead == 0 else float(ahead > 0)
    return score
