"""`kseri verify`: anyone can check that a game was dealt and scored as it should be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from arena.cli.look import tournament_option
from arena.cli.options import db_option
from arena.errors import UsageError
from arena.store import Reader
from arena.verify import problems, secret_problems
from protocol.records import GameRecord


@click.command()
@click.argument("games", nargs=-1, metavar="GAME…|FILE")
@click.option("--all", "everything", is_flag=True, help="All games of the tournament.")
@click.option(
    "--secret",
    "--tournament-secret",
    "secret",
    is_flag=True,
    help="All games of the tournament, and their seeds against its published secret.",
)
@tournament_option
@db_option
def verify(
    games: tuple[str, ...], everything: bool, secret: bool, name: str | None, database: Path
) -> int:
    """Recompute shuffle, commitment, every play and the scores.

    GAMEs are ids or numbers in the database; FILE is an export (- for standard input). The exit
    status is 1 when something is wrong or can't be known yet.
    """
    if games and (everything or secret):
        raise UsageError("verify: give games or one of --all and --secret")
    if everything or secret:
        return _verify_tournament(database, name, secret)
    if not games:
        raise UsageError("verify: which game? Give ids, a file, --all or --secret")
    return _report(_records(games, database))


def _records(games: tuple[str, ...], database: Path) -> Iterator[GameRecord]:
    for game in games:
        if game == "-" or Path(game).is_file():
            yield from _exported(game)
        else:
            with Reader(database) as reader:
                yield reader.game(game)


def _exported(file: str) -> Iterator[GameRecord]:
    decoder = msgspec.json.Decoder(GameRecord)
    with click.open_file(file, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                raise UsageError(f"{file}, line {number}: not a game record: {error}") from None


def _verify_tournament(database: Path, name: str | None, secret: bool) -> int:
    with Reader(database) as reader:
        tournament = reader.tournament(name)
        master = None
        if secret:
            if not tournament.finished:
                click.echo(
                    f"{tournament.name}: not verifiable until its last game is over; "
                    "then its secret is published"
                )
                return 1
            master = bytes.fromhex(tournament.master)
        return _report(reader.records(tournament.id), master)


def _report(records: Iterator[GameRecord], master: bytes | None = None) -> int:
    sound, wrong, unknown = 0, 0, 0
    for record in records:
        if not record.seed:
            unknown += 1
            click.echo(f"{record.game}: not verifiable until the other games on its decks are over")
            continue
        found = problems(record) + (secret_problems(record, master) if master else [])
        wrong += bool(found)
        sound += not found
        for problem in found:
            click.echo(f"{record.game}: {problem}")
    print(f"{sound} sound, {wrong} wrong, {unknown} not verifiable yet", file=sys.stdout)
    return 1 if wrong or unknown else 0
