"""What an arena needs once very many games are recorded: memory, pages, standings, a resume.

First a tournament of 8 bots is recorded as it is when played, but for the playing: copies of real
games go through the tournament, its writer and its summaries. Then a larger one of 200 bots is
filled at once, for lists and standings. Medians of several; the databases are removed afterwards.

Run from the root while nothing else runs:
python -m benchmarks.recorded [--games N] [--synthetic N] [--rules PRESET] [--json FILE]
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import trio
from flask.testing import FlaskClient
from rich.console import Console

from arena.cli.tournament_story import tell_status
from arena.play import FinishedGame
from arena.process.memory import resident_kb
from arena.standings import cached_standings, standings
from arena.store import Reader, keep_standings, writing
from arena.tournament import Progress, run
from benchmarks.bulk import STORED_MATCHES, fill
from benchmarks.copies import Copying, Enough
from dashboard import create_app
from tests.tournament.memory import entered

_SHIPPED = ("greedy", "saver", "random", "counter")
_FEW, _MANY = 8, 200
_REPEATS = 7
_SHARES = (0.1, 0.5, 1.0)
"""When memory is looked at."""


class Table:
    """Figures that are printed as they are found, and kept."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def add(self, what: str, value: float, unit: str, aim: str = "", more: str = "") -> None:
        """Another figure; `aim` is what it is to be below."""
        self.rows.append({"what": what, "value": value, "unit": unit, "aim": aim, "more": more})
        notes = [note for note in (f"aim: {aim}" if aim else "", more) if note]
        print(
            f"{value:>12,.1f} {unit:<8} {what}", f"({', '.join(notes)})" * bool(notes), flush=True
        )

    def time(self, what: str, work: Callable[[], object], aim: str = "") -> None:
        """The median time of some work, and of the processor's part, which other work spares."""
        taken = []
        for _ in range(_REPEATS):
            begin = time.perf_counter(), time.process_time()
            work()
            taken.append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
        wall, cpu = (statistics.median(times) * 1000 for times in zip(*taken, strict=True))
        self.add(what, wall, "ms", aim, f"processor: {cpu:,.1f}")


class Cup:
    """A tournament of 8 bots that is stopped when so many games are stored."""

    def __init__(self, database: Path, games: int, rules: str) -> None:
        self.database, self.games, self._rules = database, games, rules
        pairings = _FEW * (_FEW - 1) // 2
        # Somewhat more than are wanted, so that there is something to go on with.
        self._matches = games // (2 * pairings) + 100
        self.memory: dict[int, float] = {}
        """In MB, by games stored."""

    def _enter(self) -> Any:
        bots = _SHIPPED * (_FEW // len(_SHIPPED))
        return entered(self.database, *bots, name="cup", rules=self._rules, matches=self._matches)

    def record(self) -> float:
        """Record all games; returns games a second."""
        marks = {round(self.games * share) for share in _SHARES}
        progress = Progress()

        def look(_: FinishedGame) -> None:
            if progress.done in marks:
                self.memory[progress.done] = resident_kb(os.getpid()) / 1024

        progress.on_game = look
        begin = time.perf_counter()
        self._run(self.games, progress)
        return self.games / (time.perf_counter() - begin)

    def resume(self) -> None:
        """Go on, and stop as soon as the first chunk is handed out."""
        self._run(0, Progress())

    def _run(self, games: int, progress: Progress) -> None:
        executor = Copying(self._rules, games)
        with suppress(Enough):
            trio.run(run, self.database, self._enter(), executor, progress)


def recorded(table: Table, folder: Path, games: int, rules: str) -> None:
    """Record so many games, and measure."""
    cup = Cup(folder / "recorded.db", games, rules)
    Copying(rules, 0)
    table.add(f"{_FEW} bots: games recorded a second", cup.record(), "/s")
    for count, megabytes in cup.memory.items():
        table.add(f"memory of the arena at {count:,} games", megabytes, "MB", "flat")
    table.add("size of the database", cup.database.stat().st_size / games, "B/game")
    table.time("resume, until the first chunk is handed out", cup.resume, "500")
    client = create_app(cup.database).test_client()
    table.time("page of the standings", lambda: page(client, "/tournaments/1/"), "500")
    with Reader(cup.database) as reader:
        table.time("standings, fitted anew", lambda: standings(reader, 1), "500")
        table.time("standings, as kept", lambda: cached_standings(reader, 1, stale=True), "50")


def page(client: FlaskClient, address: str) -> None:
    """Get a page, which must be there."""
    answer = client.get(address)
    if answer.status_code != 200:
        raise SystemExit(f"{address}: {answer.status}")


def synthetic(table: Table, folder: Path, games: int, rules: str, bots: int) -> None:
    """Fill a database with so many games of so many bots, and measure."""
    database, pairings = folder / f"{bots}.db", bots * (bots - 1) // 2
    names = (_SHIPPED * bots)[:bots]
    matches = max(1, games // (2 * pairings * STORED_MATCHES)) * STORED_MATCHES
    entry = entered(database, *names, name="cup", rules=rules, matches=matches)
    begin = time.perf_counter()
    # Standings do not ask for games: one database of that size is enough.
    count = fill(database, entry.stored.id, with_games=bots == _MANY)
    with Reader(database) as reader, writing(database) as db:
        kept = msgspec.msgpack.encode(standings(reader, entry.stored.id))
        keep_standings(db, entry.stored.id, kept)
    print(f"\n{count:,} games of {bots} bots, filled in {time.perf_counter() - begin:.0f} s")
    client = create_app(database).test_client()
    with Reader(database) as reader:
        table.time("standings, as kept", lambda: cached_standings(reader, 1), "50")
        table.time("standings, fitted anew", lambda: standings(reader, 1))
        table.time("page of the standings", lambda: page(client, "/tournaments/1/"), "500")
        if bots == _MANY:
            table.add("size of the database", database.stat().st_size / count, "B/game")
            lists(table, client, reader, count)


def lists(table: Table, client: FlaskClient, reader: Reader, count: int) -> None:
    """Measure what looks at single games."""
    stored = reader.stored(1)
    rows = reader.games(limit=1)
    for what, address in (
        ("home page", "/"),
        ("page of games", "/games/"),
        ("page of a tournament's games", "/games/?tournament=1"),
        ("the same in the middle", f"/games/?tournament=1&before={count // 2}"),
        ("page of games with faults", "/games/?faults=1"),
        ("the same of a tournament", "/games/?tournament=1&faults=1"),
        ("page of a bot's games, the latest", f"/games/?bot={rows[0].pairing[1]}"),
        ("page of a bot's games, the oldest", "/games/?bot=counter"),
        ("the same of a tournament", "/games/?tournament=1&bot=counter"),
        ("page of the games of nobody", "/games/?bot=nobody"),
    ):
        table.time(what, lambda address=address: page(client, address))  # type: ignore[misc]
    table.time(
        "a game's record, by the beginning of its id", lambda: reader.game(rows[0].game[:12])
    )
    table.time("list of tournaments", reader.tournaments)
    table.time(
        "kseri tournament status", lambda: tell_status(Console(file=io.StringIO()), reader, stored)
    )
    table.time("pace of the last games", lambda: reader.pace(1))
    table.time("export, until the first game", lambda: next(reader.records(1)))
    table.time("the same, canonical", lambda: next(reader.records(1, canonical=True)))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=100_000, help="recorded one by one")
    parser.add_argument("--synthetic", type=int, default=1_000_000, help="filled at once")
    parser.add_argument("--rules", default="kseri", help="a preset for two, for the games' length")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    options = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory() as name:
        recorded(table, Path(name), options.games, options.rules)
        gc.collect()
        for bots in (_FEW, _MANY):
            synthetic(table, Path(name), options.synthetic, options.rules, bots)
    if options.json:
        options.json.write_text(json.dumps(table.rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
