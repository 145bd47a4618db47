"""Processes by themselves: lines in and out, whatever way they are cut and however slowly taken."""

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import ArenaFault
from arena.process import FLOOD_BYTES, BotProcess, Outcome, open_host
from arena.sandbox import Launch, NoIsolation, select_backend
from arena.sandbox.orphans import ours
from protocol.codec import LINE_LIMIT
from tests.e2e.playing import PROGRAMS, children, descriptors, play, program, zombies

pytestmark = pytest.mark.e2e


class Listener:
    """A judge that takes the first line for an answer."""

    def __init__(self, budget_us=20_000_000):
        self.budget_us = budget_us
        self.lines = []
        self.heard_us = []

    def heard(self, line, at_us):
        """Keep it."""
        self.lines.append(line)
        self.heard_us.append(at_us)
        return True


def launch(name):
    """One of the programs, to be started by a host."""
    return Launch([sys.executable, "-B", "-S", "-E", f"{name}.py"], PROGRAMS, 512)


def with_host(work):
    """Run `work(host)` and check that nothing is left."""
    before = descriptors()

    async def main():
        async with open_host(select_backend("none")) as host:
            await work(host)

    trio.run(main)
    assert descriptors() == before
    assert zombies() == []


# Lines, without a process behind them


@contextmanager
def pipes():
    """A bot's process object, and the end that a bot would write to."""
    with both_ends() as (process, _, output):
        yield process, output


@contextmanager
def both_ends():
    """A bot's process object, and the ends that a bot would read from and write to."""
    ends = [os.pipe() for _ in range(3)]
    popen = SimpleNamespace(
        pid=os.getpid(),
        stdin=os.fdopen(ends[0][1], "wb", 0),
        stdout=os.fdopen(ends[1][0], "rb", 0),
        stderr=os.fdopen(ends[2][0], "rb", 0),
    )
    try:
        yield BotProcess(popen), ends[0][0], ends[1][1]
    finally:
        for file in (popen.stdin, popen.stdout, popen.stderr):
            file.close()
        for descriptor in (ends[0][0], ends[1][1], ends[2][1]):
            os.close(descriptor)


def all_lines(process):
    """Everything that can be read now."""
    found = []
    while lines := process.early_lines():
        found += lines
    return found


def expected_lines(stream):
    """Blank lines are nothing; of one that is too long its beginning is passed on."""
    *whole, rest = stream.split(b"\n")
    lines = [line for line in whole if line.strip()]
    return [line[:LINE_LIMIT] for line in lines] + [rest[:LINE_LIMIT]] * (len(rest) >= LINE_LIMIT)


pieces = st.lists(
    st.one_of(
        st.sampled_from([b"\n", b"\r\n", b" ", b"{}", b"\n\n", b"x", b'{"type":"ready"}\n']),
        st.binary(max_size=5),
        st.sampled_from([4_095, 4_096, 4_097, 65_535, 65_536, 70_000]).map(lambda n: b"y" * n),
    ),
    max_size=12,
)


@settings(max_examples=200, deadline=None)
@given(pieces)
def test_lines_do_not_depend_on_how_they_are_cut_into_pieces(pieces):
    stream = b"".join(pieces)
    if len(stream) > FLOOD_BYTES // 2:
        return
    with pipes() as (process, output):
        process.new_game()
        lines = []
        for piece in pieces:
            for start in range(0, len(piece), 60_000):
                os.write(output, piece[start : start + 60_000])
                lines += all_lines(process)
    # How much of a line that is too long is passed on does depend on it.
    cut = [line[:LINE_LIMIT] for line in lines]
    assert cut == expected_lines(stream)


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"  \n", b"\t \r\n"])
def test_empty_lines_are_ignored_alone_and_among_others(blank):
    with pipes() as (process, output):
        process.new_game()
        os.write(output, blank)
        assert all_lines(process) == []
        os.write(output, blank + b"a\n" + blank + b"b\n")
        assert all_lines(process) == [b"a", b"b"]


def test_a_new_game_forgets_whole_lines_but_not_the_beginning_of_one():
    with pipes() as (process, output):
        os.write(output, b"ready\n")
        process.new_game()
        assert all_lines(process) == [b"ready"]
        os.write(output, b"too late\nnot")
        process.new_game()
        assert all_lines(process) == []
        assert not process.heard_in_game
        os.write(output, b" yet\n")
        assert all_lines(process) == [b"not yet"]
        assert process.heard_in_game


def test_a_flood_is_noticed_and_not_read_to_its_end():
    with pipes() as (process, output):
        process.new_game()
        os.set_blocking(output, False)
        written = 0
        while not process.has_flooded:
            written += os.write(output, b"x\n" * 30_000)
            process.early_lines()
            assert written < 2 * FLOOD_BYTES
        os.write(output, b"y\n")
        assert process.early_lines() == []


# With a process


def test_a_line_arrives_whole_however_little_the_pipe_takes():
    """Longer lines than the pipe holds, behind lines that are still unsent."""

    async def work(host):
        process = host.start(launch("reads_slowly"))
        process.new_game()
        for size in (10, 5_000, 100_000, 3, 200_000):
            posted = os.urandom(size).hex().encode()
            asked = os.urandom(size).hex().encode()
            judge, later = Listener(), Listener()
            process.post(posted + b"\n")
            assert await process.turn(asked + b"\n", judge, True) is Outcome.ANSWERED
            judge.lines += process.early_lines()
            if len(judge.lines) < 2:
                assert await process.turn(b"", later, False) is Outcome.ANSWERED
            judge.lines += later.lines
            expected = [hashlib.sha256(line).hexdigest() for line in (posted, asked)]
            assert [line.decode() for line in judge.lines] == expected
            # Heard when they came, not when time ran out.
            assert max(judge.heard_us + later.heard_us) < judge.budget_us
        await host.end(process)

    with_host(work)


def test_a_line_that_is_not_taken_is_a_time_out():
    async def work(host):
        process = host.start(launch("never_reads"))
        process.new_game()
        judge = Listener(budget_us=300_000)
        assert await process.turn(b"x" * 200_000 + b"\n", judge, True) is Outcome.TIMED_OUT

    with_host(work)


def test_a_process_that_ends_while_it_is_written_to_has_ended():
    """Its child holds the pipe open, so that no write fails."""

    async def work(host):
        process = host.start(launch("leaves_heir"))
        process.new_game()
        assert await process.turn(b"x" * 200_000 + b"\n", Listener(), True) is Outcome.ENDED
        assert process.returncode == 0

    with_host(work)


@pytest.mark.parametrize(("size", "had_read"), [(1000, True), (1_000_000, False)])
def test_whoever_drained_the_pipe_had_not_read_what_was_still_to_be_sent(size, had_read):
    with both_ends() as (process, taken, _):
        process.post(b"x" * size)
        os.read(taken, size)
        process.returncode = 1
        facts = process.facts()
    assert (facts.had_read, facts.unread) == (had_read, not had_read)


def test_a_process_may_flood_instead_of_reading():
    async def work(host):
        process = host.start(launch("floods_newlines"))
        process.new_game()
        assert await process.turn(b"x" * 200_000 + b"\n", Listener(), True) is Outcome.FLOODED

    with_host(work)


def test_the_turn_line_is_not_written_for_ever_to_one_that_has_ended():
    async def work(host):
        process = host.start(launch("exits_at_once"))
        process.new_game()
        for alone in (True, False, True):
            assert await process.turn(b"x" * 200_000 + b"\n", Listener(), alone) is Outcome.ENDED
        assert process.exit_text() == "ended with exit status 0"

    with_host(work)


def test_without_its_guardian_the_arena_starts_no_bot():
    async def work(host):
        guardian = host._guardian.pid
        os.kill(guardian, signal.SIGKILL)
        os.waitid(os.P_PID, guardian, os.WEXITED | os.WNOWAIT)
        with pytest.raises(ArenaFault, match="could not be secured"):
            host.start(launch("good"))

    with_host(work)


def test_a_machine_without_free_file_descriptors_is_at_fault_and_not_the_bot():
    """At every number of descriptors left, from none to enough for one bot."""

    async def work(host):
        before = set(children())
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        used = max(map(int, os.listdir("/proc/self/fd")))
        # Whoever started the tests may have left descriptors far up, and gaps below them.
        filling = [os.dup(1) for _ in range(used + 1 - len(os.listdir("/proc/self/fd")))]
        process = None
        for free in range(16):
            resource.setrlimit(resource.RLIMIT_NOFILE, (used + free, hard))
            try:
                process = host.start(launch("good"))
                break
            except ArenaFault:
                assert set(children()) == before
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for descriptor in filling:
            os.close(descriptor)
        assert process is not None
        assert free > 6
        await host.end(process)

    with_host(work)


def test_a_folder_that_is_gone_is_not_the_bots_fault(tmp_path):
    async def work(host):
        with pytest.raises(ArenaFault, match="gone"):
            host.start(Launch(["sleep", "1"], tmp_path / "gone", 512))

    with_host(work)


def test_the_arenas_own_children_are_no_orphans():
    """Another host's bots and guardian."""

    async def main():
        before, backend = len(children()), select_backend("none")
        async with open_host(backend) as one, open_host(backend) as two:
            first, second = one.start(launch("good")), two.start(launch("good"))
            await one.end(first)
            assert second.returncode is None
            assert len(children()) == before + 3
            await two.end(second)
        assert ours == set()

    trio.run(main)


def test_what_the_arena_raises_is_what_leaves_the_host():
    async def main():
        async with open_host(select_backend("none")):
            raise ArenaFault("by its own name")

    with pytest.raises(ArenaFault, match="by its own name"):
        trio.run(main)


def test_a_limit_that_the_arena_lives_under_is_not_raised():
    with subprocess.Popen(["sleep", "60"]) as child:
        low = 64 << 20
        resource.prlimit(child.pid, resource.RLIMIT_DATA, (low, low))
        NoIsolation().started(child.pid, Launch(["sleep"], Path("/"), 512))
        assert resource.prlimit(child.pid, resource.RLIMIT_DATA) == (low, low)
        assert resource.prlimit(child.pid, resource.RLIMIT_CORE) == (0, 0)
        child.kill()


def test_a_bot_finds_its_own_folder_and_nothing_of_the_arenas_environment(monkeypatch):
    monkeypatch.setenv("SECRET", "x")
    played = play(program("tells_world"), program("good"))
    (log,) = played.events[0].logs
    world = json.loads(log.logs[0])
    path = os.environ["PATH"]
    assert world["environment"] == {
        "PATH": path,
        "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "PYTHONUNBUFFERED": "1",
        "PWD": str(PROGRAMS),
    }
    assert world["folder"] == str(PROGRAMS)
    assert world["leads_session"]
    # Three pipes, and the folder that it was just listing.
    assert world["descriptors"] == ["0", "1", "2", "3"]
    assert world["data_bytes"] == 512 << 20
