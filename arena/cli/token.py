"""`kseri token`: who may hand in bots on the dashboard."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from arena.cli.called import at_database, called
from arena.cli.options import db_option
from arena.cli.tables import console
from arena.store import Reader, Token, new_token, revoke_token, writing
from arena.text import counted, one_line

_QUOTA, _MOST_BOTS = 20, 5

_name = click.argument("name")


@click.group()
def token() -> None:
    """Make, list and revoke tokens, with which others hand in bots.

    Whoever has a token may submit on the dashboard, or with curl. The names of its bots are its
    own: nobody else's token may submit versions of them.
    """


@token.command()
@_name
@click.option(
    "--quota", type=click.IntRange(1, 10_000), default=_QUOTA, show_default=True,
    help="Submissions in 24 hours.",
)  # fmt: skip
@click.option(
    "--bots", "most_bots", type=click.IntRange(1, 10_000), default=_MOST_BOTS, show_default=True,
    help="Different bots; versions of one are one.",
)  # fmt: skip
@db_option
def new(name: str, quota: int, most_bots: int, database: Path) -> None:
    """Make a token and print it: it is shown this once.

    NAME says whom it is for, in the list. A NAME that was revoked gets a new token, and has its
    bots again.
    """
    with writing(database) as db:
        secret = new_token(db, name, quota, most_bots)
    click.echo(secret)
    click.echo(
        f"{name}: {counted(quota, 'submission')} a day, {counted(most_bots, 'bot')}. It is not "
        f"shown again. What takes in what comes:\n"
        f"  {called()} serve --jobs{at_database(database)}",
        err=True,
    )


@token.command(name="list")
@db_option
def list_tokens(database: Path) -> None:
    """List all tokens, with their bots."""
    with Reader(database) as reader:
        found = reader.tokens()
    console().print(_table(found) if found else "No tokens.")


def _table(found: list[Token]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Token", "Made", "Revoked", "Today", "Bots"):
        table.add_column(heading, justify="right" if heading == "Today" else "left")
    for row in found:
        table.add_row(
            one_line(row.name),
            row.created[:10],
            (row.revoked or "")[:10],
            f"{row.submissions} of {row.quota}",
            f"{len(row.bots)} of {row.most_bots} {', '.join(row.bots)}".strip(),
        )
    return table


@token.command()
@_name
@db_option
def revoke(name: str, database: Path) -> None:
    """Let nothing more be submitted with a token.

    Its bots stay where they are, and stay its own: `kseri token new NAME` makes another token
    for them.
    """
    Reader(database).close()
    with writing(database) as db:
        was_valid = revoke_token(db, name)
    click.echo(f"Revoked {name}." if was_valid else f"Nothing new: {name} was revoked before.")
