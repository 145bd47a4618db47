"""Control groups: on this machine, where they can be made, and on make-believe ones."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.bots import find_bot, prepare
from arena.errors import UsageError
from arena.sandbox import can_hold_processes, cgroups
from arena.sandbox.cgroups import new_cgroup, own_patterns
from protocol.messages import Limits
from tests.cli.program import bot
from tests.e2e.isolated import PATIENT, Ground, ground
from tests.e2e.isolated_arena import Table

pytestmark = [pytest.mark.sandbox, pytest.mark.e2e]

VERSION_1 = {
    "memory": ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
    "pids": ("pids.max",),
    "freezer": ("freezer.state",),
    "cpuacct": ("cpuacct.usage",),
}
VERSION_2 = (
    "memory.max", "memory.swap.max", "pids.max", "memory.events", "cgroup.freeze", "cpu.stat",
)  # fmt: skip


class Machine:
    """A file system of control groups: folders that are made there have their files."""

    def __init__(self, root: Path, version: int) -> None:
        self.version = version
        self._root = root
        self.bases = [root / name for name in VERSION_1] if version == 1 else [root / "scope"]
        for base in self.bases:
            base.mkdir(parents=True)
            (base / "cgroup.procs").touch()
        if version == 2:
            (self.bases[0] / "cgroup.controllers").write_text("cpu memory pids")

    def own_groups(self) -> dict[str, str]:
        # In a container the path may be one that cannot be seen.
        return dict.fromkeys(VERSION_1, "/hidden") if self.version == 1 else {"": "/scope"}

    def fill(self, folder: Path) -> None:
        names = VERSION_1[folder.parent.name] if self.version == 1 else VERSION_2
        for name in (*names, "cgroup.procs"):
            (folder / name).touch()

    def read(self, name: str) -> str:
        [found] = [path for base in self.bases for path in base.glob(f"kseri-*/{name}")]
        return found.read_text()

    def write(self, name: str, text: str) -> None:
        [found] = [path for base in self.bases for path in base.glob(f"kseri-*/{name}")]
        found.write_text(text)

    @property
    def groups(self) -> list[str]:
        return sorted(path.parent.name for path in self._root.glob("*/kseri-*"))


@pytest.fixture(params=[1, 2])
def machine(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Machine]:
    made = Machine(tmp_path / "cgroup", request.param)
    mkdir = Path.mkdir

    def filled(folder: Path, *args: Any, **more: Any) -> None:
        mkdir(folder, *args, **more)
        if folder.name.startswith("kseri-"):
            made.fill(folder)

    monkeypatch.setattr(Path, "mkdir", filled)
    monkeypatch.setattr(Path, "rmdir", shutil.rmtree)
    monkeypatch.setattr(cgroups, "_ROOT", tmp_path / "cgroup")
    monkeypatch.setattr(cgroups, "_own_groups", made.own_groups)
    cgroups._place.cache_clear()
    yield made
    cgroups._place.cache_clear()


def test_a_bot_of_one_process_is_bounded_in_memory_and_threads(machine: Machine) -> None:
    group = new_cgroup(100, 80)
    assert group is not None
    size = str(100 * 1024 * 1024)
    names = {1: ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")}.get(
        machine.version, ("memory.max",)
    )
    assert {machine.read(name) for name in names} == {size}
    assert machine.read("pids.max") == "80"
    assert machine.groups == {1: ["memory", "pids"], 2: ["scope"]}[machine.version]
    group.attach(4711)
    assert {(base / "cgroup.procs").read_text() for base in _folders(machine)} == {"4711"}
    group.remove()
    assert machine.groups == []


def _folders(machine: Machine) -> list[Path]:
    return [folder for base in machine.bases for folder in base.glob("kseri-*")]


def test_whether_the_kernel_ended_something_for_its_memory(machine: Machine) -> None:
    group = new_cgroup(100, 80)
    assert group is not None
    name = "memory.oom_control" if machine.version == 1 else "memory.events"
    for text, killed in (("", False), ("oom_kill 0\n", False), ("oom 1\noom_kill 2\n", True)):
        machine.write(name, text)
        assert group.has_killed is killed


def test_a_bot_of_several_processes_is_stopped_and_measured_whole(machine: Machine) -> None:
    group = new_cgroup(100, 160, several=True)
    assert group is not None
    freezer, on, off, cpu, text = {
        1: ("freezer.state", "FROZEN", "THAWED", "cpuacct.usage", "7000000\n"),
        2: ("cgroup.freeze", "1", "0", "cpu.stat", "usage_usec 7000\nuser_usec 1\n"),
    }[machine.version]
    group.freeze()
    assert machine.read(freezer) == on
    group.thaw()
    assert machine.read(freezer) == off
    machine.write(cpu, text)
    assert group.cpu_us() == 7_000
    group.remove()
    assert machine.groups == []


def test_the_folders_of_a_killed_arena_are_found_by_its_number(machine: Machine) -> None:
    group = new_cgroup(100, 80, several=True)
    assert group is not None
    found = [path for pattern in own_patterns() for path in Path("/").glob(pattern[1:])]
    assert len(found) == {1: 4, 2: 1}[machine.version]
    assert all(f"kseri-{os.getpid()}-" in path.name for path in found)


def test_a_group_that_cannot_be_made_leaves_nothing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert new_cgroup(1, 1)

    def fails(*_: object) -> None:
        raise OSError

    for group in _folders(machine):
        shutil.rmtree(group)
    monkeypatch.setattr(cgroups.Cgroup, "_set", fails)
    assert new_cgroup(100, 80) is None
    assert machine.groups == []


def test_a_machine_without_groups_holds_bots_of_one_process_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cgroups, "_ROOT", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cgroups._place.cache_clear()
    try:
        assert new_cgroup(100, 80) is None
        assert own_patterns() == []
        assert not can_hold_processes("bubblewrap")
        several = find_bot(str(bot(tmp_path, "several", processes="3")))
        with pytest.raises(UsageError, match="bot several: wants 3 processes"):
            prepare(several, "bubblewrap")
        one = find_bot(str(bot(tmp_path, "one")))
        assert prepare(one, "bubblewrap").processes == 1
    finally:
        cgroups._place.cache_clear()


def test_landlock_holds_bots_of_one_process_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    several = find_bot(str(bot(tmp_path, "several", processes="3")))
    with pytest.raises(UsageError, match="bot several: wants 3 processes"):
        prepare(several, "landlock")


# Real ones


@pytest.fixture(scope="module")
def place() -> Iterator[Ground]:
    with ground() as made:
        yield made


def test_bots_of_several_processes_play_where_a_group_holds_them(place: Ground) -> None:
    """Helpers that compute all the time are stopped with it, counted with it, and end with it.

    Where the machine lets us make no groups, that is what the test before this one is about.
    """
    if not can_hold_processes("bubblewrap"):
        print("no control groups can be made here")
        return
    bots = [
        msgspec.structs.replace(place.python("deeds", word, name=word), processes=4)
        for word in ("helpers", "forks", "detaches")
    ]
    limits = Limits(boot_ms=60_000, move_ms=5_000, bank_ms=0, clock="cpu")
    roomy = msgspec.structs.replace(PATIENT, memory_mb=512)
    tables = [Table([bots[0], place.python("naps")], PATIENT)]
    tables += [Table([bot, place.quick()], roomy) for bot in bots[1:]]
    tables += [Table([bots[0], place.quick()], limits)]
    told = place.play("bubblewrap", "as it is", tables)
    [helpers], [forks], [detaches], [charged] = told.games
    assert [game.faults for [game] in told.games] == [[]] * 4
    assert "helpers: 3" in helpers.stderr(0)
    for game in (forks, detaches):
        number = int(game.stderr(0).split()[-1])
        # As many threads as several processes may have; the sandbox's own are among them.
        assert 3 <= number <= 4 * 80
    # The opponent sleeps for a second in all; the three could use all cores meanwhile.
    seats = {seat.bot: seat for seat in helpers.record.seats}
    assert 0 < seats["helpers"].cpu_us < 800_000
    assert charged.record.seats[0].cpu_us > 0
