"""Kill parts of a cluster in the middle of a tournament; compare with one undisturbed process.

A scheduler and three workers on this machine, 2,000 matches. A worker is killed, the coordinator's
connection to the scheduler is cut, the scheduler is killed, then the coordinator; after each the
tournament goes on by what is left or started anew. Games and standings have to be those of a run
by one process.

Run from the root: python -m benchmarks.cluster [--matches N]
"""

from __future__ import annotations

import argparse
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from arena.sandbox import settle_isolation
from benchmarks.cup import Outcome, games_in, unsound
from tests.cli.program import START, environment, exported, tournament_file
from tests.executor.dask_processes import Engine
from tests.executor.test_cluster import standings
from tests.tournament.processes import Running

_BOTS = ("greedy", "random", "saver")
_WORKERS = 3


class Line:
    """A way to a port of this machine that can be cut: what goes over it then is gone."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            near, _ = self._server.accept()
            try:
                far = socket.create_connection(("127.0.0.1", self._port))
            except OSError:
                near.close()
                continue
            self._open += [near, far]
            threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        with selectors.DefaultSelector() as selector, near, far:
            selector.register(near, selectors.EVENT_READ, far)
            selector.register(far, selectors.EVENT_READ, near)
            with suppress(OSError):
                while True:
                    for key, _ in selector.select():
                        data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                        if not data:
                            return
                        key.data.sendall(data)

    def cut(self) -> None:
        """Cut all that goes over it now; what comes later goes on."""
        ends, self._open = self._open, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Trial:
    """A tournament on a cluster that is disturbed four times."""

    def __init__(self, engine: Engine, file: Path, database: Path, games: int) -> None:
        self._engine, self._database, self._games = engine, database, games
        self._line = Line(int(engine.address.rpartition(":")[2]))
        self._words = [
            *("tournament", "run", file, "--db", database, "--seed", 1),
            *("--cluster", f"tls://127.0.0.1:{self._line.port}"),
        ]
        self._begun = time.monotonic()

    def run(self) -> None:
        """Play and disturb, with a line about each; SystemExit where the run ends too early."""
        cache = self._database.parent / "coordinator"
        cache.mkdir()
        with Running(self._words, cache=cache) as running:
            self._after(0.2, running, "kill -9 of a worker", self._kill_worker)
            self._after(0.4, running, "connection cut", self._line.cut)
            self._after(0.6, running, "kill -9 of the scheduler", self._kill_scheduler)
            self._after(0.8, running, "kill -9 of the coordinator", running.process.kill)
            running.ended()
        said = played(self._words)
        self._tell("gone on to its end")
        print(*said.splitlines()[-3:], sep="\n")

    def _after(
        self, part: float, running: Running, what: str, disturb: Callable[[], object]
    ) -> None:
        while len(games_in(self._database)) < part * self._games:
            if running.process.poll() is not None:
                raise SystemExit(f"it ended before its {what}: {running.ended()}")
            time.sleep(0.2)
        self._tell(what)
        disturb()

    def _tell(self, what: str) -> None:
        seconds, stored = time.monotonic() - self._begun, len(games_in(self._database))
        print(f"{seconds:>8.1f} s  {stored:>6} of {self._games} games  {what}", flush=True)

    def _kill_worker(self) -> None:
        self._engine.kill_worker()
        self._engine.start(_WORKERS)

    def _kill_scheduler(self) -> None:
        self._engine.kill_scheduler()
        self._engine.start(_WORKERS)


def played(words: list[object]) -> str:
    """Run a command of the arena to its end, however long that is; what it said."""
    result = subprocess.run(
        [*START, *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        check=False,
    )
    if result.returncode:
        raise SystemExit(result.stderr)
    return result.stderr


def outcome(database: Path) -> Outcome:
    """What a tournament came to."""
    rows = [{"line": line} for line in standings(database)]
    return Outcome(exported(database, "--canonical"), rows)


def main() -> None:
    """Play undisturbed, disturb, and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=2_000, help="in all; default: 2000")
    matches = max(1, parser.parse_args().matches // 3)
    isolation = settle_isolation("auto", trusted=True)[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        settings = {
            "matches": matches,
            "rules": '"kseri-plain"',
            "overrides": "{ deals = 1 }",
            "time": '{ clock = "cpu" }',
        }
        file = tournament_file(folder, *_BOTS, name="cluster", **settings)
        games = 3 * matches * 2
        alone, disturbed = folder / "alone.db", folder / "disturbed.db"
        begun = time.monotonic()
        print(f"{games} games, isolation {isolation}", flush=True)
        played(["tournament", "run", file, "--db", alone, "--seed", 1, "--workers", 1])
        print(f"{time.monotonic() - begun:>8.1f} s  by one process, undisturbed", flush=True)
        engine = Engine(folder)
        os.environ.update(engine.variables)
        try:
            engine.start(_WORKERS)
            Trial(engine, file, disturbed, games).run()
        finally:
            engine.stop()
        wrong = unsound(disturbed) or outcome(alone).difference(outcome(disturbed))
    print(f"games and standings: {wrong or 'the same'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
