"""A program that starts other programs by the Landlock backend, as whoever it runs itself.

Reads launches from standard input, one JSON object a line, and prints how each went.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from arena.errors import ArenaError, BotCannotStart
from arena.sandbox.landlock import Landlock
from arena.sandbox.launch import Launch


def main() -> None:
    """Run every launch after the other."""
    backend = Landlock()
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = run(backend, asked)
        except (ArenaError, BotCannotStart) as error:
            answer = {"refused": str(error)}
        print(json.dumps(answer), flush=True)


def run(backend: Landlock, asked: dict[str, object]) -> dict[str, object]:
    """Start one program, give it `input`, and wait for its end."""
    launch = Launch(
        command=asked["command"],  # type: ignore[arg-type]
        folder=Path(str(asked["folder"])),
        memory_mb=int(str(asked.get("memory_mb", 512))),
        purpose=asked.get("purpose", "play"),  # type: ignore[arg-type]
        uid=asked.get("uid"),  # type: ignore[arg-type]
    )
    prepared = backend.prepare(launch)
    done = subprocess.run(
        prepared.argv,
        cwd=prepared.folder,
        env=prepared.environment,
        input=asked.get("input", ""),
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
    )
    return {"returncode": done.returncode, "output": done.stdout, "errors": done.stderr}


if __name__ == "__main__":
    main()
