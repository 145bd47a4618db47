"""`kseri standings`: who is how strong, and how sure that is."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from arena.cli.look import tournament_option
from arena.cli.options import db_option
from arena.cli.standings_tables import print_standings
from arena.cli.tables import console
from arena.luck import BASELINE
from arena.rating import TimeSignal, WinShare
from arena.standings import (
    Scale,
    cached_standings,
    keep_shares,
    measured,
    missing_luck,
    time_signals,
    win_shares,
)
from arena.store import Reader, StoredTournament, keep_luck, writing

_BATCH_GAMES = 64
_TOO_MANY = "Too many bots to compare everyone with everyone; --json has their ratings."


@click.command()
@tournament_option
@click.option("--los", is_flag=True, help="Also how likely it is that each is the stronger one.")
@click.option("--luck", is_flag=True, help="Also win % without the luck of the cards.")
@click.option("--signals", is_flag=True, help="Also whether think times tell of hands.")
@click.option("--json", "as_json", is_flag=True, help="All of it as JSON.")
@db_option
def standings(
    name: str | None, los: bool, luck: bool, signals: bool, as_json: bool, database: Path
) -> None:
    """Show the standings of a tournament.

    What each number means stands in arena/rating/RATINGS.md. Luck is measured once for every
    game, by playing its decks again; that can be stopped and goes on at the next call.
    """
    if luck:
        with Reader(database) as reader:
            tournament = reader.tournament(name)
            missing = missing_luck(reader, tournament.id)
        _measure(database, missing)
    with Reader(database) as reader:
        tournament = reader.tournament(name)
        shares = win_shares(reader, tournament.id) if luck else None
        if shares:
            keep_shares(database, tournament.id, shares)
        told = time_signals(reader.records(tournament.id)) if signals else None
        if as_json:
            _print_json(reader, tournament, shares, told)
            return
        print_standings(reader, tournament)
        out = console()
        if los:
            for scale in cached_standings(reader, tournament.id).scales:
                out.print("", _los_table(scale) if scale.superiority else _TOO_MANY)
    if shares is not None:
        out.print("", _luck_table(shares))
    if told is not None:
        out.print("", _signals_table(told))


def _measure(database: Path, games: list[int]) -> None:
    """Measure the luck of games on all cores, and keep it batch by batch."""
    if not games:
        return
    with (
        Reader(database) as reader,
        writing(database) as db,
        ProcessPoolExecutor(os.cpu_count(), initializer=_end_with_parent) as pool,
        _progress() as progress,
    ):
        task = progress.add_task("", total=len(games))
        for batch in _batches(iter(games), _BATCH_GAMES):
            records = [reader.game(str(number)) for number in batch]
            found = zip(batch, pool.map(measured, records, chunksize=8), strict=True)
            keep_luck(db, BASELINE, [(number, luck) for number, luck in found if luck is not None])
            progress.advance(task, len(batch))


def _end_with_parent() -> None:
    """In a process of a pool: end with whoever started it, also where that is killed."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _batches(numbers: Iterator[int], size: int) -> Iterator[list[int]]:
    while batch := list(islice(numbers, size)):
        yield batch


def _progress() -> Progress:
    return Progress(
        TextColumn("Luck of games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _los_table(scale: Scale) -> Table:
    """Percent that the bot of the line is stronger than that of the column."""
    table = Table(box=None, pad_edge=False, header_style="bold", title="Stronger than …, %")
    table.add_column("")
    for place in range(1, len(scale.labels) + 1):
        table.add_column(str(place), justify="right")
    for place, (label, row) in enumerate(zip(scale.labels, scale.superiority, strict=True), 1):
        cells = [f"{100 * chance:.0f}" for chance in row]
        cells[place - 1] = "–"
        table.add_row(f"{place} {label}", *cells)
    return table


def _luck_table(shares: dict[str, WinShare]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Bot", "Win %", "±", "Luck %", "Without luck %", "±"):
        table.add_column(column, justify="left" if column == "Bot" else "right")
    for label, share in sorted(shares.items(), key=lambda item: -item[1].adjusted):
        table.add_row(
            label,
            f"{100 * share.share:.1f}",
            _percent(share.share_error),
            f"{100 * share.luck:+.1f}",
            f"{100 * min(max(share.adjusted, 0), 1):.1f}",
            _percent(share.adjusted_error),
        )
    return table


def _percent(value: float | None) -> str:
    return "prov." if value is None else f"{100 * value:.1f}"


def _signals_table(signals: dict[str, TimeSignal]) -> Table:
    """Bits a play; above the chance level times tell something of the hand."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Bot", "Bits a play", "Chance level", "Of", ""):
        table.add_column(column, justify="right" if "i" in column else "left")
    for label, signal in signals.items():
        table.add_row(
            label,
            f"{signal.bits:.4f}",
            f"{signal.chance_bits:.4f}",
            signal.feature,
            "more than chance" if signal.is_signal else "",
        )
    return table


def _print_json(
    reader: Reader,
    tournament: StoredTournament,
    shares: dict[str, WinShare] | None,
    signals: dict[str, TimeSignal] | None,
) -> None:
    found = msgspec.to_builtins(cached_standings(reader, tournament.id))
    if shares is not None:
        found["luck"] = msgspec.to_builtins(shares)
    if signals is not None:
        found["signals"] = msgspec.to_builtins(signals)
    click.echo(msgspec.json.encode({"tournament": tournament.name} | found))
