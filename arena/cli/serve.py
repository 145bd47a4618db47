"""`kseri serve`: the dashboard."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.store import Reader


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8040,
    show_default=True,
    help="Port; 0: any free one.",
)
@db_option
def serve(host: str, port: int, database: Path) -> None:
    """Serve the dashboard of a database until Ctrl-C."""
    Reader(database).close()
    serve_until_stopped(database, host, port)


def serve_until_stopped(database: Path, host: str, port: int) -> None:
    """Serve the dashboard; says where. Raises `Trouble` where the address can't be had."""
    from dashboard import run_server

    run_server(database, host, port, lambda address: click.echo(f"Dashboard: {address}"))
