"""`kseri verify`: anyone can check that a game was dealt and scored as it should be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from arena.cli.options import db_option, lines_of
from arena.errors import UsageError
from arena.store import Reader
from arena.text import one_line
from arena.verify import problems, secret_problems
from protocol.records import GameRecord

_MOST_LINE_BYTES = 64 * 1024 * 1024


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME|FILE]…")
@click.option("--tournament", "name", help="All games of this one: its name, number or `latest`.")
@db_option
def verify(games: tuple[str, ...], name: str | None, database: Path) -> int:
    """Check games: shuffle, commitment, every play, scores.

    GAMEs are ids or numbers in the database; FILE is an export (- for standard input). With
    --tournament all its games are checked and, once it is over, their seeds against its published
    secret. The exit status is 1 when something is wrong or can't be known yet.
    """
    if bool(games) == (name is not None):
        raise UsageError("verify: give games, an export's file, or --tournament")
    if name is not None:
        return _verify_tournament(database, name)
    return _report(_records(games, database))


def _records(games: tuple[str, ...], database: Path) -> Iterator[GameRecord]:
    for game in games:
        if game == "-" or not game.isalnum() or Path(game).is_file():
            yield from _exported(game)
        else:
            with Reader(database) as reader:
                yield reader.game(game)


def _exported(file: str) -> Iterator[GameRecord]:
    decoder = msgspec.json.Decoder(GameRecord)
    for number, line in enumerate(_lines(file), 1):
        try:
            if line.strip():
                yield decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageError(f"{file}, line {number}: not a game record: {error}") from None


def _lines(file: str) -> Iterator[bytes]:
    try:
        with click.open_file(file, "rb") as lines:
            yield from lines_of(lines, file, _MOST_LINE_BYTES)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None


def _verify_tournament(database: Path, name: str) -> int:
    with Reader(database) as reader:
        tournament = reader.tournament(name)
        secret = bytes.fromhex(tournament.master) if tournament.finished else None
        status = _report(reader.records(tournament.id), secret)
    title, commitment = one_line(tournament.name), tournament.master_commitment
    if secret is None:
        click.echo(
            f"{title}: seeds not verifiable until its last game is over; then the secret behind "
            f"the commitment {commitment} is published"
        )
        return 1
    click.echo(f"{title}: checked against its secret {tournament.master}, commitment {commitment}")
    return status


def _report(records: Iterator[GameRecord], secret: bytes | None = None) -> int:
    sound, wrong, unknown = 0, 0, 0
    for record in records:
        game = one_line(record.game)
        if not record.seed:
            unknown += 1
            click.echo(f"{game}: not verifiable until the other games on its decks are over")
            continue
        found = problems(record) + (secret_problems(record, secret) if secret else [])
        wrong += bool(found)
        sound += not found
        for problem in found:
            click.echo(f"{game}: {one_line(problem)}")
    click.echo(f"{sound} sound, {wrong} wrong, {unknown} not verifiable yet")
    return 1 if wrong or unknown else 0
