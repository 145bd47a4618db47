"""Tests as an ordinary user too, where they are run by root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

USERS = ["as it is", "ordinary"] if os.geteuid() == 0 else ["as it is"]
UID = 12_345
_MODULES = "import msgspec, pyseccomp"


def as_user(user: str) -> tuple[str, dict[str, Any]]:
    """A Python that this user may start, and the words that make `subprocess` start it as such."""
    if user == "as it is":
        return sys.executable, {}
    identity = {"user": UID, "group": UID, "extra_groups": []}
    for python in (os.path.realpath(sys.executable), shutil.which("python3", path="/usr/bin")):
        if python and all(parent.stat().st_mode & 1 for parent in Path(python).parents):
            return python, identity
    pytest.skip("no Python that an ordinary user may start")


def check_modules(python: str, environment: dict[str, str]) -> None:
    """Skip where this Python cannot use the modules of the one that runs the tests."""
    done = subprocess.run([python, "-c", _MODULES], env=environment, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{python} cannot use the arena's modules: {done.stderr.splitlines()[-1]}")


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="kseri-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
