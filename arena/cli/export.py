"""`kseri export`: what was played, for other programs."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from arena.cli.look import tournament_option
from arena.cli.options import db_option
from arena.standings import Standing, cached_standings
from arena.store import Reader
from arena.text import csv_cell
from protocol.records import GameRecord

_NOT_CANONICAL = ("started", "elapsed_ms", "arena")
_NOT_CANONICAL_OF_SEATS = ("process", "nth", "batch", "boot_us", "cpu_us", "overruns", "max_rss_kb")
_NOT_CANONICAL_OF_FAULTS = (
    "used_us",
    "limit_us",
    "cpu_us",
    "max_rss_kb",
    "unfinished",
    "unread",
    "closed",
    "runnable",
)


@click.command()
@click.option("--standings", "as_standings", is_flag=True, help="The standings, as CSV.")
@click.option(
    "--canonical",
    is_flag=True,
    help="Games in the schedule's order, without times, processes, memory and version.",
)
@tournament_option
@db_option
def export(as_standings: bool, canonical: bool, name: str | None, database: Path) -> None:
    """Write a tournament's games as JSON Lines to standard output."""
    with Reader(database) as reader:
        tournament = reader.tournament(name)
        if as_standings:
            _write_csv(cached_standings(reader, tournament.id).lines)
            return
        encoder = msgspec.json.Encoder()
        left_out = 0
        for record in reader.records(tournament.id, canonical):
            if not record.seed:
                left_out += 1
                continue
            data = encoder.encode(_canonical(record) if canonical else record)
            sys.stdout.buffer.write(data + b"\n")
        sys.stdout.buffer.flush()
    if left_out:
        click.echo(
            f"{left_out} game(s) left out until the other games on their decks are over", err=True
        )


def _canonical(record: GameRecord) -> dict[str, Any]:
    """The record without what differs between two runs of the same games."""
    table: dict[str, Any] = msgspec.to_builtins(record)
    for key in _NOT_CANONICAL:
        table.pop(key, None)
    for seat in table["seats"]:
        for key in _NOT_CANONICAL_OF_SEATS:
            seat.pop(key, None)
    for fault in table.get("faults", []):
        for key in _NOT_CANONICAL_OF_FAULTS:
            fault.pop(key, None)
    for deal in table["deals"]:
        for play in deal["plays"]:
            play.pop("elapsed_us", None)
            play.pop("turns", None)
    return table


def _write_csv(rows: list[Standing]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Standing.__struct_fields__)
    for row in rows:
        writer.writerow([csv_cell(value) for value in msgspec.structs.astuple(row)])
