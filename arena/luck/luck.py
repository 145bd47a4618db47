"""Luck of a deal and of a game, by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import numpy as np

from arena.faults import forfeited_sides
from arena.luck.baseline import BASELINE, Ints, replayed
from arena.luck.chances import Chances, chances
from arena.replay import ReplayError, rules_of_record, with_sides
from protocol.records import GameRecord
from protocol.rules import RuleSet

REPLAYS = 8
"""How often the baseline plays each deal: enough for the cards to outweigh its own ties."""
_DEALS = 2000
"""Deals of other cards that say what the baseline makes of deals at all."""
_SEED = sha256(b"luck baseline %d" % BASELINE).digest()


@dataclass(frozen=True, eq=False)
class _Measure:
    """What luck is measured by under one rule set."""

    points: Ints
    """[deal, side]: what the baseline makes of deals, the dealer's side first."""
    chances: Chances


@lru_cache(maxsize=16)
def _measure(rules: RuleSet) -> _Measure:
    deals = [replayed(rules, _SEED, number, 0, 1) for number in range(1, _DEALS + 1)]
    points = np.concatenate(deals)
    return _Measure(points, chances(rules, points))


def deal_luck(
    rules: RuleSet, seed: bytes, number: int, dealer: int, scores: Sequence[int]
) -> list[float]:
    """What the cards of one deal were worth to every side, in chances of winning; the sum is 0.

    `seed` is the game's, `number` the deal's, from 1, `scores` those before it. It is the mean
    chance after 8 replays of the deal less the mean after deals of other cards, so its
    expectation is 0 whoever plays the game and whatever came before. (The chance at the mean
    score of the replays would not do: replays' means stray less than a deal does, which favours
    the side that leads, so that luck would contain strength.)
    """
    measure = _measure(rules)
    first = dealer % rules.sides
    left = (rules.deals or rules.max_deals) - number
    before = np.roll(np.array(scores, dtype=np.int64), -first)
    points = np.roll(replayed(rules, seed, number, dealer, REPLAYS), -first, axis=1)
    # The side after the dealer's deals next.
    after = np.roll(before + np.concatenate([points, measure.points]), -1, axis=1)
    chance = measure.chances(after, left)
    gain = chance[:REPLAYS].mean(axis=0) - chance[REPLAYS:].mean(axis=0)
    luck: list[float] = np.roll(gain, first + 1).tolist()
    return luck


def game_luck(record: GameRecord) -> list[float]:
    """What the cards of a finished game were worth to every side, in chances of winning.

    The sum over its deals of `deal_luck`; the sum over the sides is 0. Zeros for a game that
    somebody forfeited: not the cards decided it. Needs the record's seed; raises `ReplayError`
    where there is none, or where the record does not follow from it.
    """
    if not record.seed:
        raise ReplayError("the seed is not known yet")
    rules = rules_of_record(record)
    luck = np.zeros(rules.sides)
    if forfeited_sides(record):
        return luck.tolist()
    seed, scores = bytes.fromhex(record.seed), [0] * rules.sides
    for deal in _scored(record).deals:
        luck += deal_luck(rules, seed, deal.number, deal.dealer, scores)
        assert deal.sides is not None
        scores = [old + side.total for old, side in zip(scores, deal.sides, strict=True)]
    return luck.tolist()


def _scored(record: GameRecord) -> GameRecord:
    """The record with every deal's scores, played again where it lacks them."""
    known = all(deal.sides for deal in record.deals)
    return record if known else with_sides(record)
