"""How games, processes and the arena itself end, and that nothing is left of them."""

import gc
import os
import select
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
import trio

from protocol.messages import Limits
from tests.e2e.playing import (
    PATIENT,
    PROGRAMS,
    children,
    command,
    descriptors,
    play,
    program,
)

pytestmark = [pytest.mark.e2e, pytest.mark.hostile]

GOOD = program("good")
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def quick(tmp_path_factory):
    """A bot that starts in a millisecond."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) on this machine")
    folder = tmp_path_factory.mktemp("quick")
    source = PROGRAMS / "quick.c"
    subprocess.run([compiler, "-O1", "-o", folder / "quick", source], check=True)
    return lambda name: msgspec.structs.replace(command("./quick", folder=folder, name=name))


def test_three_hundred_games_leave_nothing_behind(quick):
    """File descriptors, children and objects are counted while it goes on: the host's end would
    clear up what was forgotten before."""
    counts = []

    def at_report():
        gc.collect()
        counts.append((descriptors(), len(children()), len(gc.get_objects())))

    bots = [msgspec.structs.replace(quick(name), reuse=False) for name in ("one", "two")]
    seen = []

    def sparse():
        seen.append(None)
        if len(seen) in (20, 300):
            at_report()

    played = play(*bots, games=300, at_report=sparse)
    assert played.faults == [[]] * 300
    (files, processes, objects), later = counts
    assert later[:2] == (files, processes)
    # 280 records are kept by this test: 48 plays and some dozen other objects each.
    assert (later[2] - objects) / 280 < 120


# Cancelled


def cancel_at(turn):
    """Cancel everything, the host too, when so many plays have been made."""

    def meddle(scope, marker):
        def observer(referee):
            if referee.turn_number > turn:
                scope.cancel()

        return observer

    return meddle


@pytest.mark.parametrize("turn", [0, 1, 2, 20, 47, 48])
def test_a_cancelled_arena_ends_its_bots_and_reports_whole_games_only(turn):
    played = play(GOOD, program("early_ready"), games=2, meddle=cancel_at(turn))
    # What has begun may go on for some ms before it looks up.
    assert len(played.records) <= (1 if turn < 48 else 2)
    assert all(len(record.deals[0].plays) == 48 for record in played.records)


@pytest.mark.parametrize(
    "name",
    ["never_boots", "chatters", "never_reads", "half_line", "stubborn", "detaches", "fills_stderr",
     "floods_newlines", "closes_output"],
)  # fmt: skip
@pytest.mark.parametrize("after_ms", [0, 30, 90, 200])
def test_an_arena_is_cancelled_at_any_moment(name, after_ms):
    """While it boots, waits, writes, drains: the time only chooses what is going on then."""
    limits = Limits(boot_ms=20_000, move_ms=15, bank_ms=0, faults_allowed=1_000)

    def meddle(scope, marker):
        scope.deadline = trio.current_time() + after_ms / 1000

    played = play(program(name), GOOD, limits=limits, games=3, meddle=meddle)
    for record in played.records:
        assert record.reason in ("deals", "forfeit")


def test_a_game_may_be_cancelled_while_another_goes_on():
    """One chunk's scope is not the host's: what is ended is what was cancelled."""
    from arena.play import play_chunk
    from arena.process import open_host
    from arena.sandbox import select_backend
    from tests.e2e.playing import Played, chunk_of, plan_of

    played = Played()

    async def main():
        async with open_host(select_backend("none")) as host, trio.open_nursery() as nursery:
            bots = [GOOD, program("early_ready")]
            waiting = [program("never_boots"), program("good", name="other")]
            tables = [(plan_of(table, PATIENT, "kseri-plain", deals=1), chunk_of(table, 1))
                      for table in (bots, waiting)]  # fmt: skip

            async def cancelled():
                with trio.CancelScope() as scope:
                    nursery.start_soon(other, scope)
                    await play_chunk(host, *tables[1], played.report)
                assert scope.cancelled_caught

            async def other(scope):
                before = len(children())
                await play_chunk(host, *tables[0], played.report)
                scope.cancel()
                assert len(children()) <= before

            await cancelled()
            assert host.games == 0

    trio.run(main)
    assert played.faults == [[]]


# Killed


@contextmanager
def arena_in_a_game(tmp_path):
    """A running arena, and a poll object on which both its bots' ends can be waited for."""
    told = tmp_path / "told"
    os.mkfifo(told)
    # Open for both, so that neither side waits for the other.
    fifo = os.open(told, os.O_RDWR)
    argv = [sys.executable, "-m", "tests.e2e.arena_program", told]
    arena = subprocess.Popen(argv, cwd=ROOT, stderr=subprocess.DEVNULL)
    text, pids, ends = b"", [], select.poll()
    try:
        while text.count(b"\n") < 2:
            text += os.read(fifo, 100)
        for pid in map(int, text.split()):
            pids.append(os.pidfd_open(pid))
            ends.register(pids[-1], select.POLLIN)
        yield arena, ends
    finally:
        arena.kill()
        arena.wait()
        for descriptor in [fifo, *pids]:
            os.close(descriptor)


def wait_for(ends, number):
    """Wait for processes to end, without asking again and again; how many have."""
    ended = set()
    while len(ended) < number:
        found = ends.poll(20_000)
        if not found:
            break
        for descriptor, _ in found:
            ended.add(descriptor)
            ends.unregister(descriptor)
    return len(ended)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_bot_survives_an_arena_that_is_killed(tmp_path, number):
    """These bots are deaf to the end of their input and to every signal but one."""
    with arena_in_a_game(tmp_path) as (arena, ends):
        arena.send_signal(number)
        assert wait_for(ends, 2) == 2


def test_no_bot_survives_an_arena_that_is_interrupted(tmp_path):
    with arena_in_a_game(tmp_path) as (arena, ends):
        assert ends.poll(0) == []
        arena.send_signal(signal.SIGINT)
        assert arena.wait(20) != 0
        # Ended by the arena itself, not by its guardian later.
        assert len(ends.poll(0)) == 2
