"""How many random plays a second the rules engine makes, in this process, on one core.

A deal is made from a seed (R26 to R28), every play is drawn from `legal()`, and the deal is scored
at the end. Processor time is measured, so that other programs on the machine hardly matter.

Run from the root: python -m benchmarks.engine [--json] [--plays N] [--rounds N] [PRESET ...]
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import time

from arena.game import make_deal, side_scores
from protocol.rules import PRESETS, RuleSet, make_rules


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


def plays_a_second(rules: RuleSet, plays: int, rounds: int) -> list[float]:
    """The speed of every round, in plays for one second of processor time."""
    speeds = []
    for seed in range(rounds):
        start = time.process_time()
        done = play_random_deals(rules, plays, seed)
        speeds.append(done / (time.process_time() - start))
    return speeds


def main() -> None:
    """Measure the presets named, or all, and print the median of several rounds of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("presets", nargs="*", metavar="PRESET", help="default: every preset")
    parser.add_argument("--plays", type=int, default=50_000, help="plays in a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the median counts")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    speeds = {
        preset: plays_a_second(make_rules(preset), options.plays, options.rounds)
        for preset in options.presets or PRESETS
    }
    if options.json:
        medians = {preset: round(statistics.median(speeds[preset])) for preset in speeds}
        python = f"{platform.python_version()} {platform.python_compiler()}"
        print(json.dumps({"python": python, "plays_a_second": medians}))
        return
    print(f"{'preset':<16}{'median':>10}{'lowest':>10}{'highest':>10}   plays a second of CPU time")
    for preset, each in speeds.items():
        print(
            f"{preset:<16}{statistics.median(each):>10,.0f}{min(each):>10,.0f}{max(each):>10,.0f}"
        )


if __name__ == "__main__":
    main()
