"""`kseri doctor`: what this machine can do for an arena."""

from __future__ import annotations

import sys

import click
import msgspec
from rich.table import Table

from arena.cli.tables import console
from arena.doctor import BackendReport, Report, examine


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(as_json: bool) -> int:
    """Say what this machine can and what to install.

    A program attacks every sandbox that the machine has. The exit status is 0 if bots of
    strangers can be played safely, else 1.
    """
    report = examine()
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    else:
        _print(report)
    return 0 if report.is_safe else 1


def _print(report: Report) -> None:
    out = console()
    out.print(f"{report.kernel}, {report.user}, {report.cores} cores")
    for backend in report.backends:
        out.print()
        _print_backend(backend, report.plain_start_ms)
    out.print("\nLanguages", style="bold")
    table = Table(box=None, pad_edge=False, show_header=False)
    for row in report.languages:
        table.add_row(row.language, row.program or f"– {row.problem}")
    out.print(table)
    out.print(
        f"\nClock: a wait of 1 ms is {report.wait_us:.0f} µs too long (median), "
        f"{report.worst_wait_us:.0f} µs at worst."
    )
    if report.is_safe:
        out.print("Bots of strangers can be played and rated on this machine.", style="bold")
    else:
        out.print(
            "No sandbox holds here: play only programs that you trust, with --isolation none.",
            style="bold red",
        )


def _print_backend(backend: BackendReport, plain_start_ms: float) -> None:
    out = console()
    verdict = "holds" if backend.holds else "can't be used"
    out.print(f"{backend.name}: {verdict}", style="bold" if backend.holds else "bold red")
    if backend.problem:
        out.print(f"  {backend.problem}")
    if backend.start_ms is not None:
        more = backend.start_ms - plain_start_ms
        out.print(f"  starting a program takes {backend.start_ms:.1f} ms, {more:.1f} ms more")
    table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
    for attack in backend.attacks:
        style = None if attack.verdict == "stopped" else "red"
        table.add_row(attack.layer, attack.attack, attack.verdict, attack.detail, style=style)
    if backend.attacks:
        out.print(table)
