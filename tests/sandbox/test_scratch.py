"""Scratch folders are gone in the end, with whatever is in them, and nothing else is."""

from __future__ import annotations

import os
import select
import subprocess
import sysconfig
from pathlib import Path

import pytest

from arena.sandbox.scratch import scratch_folder
from tests.sandbox.ordinary import USERS, as_user, open_folder

ROOT = Path(__file__).parents[2]
PATH = "/usr/local/bin:/usr/bin:/bin"
MAKES = """
import os, sys
from pathlib import Path
from arena.sandbox.scratch import scratch_folder
with scratch_folder(Path({base!r}), "work-") as folder:
    (folder / "closed" / "within").mkdir(parents=True)
    (folder / "closed" / "within" / "file").touch()
    (folder / "closed" / "within").chmod(0)
    (folder / "closed").chmod(0)
    os.chdir(folder)
    for _ in range(1_200):
        os.mkdir("dddd")
        os.chdir("dddd")
    os.chdir("/")
    print(folder, flush=True)
    sys.stdin.read()
"""

OLD = 1_000_000_000
"""A time long past, in seconds since 1970."""


def left(parent: Path, name: str, time_s: float = OLD) -> Path:
    """A folder with a file in it, last changed at that time."""
    folder = parent / name
    folder.mkdir()
    (folder / "file").touch()
    os.utime(folder, (time_s, time_s))
    return folder


def test_what_nobody_holds_is_removed(tmp_path: Path) -> None:
    folders = [left(tmp_path, f"work-{number:016x}") for number in range(3)]
    with scratch_folder(tmp_path, "work-") as mine:
        assert [*tmp_path.iterdir()] == [mine]
        assert mine not in folders
    assert not [*tmp_path.iterdir()]


def test_what_a_living_process_holds_stays(tmp_path: Path) -> None:
    with scratch_folder(tmp_path, "work-") as held:
        os.utime(held, (OLD, OLD))
        with scratch_folder(tmp_path, "work-") as mine:
            assert {*tmp_path.iterdir()} == {held, mine}


@pytest.mark.parametrize(
    "name", ["work-0", f"work-{'g' * 16}", f"work-{'0' * 17}", f"other-{'0' * 16}"]
)
def test_other_names_stay(tmp_path: Path, name: str) -> None:
    other = left(tmp_path, name)
    with scratch_folder(tmp_path, "work-"):
        assert other.is_dir()


def test_what_is_new_may_be_about_to_be_held(tmp_path: Path) -> None:
    new = tmp_path / f"work-{0:016x}"
    new.mkdir()
    with scratch_folder(tmp_path, "work-"):
        assert new.is_dir()


def test_links_and_files_of_such_a_name_stay(tmp_path: Path) -> None:
    target = left(tmp_path, "target")
    (tmp_path / f"work-{0:016x}").symlink_to(target)
    (tmp_path / f"work-{1:016x}").touch()
    with scratch_folder(tmp_path, "work-"):
        assert (target / "file").exists()
    assert len([*tmp_path.iterdir()]) == 3


def test_another_users_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = left(tmp_path, f"work-{0:016x}")
    monkeypatch.setattr("arena.sandbox.scratch.os.geteuid", lambda: other.stat().st_uid + 1)
    with scratch_folder(tmp_path, "work-"):
        assert (other / "file").exists()


def children_of(pid: int) -> list[int]:
    """Descriptors that tell when the children of a process have ended."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert children, "somebody has to tidy up"
    return [os.pidfd_open(int(child)) for child in children]


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("ending", ["in order", "killed"])
def test_whatever_is_in_it_is_removed(tmp_path: Path, user: str, ending: str) -> None:
    """Folders that their owner may not enter, and folders in folders of any depth."""
    python, identity = as_user(user)
    with open_folder() as base:
        base.chmod(0o777)  # for whoever it is
        process = subprocess.Popen(
            [python, "-c", MAKES.format(base=str(base))],
            env={"PYTHONPATH": f"{ROOT}:{sysconfig.get_path('purelib')}", "PATH": PATH},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            **identity,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        folder = Path(process.stdout.readline().decode().strip())
        if not folder.name:
            pytest.skip(f"user {user} cannot use the arena's modules here")
        ends = children_of(process.pid)
        if ending == "killed":
            process.kill()
        process.communicate()
        for end in ends:
            assert select.select([end], [], [], 60)[0]
            os.close(end)
        assert not [*base.iterdir()]
