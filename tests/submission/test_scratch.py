"""What a machine that stopped left of builds is removed by the next one, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.bots.scratch import scratch_folder

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
    monkeypatch.setattr("arena.bots.scratch.os.geteuid", lambda: other.stat().st_uid + 1)
    with scratch_folder(tmp_path, "work-"):
        assert (other / "file").exists()
