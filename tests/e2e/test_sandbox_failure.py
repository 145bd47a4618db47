"""A sandbox that cannot be set up is the arena's fault: the match is void, never a loss."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from arena.cli.standings_tables import print_standings
from arena.errors import SandboxUnavailable
from arena.executor import InProcess
from arena.play import play_chunk
from arena.process import open_host
from arena.sandbox import Backend, landlock, select_backend
from arena.schedule import MOST_REPLAYS
from arena.store import Reader
from tests.e2e.playing import PATIENT, chunk_of, descriptors, plan_of, program, zombies
from tests.tournament.memory import entered, played

pytestmark = [pytest.mark.e2e, pytest.mark.sandbox]

Fail = Callable[[pytest.MonkeyPatch, Path], Backend]


def backend_of(name: str) -> Backend:
    try:
        return select_backend(name)
    except SandboxUnavailable as error:
        pytest.skip(str(error))


def stand_in(text: str) -> Fail:
    """Bubblewrap with a shell script in its place; without a text, with nothing there."""

    def fail(patch: pytest.MonkeyPatch, folder: Path) -> Backend:
        backend: Any = backend_of("bubblewrap")
        backend._program = str(folder / "bwrap")
        if text:
            (folder / "bwrap").write_text(f"#!/bin/sh\n{text}\n", "utf-8")
            (folder / "bwrap").chmod(0o755)
        return backend

    return fail


def launcher(text: str) -> Fail:
    """Landlock whose launcher is this code."""

    def fail(patch: pytest.MonkeyPatch, folder: Path) -> Backend:
        backend = backend_of("landlock")
        patch.setattr(landlock, "_LAUNCH", text)
        return backend

    return fail


FAILURES: dict[str, tuple[Fail, str]] = {
    "a program that fails": (stand_in("echo no room for a namespace >&2; exit 1"), "no room for"),
    "a program that fails in silence": (stand_in("exit 127"), "without a word"),
    "a program that is killed": (stand_in("kill -9 $$"), "without a word"),
    "a program that ends well": (stand_in("exit 0"), "without a word"),
    "no program": (stand_in(""), "No such file"),
    "a launcher that fails": (launcher("import sys; sys.exit('no such right')"), "no such right"),
    "a launcher that says so": (launcher("import os; os._exit(125)"), "without a word"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_match_is_void_and_played_again_three_times_at_most(
    failure: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    database = tmp_path / "games.db"
    entry = entered(database, "greedy", "random", matches=2)
    with monkeypatch.context() as patch:
        fail, cause = FAILURES[failure]
        backend = fail(patch, tmp_path)
        files = descriptors()
        executor: Any = InProcess(backend)
        played(database, entry, executor)
    assert descriptors() <= files
    assert zombies() == []
    with Reader(database) as reader:
        assert list(reader.records(entry.stored.id)) == []
        assert reader.unplayed(entry.stored.id) == 2
        print_standings(reader, entry.stored)
        causes = [cause for (cause,) in reader._db.execute("SELECT cause FROM voids")]
    assert len(causes) == 2 * (1 + MOST_REPLAYS)
    assert all(cause in told for told in causes), causes
    said = capsys.readouterr().out
    assert "2 matches failed for the arena's fault and stay unplayed." in said


@pytest.mark.parametrize("isolation", ["bubblewrap", "landlock"])
def test_a_sandbox_that_fails_later_voids_only_that_match(
    isolation: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It fails for the third process of all: the match after that one begins with new ones."""
    backend: Any = backend_of(isolation)
    prepare, starts = backend.prepare, []

    def third_fails(launch: Any) -> Any:
        prepared = prepare(launch)
        starts.append(launch)
        if len(starts) == 3:
            prepared.argv[:] = [sys.executable, "-c", "import sys; sys.exit('broken')"]
        return prepared

    monkeypatch.setattr(backend, "prepare", third_fails)
    database = tmp_path / "games.db"
    entry = entered(database, "greedy", "random", matches=2, rotations=1, chunk_matches=1)
    executor: Any = InProcess(backend)
    played(database, entry, executor)
    with Reader(database) as reader:
        records = list(reader.records(entry.stored.id))
        assert reader.unplayed(entry.stored.id) == 0
    assert [(record.match, record.replay) for record in records] == [(1, 0), (2, 1)]
    assert [record.faults for record in records] == [[], []]


def test_a_folder_that_is_gone_is_no_fault_of_the_bot(tmp_path: Path) -> None:
    bots = [program("good"), program("early_ready")]
    gone = [msgspec.structs.replace(bot, folder=str(tmp_path / "gone")) for bot in bots]
    events: list[Any] = []

    async def report(event: Any) -> None:
        events.append(event)

    async def main() -> None:
        async with open_host(select_backend("none")) as host:
            plan = plan_of(gone, PATIENT, "kseri-plain", deals=1)
            await play_chunk(host, plan, chunk_of(gone, 1), report)

    trio.run(main)
    assert ["gone" in event.cause for event in events] == [True]
