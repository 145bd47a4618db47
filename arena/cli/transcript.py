"""`kseri transcript`: what a seat was sent and what it answered."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from arena.cli.called import called
from arena.cli.options import db_option
from arena.errors import Trouble, UsageError
from arena.replay import ReplayError
from arena.store import Reader
from arena.text import one_line
from arena.transcript import Answered, Doubt, Event, Failed, Sent, transcript
from protocol.records import GameRecord

seat_option = click.option(
    "--seat", type=click.IntRange(0, 5), required=True, help="Which seat, from 0."
)


class _Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the transcript as JSON."""

    sender: str = msgspec.field(name="from")
    """`arena`, `bot`, or `record` for what is known beside the lines."""
    line: str
    turn: int | None = None
    fault: str | None = None


@click.command(name="transcript")
@click.argument("game")
@seat_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON objects instead.")
@db_option
def transcript_command(game: str, seat: int, as_json: bool, database: Path) -> None:
    """Print what a seat of a GAME was sent and answered.

    Lines after > were sent to the bot, byte for byte; lines after < are its answers as recorded;
    # says what else is known of them.
    """
    _, events = read_transcript(database, game, seat)
    for event in events:
        row = _row(event)
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(row) + b"\n")
        else:
            _print(row)


def read_transcript(database: Path, game: str, seat: int) -> tuple[GameRecord, list[Event]]:
    """A game's record and the transcript of a seat of it.

    Raises `Trouble` where its seed may not be known yet (R29), `UsageError` for a seat that it has
    not.
    """
    with Reader(database) as reader:
        record = reader.game(game)
        games = reader.rotations(reader.game_row(game).tournament_id)
    if seat >= len(record.seats):
        raise UsageError(
            f"--seat {seat}: game {record.game} has seats 0 to {len(record.seats) - 1}"
        )
    if not record.seed:
        raise Trouble(f"game {record.game}: not available until all games on its decks are over")
    try:
        return record, transcript(record, seat, seed_told=record.rotation == games - 1)
    except ReplayError as error:
        raise Trouble(f"game {record.game}: {error} ({called()} verify says more)") from None


def _row(event: Event) -> _Row:
    match event:
        case Sent(line, turn):
            return _Row("arena", line.decode("ascii").rstrip("\n"), turn)
        case Answered(line, turn):
            return _Row("bot", line.decode("ascii").rstrip("\n"), turn)
        case Failed(fault):
            sender = "bot" if fault.got else "record"
            return _Row(sender, fault.got or fault.detail, fault.turn, fault.kind)
        case Doubt(text):
            return _Row("record", text)


_MARKS = {"arena": ">", "bot": "<", "record": "#"}


def _print(row: _Row) -> None:
    # What the arena sent is ASCII; what a bot wrote wrongly may be anything.
    click.echo(f"{_MARKS[row.sender]} {row.line if row.sender == 'arena' else one_line(row.line)}")
    if row.fault and row.sender == "bot":
        click.echo(f"# {row.fault}: what was received, at most 200 characters of it")
