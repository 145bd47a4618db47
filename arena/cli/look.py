"""`kseri games`, `show` and `log`: what the database has."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from arena.cli.called import at_database, called
from arena.cli.options import db_option
from arena.cli.paragraphs import as_it_stands
from arena.cli.story import tell_deal, tell_diagnosis, tell_end, tell_play, tell_scores
from arena.cli.tables import console, games_table
from arena.diagnosis import Program, diagnosis, log_of, program_of
from arena.errors import Trouble, UsageError
from arena.replay import Step, steps
from arena.store import Reader
from arena.text import one_line, visible
from protocol.check import Diagnosis
from protocol.records import BotLog, GameRecord

_GAMES = 20

tournament_option = click.option(
    "--tournament", "name", default="latest", show_default=True, help="Its name or number."
)


@click.command()
@click.option("--tournament", "name", help="Only of this tournament: its name or number.")
@click.option("--bot", help="Only with this bot.")
@click.option("--faults", is_flag=True, help="Only with faults.")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=_GAMES,
    show_default=True,
    help="How many at most.",
)
@click.option(
    "--before", type=click.IntRange(min=1), help="Only with smaller numbers: the next page."
)
@db_option
def games(
    name: str | None,
    bot: str | None,
    faults: bool,
    limit: int,
    before: int | None,
    database: Path,
) -> None:
    """List games, the latest first."""
    with Reader(database) as reader:
        tournament_id = reader.tournament(name).id if name else None
        found = reader.games(
            tournament_id=tournament_id, bot=bot, faulty=faults, before=before, limit=limit + 1
        )
        rows = found[:limit]
        at_fault = reader.seats_at_fault([row.id for row in rows])
    out = console()
    out.print(games_table(rows, at_fault) if rows else "No such games.")
    if len(found) > limit:
        out.print("There are more, before these:")
        words = [*_words(name, bot, faults, limit), "--before", str(rows[-1].id)]
        as_it_stands(out, f"  {called()} {shlex.join(['games', *words])}{at_database(database)}")


def _words(name: str | None, bot: str | None, faults: bool, limit: int) -> list[str]:
    """The options that ask for such games."""
    words = ["--faults"] if faults else []
    for option, value in (("--tournament", name), ("--bot", bot)):
        words += [option, value] if value else []
    return words if limit == _GAMES else [*words, "--limit", str(limit)]


@click.command()
@click.argument("game")
@db_option
def show(game: str, database: Path) -> None:
    """Show a GAME card by card."""
    with Reader(database) as reader:
        record = _public(reader.game(game))
        found = _diagnoses(reader, record, reader.logs(game), at_database(database))
    _tell(record, found)


def _public(record: GameRecord) -> GameRecord:
    """A record all of which may be known: plays, and what bots wrote, tell of cards."""
    if not record.seed:
        raise UsageError(
            f"game {record.game}: can't be shown until all games on its decks are over"
        )
    return record


def _diagnoses(
    reader: Reader, record: GameRecord, logs: Sequence[BotLog], at: str
) -> list[Diagnosis]:
    """Every fault of a game with its cause, told from all that the database has.

    `at`: the option that names the database, for commands that are printed.
    """
    return [
        diagnosis(
            record,
            fault,
            log_of(record, fault.seat, logs),
            _program(reader, record, fault.seat),
            at,
        )
        for fault in record.faults
    ]


def _program(reader: Reader, record: GameRecord, seat: int) -> Program:
    """How the bot of a seat is started, and what the files begin with that its command names."""
    bot = reader.bot_files(record.seats[seat].hash)
    return program_of(bot.manifest.run, bot.manifest.build, bot.files)


def _tell(record: GameRecord, found: Sequence[Diagnosis]) -> None:
    out = console()
    names = [seat.bot for seat in record.seats]
    sides = len(record.scores)
    out.print(
        f"Game {record.game}: match {record.match} of {', '.join(record.pairing)}, "
        f"{record.rules.preset}, {record.started}"
    )
    for seat, name in enumerate(names):
        version = one_line(record.seats[seat].version)
        out.print(f"  seat {seat}, side {seat % sides}: {name} {version}")
    faults = list(found)
    for turn, step in enumerate(_steps(record), 1):
        if step.number == 0:
            tell_deal(out, step.deal, names)
        while faults and faults[0].turn <= turn:
            tell_diagnosis(out, faults.pop(0))
        play = step.play
        tell_play(out, step.deal, step.number, names, play.elapsed_us, play.forced, turn)
        if step.sides:
            tell_scores(out, step.sides, step.game.scores, names)
    for fault in faults:
        tell_diagnosis(out, fault)
    tell_end(out, record.scores, record.winner, record.reason, names)


def _steps(record: GameRecord) -> Iterator[Step]:
    try:
        yield from steps(record)
    except ValueError as error:
        raise Trouble(f"game {record.game}: {error} ({called()} verify says more)") from None


@click.command()
@click.argument("game")
@db_option
def log(game: str, database: Path) -> None:
    """Show faults, notes, logs and stderr of a GAME.

    What its bots wrote beside their plays is kept for their owners.
    """
    with Reader(database) as reader:
        record, logs = _public(reader.game(game)), reader.logs(game)
        found = _diagnoses(reader, record, logs, at_database(database))
    out = console()
    names = [seat.bot for seat in record.seats]
    for fault in found:
        # All of its standard error follows below.
        tell_diagnosis(out, fault, stderr=False)
    for entry in logs:
        out.print(Text(f"Seat {entry.seat}, {names[entry.seat]}", style="bold"))
        for turn, note in entry.notes.items():
            _quote(out, f"turn {turn}", note)
        for text in entry.logs:
            _quote(out, "log", text)
        _quote(out, "stderr", entry.stderr)
    if not record.faults and not logs:
        out.print("No faults, and nothing written.")


def _quote(out: Console, what: str, text: str) -> None:
    """Print what a bot wrote, line by line, so that no line can pass for one of ours."""
    for line in visible(text).splitlines():
        out.print(f"  {what}: {line}", soft_wrap=True)
