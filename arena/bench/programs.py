"""The programs that are measured: compiled or copied into a folder, and a tournament of two."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from arena.bots import shipped_bots
from arena.errors import UsageError
from arena.play import Bot, Plan
from arena.schedule import master_of_seed
from protocol.messages import Limits
from protocol.rules import make_rules

_SOURCES = Path(__file__).parent


def build(name: str, folder: Path) -> Path:
    """Compile one of the C programs beside this file. Raises `UsageError` without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise UsageError("bench: no C compiler (cc) on this machine; install gcc or clang")
    program = folder / name
    subprocess.run([compiler, "-O2", "-o", program, _SOURCES / f"{name}.c"], check=True)
    return program


def instant_c(folder: Path) -> Bot:
    """The bot that answers every turn at once with the first legal play."""
    build("instant", folder)
    return _bot("instant", folder, "./instant")


def instant_entrant(folder: Path, batch: int = 1) -> Path:
    """The same in a folder of its own, which gives it its name, as an author would hand it in."""
    folder.mkdir(mode=0o755, exist_ok=True)
    build("instant", folder)
    manifest = f'name = "{folder.name}"\nversion = "1"\nprotocol = 1\nrun = ["./instant"]\n'
    (folder / "bot.toml").write_text(f"{manifest}batch = {batch}\n", "utf-8")
    return folder


def instant_python(folder: Path) -> Bot:
    """The same in Python."""
    shutil.copy(_SOURCES / "instant.py", folder)
    return _bot("instant-py", folder, "python3", "-I", "-S", "instant.py")


def counter(folder: Path) -> Bot:
    """The shipped bot that counts cards, in Python; it takes many games at once."""
    # As root bots are somebody else in a sandbox, who can't enter every folder.
    copied = shutil.copytree(shipped_bots() / "counter", folder / "counter", dirs_exist_ok=True)
    return _bot("counter", copied, "python3", "-I", "-S", "counter.py")


def _bot(name: str, folder: Path, *run: str) -> Bot:
    return Bot(name=name, version="1", hash="", folder=str(folder), run=run)


def plan_of_two(bot: Bot, overrides: dict[str, Any]) -> Plan:
    """A tournament of a bot against itself, as `a` and `b`."""
    return Plan(
        tournament=None,
        rules=make_rules("kseri", overrides),
        overrides=overrides,
        limits=Limits(),
        names_hidden=True,
        rated=False,
        practice=True,
        master=master_of_seed(0),
        bots={"a": bot, "b": bot},
    )
