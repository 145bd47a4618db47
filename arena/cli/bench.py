"""`kseri bench`: how fast this arena is on this machine."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click
import msgspec
from rich.table import Table

from arena.bench.decisions import LINE_BYTES
from arena.bench.report import Report, measure
from arena.cli.tables import console


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option(
    "--runs",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="Of which every figure is the median.",
)
def bench(as_json: bool, runs: int) -> None:
    """Measure how fast this arena is here.

    Starts of bots and decisions a second, without isolation and in the best sandbox that holds
    here; many games at once in one process, on all cores; whole tournaments with one worker and
    several; games stored; the rules engine. Needs a C compiler. Every figure is the median of
    several runs, the kinds in turn; the ratio compares with two C programs that pass a line to
    and fro over pipes on the same core, measured in between.
    """
    report = measure(runs, lambda what: click.echo(what, err=True))
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    else:
        _print(report)


def _print(report: Report) -> None:
    out = console()
    version = f"{report.arena}, compiled" if report.compiled else report.arena
    out.print(f"kseri-arena {version}, {report.python}, {report.machine}")
    for table in _tables(report):
        out.print()
        out.print(table)


def _tables(report: Report) -> Iterable[Table | str]:
    yield _table(
        "Starts of an instant C bot",
        ("Isolation", "to its first answer, ms", "more, ms", "to its end, ms"),
        [
            (row.isolation, f"{row.start_ms:.1f}", f"{row.more_ms:.1f}", f"{row.end_ms:.1f}")
            for row in report.starts
        ],
    )
    yield _table(
        "Decisions, two instant bots, one core",
        ("Bot", "isolation", "a second", "µs", "more µs", "arena's", "ping-pong µs", "ratio"),
        [
            (
                row.bot,
                row.isolation,
                f"{row.decisions_a_second:,.0f}",
                f"{row.wall_us:.1f}",
                f"{row.more_us:.1f}",
                f"{row.arena_cpu_us:.1f}",
                f"{row.ping_pong_us:.1f}",
                f"{row.ratio:.2f}",
            )
            for row in report.decisions
        ],
    )
    yield f"The ping-pong passes {LINE_BYTES} bytes each way; a turn has about 1,200."
    yield _table(
        "Many games at once in one process",
        ("Bot", "games", "cores", "decisions a second", "arena's µs", "times one game"),
        [
            (
                row.bot,
                str(row.batch),
                str(row.cores),
                f"{row.decisions_a_second:,.0f}",
                f"{row.arena_cpu_us:.1f}",
                f"{row.ratio:.1f}",
            )
            for row in report.batches
        ],
    )
    yield _table(
        "Tournaments of instant C bots",
        (
            "Workers",
            "isolation",
            "games a second",
            "decisions",
            "times one",
            "hand-over of a chunk",
        ),
        [
            (
                str(row.workers),
                row.isolation,
                f"{row.games_a_second:,.0f}",
                f"{row.decisions_a_second:,.0f}",
                f"{row.speedup:.2f}",
                f"{row.hand_over_us:,.0f} µs, {row.hand_over_share:.2%}",
            )
            for row in report.pools
        ],
    )
    stored = report.storing
    yield (
        f"Games stored: {stored.games_a_second:,.0f} a second, {stored.bytes_a_game:,.0f} bytes "
        f"each ({stored.deals_a_game:.1f} deals)."
    )
    yield _table(
        "Rules engine, random plays, one core",
        ("Rules", "plays a second"),
        [(row.preset, f"{row.plays_a_second:,.0f}") for row in report.engine],
    )


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*row)
    return table
