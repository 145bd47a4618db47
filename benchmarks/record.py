"""Measures this machine and writes the figures that the README shows.

Run from the root while nothing else runs: python -m benchmarks.record
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from arena.bench.decisions import measure_decisions
from arena.bench.engine import measure_engine
from arena.bench.starts import measure_starts
from arena.sandbox import settle_isolation

_FIGURES = Path(__file__).parent / "figures.json"


def main() -> None:
    """Measure, print and write down."""
    best, _ = settle_isolation("auto", trusted=True)
    with tempfile.TemporaryDirectory() as folder:
        isolations = list(dict.fromkeys(("none", best)))
        starts = measure_starts(Path(folder), isolations)[-1]
        decisions, *isolated = measure_decisions(Path(folder), isolations)
    engine = measure_engine("kseri", 5)
    rows = {
        "decisions a second, two instant C bots, one core": f"{decisions.decisions_a_second:,.0f}",
        "time of one against a bare ping-pong of two C programs": f"{decisions.ratio:.1f} times",
        "the arena's CPU time a decision": f"{decisions.arena_cpu_us:.0f} µs",
        f"start of a bot in its sandbox ({best}) beyond that of a plain process": (
            f"{starts.more_ms:.1f} ms"
        ),
        "a decision in a sandbox beyond one without": (
            f"{isolated[0].more_us:.1f} µs" if isolated else "no sandbox here"
        ),
        "random plays a second in the rules engine, one core": f"{engine.plays_a_second:,.0f}",
    }
    machine = (
        f"{os.cpu_count()} cores of {platform.machine()}, {platform.system()} "
        f"{platform.release().split('-')[0]}, CPython {platform.python_version()}, "
        f"{datetime.now(UTC):%Y-%m-%d}"
    )
    table = {
        "machine": machine,
        "rows": [{"what": what, "value": value} for what, value in rows.items()],
    }
    _FIGURES.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for what, value in rows.items():
        print(f"{value:>12}  {what}")


if __name__ == "__main__":
    main()
