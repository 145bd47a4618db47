"""Finding the program behind a command's name."""

from __future__ import annotations

import functools
import shutil
import subprocess
from pathlib import Path

from arena.errors import BotCannotStart


def find_command(name: str, folder: Path) -> str:
    """The absolute path of the program that `name` starts in `folder`.

    A name with a slash is a file of the bot's own. A Python behind a version manager's shell
    script is resolved to the interpreter itself: the script would cost each start 70 ms and more.
    Raises `BotCannotStart` where there is no such program.
    """
    if "/" in name:
        path = folder / name
        if not path.is_file():
            raise BotCannotStart(f"{name}: no such file in the bot's folder (was it built?)")
        return str(path)
    found = shutil.which(name)
    if found is None:
        raise BotCannotStart(f"{name}: no such command on this machine")
    return _resolved(found)


@functools.cache
def _resolved(found: str) -> str:
    path = Path(found)
    if not path.name.startswith("python") or not _is_script(path):
        return found
    answer = subprocess.run(
        [found, "-c", "import sys; print(sys.executable)"],
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.stdout.strip() if answer.returncode == 0 else found


def _is_script(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"#!"
