"""Luck-adjusted share of wins: the luck of the cards as a control variate.

In a match of `games` games a bot scores `score` and has the luck `luck`, whose expectation is 0
whoever plays. Then (score - c luck) / games has the expectation of score / games for every c, and
the least variance where c is the regression coefficient of score on luck. That is fitted: luck is
what the cards were worth to another player, so that c = 1 would nearly always be too much.
(Lavenberg and Welch, A perspective on the use of control variables, Management Science 27, 1981.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.group import FEWEST_MATCHES
from arena.rating.tails import NORMAL_95

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
MatchLuck = tuple[int, int, int, float, float]
"""(pairing, bot, games, score, luck): one match as one of its bots had it.

`score` is its wins in these games, draws shared; `luck` the sum of its side's luck in them.
"""

OWN_COEFFICIENT = 30
"""From so many matches on a pairing has its own coefficient; before, that of all pairings."""
_NOTHING = 1e-9
"""Sums of squares below this are rounding."""


@dataclass(frozen=True, eq=False)
class LuckSums:
    """What the fit needs of a pool: one row a pairing and bot, with sums over their matches.

    Raises ValueError where a row cannot have happened.
    """

    pairing: Ints
    """Who met, as any number."""
    bot: Ints
    """Index of the bot. Who has no row gets no line, also where two sides mirror each other."""
    sums: Floats
    """[row, 10]: matches, games, score, luck, games², score², luck², games x score, games x luck,
    score x luck; all but the first are sums of what one match has."""

    def __post_init__(self) -> None:
        if self.sums.shape != (len(self.bot), 10) or self.pairing.shape != self.bot.shape:
            raise ValueError("the luck's columns differ in length, or there are not ten sums")
        matches, games, score = self.sums[:, :3].T
        if (matches < 1).any() or (games < matches).any():
            raise ValueError("a row of the luck has no match, or a match without a game")
        if (score < 0).any() or (score > games).any():
            raise ValueError("a score of the luck's rows is not 0 to games")

    @classmethod
    def from_matches(cls, matches: Iterable[MatchLuck]) -> LuckSums:
        """Add up single matches."""
        table = np.array(list(matches), dtype=np.float64).reshape(-1, 5)
        keys, row = np.unique(table[:, :2].astype(np.int64), axis=0, return_inverse=True)
        games, score, luck = table[:, 2:].T
        values = [np.ones(len(table)), games, score, luck]
        values += [games**2, score**2, luck**2, games * score, games * luck, score * luck]
        row = row.reshape(-1)
        sums = [np.bincount(row, value, len(keys)) for value in values]
        return cls(keys[:, 0], keys[:, 1], np.stack(sums, axis=1).astype(np.float64))


@dataclass(frozen=True, slots=True)
class WinShare:
    """A bot's share of wins, as it was and adjusted for luck. Both estimate the same."""

    bot: int
    pairing: int | None
    """None: over all its pairings, each as they stand with its own coefficient."""
    matches: int
    games: int
    share: float
    """Wins, draws shared, a game, 0 to 1."""
    share_error: float | None
    """Half the width of its 95 % interval, clustered by match; None below ten matches, or where
    all matches went alike."""
    luck: float
    """Mean luck a game, in chances of winning."""
    adjusted: float
    """The share less what luck gave; may lie a little outside 0 to 1."""
    adjusted_error: float | None
    coefficient: float | None
    """By which luck was taken off; None over all pairings, where each has its own."""


@dataclass(frozen=True, eq=False)
class LuckFit:
    """The coefficients of a pool, and by them all shares of wins."""

    pool: LuckSums
    coefficient: float
    """What a unit of luck gave in wins, over all pairings; 0 where there was no luck at all."""
    coefficients: Floats
    """By row of the pool: its own or that of all."""
    own: Flags
    """Rows with a coefficient of their own."""

    def bots(self) -> tuple[WinShare, ...]:
        """Every bot over all its pairings, by its index."""
        bots, row_bot = np.unique(self.pool.bot, return_inverse=True)
        nothing = [None] * len(bots)
        return self._shares(bots, nothing, row_bot.reshape(-1), nothing)

    def pairings(self) -> tuple[WinShare, ...]:
        """Every pairing's bots, in the order of the pool's rows."""
        rows = np.arange(len(self.pool.bot))
        pairings, coefficients = self.pool.pairing.tolist(), self.coefficients.tolist()
        return self._shares(self.pool.bot, pairings, rows, coefficients)

    def _shares(
        self,
        bots: Ints,
        pairings: Sequence[int | None],
        place: Ints,
        coefficients: Sequence[float | None],
    ) -> tuple[WinShare, ...]:
        """A line an entry of the columns, each from the rows whose `place` is its number."""

        def total(values: Floats) -> Floats:
            return np.bincount(place, values, len(bots)).astype(np.float64, copy=False)

        matches, games, score, luck = (total(column) for column in self.pool.sums.T[:4])
        taken = total(self.coefficients * self.pool.sums[:, 3])
        before, after = self._squares()
        free = matches - np.bincount(place, minlength=len(bots))
        columns = (
            bots.tolist(),
            pairings,
            matches.astype(np.int64).tolist(),
            games.astype(np.int64).tolist(),
            (score / games).tolist(),
            _errors(total(before), matches, games, free),
            (luck / games).tolist(),
            ((score - taken) / games).tolist(),
            _errors(total(after), matches, games, free - total(self.own.astype(np.float64))),
            coefficients,
        )
        return tuple(WinShare(*row) for row in zip(*columns, strict=True))

    def _squares(self) -> tuple[Floats, Floats]:
        """By row the sum of squared residuals of its matches, with luck and without."""
        centred, c = _centred(self.pool.sums), self.coefficients
        return centred.score, centred.score - 2 * c * centred.product + c * c * centred.luck


def adjust(pool: LuckSums) -> LuckFit:
    """Fit the coefficients by which luck is taken out of the shares of wins.

    Within a pairing residuals are taken match by match, from its own mean, so that games on the
    same cards are one piece of evidence, and other opponents are no luck. An interval takes the
    coefficient as known; its error counts for less by the order of 1/matches.
    """
    centred = _centred(pool.sums)
    luck = float(centred.luck.sum())
    pooled = float(centred.product.sum()) / luck if luck > _NOTHING else 0.0
    own = (pool.sums[:, 0] >= OWN_COEFFICIENT) & (centred.luck > _NOTHING)
    coefficients = np.full(len(own), pooled)
    coefficients[own] = centred.product[own] / centred.luck[own]
    return LuckFit(pool, pooled, coefficients, own)


@dataclass(frozen=True, eq=False)
class _Centred:
    """By row, sums over its matches of squares and products about its means a game."""

    score: Floats
    luck: Floats
    product: Floats


def _centred(sums: Floats) -> _Centred:
    _, games, score, luck, gg, ss, ll, gs, gl, sl = sums.T
    p, q = score / games, luck / games
    return _Centred(
        score=np.maximum(ss - 2 * p * gs + p * p * gg, 0),
        luck=np.maximum(ll - 2 * q * gl + q * q * gg, 0),
        product=sl - p * gl - q * gs + p * q * gg,
    )


def _errors(squares: Floats, matches: Floats, games: Floats, free: Floats) -> list[float | None]:
    """Half widths of 95 % intervals from sums of squares on so many degrees of freedom."""
    known = (matches >= FEWEST_MATCHES) & (free > 0) & (squares > _NOTHING)
    variance = squares * matches / np.where(known, free, 1)
    width = (NORMAL_95 * np.sqrt(np.maximum(variance, 0)) / games).tolist()
    return [value if sure else None for value, sure in zip(width, known.tolist(), strict=True)]
