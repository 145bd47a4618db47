"""Kept copies of bots: never played when they are not what was built, and never too many."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots import BotFiles, CannotBuild, cache_folder, kept, prepare, prepare_known, read_bot
from arena.bots.build import Copy, built_copy
from arena.errors import Trouble
from arena.sandbox import BuildResult
from tests.cli.program import ROOT, bot, environment

ISOLATIONS = ("landlock", "none")
"""A bot without a build needs no sandbox to be made ready for one."""


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def mine(tmp_path: Path) -> BotFiles:
    return read_bot(bot(tmp_path, "mine"))


def contents(folder: str) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    found = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def as_handed_in(files: BotFiles) -> dict[str, bytes]:
    return {name: data for name, (_, data) in files.files.items()}


def edited(folder: Path) -> None:
    with (folder / "bot" / "bot.py").open("a") as file:
        file.write("# changed")


def emptied(folder: Path) -> None:
    for path in (folder / "bot").iterdir():
        path.unlink()


def added(folder: Path) -> None:
    (folder / "bot" / "__pycache__").mkdir()
    (folder / "bot" / "__pycache__" / "json.cpython-311.pyc").write_bytes(b"evil")


def hidden(folder: Path) -> None:
    (folder / "bot" / ".hidden").touch()


def made_executable(folder: Path) -> None:
    (folder / "bot" / "bot.py").chmod(0o755)


def linked(folder: Path) -> None:
    aside = folder.with_name("aside")
    folder.rename(aside)
    folder.symlink_to(aside)


def linked_within(folder: Path) -> None:
    (folder / "bot").rename(folder / "aside")
    (folder / "bot").symlink_to("aside")


def linked_file(folder: Path) -> None:
    (folder / "bot" / "bot.py").rename(folder / "aside")
    (folder / "bot" / "bot.py").symlink_to("../aside")


def a_file(folder: Path) -> None:
    folder.rename(folder.with_name("aside"))
    folder.touch()


def without_its_hash(folder: Path) -> None:
    (folder / "built.sha256").unlink()


CHANGES = (
    edited, emptied, added, hidden, made_executable, linked, linked_within, linked_file, a_file,
    without_its_hash,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_changed_copy_is_made_again(
    mine: BotFiles, change: Callable[[Path], None], isolation: str
) -> None:
    place = Path(prepare(mine, "landlock").folder).parent
    change(place)
    with built_copy(mine, isolation) as copy:
        assert not copy.is_kept
        assert contents(copy.bot.folder) == as_handed_in(mine)
    assert contents(prepare(mine, isolation).folder) == as_handed_in(mine)
    assert contents(str(place / "bot")) == as_handed_in(mine)
    assert not place.is_symlink()
    with built_copy(mine, isolation) as copy:
        assert copy.is_kept


def test_what_can_not_be_read_back_is_not_kept_and_the_reason_told(
    mine: BotFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MAX_FILES", 1)
    with pytest.raises(Trouble, match=f"{mine.hash}.*: more than 1 files"):
        prepare(mine, "landlock")
    assert not [*cache_folder().iterdir()]


def test_a_copy_that_is_changed_while_it_is_kept_is_told_as_such(
    mine: BotFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.rename

    def changing(old: Path, new: Path) -> None:
        (Path(old) / "bot" / "bot.py").write_text("changed")
        rename(old, new)

    with built_copy(mine, "landlock") as copy:
        monkeypatch.setattr(os, "rename", changing)
        with pytest.raises(Trouble, match=": changed while it was kept"):
            copy.keep()


def test_a_copy_is_kept_only_where_what_it_is_kept_for_succeeds(mine: BotFiles) -> None:
    def fail(copy: Copy) -> None:
        with copy.kept():
            assert copy.place.exists()
            raise OSError("full")

    with built_copy(mine, "landlock") as copy, pytest.raises(OSError, match="full"):
        fail(copy)
    assert not [*cache_folder().iterdir()]
    prepare(mine, "landlock")
    with built_copy(mine, "landlock") as copy, pytest.raises(OSError, match="full"):
        fail(copy)
    assert copy.place.exists(), "it was there before"


def test_a_copy_is_made_once(mine: BotFiles) -> None:
    first = prepare(mine, "landlock")
    inode = Path(first.folder).stat().st_ino
    assert prepare(mine, "landlock") == first
    assert Path(first.folder).stat().st_ino == inode


def test_machines_of_different_kinds_have_copies_of_their_own(
    mine: BotFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a home is shared between them."""
    assert platform.machine() in prepare(mine, "landlock").folder
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    assert "vax" in prepare(mine, "landlock").folder
    assert len([*cache_folder().iterdir()]) == 2


def test_what_runs_without_isolation_can_not_change_what_is_kept(mine: BotFiles) -> None:
    free = Path(prepare(mine, "none").folder)
    (free / "bot.py").write_text("raise SystemExit")
    (free / "new").touch()
    with built_copy(mine, "none") as copy:
        assert copy.is_kept
        (Path(copy.bot.folder) / "new").touch()
    assert contents(prepare(mine, "landlock").folder) == as_handed_in(mine)


def test_what_was_built_without_isolation_is_played_only_so(tmp_path: Path) -> None:
    built = read_bot(bot(tmp_path, "built", build='["sh", "-c", "echo > made"]'))
    prepare(built, "none")
    with built_copy(built, "none") as copy:
        assert copy.is_kept
    assert kept.find_kept(kept.place_of(built, "none"))
    assert kept.find_kept(kept.place_of(built, "bubblewrap")) is None


def test_a_build_that_the_limit_of_files_ends_is_told_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = read_bot(bot(tmp_path, "built", build='["true"]'))
    result = BuildResult(-signal.SIGXFSZ, "")
    monkeypatch.setattr("arena.bots.build.run_build", lambda *_: result)
    monkeypatch.setattr("arena.bots.build.select_backend", lambda _: None)
    with pytest.raises(CannotBuild, match=r"true was ended by signal 25 \(SIGXFSZ\); .* 1024 MiB"):
        prepare(built, "bubblewrap")


def test_what_is_built_can_be_found_by_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = read_bot(bot(tmp_path, "built", build='["true"]'))
    seen: list[tuple[Path, int, int]] = []

    def look(_: object, command: object, folder: Path) -> BuildResult:
        modes = (path.stat().st_mode & 0o7777 for path in (folder, folder.parent))
        seen.append((folder, *modes))
        return BuildResult(0, "")

    monkeypatch.setattr("arena.bots.build.run_build", look)
    prepare(built, "none")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another cache"))
    prepare(built, "none")
    # Who may pass through the outer folder can neither list it nor guess what is in it.
    assert [modes for _, *modes in seen] == [[0o700, 0o711]] * 2
    assert len({folder.name for folder, *_ in seen}) == 2


def test_a_copy_for_one_run_is_gone_with_its_process(mine: BotFiles, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from arena.bots import prepare, read_bot\n"
        f"bot = prepare(read_bot(Path({str(tmp_path / 'mine')!r})), 'none')\n"
        "print(bot.folder)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=environment(), cwd=ROOT, capture_output=True, text=True, check=True
    )
    folder = Path(done.stdout.strip())
    assert not folder.exists()
    assert folder.parent.parent == cache_folder()
    [only] = cache_folder().iterdir()
    assert only.name.startswith(mine.hash)


def several(tmp_path: Path, count: int) -> list[BotFiles]:
    return [read_bot(bot(tmp_path, f"b{number}", f"{number}")) for number in range(count)]


def used_at(files: BotFiles, second: int) -> Path:
    """Its copy, used last at that time, by a process that has ended."""
    place = Path(prepare(files, "landlock").folder).parent
    os.close(kept._held.pop(place))
    os.utime(place, (second, second))
    return place


def test_the_least_recently_used_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = several(tmp_path, 5)
    places = [used_at(files, 1_000 - number) for number, files in enumerate(bots[:4])]
    monkeypatch.setattr(kept, "MAX_KEPT_COPIES", 3)
    prepare(bots[4], "landlock")
    assert [place.exists() for place in places] == [True, True, False, False]


def test_copies_that_take_too_much_disk_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = several(tmp_path, 3)
    large = {"large": (False, bytes(1 << 20))}
    bots[:2] = [replace(files, files={**files.files, **large}) for files in bots[:2]]
    places = [used_at(files, 1_000 + number) for number, files in enumerate(bots[:2])]
    monkeypatch.setattr(kept, "MAX_KEPT_BYTES", 3 << 19)
    prepare(bots[2], "landlock")
    assert [place.exists() for place in places] == [False, True]


def test_a_copy_in_use_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process or another."""
    bots = several(tmp_path, 4)
    unused = used_at(bots[0], 1_000)
    here = Path(prepare(bots[1], "landlock").folder).parent
    code = (
        "import sys; from pathlib import Path; from arena.bots import prepare, read_bot\n"
        f"prepare(read_bot(Path({str(tmp_path / 'b2')!r})), 'landlock'); print(flush=True)\n"
        "sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], env=environment(), cwd=ROOT, **pipes) as it:
        assert it.stdout is not None
        assert it.stdout.readline()
        there = kept.place_of(bots[2], "landlock")
        for place in (here, there):
            os.utime(place, (1, 1))
        monkeypatch.setattr(kept, "MAX_KEPT_COPIES", 1)
        prepare(bots[3], "landlock")
        assert (unused.exists(), here.exists(), there.exists()) == (False, True, True)
        it.communicate()


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_copy_is_found_by_what_was_made_ready_elsewhere(mine: BotFiles, isolation: str) -> None:
    elsewhere = prepare(mine, isolation)
    [place] = cache_folder().glob(f"{mine.hash}-*")
    known = prepare_known(elsewhere, isolation)
    assert known is not None
    assert contents(known.folder) == as_handed_in(mine)
    edited(place)
    assert prepare_known(elsewhere, isolation) is None, "no longer what was built"


def test_no_copy_is_found_where_none_is_kept(mine: BotFiles) -> None:
    elsewhere = prepare(mine, "landlock")
    subprocess.run(["rm", "-rf", cache_folder()], check=True)
    assert prepare_known(elsewhere, "landlock") is None
