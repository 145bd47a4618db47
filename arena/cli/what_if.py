"""`kseri what-if`: other bots go on with a recorded game, from any play to the end of the deal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

import click
import msgspec
from rich.table import Table

from arena.bots import BotFiles
from arena.cli.finding import find_player
from arena.cli.options import db_option, isolation_option
from arena.cli.running import settled_isolation
from arena.cli.tables import console
from arena.continuation import SECONDS, go_on
from arena.errors import Trouble, UsageError
from arena.person import is_person
from arena.replay import ReplayError, with_sides
from arena.store import Reader
from arena.text import counted, one_line
from protocol.records import DealRecord, GameRecord
from protocol.what_if import TIMES, Continued

_AS_PLAYED = "-"


@click.command(name="what-if")
@click.argument("game")
@click.argument("where", metavar="DEAL.PLAYS")
@click.argument("bots", nargs=-1, required=True)
@click.option(
    "--times", type=click.IntRange(1, 1000), default=TIMES, show_default=True, help="How often."
)
@click.option(
    "--seconds",
    type=click.FloatRange(1, 86_400),
    default=SECONDS,
    show_default=True,
    help="How long all of it may take.",
)
@click.option("--json", "as_json", is_flag=True, help="Print every time as a line of JSON instead.")
@isolation_option
@db_option
def what_if_command(
    game: str,
    where: str,
    bots: tuple[str, ...],
    times: int,
    seconds: float,
    as_json: bool,
    isolation: str,
    database: Path,
) -> None:
    """Let other BOTS go on with a GAME, to the end of the deal.

    DEAL.PLAYS is where: 2.17 is in the second deal, after 17 plays. One bot a seat, from seat 0,
    named as in kseri play; - is whoever sat there. They play with the clock of the game, several
    times with other random numbers, and what comes of it is set beside what really happened. A bot
    that remembers what it saw in earlier turns has not seen them; a side that had forfeited before
    plays again.
    """
    record = _record(database, game)
    deal, move = _position(record, where)
    files = _files(record, bots, database)
    chosen = settled_isolation(isolation, files)
    if chosen.isolation == "none":
        click.echo(f"Isolation: none ({chosen.why}): the bots run with all your rights", err=True)
    try:
        ways = go_on(record, deal, move, files, chosen.isolation, times=times, seconds=seconds)
    except ReplayError as error:
        raise Trouble(f"game {record.game}: {error}") from None
    if not ways:
        raise Trouble(f"nothing was over after {seconds:g} s; give --seconds more")
    if as_json:
        for way in ways:
            click.echo(msgspec.json.encode(way).decode())
    else:
        _tell(record.deals[deal - 1], [bot.manifest.name for bot in files], ways, times)
    if not any(way.deal.sides for way in ways):
        raise Trouble(f"none of {counted(len(ways), 'time')} came to the end of the deal")


def _record(database: Path, game: str) -> GameRecord:
    with Reader(database) as reader:
        record = reader.game(game)
    if not record.seed:
        raise Trouble(f"game {record.game}: not available until all games on its decks are over")
    try:
        return with_sides(record)
    except ReplayError as error:
        raise Trouble(f"game {record.game}: {error}") from None


def _position(record: GameRecord, where: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,6})\.([0-9]{1,3})", where)
    if not match:
        raise UsageError(f"{where}: expected DEAL.PLAYS, such as 2.17")
    deal, move = int(match[1]), int(match[2])
    if not 1 <= deal <= len(record.deals):
        raise UsageError(f"{where}: game {record.game} has deals 1 to {len(record.deals)}")
    played = record.deals[deal - 1]
    last = len(played.plays) - (played.sides is not None)
    if move > last:
        raise UsageError(f"{where}: deal {deal} can be gone on with after 0 to {last} plays")
    return deal, move


def _files(record: GameRecord, names: Sequence[str], database: Path) -> list[BotFiles]:
    if len(names) != len(record.seats):
        raise UsageError(
            f"give {len(record.seats)} bots, one a seat ({_AS_PLAYED}: whoever sat there), "
            f"got {len(names)}"
        )
    with Reader(database) as reader:
        found = [
            reader.bot_files(seat.hash) if name == _AS_PLAYED else find_player(name, database)
            for name, seat in zip(names, record.seats, strict=True)
        ]
    for seat, bot in enumerate(found):
        if is_person(bot):
            raise UsageError(f"seat {seat} of game {record.game} was a person: name a bot for it")
        rules = bot.manifest.rules
        if rules is not None and record.rules.preset not in rules:
            raise UsageError(f"bot {bot.manifest.name} does not play {record.rules.preset}")
    return found


def _tell(real: DealRecord, names: Sequence[str], ways: Sequence[Continued], times: int) -> None:
    whole = [[side.total for side in way.deal.sides] for way in ways if way.deal.sides]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Side")
    for name in ("In the game", "What if", "±", "Least", "Most"):
        table.add_column(name, justify="right")
    for side in range(len(whole[0]) if whole else 0):
        points = [each[side] for each in whole]
        table.add_row(
            " & ".join(dict.fromkeys(names[side :: len(whole[0])])),
            str(real.sides[side].total) if real.sides else "–",
            f"{fmean(points):.1f}",
            f"{stdev(points):.1f}" if len(points) > 1 else "–",
            str(min(points)),
            str(max(points)),
        )
    out = console()
    if whole:
        out.print(table)
    in_time = "" if len(ways) == times else f", {len(ways)} times in the time there was"
    out.print(f"Points of the deal, {len(whole)} of {times} times to its end{in_time}.")
    if whole:
        out.print("±: standard deviation.")
    for number, way in enumerate(ways, 1):
        for fault in way.faults:
            detail = one_line(fault.detail)
            out.print(f"time {number}: {names[fault.seat]}: {fault.kind}: {detail}")
