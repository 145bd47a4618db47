"""Every template from nothing to ten games: new, check, submit, play. Prints a line for each.

Run from the root: python -m benchmarks.templates [LANG ...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arena.templates import templates

_ROOT = Path(__file__).parent.parent


def main() -> int:
    """Try the languages named, or all; status 1 where one fails, its output shown."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or [template.name for template in templates()]:
            before = time.monotonic()
            problem = _problem(name, Path(folder))
            failed += bool(problem)
            print(f"{name:<12} {problem or 'ready'}  {time.monotonic() - before:.0f} s", flush=True)
    return 1 if failed else 0


def _problem(language: str, folder: Path) -> str:
    """The first step that fails, with what it said; empty where none does."""
    bot = f"my-{language}"
    for words in (
        ["new", bot, "--lang", language],
        ["check", f"./{bot}"],
        ["submit", f"./{bot}"],
        ["play", bot, "greedy", "--matches", "5"],
    ):
        done = _kseri(folder, *words)
        if done.returncode:
            return f"kseri {' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    faults = _kseri(folder, "games", "--faults", "--bot", bot)
    return "" if "No such games." in faults.stdout else faults.stdout


def _kseri(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena.cli", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(_ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
