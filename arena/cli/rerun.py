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
from arena.cli.running import settled_isolation
from arena.cli.transcript import read_transcript, seat_option
from arena.errors import BotCannotStart, Trouble, UsageError
from arena.person import is_person
from arena.rerun import Step, debugger_command, input_text, rerun
from arena.sandbox import scratch_folder, select_backend
from arena.store import Reader
from arena.text import one_line, visible
from arena.transcript import Event, Failed
from protocol.records import GameRecord


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
    without a clock; its answers are compared with the recorded ones. The exit status is 1 where
    one differs. With --bot another one gets them, named as in kseri play; the exit status is 1
    where an answer is not legal. With --debugger its input is a file: "python3 -m pdb" and "gdb"
    are known and keep the terminal; any other program is put before the bot's command. A bot that
    must be built is built as for games, in isolation.
    """
    record, events = read_transcript(database, game, seat)
    bot = find_player(other, database) if other else _bot(database, record, seat)
    if is_person(bot):
        raise UsageError(f"seat {seat} of game {record.game} was a person")
    if debugger is not None:
        return _debug(_words(debugger), bot, events, isolation)
    steps = _fed(record, seat, bot, events, isolation, step)
    if other is None:
        return _summary(steps)
    text, is_good = outcome(steps, rules_of_events(events))
    click.echo(text)
    return 0 if is_good else 1


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

    async def work() -> list[Step]:
        before = _ask if step else _say_nothing
        told = _Teller(step)
        return await rerun(backend, ready, record.limits, events, before=before, after=told)

    try:
        return trio.run(work)
    except BotCannotStart as error:
        raise Trouble(f"bot {bot.manifest.name}: {error}") from None


def _say_nothing(turn: int, line: bytes) -> None:
    pass


def _ask(turn: int, line: bytes) -> None:
    """Show a turn, and wait until it may be sent."""
    click.echo(f"> {line.decode('ascii')}", nl=False)
    click.echo(f"Turn {turn}: Enter sends it, q ends: ", nl=False)
    if sys.stdin.readline().strip() in ("q", "Q"):
        raise click.Abort


class _Teller:
    """Tells what differs; with `everything`, every answer."""

    def __init__(self, everything: bool) -> None:
        self._everything = everything

    def __call__(self, step: Step) -> None:
        for line in step.unasked:
            click.echo(f"before turn {step.turn}, unasked: {_text(line)}")
        if self._everything or step.same is False:
            self._tell(step)
        for text in visible(step.stderr).splitlines():
            click.echo(f"  stderr: {text}")

    def _tell(self, step: Step) -> None:
        now = step.ended if step.answer is None else _text(step.answer)
        verdict = {True: "as recorded", False: "differs", None: "no answer to compare with"}
        click.echo(f"turn {step.turn}: {now}: {verdict[step.same]}")
        if step.same is False:
            click.echo(f"  recorded: {_recorded(step)}")


def _recorded(step: Step) -> str:
    if isinstance(step.recorded, Failed):
        fault = step.recorded.fault
        return one_line(f"{fault.kind}: {fault.detail} {fault.got}")
    return _text(step.recorded.line) if step.recorded else "nothing"


def _text(line: bytes) -> str:
    return one_line(line[:1000].decode("utf-8", "replace"))


def _summary(steps: list[Step]) -> int:
    compared = [step for step in steps if step.same is not None]
    different = [step for step in compared if not step.same]
    answers = [step for step in compared if not isinstance(step.recorded, Failed)]
    same = sum(step.same is True for step in answers)
    text = f"{same} of {len(answers)} answers as recorded"
    for step in compared:
        if isinstance(step.recorded, Failed):
            again = "and" if step.same else "but not"
            text += f", {again} its fault at turn {step.turn} ({step.recorded.fault.kind})"
    if different:
        text += f"; the first that differs is to turn {different[0].turn}"
    click.echo(text)
    return 1 if different else 0


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
            _run(command, folder, opened.fileno() if needs_file else None)
    return 0


def _need_terminal(debugger: list[str]) -> None:
    """Python's debugger is talked to at the terminal, since its input is the bot's."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        words = shlex.join(debugger)
        raise UsageError(f"--debugger {words}: needs a terminal, and there is none here") from None


def _run(command: list[str], folder: Path, stdin: int | None) -> None:
    # Ctrl-C is for the debugger alone. A signal that is ignored would stay so in the debugger.
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    try:
        subprocess.run(command, cwd=folder, stdin=stdin, env=environment, check=False)
    except OSError as error:
        raise UsageError(f"--debugger {command[0]}: {error.strerror}") from None
    finally:
        signal.signal(signal.SIGINT, before)
