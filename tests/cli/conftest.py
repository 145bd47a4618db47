"""A database with games of every sort, played once for all tests that only look at it."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli import kseri as group
from arena.cli.errors import run
from tests.cli.program import HOSTILE, bot, cache, kseri, shared, tournament_file
from tests.tournament.memory import InMemory, Stopped, entered, played

__all__ = ["cache"]

ESCAPED = HOSTILE.encode("unicode_escape").decode("ascii").replace("\\x", "\\u00")
"""As it stands in TOML."""


@pytest.fixture(scope="session")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bots that misbehave."""
    folder = tmp_path_factory.mktemp("bots")
    bot(folder, "quitter", "if turn > 20: sys.exit(3)")
    shouting = (
        f"text = {HOSTILE!a}\n"
        "sys.stderr.write(text + '\\n'); sys.stderr.flush()\n"
        "play['note'] = text\n"
        "print(json.dumps({'type': 'log', 'text': text}))\n"
        "if turn % 10 == 3: play['card'] = text\n"
        "if turn % 10 == 5: print(text, flush=True); continue"
    )
    bot(folder, "shouter", shouting, version=f'"1{ESCAPED}"')
    return folder


Here = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    """Runs the command in this process: for the many ways of using it wrongly.

    What would be a traceback there is an exception here.
    """

    def run_here(*words: object, given: bytes = b"") -> subprocess.CompletedProcess[str]:
        arguments = ["kseri", *map(str, words)]
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", arguments)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = run(group)
        said = [text.buffer.getvalue().decode() for text in (out, err) if text.flush() is None]
        return subprocess.CompletedProcess(arguments, status, *said)

    return run_here


TOURNAMENTS = ("two", "three", "hidden", "shouting", "open")
"""Those in the database: two sides, three with forfeits, a hidden centre, hostile, unfinished."""


@pytest.fixture(scope="session")
def database(bots: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database; nobody may write into it."""
    return shared(tmp_path_factory, "games", lambda folder: _play(folder, bots)) / "games.db"


def _play(folder: Path, bots: Path) -> None:
    path = folder / "games.db"
    quitter, shouter = bots / "quitter", bots / "shouter"
    three = {"matches": 2, "rules": '"kseri-3"'}
    files = [
        tournament_file(folder, "greedy", "random", name="two", matches=2),
        tournament_file(folder, "greedy", quitter, "saver", name="three", **three),
        tournament_file(folder, "greedy", "counter", name="hidden", matches=1, rules='"pisti-2"'),
        tournament_file(folder, "greedy", shouter, name="shouting", matches=1, faults_allowed=99),
    ]
    for seed, file in enumerate(files):
        words = ["--db", path, "--seed", seed, "--workers", 1, "--isolation", "none"]
        result = kseri("tournament", "run", file, *words)
        assert result.returncode == 0, result.stderr
    with pytest.raises(Stopped):
        played(path, entered(path, "greedy", "random", name="open"), InMemory(stops_after=4))
