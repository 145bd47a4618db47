"""`kseri submit`: a bot is taken in."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import db_option, isolation_option
from arena.cli.running import settled_isolation
from arena.sandbox import hide_own_memory
from arena.submission import read_submission, submit
from arena.text import one_line


@click.command(name="submit")
@click.argument("path", type=click.Path(path_type=Path))
@isolation_option
@db_option
def submit_command(path: Path, isolation: str, database: Path) -> None:
    """Take in a bot: build, check and store it.

    PATH is a folder or a zip with a bot.toml in it, or a single file. What is stored is never
    changed: other files need another version. It is entered as NAME (the newest version that is
    not retired) or NAME@VERSION.
    """
    bot = read_submission(path)
    _say(
        f"Read: {bot.manifest.name} {bot.manifest.version}, {len(bot.files)} files, "
        f"{bot.size:,} bytes, hash {bot.hash[:12]}…"
    )
    settled = settled_isolation(isolation, [bot])
    if settled.isolation == "none":
        click.echo(
            f"Isolation: none ({settled.why}): bots run with all rights of this user", err=True
        )
    hide_own_memory()
    submit(bot, database, settled.isolation, _say)


def _say(line: str) -> None:
    click.echo(one_line(line))
