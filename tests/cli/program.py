"""The command `kseri` as a process, and bots of a few lines for it to play."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.cli.forked import run_forked

ROOT = Path(__file__).parent.parent.parent
PROGRAM = ROOT / "arena" / "cli" / "__main__.py"
START = [sys.executable, "-P", "-m", "arena.cli"]
"""Without the folder it is started in on the path of modules, like the installed command."""
SECONDS = 240
"""What no command here takes, even on a machine under load."""

ESCAPE, TURN_AROUND, C1 = "\x1b", "\u202e", "\x9b"
HOSTILE = f"{ESCAPE}[2J{ESCAPE}]0;owned\x07{TURN_AROUND}evil{C1}31m"
"""Clears a screen, names a window, turns text around and colours it."""


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where commands under test keep their copies of bots, away from the user's own."""
    folder = _common(tmp_path_factory) / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


def _common(factory: pytest.TempPathFactory) -> Path:
    """The folder that all processes which run the tests have in common."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def environment(**more: str) -> dict[str, str]:
    """Ours, with the tree's packages to be found wherever a command is started."""
    return os.environ | {"PYTHONPATH": str(ROOT)} | more


def kseri(
    *words: object, folder: Path | None = None, given: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end in a fork of this process, which has read the program already.

    What a test has changed of the program holds there too: `started` where it must not.
    """
    assert not [name for name in variables if name.startswith("PYTHON")], "for who is started"
    result = run_forked(
        [*START, *map(str, words)], PROGRAM, folder, given, environment(**variables), SECONDS
    )
    said = (text.decode("utf-8", "surrogateescape") for text in (result.stdout, result.stderr))
    return subprocess.CompletedProcess(result.args, result.returncode, *said)


def started(
    *words: object, folder: Path | None = None, given: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end from its very start: for what Python does before it."""
    return subprocess.run(
        [*START, *map(str, words)],
        cwd=folder,
        input=given.decode("utf-8", "surrogateescape"),
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=SECONDS,
        env=environment(**variables),
        check=False,
    )


def complaint(
    result: subprocess.CompletedProcess[str], status: int, *parts: str, after: int = 0
) -> None:
    """Assert that a command ended with `status` and one clear line that has all the `parts`.

    `after`: how many lines of conditions and progress may stand before it.
    """
    lines = result.stderr.splitlines()
    assert result.returncode == status, result.stderr
    assert "Traceback" not in result.stderr
    assert 1 <= len(lines) <= 1 + after, result.stderr
    assert lines[-1].startswith("kseri"), result.stderr
    for part in parts:
        assert part in lines[-1]


BOT = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        turn = message["turn"]
        play = {"type": "play", "turn": turn, **message["legal"][0]}
        CODE
        print(json.dumps(play), flush=True)
"""


def bot(folder: Path, name: str, code: str = "pass", **keys: str) -> Path:
    """A bot that plays the first legal card, unless `code` has done something else before."""
    place = folder / name
    place.mkdir()
    lines = code.replace("\n", "\n        ")
    (place / "bot.py").write_text(BOT.replace("CODE", lines), "utf-8")
    table = {"name": f'"{name}"', "run": '["python3", "bot.py"]'} | keys
    manifest = "".join(f"{key} = {value}\n" for key, value in table.items())
    (place / "bot.toml").write_text(manifest, "utf-8")
    return place


def tournament_file(folder: Path, *bots: object, name: str = "t", **keys: object) -> Path:
    """A tournament file with these bots and keys; values as TOML."""
    path = folder / f"{name}.toml"
    lines = [f'name = "{name}"', f"bots = {list(map(str, bots))}"]
    lines += [f"{key} = {value}" for key, value in keys.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def exported(database: Path, *words: object) -> list[bytes]:
    """The lines of an export."""
    result = kseri("export", "--db", database, *words)
    assert result.returncode == 0, result.stderr
    return result.stdout.encode().splitlines(keepends=True)


def assert_harmless(texts: Sequence[str]) -> None:
    """Nothing in what a command printed can move a cursor, colour or turn text around."""
    for text in texts:
        for char in (ESCAPE, TURN_AROUND, C1, "\x07", "\r"):
            assert char not in text


def shared(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that `make` fills once, also where several processes run the tests."""
    folder = _common(factory) / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            make(folder)
            (folder / "done").touch()
    return folder
