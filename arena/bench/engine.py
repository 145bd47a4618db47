"""How many random plays a second the rules engine makes, in this process, on one core.

A deal is made from a seed (R26 to R28), every play is drawn from `legal()`, and the deal is scored
at the end. Processor time is measured, so that other programs on the machine hardly matter.
"""

from __future__ import annotations

import random
import statistics
import time

import msgspec

from arena.game import make_deal, side_scores
from protocol.rules import RuleSet, make_rules

PLAYS = 50_000
"""Plays in a round."""


class EngineSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """Plays for one second of processor time."""

    preset: str
    plays_a_second: float
    """The median of the rounds."""
    lowest: float
    highest: float


def play_random_deals(rules: RuleSet, plays: int, seed: int) -> int:
    """Play whole deals at random until at least `plays` cards are down; how many there were."""
    uniform = random.Random(seed).random
    game_seed = random.Random(seed).randbytes(32)
    done = number = 0
    while done < plays:
        number += 1
        deal = make_deal(rules, game_seed, number, number % rules.seats)
        legal, play = deal.legal, deal.play
        while not deal.over:
            options = legal()
            card, capture = options[int(uniform() * len(options))]
            play(card, capture)
        side_scores(deal)
        done += len(deal.plays)
    return done


def measure_engine(preset: str, rounds: int, plays: int | None = None) -> EngineSpeed:
    """Measure one preset."""
    rules = make_rules(preset)
    speeds = []
    for seed in range(rounds):
        start = time.process_time()
        done = play_random_deals(rules, plays or PLAYS, seed)
        speeds.append(done / (time.process_time() - start))
    return EngineSpeed(
        preset=preset,
        plays_a_second=statistics.median(speeds),
        lowest=min(speeds),
        highest=max(speeds),
    )
