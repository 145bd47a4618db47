"""`kseri serve`: the dashboard, and what an arena that stays open does beside it."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from arena.cli.errors import TROUBLE
from arena.cli.options import db_option, isolation_option
from arena.cli.parts import Parts
from arena.cli.running import Settled, tell_withdrawn
from arena.cli.tournament import read_tournament
from arena.errors import Trouble, UsageError
from arena.sandbox import hide_own_memory, settle_isolation
from arena.store import Reader, StoredTournament, is_playing, open_for_writing
from arena.text import one_line
from arena.tournament import enter
from arena.tournament.versions import find_league
from protocol.tournament import Tournament


def _ip_address(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    try:
        return str(ipaddress.ip_address(text)) if text else None
    except ValueError:
        raise click.BadParameter(f"{text}: expected an IP address, such as 127.0.0.1") from None


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8040,
    show_default=True,
    help="Port; 0: any free one.",
)
@click.option(
    "--league", metavar="NAME|FILE", help="Play this league, and enter the bots that come in."
)
@click.option("--jobs", is_flag=True, help="Take in bots, without a league.")
@click.option(
    "--tables",
    type=click.IntRange(0, 64),
    default=0,
    metavar="N",
    help="Let visitors play the bots, N games at a time.",
)
@click.option(
    "--what-if",
    "what_ifs",
    is_flag=True,
    help="Let visitors see how other bots go on with a game.",
)
@click.option(
    "--bot-logs",
    type=click.Choice(["unrated", "finished", "none"]),
    default="unrated",
    show_default=True,
    help="In which tournaments that are over everybody reads what bots wrote.",
)
@click.option(
    "--proxy",
    metavar="ADDRESS",
    callback=_ip_address,
    help="Of a reverse proxy, whose X-Forwarded-For, -Host and -Proto are believed.",
)
@click.option("--workers", type=click.IntRange(1, 1024), help="Of the league; default: one a core.")
@isolation_option
@db_option
def serve(
    host: str,
    port: int,
    league: str | None,
    jobs: bool,
    tables: int,
    what_ifs: bool,
    bot_logs: str,
    proxy: str | None,
    workers: int | None,
    isolation: str,
    database: Path,
) -> None:
    """Serve the dashboard of a database until Ctrl-C.

    With --league or --jobs bots are taken in that others submit on its pages, with a token from
    kseri token: they are built, checked, and entered in the league. A league is one that was
    begun before, or the FILE of one.

    With --tables whoever opens a page can play a bot in the browser: unrated, with the usual
    clock and sandbox for the bot, ten minutes a play for the visitor, and two games at a time
    from one address.

    With --what-if they may put other bots on the seats of a game that is over and see how the deal
    goes on from any play: unrated, one after another, a minute each at most; the same as kseri
    what-if.

    What bots wrote to standard error, notes and logs, is shown to everybody once a tournament is
    over, by default where it is unrated; "finished": rated ones, too; "none": nowhere. A bot's
    owner reads its own with the token in any case.

    Behind a reverse proxy, give its address by --proxy: else all its visitors share the limits of
    one, as of how often it may hand in a bot, and links have this machine's name.
    """
    if league is None:
        if workers:
            raise UsageError("--workers are a league's: give --league, too")
    takes_in = jobs or league is not None
    if not takes_in and not tables and not what_ifs:
        Reader(database).close()
        serve_until_stopped(database, host, port, bot_logs=bot_logs, proxy=proxy)
        return
    beside = _beside(database, league, workers, isolation) if takes_in else []
    if tables:
        # Made where it does not exist: what visitors play is kept there.
        open_for_writing(database).close()
        beside.append(["tables", *_common(database, _settled(isolation))])
    if what_ifs:
        Reader(database).close()
        beside.append(["what-ifs", *_common(database, _settled(isolation))])
    pages = {"takes_in": takes_in, "tables": tables, "bot_logs": bot_logs, "proxy": proxy}
    _serve_with(database, host, port, beside, pages)


def serve_until_stopped(database: Path, host: str, port: int, **pages: Any) -> None:
    """Serve the dashboard; says where. Raises `Trouble` where the address can't be had.

    `pages`: as of `run_server`.
    """
    from dashboard import run_server

    def announce(address: str) -> None:
        click.echo(f"Dashboard: {address}")

    run_server(database, host, port, announce, **pages)


def _serve_with(
    database: Path,
    host: str,
    port: int,
    beside: list[list[str]],
    pages: Mapping[str, Any],
) -> None:
    """Serve the dashboard, with these processes beside it; all of them end together."""
    from dashboard import run_server

    def announce(address: str) -> None:
        click.echo(f"Dashboard: {address}")
        if pages["takes_in"]:
            click.echo(f"Bots are taken in: {address}submit")
        if pages["tables"]:
            click.echo(f"Visitors may play: {address}play/")
        for words in beside:
            parts.start(*words)

    hide_own_memory()
    with Parts() as parts:
        run_server(database, host, port, announce, **pages)
    if parts.failed:
        raise click.exceptions.Exit(TROUBLE)


def _beside(
    database: Path, name: str | None, workers: int | None, isolation: str
) -> list[list[str]]:
    """What is to run beside the pages, as arguments of `arena.cli.part`. Raises `UsageError`."""
    if name is None:
        Reader(database).close()
        return [["jobs", *_common(database, _settled(isolation))]]
    league, settled = _league(name, database, workers, isolation)
    if is_playing(database, league.id):
        raise Trouble(f"{database}: {one_line(league.name)!r} is being played by another process")
    common, number = _common(database, settled), str(league.id)
    of_league = ["--workers", str(workers)] if workers else []
    return [["league", number, *common, *of_league], ["jobs", "--league", number, *common]]


def _common(database: Path, settled: Settled) -> list[str]:
    return ["--db", str(database), "--isolation", settled.isolation]


def _league(
    name: str, database: Path, workers: int | None, isolation: str
) -> tuple[StoredTournament, Settled]:
    """The league of that name, or the one in the file of that name, which is begun here."""
    file = Path(name)
    if not file.is_file():
        found = find_league(database, name)
        return found, _settled(isolation, found.definition)
    definition, bots, _ = read_tournament(file, database, workers)
    if definition.kind != "league":
        raise UsageError(f'{file}: kind is "{definition.kind}", expected "league"')
    settled = _settled(isolation, definition)
    entry = enter(
        database, definition, bots, kind="league", master=None, isolation=settled.isolation
    )
    tell_withdrawn(entry)
    return entry.stored, settled


def _settled(isolation: str, league: Tournament | None = None) -> Settled:
    """What keeps strangers' bots apart from the machine. Raises `SandboxUnavailable`."""
    wanted = league.isolation if league and isolation == "auto" else isolation
    settled = Settled(*settle_isolation(wanted, trusted=False))
    if settled.isolation == "none":
        click.echo(
            f"Isolation: none ({settled.why}): bots run with all rights of this user", err=True
        )
    return settled
