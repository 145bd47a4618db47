"""`kseri rerun`: a bot's part of a recorded game once more, step by step or under a debugger."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import trio

from arena.bots import BotFiles, find_bot, prepare, shipped_names
from arena.cli.finding import find_player
from arena.cli.mended import outcome, rules_of_events
from arena.cli.options import db_option, isolation_option
from arena.cli.rerun_told import Teller, stopped, summary
from arena.cli.running import settled_isolation
from arena.cli.transcript import read_transcript, seat_option
from arena.errors import BotCannotStart, Trouble, UsageError
from arena.person import is_person
from arena.process import exit_text
from arena.rerun import Step, debugger_command, input_text, rerun
from arena.sandbox import scratch_folder, select_backend
from arena.store import Reader
from arena.text import one_line
from arena.transcript import Event, never_started
from protocol.records import Fault, GameRecord

PATIENCE = 2
"""How many times as long as in the game an answer is waited for where nobody can press Ctrl-C."""


@click.command(name="rerun")
@click.argument("game")
@seat_option
@click.option("--step", is_flag=True, help="Stop before every turn.")
@click.option(
    "--debugger", metavar="CMD", help="Start it under this program instead, without isolation."
)
@click.option("--bot", "other", metavar="BOT", help="Let this one read them: a mended version.")
@isolation_option
@db_option
def rerun_command(
    game: str,
    seat: int,
    step: bool,
    debugger: str | None,
    other: str | None,
    isolation: str,
    database: Path,
) -> int:
    """Give a bot its part of a GAME again.

    The bot of that seat, as its files were stored, gets the very bytes that it got in the game,
    without a clock; its answers and its fault are compared with the recorded ones. The exit status
    is 1 where one differs. With --bot another one gets them, named as in kseri play; the exit
    status is 1 where an answer is not legal.

    Where no answer comes, what is known is told from time to time; Ctrl-C ends it. Where the input
    is no terminal, a turn is given up after twice the time that it could have taken in the game.

    With --debugger its input is a file: "python3 -m pdb" and "gdb" are known and keep the terminal;
    any other program is put before the bot's command. The exit status is 1 where a signal ended
    what was started. A bot that must be built is built as for games, in isolation.
    """
    record, events = read_transcript(database, game, seat)
    bot = find_player(other, database) if other else _bot(database, record, seat)
    if is_person(bot):
        raise UsageError(f"seat {seat} of game {record.game} was a person")
    if debugger is not None:
        return _debug(_words(debugger), bot, events, isolation)
    fault = None if other else never_started(record, seat)
    try:
        steps = _fed(record, seat, bot, events, isolation, step)
    except BotCannotStart as error:
        if fault is None:
            raise Trouble(f"bot {bot.manifest.name}: {error}") from None
        text, is_good = _not_started(str(error), fault)
    else:
        text, is_good = _outcome(steps, events, fault, is_other=other is not None)
    click.echo(one_line(text))
    return 0 if is_good else 1


def _not_started(why: str, fault: Fault) -> tuple[str, bool]:
    """What is said of a bot that could not start then either, and whether that is for the same."""
    # Of a long reason the record has the beginning.
    if fault.detail and why.startswith(fault.detail):
        return f"its fault at turn {fault.turn} as recorded ({fault.kind}: {why})", True
    recorded = f"its fault at turn {fault.turn} was {fault.kind}: {fault.detail}"
    return f"not as recorded: it could not be started ({why}); {recorded}", False


def _outcome(
    steps: list[Step], events: list[Event], fault: Fault | None, is_other: bool
) -> tuple[str, bool]:
    """What came of it, in words, and whether that is good; `fault`: that it could not start."""
    if steps and steps[-1].interrupted:
        click.echo(stopped(steps))
        raise click.Abort
    if is_other:
        return outcome(steps, rules_of_events(events))
    if fault:
        return f"not its fault at turn {fault.turn} ({fault.kind}: {fault.detail})", False
    return summary(steps)


def _bot(database: Path, record: GameRecord, seat: int) -> BotFiles:
    """The files of the bot that sat there, as they were stored."""
    with Reader(database) as reader:
        bot = reader.bot_files(record.seats[seat].hash)
    name = bot.manifest.name
    shipped = name in shipped_names() and find_bot(name).hash == bot.hash
    return BotFiles(bot.manifest, bot.files, is_shipped=shipped)


def _fed(
    record: GameRecord, seat: int, bot: BotFiles, events: list[Event], isolation: str, step: bool
) -> list[Step]:
    """Let the bot read its part, and tell what differs."""
    chosen = settled_isolation(isolation, [bot])
    if chosen.isolation == "none":
        click.echo(f"Isolation: none ({chosen.why}): the bot runs with all your rights", err=True)
    nth = record.seats[seat].nth
    if nth > 1:
        click.echo(f"In the record its process had played {nth - 1} game(s) before.", err=True)
    ready = prepare(bot, chosen.isolation)
    backend = select_backend(chosen.isolation)

    told = Teller(step)

    async def work() -> list[Step]:
        # A closed standard input is none at all.
        patience = None if sys.stdin and sys.stdin.isatty() else PATIENCE
        return await rerun(
            backend,
            ready,
            record.limits,
            events,
            before=told.before,
            waits=told.waits,
            after=told.after,
            patience=patience,
        )

    return trio.run(work)


def _words(debugger: str) -> list[str]:
    try:
        words = shlex.split(debugger)
    except ValueError as error:
        raise UsageError(f"--debugger {debugger}: {error}") from None
    if not words:
        raise UsageError("--debugger: give a command, such as gdb or 'python3 -m pdb'")
    return words


def _debug(debugger: list[str], bot: BotFiles, events: list[Event], isolation: str) -> int:
    """Start a copy of the bot under the debugger. What builds it is isolated all the same."""
    if debugger[1:] == ["-m", "pdb"]:
        _need_terminal(debugger)
    with scratch_folder(Path(tempfile.gettempdir()), "kseri-rerun-") as scratch:
        file = scratch / "input.jsonl"
        click.echo(
            f"Isolation: none. The bot reads {file}, which has its whole game; what it answers "
            "goes to standard output and to nobody.",
            err=True,
        )
        how = settled_isolation(isolation, [bot]).isolation if bot.manifest.build else "none"
        ready = prepare(bot, how)
        file.write_bytes(input_text(events))
        # What it changes of its own files must not be there in later games.
        folder = Path(shutil.copytree(ready.folder, scratch / "bot"))
        command, needs_file = debugger_command(debugger, ready.run, file)
        with file.open("rb") as opened:
            ended = _run(command, folder, opened.fileno() if needs_file else None)
    if ended < 0:
        click.echo(f"The program {exit_text(ended)}", err=True)
        return 1
    return 0


def _need_terminal(debugger: list[str]) -> None:
    """Python's debugger is talked to at the terminal, since its input is the bot's."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        words = shlex.join(debugger)
        raise UsageError(f"--debugger {words}: needs a terminal, and there is none here") from None


def _run(command: list[str], folder: Path, stdin: int | None) -> int:
    """Run the debugger to its end; its exit status, or minus the signal that ended it."""
    # Ctrl-C is for the debugger alone. A signal that is ignored would stay so in the debugger.
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    try:
        done = subprocess.run(command, cwd=folder, stdin=stdin, env=environment, check=False)
        return done.returncode
    except OSError as error:
        raise UsageError(f"--debugger {command[0]}: {error.strerror}") from None
    finally:
        signal.signal(signal.SIGINT, before)
