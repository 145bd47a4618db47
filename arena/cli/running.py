"""Runs a tournament for a command: picks the executor, shows progress, stops on Ctrl-C."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import click
import trio
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from arena.bots import BotFiles
from arena.cli.errors import INTERRUPTED
from arena.errors import UsageError
from arena.executor import Executor, InProcess, Remarking, Workers, cores
from arena.play import FinishedGame, Observer
from arena.sandbox import hide_own_memory, select_backend, settle_isolation
from arena.store import Reader
from arena.text import one_line
from arena.tournament import Ending, Entry, Progress, run, until_stopped
from protocol.records import Isolation

MOST_WORKERS_A_CORE = 8
"""Each takes 25 MB and is pinned to a core; more than one a core only wait for each other."""


def executor_for(
    settled: Settled, workers: int | None, concurrency: int = 1, observer: Observer | None = None
) -> Executor:
    """Workers, one a core by default; in this process where somebody watches."""
    if observer:
        return InProcess(select_backend(settled.isolation), observer=observer)
    count = workers or len(cores())
    if count > MOST_WORKERS_A_CORE * len(cores()):
        raise UsageError(
            f"workers: {count} is more than {MOST_WORKERS_A_CORE} for each of {len(cores())} cores"
        )
    return Workers(settled.isolation, count, concurrency)


def cluster_for(address: str, isolation: str, concurrency: int, database: Path) -> Executor:
    """The workers of the scheduler at `address`.

    Raises `UsageError` where the extra is missing, or no scheduler answers.
    """
    try:
        # Only here: nobody else needs the engine, which takes half a second to be imported.
        from arena.executor.cluster import Cluster
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--cluster needs Dask distributed: {shlex.quote(sys.executable)} -m pip install "
            f"'distributed>=2025.1' ({error})"
        ) from None

    def files(digest: str) -> BotFiles:
        with Reader(database) as reader:
            return reader.bot_files(digest)

    cluster = Cluster(address, isolation, files, concurrency, _say)
    cluster.check()
    return cluster


def _say(line: str) -> None:
    click.echo(one_line(line), err=True)


def run_entry(
    database: Path,
    entry: Entry,
    executor: Executor,
    settled: Settled,
    quiet: bool = False,
    until: Ending | None = None,
    shown: AbstractContextManager[None] | None = None,
) -> None:
    """Play what is missing, with a progress bar; exits with status 130 when stopped.

    `until`: see `run`; `shown`: what shows how far it is instead of the bar.
    """
    if entry.stored.finished:
        return
    _tell_conditions(entry, settled)
    progress = Progress(on_withdrawal=tell_withdrawal)

    async def work() -> None:
        await run(database, entry, executor, progress, until)

    hide_own_memory()
    with shown or _shown(progress, quiet):
        ended = trio.run(until_stopped, work)
    for line in executor.remarks() if isinstance(executor, Remarking) else ():
        _say(line)
    if progress.is_paused:
        click.echo(f"Paused: {progress.done} of {progress.planned} games are stored", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    if not ended:
        again = "; the same command again goes on from there" if entry.can_go_on else ""
        click.echo(
            f"Stopped: {progress.done} of {progress.planned} games are stored{again}", err=True
        )
        raise click.exceptions.Exit(INTERRUPTED)


class _Lines:
    """A plain line a second, where there is no terminal."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._started = self._said = time.monotonic()

    def __enter__(self) -> None:
        self._progress.on_game = self._on_game

    def __exit__(self, *_: object) -> None:
        if self._progress.played:
            self._say(time.monotonic())

    def _on_game(self, _: FinishedGame) -> None:
        now = time.monotonic()
        if now - self._said >= 1:
            self._said = now
            self._say(now)

    def _say(self, now: float) -> None:
        progress = self._progress
        done = progress.done
        rate = progress.played / max(now - self._started, 1e-3)
        left_s = (progress.planned - done) / rate if rate else 0
        where = f"round {progress.round}, " if progress.round else ""
        print(
            f"{where}{done}/{progress.planned} games, {rate:.1f} games/s, {left_s:.0f} s left",
            file=sys.stderr,
            flush=True,
        )


class _Bar:
    """A bar with games a second and time left."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._bar = Bar(
            TextColumn("{task.fields[what]}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]:.1f} games/s"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._started = time.monotonic()

    def __enter__(self) -> None:
        self._bar.start()
        self._task = self._bar.add_task("", total=None, rate=0.0, what="Games")
        self._progress.on_stage = self._show
        self._progress.on_game = lambda game: self._show()

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _show(self) -> None:
        progress = self._progress
        rate = progress.played / max(time.monotonic() - self._started, 1e-3)
        what = f"Round {progress.round}, games" if progress.round else "Games"
        self._bar.update(
            self._task, total=progress.planned, completed=progress.done, rate=rate, what=what
        )


class _Silent:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def _shown(progress: Progress, quiet: bool) -> _Lines | _Bar | _Silent:
    if quiet:
        return _Silent()
    return _Bar(progress) if sys.stderr.isatty() else _Lines(progress)


class Settled(NamedTuple):
    """What keeps bots apart from the machine in this run."""

    isolation: Isolation
    why: str
    """Why there is none, where there is none."""


def settled_isolation(isolation: str, bots: Iterable[BotFiles]) -> Settled:
    """What `isolation` comes to here. Raises `UsageError` where strangers would run unguarded."""
    return Settled(*settle_isolation(isolation, all(bot.is_shipped for bot in bots)))


def _tell_conditions(entry: Entry, settled: Settled) -> None:
    """Say what one should know before the games begin."""
    if settled.isolation == "none":
        click.echo(
            f"Isolation: none ({settled.why}): bots run with all rights of this user", err=True
        )
    tell_withdrawn(entry)
    for label in entry.changed:
        click.echo(f"{label} has changed; its files are played as they were at the start", err=True)


def tell_withdrawn(entry: Entry) -> None:
    """Say who can play no more since its stored files can't be read, and why not."""
    for label, why in entry.withdrawn.items():
        tell_withdrawal(label, why)


def tell_withdrawal(label: str, why: str) -> None:
    """Say that an entrant can play no more, and why not."""
    _say(f"{label} is withdrawn: {why}")
