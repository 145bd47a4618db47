"""Measures this machine and writes the figures that README.md and CAPACITY.md show.

Measured are this tree, and the same compiled (hatch_build.py).

Run from the root while nothing else runs: python -m benchmarks.record
Then write them down there: python -m tests.readme.generate
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arena.bench.report import Report, measure
from benchmarks.capacity import FIGURES, Costs

_RUNS = 5
_BATCH = 32


def rows(report: Report) -> dict[str, str]:
    """What the README tells, with the figure as it stands there."""
    plain, isolated = (report.decision("instant", name) for name in ("none", report.isolation))
    python = report.decision("instant-py", "none")
    batch = report.batch("instant", _BATCH)
    one, *_, most = report.pools
    gained = f"{most.games_a_second:,.0f} ({most.speedup:.2f} times)"
    return {
        "decisions a second, two instant C bots, one core": f"{plain.decisions_a_second:,.0f}",
        "time of one against a bare ping-pong of two C programs": f"{plain.ratio:.1f} times",
        "the arena's CPU time a decision": f"{plain.arena_cpu_us:.0f} µs",
        "the same with instant bots in Python": f"{python.decisions_a_second:,.0f} a second",
        f"decisions a second, {_BATCH} games at once, {batch.cores} cores": (
            f"{batch.decisions_a_second:,.0f}"
        ),
        f"start of a bot in its sandbox ({report.isolation}) beyond that of a plain process": (
            f"{report.starts[-1].more_ms:.1f} ms"
        ),
        "a decision in a sandbox beyond one without": f"{isolated.more_us:.1f} µs",
        f"games a second of a tournament, {one.workers} worker": f"{one.games_a_second:,.0f}",
        f"the same, {most.workers} workers": gained,
        "hand-over of a chunk of 25 matches": f"{one.hand_over_share:.2%} of its time",
        "games stored a second": f"{report.storing.games_a_second:,.0f}",
        "random plays a second in the rules engine, one core": (
            f"{report.engine[0].plays_a_second:,.0f}"
        ),
    }


def costs(report: Report) -> Costs:
    """What the arithmetic of CAPACITY.md is made from."""
    batch, start = report.batch("instant", _BATCH), report.starts[-1]
    return Costs(
        decisions_a_game=report.storing.plays_a_game,
        decision_us=report.decision("instant", report.isolation).wall_us,
        batched_decision_us=batch.cores / batch.decisions_a_second * 1e6,
        starts_ms=start.start_ms + start.end_ms,
        hand_over_us=report.pools[0].hand_over_us,
        stored_games_a_second=report.storing.games_a_second,
        stored_bytes_a_game=report.storing.bytes_a_game,
        sent_bytes_a_game=report.storing.sent_bytes_a_game,
    )


def measure_compiled(folder: Path) -> Report:
    """Build a compiled wheel, and measure what is in it."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    variables = os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}
    subprocess.run(build, env=variables, check=True, stdout=subprocess.DEVNULL)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "tree")
    bench = [sys.executable, "-P", "-m", "arena.cli", "bench", "--json", "--runs", str(_RUNS)]
    variables = os.environ | {"PYTHONPATH": str(folder / "tree")}
    told = subprocess.run(bench, env=variables, check=True, stdout=subprocess.PIPE).stdout
    report = msgspec.json.decode(told, type=Report)
    assert report.compiled
    return report


def main() -> None:
    """Measure, print and write down."""
    report = measure(_RUNS, print)
    with tempfile.TemporaryDirectory() as name:
        print("the same, compiled")
        folder = Path(name)
        folder.chmod(0o755)  # a bot in its sandbox is somebody else
        compiled = rows(measure_compiled(folder))
    machine = (
        f"{os.cpu_count()} cores of {platform.machine()}, {platform.system()} "
        f"{platform.release().split('-')[0]}, CPython {platform.python_version()}, "
        f"{datetime.now(UTC):%Y-%m-%d}"
    )
    told = rows(report)
    figures = {
        "machine": machine,
        "rows": [
            {"what": what, "value": value, "compiled": compiled[what]}
            for what, value in told.items()
        ],
        "costs": msgspec.to_builtins(costs(report)),
    }
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for what, value in told.items():
        print(f"{value:>18} {compiled[what]:>18}  {what}")


if __name__ == "__main__":
    main()
