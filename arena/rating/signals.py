"""Whether the time that a bot thinks tells of its hand: mutual information in bits.

Partners could talk by it. Some of it is innocent, since a choice takes longer than none, so the
number is for people to look at; the pace of the table is what stops the talking.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]

LEVELS = 8
"""Times, and features with more values than that, are cut into so many equally large parts."""
PERMUTATIONS = 200
CHANCE = 0.95
"""The share of permutations that stay below the chance level."""


@dataclass(frozen=True, slots=True)
class TimeSignal:
    """What think times tell of one bot's hands."""

    plays: int
    feature: str
    """Of what they tell most."""
    bits: float
    """Mutual information of time and this feature a play; the mean of permutations is taken off,
    which a bot without any signal has on average, so it may be below 0."""
    chance_bits: float
    """The largest of all features stays below this in 95 % of permutations."""
    by_feature: dict[str, float]
    """Bits of every feature."""

    @property
    def is_signal(self) -> bool:
        """Whether it is more than chance: wrong for one in twenty bots whose time tells nothing."""
        return self.bits > self.chance_bits


def time_signal(
    times_us: ArrayLike, hand_sizes: ArrayLike, features: Mapping[str, ArrayLike], seed: int = 0
) -> TimeSignal:
    """Measure what the times of a bot's plays tell of its hands at these plays.

    Columns with one entry a play; `features` say something of the hand in whole numbers, such as
    the jacks in it. All is compared within turns of equal hand size, which everybody sees. The
    chance level comes from permutations of the times within these, drawn from `seed`, against
    all features at once. Raises ValueError without plays or features, or for columns that differ
    in length.
    """
    times, sizes = _column(times_us), _column(hand_sizes)
    columns = {name: _column(values) for name, values in features.items()}
    if not times.size or not columns:
        raise ValueError("no signal can be looked for without plays and features")
    if any(len(column) != len(times) for column in (sizes, *columns.values())):
        raise ValueError("the columns of plays differ in length")
    return _measure(times, sizes, columns, np.random.default_rng(seed))


def _column(values: ArrayLike) -> Ints:
    return np.asarray(values).astype(np.int64, copy=False)


def _measure(
    times: Ints, sizes: Ints, columns: Mapping[str, Ints], random: np.random.Generator
) -> TimeSignal:
    _, part = np.unique(sizes, return_inverse=True)
    parts = [np.flatnonzero(part == number) for number in range(part.max() + 1)]
    time = _levels(times, parts)
    table = [part * LEVELS + _levels(column, parts) for column in columns.values()]
    found = np.array([_information(time, values) for values in table])
    chance = np.empty((PERMUTATIONS, len(table)))
    for row in chance:
        shuffled = _shuffled(time, parts, random)
        row[:] = [_information(shuffled, values) for values in table]
    bias = chance.mean(axis=0)
    bits, names = found - bias, list(columns)
    return TimeSignal(
        plays=len(times),
        feature=names[int(bits.argmax())],
        bits=float(bits.max()),
        chance_bits=float(np.quantile((chance - bias).max(axis=1), CHANCE)),
        by_feature=dict(zip(names, bits.tolist(), strict=True)),
    )


def _levels(values: Ints, parts: list[Ints]) -> Ints:
    """Values as 0 .. LEVELS - 1 within each part: in their own steps if few, else quantiles."""
    levels = np.empty_like(values)
    for part in parts:
        distinct, place = np.unique(values[part], return_inverse=True)
        if len(distinct) > LEVELS:
            shares = np.arange(1, LEVELS) / LEVELS
            cuts = np.quantile(values[part], shares, method="higher")
            place = np.searchsorted(cuts, values[part], side="right")
        levels[part] = place
    return levels


def _shuffled(time: Ints, parts: list[Ints], random: np.random.Generator) -> Ints:
    mixed = time.copy()
    for part in parts:
        mixed[part] = random.permutation(time[part])
    return mixed


def _information(time: Ints, feature: Ints) -> float:
    """Mutual information in bits a play, by the shares as they are; a `feature` tells its part."""
    parts = int(feature.max()) // LEVELS + 1
    cells = np.bincount(feature * LEVELS + time, minlength=parts * LEVELS**2)
    cells = cells.reshape(parts, LEVELS, LEVELS)
    expected = cells.sum(2, keepdims=True) * cells.sum(1, keepdims=True)
    expected = expected / np.maximum(cells.sum((1, 2), keepdims=True), 1)
    seen = cells > 0
    return float((cells[seen] * np.log2(cells[seen] / expected[seen])).sum()) / len(time)
