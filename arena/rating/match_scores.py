"""Match scores of one bot against another as counts: what they say of its strength.

Counts go from the worst outcome to the best: three of them (losses, draws, wins) where a match is
one game, five (LL, LD, DD with WL, DW, WW) where it is two games on the same decks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.rating.group import ELO
from arena.rating.tails import NORMAL_95

TRINOMIAL, PENTANOMIAL = 3, 5
NORMALIZED = 2 * ELO
"""Normalized Elo per standard deviation of a game's score: 800/ln 10."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How much stronger the first bot is. None is what these matches do not tell.

    Normalized Elo is (mean - 1/2) in standard deviations of a game's score, times 800/ln 10.
    """

    elo: float | None
    """None where everything was won or lost."""
    elo_error: float | None
    """Half the width of the 95 % interval in Elo; None also where that would have no end."""
    nelo: float | None
    """Normalized Elo; None where all matches had the same score."""
    nelo_error: float | None
    """Half the width of its 95 % interval."""
    los: float | None
    """Likelihood that the first bot is the stronger one, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and spread of match scores, a match's score being from 0 to 1."""

    matches: float
    """Fractional where empty cells count a little."""
    mean: float
    variance: float
    """Of one match, with divisor `matches`."""
    games: int
    """Games of a match."""

    @property
    def game_deviation(self) -> float:
        """Standard deviation that a game would have on its own to give matches this spread."""
        return math.sqrt(self.games * self.variance)


def checked(counts: Sequence[int]) -> None:
    """Raise ValueError unless these are three or five counts of at least one match."""
    if len(counts) not in (TRINOMIAL, PENTANOMIAL):
        raise ValueError(f"expected 3 or 5 counts, not {len(counts)}")
    if min(counts) < 0 or sum(counts) < 1:
        raise ValueError("counts are at least 0, and at least 1 together")


def moments(counts: Sequence[float]) -> Moments:
    """Mean and spread of these match scores."""
    last = len(counts) - 1
    matches = sum(counts)
    mean = sum(count * i for i, count in enumerate(counts)) / last / matches
    squares = sum(count * (i / last - mean) ** 2 for i, count in enumerate(counts))
    return Moments(matches, mean, squares / matches, last // 2)


def strength(counts: Sequence[int]) -> Strength:
    """Elo, normalized Elo and likelihood of superiority, each with its 95 % error.

    These are fishtest's formulas, on the counts as they are. Raises ValueError unless these are
    three or five counts of at least one match.
    """
    checked(counts)
    seen = moments(counts)
    error = math.sqrt(seen.variance / seen.matches)
    low, high = seen.mean - NORMAL_95 * error, seen.mean + NORMAL_95 * error
    ends = elo_of_score(low), elo_of_score(high)
    spread = error > 0
    return Strength(
        elo=_finite(elo_of_score(seen.mean)),
        elo_error=_finite((ends[1] - ends[0]) / 2) if spread else None,
        nelo=NORMALIZED * (seen.mean - 0.5) / seen.game_deviation if spread else None,
        nelo_error=NORMALIZED * NORMAL_95 * error / seen.game_deviation if spread else None,
        los=math.erfc((0.5 - seen.mean) / error / math.sqrt(2)) / 2 if spread else None,
    )


def score_of_elo(elo: float) -> float:
    """Expected score, 0 to 1, of who is so much stronger."""
    return 1 / (1 + math.exp(-elo / ELO)) if elo > -700 * ELO else 0.0


def elo_of_score(score: float) -> float:
    """Elo of this expected score; infinite from 1 upwards and from 0 downwards."""
    if score <= 0:
        return -math.inf
    return ELO * math.log(score / (1 - score)) if score < 1 else math.inf


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
