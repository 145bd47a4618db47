"""`kseri new`: a bot to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
from rich.table import Table

from arena.bots import as_path, command_missing
from arena.cli.called import called
from arena.cli.tables import console
from arena.errors import UsageError
from arena.templates import find_template, make_bot, templates


@click.command()
@click.argument("name", required=False)
@click.option("--lang", metavar="LANGUAGE", help="The language; --list shows which.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path(),
    help="Where the bot's folder is made, itself made if it is missing; default: here.",
)
@click.option("--list", "shows_list", is_flag=True, help="List the languages and what they need.")
def new(name: str | None, lang: str | None, folder: Path, shows_list: bool) -> None:
    """Make a bot called NAME to start from.

    Its folder has a bot that plays, a test of its own, and a README.md. NAME has small letters,
    digits and hyphens.
    """
    if shows_list:
        _print_list()
        return
    if name is None or lang is None:
        raise UsageError("new: a NAME and --lang are needed (--list shows the languages)")
    template = find_template(lang)
    path = shlex.quote(as_path(make_bot(name, template, folder, called())))
    click.echo(
        f"Made {path}, a bot in {template.language}: `choose` in {template.source} is yours."
    )
    click.echo(f"  (cd {path} && {template.test})")
    click.echo(f"  {called()} check {path}")
    click.echo(f"  {called()} play {path} greedy --matches 10")
    missing = command_missing(template.programs)
    if missing:
        click.echo(f"It can't run here yet: {missing}. It needs {template.needs}.", err=True)


def _print_list() -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("--lang", "language", "here", "needs"):
        table.add_column(heading)
    for template in templates():
        here = "no" if command_missing(template.programs) else "yes"
        table.add_row(template.name, template.language, here, template.needs)
    console().print(table)
