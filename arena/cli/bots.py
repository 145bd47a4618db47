"""`kseri bots`: the bots that were submitted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from arena.bots import BotFiles, split_reference
from arena.cli.options import db_option
from arena.cli.tables import console
from arena.errors import UsageError
from arena.store import AppearanceRow, Reader, Submission, retire, unretire, versions, writing
from arena.text import one_line

_SHOWN_HASH = 12


@click.group()
def bots() -> None:
    """List, show, retire and unretire submitted bots.

    Bots that come with the arena are not submitted and are not listed.
    """


@bots.command(name="list")
@db_option
def list_bots(database: Path) -> None:
    """List all versions of all submitted bots, the newest first."""
    with Reader(database) as reader:
        found = reader.submissions()
    console().print(_versions_table(found) if found else "No submitted bots.")


def _versions_table(found: list[Submission]) -> Table:
    table = _table("Bot", "Version", "Hash", "Submitted", "Retired", "Games")
    for row in found:
        first = row.hash[:_SHOWN_HASH]
        table.add_row(
            row.name, row.version, first, _day(row.submitted), _day(row.retired), str(row.games)
        )
    return table


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, justify="right" if name in ("Games", "Bytes") else "left")
    return table


def _day(time: str | None) -> str:
    return time[:10] if time else ""


@bots.command()
@click.argument("bot", metavar="NAME[@VERSION]")
@db_option
def show(bot: str, database: Path) -> None:
    """Show one version of a submitted bot.

    Its manifest, its files, where it played. NAME alone is its newest version that is not retired.
    """
    name, version = _named(bot)
    with Reader(database) as reader:
        found = reader.submission(name, version)
        files, appearances = reader.bot_files(found.hash), reader.appearances(found.hash)
    out = console()
    out.print(f"{found.reference}, hash {found.hash}")
    out.print(f"Submitted {found.submitted}" + (f", retired {found.retired}" * bool(found.retired)))
    out.print("\nManifest", style="bold")
    out.print(_manifest_table(files))
    out.print("\nFiles", style="bold")
    out.print(_files_table(files))
    out.print("\nPlayed in", style="bold")
    out.print(_appearances_table(appearances) if appearances else "  nothing yet")


def _named(text: str) -> tuple[str, str | None]:
    reference = split_reference(text)
    if reference is None:
        raise UsageError(f"{text!r}: expected NAME or NAME@VERSION of a submitted bot")
    return reference


def _manifest_table(bot: BotFiles) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
    for key, value in msgspec.structs.asdict(bot.manifest).items():
        if value not in (None, []):
            table.add_row(key, one_line(_shown(value)))
    return table


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _files_table(bot: BotFiles) -> Table:
    table = _table("Bytes", "File")
    for path, (is_executable, data) in sorted(bot.files.items()):
        table.add_row(f"{len(data):,}", one_line(path) + " (executable)" * is_executable)
    return table


def _appearances_table(rows: list[AppearanceRow]) -> Table:
    table = _table("Tournament", "As", "Games", "W-D-L", "Faults")
    for row in rows:
        table.add_row(
            f"{row.tournament_id} {one_line(row.tournament)}",
            row.label,
            str(row.games),
            f"{row.wins}-{row.draws}-{row.losses}",
            f"{row.faults}" + (f" ({row.forfeits} lost)" if row.forfeits else ""),
        )
    return table


@bots.command(name="retire")
@click.argument("bot", metavar="NAME[@VERSION]")
@click.option("--all", "every", is_flag=True, help="Retire all versions of NAME.")
@db_option
def retire_bot(bot: str, every: bool, database: Path) -> None:
    """Let a version be entered by name no longer.

    Its games stay, and a tournament that it is in goes on with it. NAME alone is the newest version
    that is not retired: from then on NAME is the one before. `unretire` takes it back.
    """
    name, version = _named(bot)
    if every and version is not None:
        raise UsageError(f"--all: give the name alone, {name}")
    with Reader(database) as reader:
        reader.submission(name, version)
    with writing(database) as db:
        found = [row for row in versions(db, name, version) if not row.retired]
        chosen, left = (found, []) if every else (found[:1], found[1:])
        retire(db, chosen)
    for row in chosen:
        click.echo(f"Retired {row.reference}.")
    if left:
        click.echo(f"{name} is now {left[0].reference}.")
    if not found:
        click.echo(f"Nothing new: {bot} was retired before.")


@bots.command(name="unretire")
@click.argument("bot", metavar="NAME@VERSION")
@db_option
def unretire_bot(bot: str, database: Path) -> None:
    """Let a retired version be entered by name again."""
    name, version = _named(bot)
    if version is None:
        raise UsageError(f"{bot}: give the version, too, as in {bot}@1.0")
    with Reader(database) as reader:
        found = reader.submission(name, version)
    if not found.retired:
        click.echo(f"Nothing new: {found.reference} is not retired.")
        return
    with writing(database) as db:
        unretire(db, found)
    click.echo(f"{found.reference} can be entered again.")
