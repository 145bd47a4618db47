"""The rules engine's speed, preset by preset; see `arena.bench.engine`.

Run from the root: python -m benchmarks.engine [--json] [--plays N] [--rounds N] [PRESET ...]
"""

from __future__ import annotations

import argparse
import json
import platform

from arena.bench.engine import PLAYS, measure_engine
from protocol.rules import PRESETS


def main() -> None:
    """Measure the presets named, or all, and print the median of several rounds of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("presets", nargs="*", metavar="PRESET", help="default: every preset")
    parser.add_argument("--plays", type=int, default=PLAYS, help="plays in a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the median counts")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    speeds = [
        measure_engine(preset, options.rounds, options.plays)
        for preset in options.presets or PRESETS
    ]
    if options.json:
        medians = {speed.preset: round(speed.plays_a_second) for speed in speeds}
        python = f"{platform.python_version()} {platform.python_compiler()}"
        print(json.dumps({"python": python, "plays_a_second": medians}))
        return
    print(f"{'preset':<16}{'median':>10}{'lowest':>10}{'highest':>10}   plays a second of CPU time")
    for speed in speeds:
        print(
            f"{speed.preset:<16}{speed.plays_a_second:>10,.0f}{speed.lowest:>10,.0f}"
            f"{speed.highest:>10,.0f}"
        )


if __name__ == "__main__":
    main()
