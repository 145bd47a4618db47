"""`kseri verify`: anyone can check that a game was dealt and scored as it should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from arena.cli.options import db_option, lines_of
from arena.errors import UsageError
from arena.store import Damaged, Reader, Round, StoredTournament
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
    --tournament all its games are checked and, once it is over, or in a league the round, their
    seeds against the published secret. The exit status is 1 when something is wrong or can't be
    known yet.
    """
    if bool(games) == (name is not None):
        raise UsageError("verify: give games, an export's file, or --tournament")
    if name is not None:
        return _verify_tournament(database, name)
    return _report(_records(games, database))


def _records(games: tuple[str, ...], database: Path) -> Iterator[GameRecord | Damaged]:
    for game in games:
        if game == "-" or not game.isalnum() or Path(game).is_file():
            yield from _exported(game)
        else:
            yield _stored(game, database)


def _stored(game: str, database: Path) -> GameRecord | Damaged:
    try:
        with Reader(database) as reader:
            return reader.game(game)
    except Damaged as error:
        return error


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
        name = file if file.strip() else repr(file)
        raise UsageError(f"{name}: {error.strerror}") from None


def _verify_tournament(database: Path, name: str) -> int:
    with Reader(database) as reader:
        tournament = reader.tournament(name)
        secrets = _secrets(tournament, reader.rounds(tournament.id))
        status = _report(reader.records_or_damage(tournament.id), secrets)
    for secret in secrets.values():
        click.echo(secret.told())
    return status if all(secret.master for secret in secrets.values()) else 1


class _Secret(NamedTuple):
    """What the games of a tournament, or of a round of it, come from."""

    title: str
    commitment: str
    master: bytes | None
    """None before its last game is over."""

    def told(self) -> str:
        """Whether it is published, in one line."""
        if self.master is None:
            return (
                f"{self.title}: seeds not verifiable until its last game is over; then the secret "
                f"behind the commitment {self.commitment} is published"
            )
        return (
            f"{self.title}: checked against its secret {self.master.hex()}, commitment "
            f"{self.commitment}"
        )

    def problems(self, record: GameRecord) -> list[str]:
        """What of a game does not follow from it."""
        return secret_problems(record, self.master) if self.master else []


_Secrets = Mapping[int | None, _Secret]
"""By round, of a league; else the only one under None."""


def _secrets(tournament: StoredTournament, rounds: Sequence[Round]) -> _Secrets:
    title = one_line(tournament.name)
    of_rounds: _Secrets = {
        each.number: _Secret(
            f"{title}, round {each.number}",
            each.master_commitment,
            bytes.fromhex(each.master) if each.finished else None,
        )
        for each in rounds
        if each.master and each.master_commitment
    }
    if of_rounds:
        return of_rounds
    master = bytes.fromhex(tournament.master) if tournament.finished else None
    return {None: _Secret(title, tournament.master_commitment, master)}


def _report(records: Iterator[GameRecord | Damaged], secrets: _Secrets | None = None) -> int:
    """Check games, against the secrets that are given too; returns the exit status."""
    sound, wrong, unknown = 0, 0, 0
    for record in records:
        if isinstance(record, Damaged):
            wrong += 1
            click.echo(one_line(str(record)))
            continue
        game = one_line(record.game)
        if not record.seed:
            unknown += 1
            click.echo(f"{game}: not verifiable until the other games on its decks are over")
            continue
        found = problems(record) + (_secret_problems(record, secrets) if secrets else [])
        wrong += bool(found)
        sound += not found
        for problem in found:
            click.echo(f"{game}: {one_line(problem)}")
    click.echo(f"{sound} sound, {wrong} wrong, {unknown} not verifiable yet")
    return 1 if wrong or unknown else 0


def _secret_problems(record: GameRecord, secrets: _Secrets) -> list[str]:
    secret = secrets.get(record.round) or secrets.get(None)
    return secret.problems(record) if secret else [f"round: {record.round}, which never began"]
