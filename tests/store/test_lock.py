"""Who plays a tournament: one process at a time, and whoever looks takes nothing away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import Trouble
from arena.store import is_playing, playing

HOLD = """
import sys
from pathlib import Path
from arena.store import playing
with playing(Path(sys.argv[1]), 3, "cup"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def held(database: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_nobody_plays_what_has_no_lock_file(database: Path) -> None:
    assert not is_playing(database, 3)
    assert not list(database.parent.iterdir()), "a look leaves nothing behind"


def test_another_process_is_told_and_shut_out(database: Path) -> None:
    with held(database) as process:
        assert is_playing(database, 3)
        assert not is_playing(database, 4)
        with pytest.raises(Trouble, match="'cup' is being played by another process"):
            playing(database, 3, "cup").__enter__()
        with playing(database, 4, "other"):
            pass
        process.kill()
    assert not is_playing(database, 3), "it ends with the process"


def test_a_look_from_within_keeps_the_lock(database: Path) -> None:
    with playing(database, 3, "cup"):
        assert is_playing(database, 3)
        with pytest.raises(Trouble, match="being played"):
            playing(database, 3, "cup").__enter__()
        with playing(database, 4, "other"):
            assert is_playing(database, 3)
        with pytest.raises(Trouble, match="being played"):
            playing(database, 3, "cup").__enter__()
    assert not is_playing(database, 3)


def test_looking_never_shuts_out_whoever_wants_to_play(database: Path) -> None:
    looking = (
        "import sys\nfrom pathlib import Path\nfrom arena.store import is_playing\n"
        "print('looks', flush=True)\n"
        "while True: is_playing(Path(sys.argv[1]), 3)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", looking, str(database)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "looks\n"
        for _ in range(500):
            with playing(database, 3, "cup"):
                pass
    finally:
        process.kill()
        process.communicate()


def test_a_lock_file_that_can_only_be_read_is_no_sign_of_play(database: Path) -> None:
    with playing(database, 3, "cup"):
        pass
    (database.parent / "games.db-lock").chmod(0o444)
    assert not is_playing(database, 3)
