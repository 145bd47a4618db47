"""`kseri bench`: how fast this arena is on this machine."""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from arena.bench.batches import Batches, measure_batches
from arena.bench.decisions import LINE_BYTES, Decisions, measure_decisions
from arena.bench.engine import EngineSpeed, measure_engine
from arena.bench.starts import Starts, measure_starts
from arena.cli.tables import console
from arena.sandbox import settle_isolation
from arena.version import VERSION

_STARTS = 12
"""For every run: one takes some ms."""


class _Report(msgspec.Struct, frozen=True, kw_only=True):
    arena: str
    machine: str
    python: str
    starts: list[Starts]
    decisions: list[Decisions]
    batches: list[Batches]
    engine: list[EngineSpeed]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--runs", type=click.IntRange(1, 100), default=5, show_default=True)
def bench(as_json: bool, runs: int) -> None:
    """Measure how fast this arena is here.

    Starts of bots and decisions a second, without isolation and in the best sandbox that holds
    here, and the rules engine; needs a C compiler. Every figure is the median of several runs,
    the kinds in turn; the ratio compares with two C programs that pass a line to and fro over
    pipes on the same core, measured in between. Bots that play several games at once in a
    process do so on all cores at the same time.
    """
    best, _ = settle_isolation("auto", trusted=True)
    isolations = list(dict.fromkeys(("none", best)))
    with tempfile.TemporaryDirectory() as folder:
        starts = measure_starts(Path(folder), isolations, _STARTS * runs)
        decisions = measure_decisions(Path(folder), isolations, runs)
        batches = measure_batches(Path(folder), isolations[0], runs)
    report = _Report(
        arena=VERSION,
        machine=f"{platform.system()} {platform.release()}, {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        starts=starts,
        decisions=decisions,
        batches=batches,
        engine=[measure_engine(preset, runs) for preset in ("kseri", "pisti", "faro-6")],
    )
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    else:
        _print(report)


def _print(report: _Report) -> None:
    out = console()
    out.print(f"kseri-arena {report.arena}, {report.python}, {report.machine}")
    starts = Table(title="Starts of an instant C bot", box=None, pad_edge=False)
    for name in ("Isolation", "to its first answer, ms", "more, ms", "to its end, ms"):
        starts.add_column(name, justify="right")
    for start in report.starts:
        starts.add_row(
            start.isolation, *(f"{ms:.1f}" for ms in (start.start_ms, start.more_ms, start.end_ms))
        )
    out.print(starts)
    table = Table(title="Decisions, two instant C bots, one core", box=None, pad_edge=False)
    for name in (
        "Isolation",
        "a second",
        "µs each",
        "more µs",
        "arena CPU µs",
        "ping-pong µs",
        "ratio",
    ):
        table.add_column(name, justify="right")
    for row in report.decisions:
        table.add_row(
            row.isolation,
            f"{row.decisions_a_second:,.0f}",
            f"{row.wall_us:.1f}",
            f"{row.more_us:.1f}",
            f"{row.arena_cpu_us:.1f}",
            f"{row.ping_pong_us:.1f}",
            f"{row.ratio:.2f}",
        )
    out.print(table)
    out.print(f"The ping-pong passes {LINE_BYTES} bytes each way; a turn has about 1,200.")
    _print_batches(out, report.batches)
    engine = Table(title="Rules engine, random plays, one core", box=None, pad_edge=False)
    for name in ("Rules", "plays a second"):
        engine.add_column(name, justify="right")
    for speed in report.engine:
        engine.add_row(speed.preset, f"{speed.plays_a_second:,.0f}")
    out.print(engine)


def _print_batches(out: Console, rows: list[Batches]) -> None:
    several = Table(title="Many games at once in one process", box=None, pad_edge=False)
    for name in ("Bot", "games", "cores", "decisions a second", "arena CPU µs", "times one game"):
        several.add_column(name, justify="right")
    for batch in rows:
        several.add_row(
            batch.bot,
            str(batch.batch),
            str(batch.cores),
            f"{batch.decisions_a_second:,.0f}",
            f"{batch.arena_cpu_us:.1f}",
            f"{batch.ratio:.1f}",
        )
    out.print(several)
