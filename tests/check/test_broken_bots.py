"""The table of broken bots: the fault that each must get, and the cause that must be named."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from arena.errors import SandboxUnavailable
from arena.replay import steps
from arena.sandbox import settle_isolation
from tests.check.tried import BROKEN, HURRIED, PATIENT, SHORT, broken, started_by, tried

pytestmark = [pytest.mark.e2e, pytest.mark.hostile]

BUSY = "starved"
"""Named instead of a computation without end where the machine gave it no core."""

TABLE = [
    # What it plays
    ("wrong_card", "illegal", "not-in-hand"),
    ("captures_always", "illegal", "capture-not-legal"),
    ("lower_case", "illegal", "no-card"),
    ("ten_is_10", "illegal", "no-card"),
    ("plays_index", "illegal", "no-card"),
    ("stale_hand", "illegal", "stale-hand"),
    # What it writes
    ("talks", "malformed", "text-on-output"),
    ("greets", "malformed", "text-on-output"),
    ("rubbish", "malformed", "text-on-output"),
    ("prints_repr", "malformed", "python-repr"),
    ("traceback_as_answer", "malformed", "traceback-on-output"),
    ("bare_card", "malformed", "bare-card"),
    ("pretty", "malformed", "several-lines"),
    ("utf_16", "malformed", "utf-16"),
    ("not_utf_8", "malformed", "not-utf-8"),
    ("byte_order_mark", "malformed", "byte-order-mark"),
    ("deep", "malformed", "deep-nesting"),
    ("huge_number", "malformed", "huge-number"),
    ("float_turn", "malformed", "float"),
    ("not_a_number", "malformed", "not-a-number"),
    ("number_for_card", "malformed", "wrong-value"),
    ("no_card", "malformed", "missing-key"),
    ("unknown_type", "malformed", "unknown-type"),
    ("no_type", "malformed", "no-type"),
    ("type_twice", "malformed", "duplicate-key"),
    ("two_in_a_line", "malformed", "two-in-a-line"),
    ("list_of_answers", "malformed", "array"),
    ("long_line", "malformed", "long-line"),
    ("two_answers", "unasked", "two-answers"),
    ("answers_ahead", "unasked", "answers-ahead"),
    ("floods", "flood", "flood"),
    # How it ends
    ("crashes_at_start", "boot", "exception"),
    ("answers_hello", "boot", "missing-key"),
    ("missing_module", "boot", "missing-module"),
    ("crashes_after_three", "crash", "exception"),
    ("crashes_at_deal_end", "crash", "missing-key"),
    ("half_line_and_ends", "crash", "no-newline"),
    ("ends_early", "crash", "ends-early"),
    ("exits_with_status", "crash", "exit-status"),
    ("segfault", "boot", "signal"),
    ("memory", "crash", "out-of-memory"),
]

SILENT = [
    ("no_flush.pl", HURRIED, "boot", {"no-flush", BUSY}),
    ("no_flush_at_all", HURRIED, "boot", {"no-flush", BUSY}),
    ("reads_to_end", HURRIED, "boot", {"no-flush", BUSY}),
    ("reads_late", HURRIED, "boot", {"no-flush", BUSY}),
    ("slow_import", HURRIED, "boot", {"slow-start", BUSY}),
    ("no_flush_after_ready", SHORT, "timeout", {"no-flush", BUSY}),
    ("sleeps", SHORT, "timeout", {"waits", BUSY}),
    ("thinks_for_ever", SHORT, "timeout", {"too-slow", BUSY}),
    ("closes_output", SHORT, "timeout", {"closed-output"}),
    ("half_line", SHORT, "timeout", {"no-newline"}),
    ("own_count", SHORT, "timeout", {"wrong-turn"}),
]

REFUSED = [
    ("starts_a_process", "processes-refused"),
    ("many_threads", "threads-refused"),
    ("writes_a_file", "writing-refused"),
    ("network", "network-refused"),
    ("memory", "out-of-memory"),
]


def diagnosed(*words, **more):
    """The diagnosis of the only fault of a game, whose record replays."""
    came = tried(*words, **more)
    (game,) = came.games
    assert came.problem is not None
    assert list(steps(game.record))[:1] or game.record.deals[0].plays == []
    assert msgspec.convert(msgspec.to_builtins(came.problem), type(came.problem)) == came.problem
    return came.problem


@pytest.mark.parametrize(("name", "kind", "cause"), TABLE, ids=[row[0] for row in TABLE])
def test_a_broken_bot_gets_its_fault_and_its_cause_is_named(name, kind, cause):
    found = diagnosed(broken(name))
    assert (found.kind, found.cause) == (kind, cause), found
    assert found.because
    assert found.mend
    assert found.forfeits
    assert "kseri check" in found.again


@pytest.mark.parametrize(("name", "limits", "kind", "causes"), SILENT, ids=[r[0] for r in SILENT])
def test_a_silent_bot_gets_its_fault_and_its_cause_is_named(name, limits, kind, causes):
    found = diagnosed(broken(name), limits=limits)
    assert found.kind == kind, found
    assert found.cause in causes, found
    assert found.used_us == found.limit_us


def test_laying_where_one_must_capture():
    found = diagnosed(broken("lays_always"), preset="kseri-plain")
    assert (found.kind, found.cause) == ("illegal", "must-capture")


@pytest.fixture(scope="session", params=["bubblewrap", "landlock"])
def sandbox(request):
    try:
        return settle_isolation(request.param, trusted=False)[0]
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.sandbox
@pytest.mark.parametrize(("name", "cause"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_the_sandbox_refuses_is_named(sandbox, name, cause):
    found = diagnosed(broken(name), isolation=sandbox)
    assert (found.kind, found.cause) == ("crash", cause), found
    assert found.stderr


def test_commands_that_cannot_be_started(tmp_path: Path):
    shutil.copy(BROKEN / "not_executable.py", tmp_path)
    script = tmp_path / "windows"
    script.write_bytes(b"#!/usr/bin/python3\r\nprint(1)\r\n")
    script.chmod(0o755)
    (tmp_path / "syntax.py").write_text("for turn in turns()\n    pass\n", "utf-8")
    for words, cause in [
        (("no-such-command-anywhere",), "missing-command"),
        (("./no-such-file",), "missing-file"),
        (("python3", "no-such-file.py"), "missing-file"),
        (("./not_executable.py",), "not-executable"),
        (("./windows",), "bad-interpreter"),
        (("python3", "-S", "syntax.py"), "syntax-error"),
    ]:
        found = diagnosed(started_by(*words, folder=tmp_path))
        assert (found.kind, found.phase, found.cause) == ("boot", "boot", cause), found


@pytest.mark.sandbox
def test_commands_that_cannot_be_started_in_a_sandbox(sandbox, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bot")
    folder.chmod(0o755)
    shutil.copy(BROKEN / "not_executable.py", folder)
    script = folder / "windows"
    script.write_bytes(b"#!/usr/bin/python3\r\nprint(1)\r\n")
    script.chmod(0o755)
    for words, causes in [
        (("./not_executable.py",), {"not-executable"}),
        (("./windows",), {"bad-interpreter", "missing-file"}),
    ]:
        found = diagnosed(started_by(*words, folder=folder), isolation=sandbox)
        assert found.kind == "boot", found
        assert found.cause in causes, found


@pytest.mark.parametrize("name", ["one_game", "never_ends", "loud"])
def test_what_is_allowed_is_no_fault(name):
    assert tried(broken(name)).problem is None


def test_a_fault_has_all_its_facts():
    found = diagnosed(broken("exits_with_status"))
    assert (found.phase, found.ended) == ("turn", "exit status 3")
    assert found.cpu_us > 0
    assert found.max_rss_kb > 0
    assert (found.limit_us, found.memory_mb) == (PATIENT.move_ms * 1000, 512)
    assert f'"turn":{found.turn}' in found.expected
    crash = diagnosed(broken("crashes_after_three"))
    assert crash.stderr[-1] == "ZeroDivisionError: division by zero"
    assert crash.because.endswith(crash.stderr[-1])
    assert diagnosed(broken("half_line"), limits=SHORT).unfinished.startswith('{"type": "play"')
    assert diagnosed(broken("segfault")).ended == "SIGSEGV"
