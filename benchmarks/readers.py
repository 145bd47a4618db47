"""Readers of a dashboard while a tournament writes: errors, and how long they wait.

A real `kseri serve`, a real tournament that writes into the same database, and 64 readers, each
with a page of any kind every 5 s. The database is that of `benchmarks.pages`. The exit status is 1
where an answer was an error, or 1 in 100 took 250 ms or more.

Run from the root while nothing else runs:
python -m benchmarks.readers [--db FILE] [--bots N] [--readers N] [--every S] [--seconds S]
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from arena.store import Reader
from benchmarks.pages import addresses, crowd
from dashboard import create_app
from tests.cli.program import START, environment, tournament_file

MOST_P99_MS = 250
_PATIENCE_S = 60
_MATCHES = 100_000
"""Of the tournament that writes: it is stopped when the readers have gone."""


@dataclass
class Heard:
    """What all readers were answered."""

    taken_ms: list[float] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    errors: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, address: str, taken_ms: float, error: str) -> None:
        """One answer; `error` empty: a good one."""
        with self._lock:
            self.taken_ms.append(taken_ms)
            self.slowest = max(self.slowest, (taken_ms, address))
            if error:
                self.errors[f"{address}: {error}"] += 1

    def percentile(self, percent: int) -> float:
        """In ms."""
        return statistics.quantiles(self.taken_ms, n=100, method="inclusive")[percent - 1]


def read(
    port: int, pages: Sequence[str], every_s: float, until: float, seed: int, to: Heard
) -> None:
    """Ask for a page of any kind now and then, each time on a connection of its own."""
    chance = random.Random(seed)
    is_over = threading.Event()
    at = time.monotonic() + chance.random() * every_s
    while at < until:
        is_over.wait(max(at - time.monotonic(), 0))
        address = chance.choice(pages)
        begin = time.perf_counter()
        error = _ask(port, address)
        to.note(address, (time.perf_counter() - begin) * 1000, error)
        at += every_s


def _ask(port: int, address: str) -> str:
    """What is wrong with an answer; empty where nothing is."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S)
    try:
        connection.request("GET", address)
        answer = connection.getresponse()
        text = answer.read()
    except (OSError, HTTPException) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        connection.close()
    return "" if answer.status == 200 else f"{answer.status} {text[-200:]!r}"


@contextmanager
def serving(database: Path) -> Iterator[int]:
    """`kseri serve`: its port."""
    command = [*START, "serve", "--db", str(database), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as server:
        try:
            assert server.stdout is not None
            match = re.search(r":(\d+)/", server.stdout.readline())
            if match is None:
                raise SystemExit("the server did not start")
            yield int(match[1])
        finally:
            server.send_signal(signal.SIGINT)


@contextmanager
def playing(database: Path) -> Iterator[None]:
    """A tournament that writes into the database meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"matches": _MATCHES, "rules": '"kseri-short"'}
        name = f"Meanwhile {time.time_ns()}"
        file = tournament_file(Path(folder), "greedy", "saver", "random", name=name, **settings)
        words = ["tournament", "run", str(file), "--db", str(database), "--isolation", "none"]
        with subprocess.Popen(
            [*START, *words, "--workers", "1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment(),
        ) as tournament:
            try:
                yield
                if tournament.poll() is not None:
                    raise SystemExit("the tournament did not go on to the end")
            finally:
                tournament.send_signal(signal.SIGINT)


def _games(database: Path) -> int:
    with Reader(database) as reader:
        return reader.games(limit=1)[0].id


def measure(database: Path, readers: int, every_s: float, seconds: float) -> Heard:
    """Let them read for so long."""
    by_endpoint = addresses(create_app(database), database)
    pages = [address for found in by_endpoint.values() for address in found]
    heard, before = Heard(), _games(database)
    with serving(database) as port, playing(database):
        until = time.monotonic() + seconds
        threads = [
            threading.Thread(target=read, args=[port, pages, every_s, until, seed, heard])
            for seed in range(readers)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        written = _games(database) - before
    print(f"{written:,} games were written, {len(heard.taken_ms):,} pages read")
    return heard


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", type=Path, help="a file for the database, to be used again")
    parser.add_argument("--bots", type=int, default=1_000)
    parser.add_argument("--readers", type=int, default=64)
    parser.add_argument("--every", type=float, default=5.0, help="s from page to page of a reader")
    parser.add_argument("--seconds", type=float, default=120.0)
    options = parser.parse_args()
    with crowd(options.db, options.bots) as database:
        heard = measure(database, options.readers, options.every, options.seconds)
    p50, p99 = heard.percentile(50), heard.percentile(99)
    slowest, address = heard.slowest
    print(
        f"p50 {p50:,.0f} ms, p99 {p99:,.0f} ms (aim: {MOST_P99_MS} ms), slowest {slowest:,.0f} ms"
    )
    print(f"the slowest was {address}")
    locked = sum(count for error, count in heard.errors.items() if "locked" in error)
    print(f"{heard.errors.total()} errors (aim: 0), {locked} of them of a lock")
    for error, count in heard.errors.most_common(10):
        print(f"{count:>6} {error}")
    if heard.errors or p99 >= MOST_P99_MS:
        sys.exit("an aim is missed")


if __name__ == "__main__":
    main()
