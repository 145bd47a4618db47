"""The table of broken bots: the fault that each must get, and the cause that must be named."""

from __future__ import annotations

import resource
import shutil
from pathlib import Path

import msgspec
import pytest

from arena.diagnosis import Program, diagnosis
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
    ("no_card", "malformed", "wrong-key"),
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
    (tmp_path / "nowhere").write_text("#!/no/such/program\n", "utf-8")
    (tmp_path / "nowhere").chmod(0o755)
    (tmp_path / "windows.sh").write_bytes(b"if true; then\r\n  echo 1\r\nfi\r\n")
    (tmp_path / "syntax.py").write_text("for turn in turns()\n    pass\n", "utf-8")
    for words, cause in [
        (("no-such-command-anywhere",), "missing-command"),
        (("./no-such-file",), "missing-file"),
        (("python3", "no-such-file.py"), "missing-file"),
        (("./not_executable.py",), "not-executable"),
        (("./windows",), "windows-line-ends"),
        (("./nowhere",), "bad-interpreter"),
        (("bash", "windows.sh"), "windows-line-ends"),
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
    for words, cause in [
        (("./not_executable.py",), "not-executable"),
        (("./windows",), "windows-line-ends"),
    ]:
        found = diagnosed(started_by(*words, folder=folder), isolation=sandbox)
        assert (found.kind, found.cause) == ("boot", cause), found


@pytest.mark.sandbox
def test_a_program_may_be_named_by_a_path_that_every_bot_sees(sandbox):
    python = shutil.which("python3", path="/usr/bin")
    if python is None:
        pytest.skip("no python3 in /usr/bin")
    folder = BROKEN.parents[2] / "bots" / "greedy"
    came = tried(started_by(python, "-I", "-S", "greedy.py", folder=folder), isolation=sandbox)
    assert came.problem is None
    assert came.plays


@pytest.mark.sandbox
@pytest.mark.parametrize("at", ["{folder}/python3", "/usr/bin/../..{folder}/python3", "/no/python"])
def test_a_program_elsewhere_is_not_started_and_not_asked_what_it_needs(sandbox, at, tmp_path):
    program = tmp_path / "python3"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\n", "utf-8")
    program.chmod(0o755)
    name = at.format(folder=tmp_path)
    found = diagnosed(started_by(name, "bot.py"), isolation=sandbox)
    assert (found.kind, found.cause) == ("boot", "unusable-command")
    assert found.what.startswith(name[:80])
    assert "lies where no bot can see it" in found.what
    assert not (tmp_path / "asked").exists()


def test_without_a_sandbox_a_program_is_found_by_its_path(tmp_path):
    script = tmp_path / "elsewhere" / "ends"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\nexit 3\n", "utf-8")
    script.chmod(0o755)
    assert diagnosed(started_by(str(script), folder=tmp_path)).ended == "exit status 3"
    found = diagnosed(started_by(str(tmp_path / "nothing"), folder=tmp_path))
    assert (found.kind, found.cause) == ("boot", "missing-command")


def test_how_a_file_that_may_not_be_executed_is_run(tmp_path: Path):
    shutil.copy(BROKEN / "not_executable.py", tmp_path)
    mend = diagnosed(started_by("./not_executable.py", folder=tmp_path)).mend
    assert "chmod +x not_executable.py" in mend
    assert 'run = ["python3", "not_executable.py"]' in mend


@pytest.mark.parametrize(
    "detail",
    [
        "python: lies where only root may enter; install it for all users",
        "/home/ann/.pyenv/shims/python3.12: does not start",
        "python: lies in /opt, which holds more than a bot may see; install it elsewhere",
    ],
)
def test_a_command_that_is_here_and_cannot_be_used(detail):
    game = tried(started_by("no-such-command-anywhere")).games[0].record
    fault = msgspec.structs.replace(game.faults[0], detail=detail)
    found = diagnosis(game, fault)
    assert found.cause == "unusable-command"
    assert "a bot can't use it" in found.because
    assert "such as python3" in found.mend


# What is told of a bot of a few lines

PYTHON = """\
import json, sys
def play(**keys): print(json.dumps({"type": "play", **keys}), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "turn":
        CODE
"""
JAVASCRIPT = """\
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  if (m.type !== "turn") return;
  CODE
});
"""
TOLD = [
    ('m["legl"]', "wrong-key", "a turn has no key `legl`", "did you mean `legal`?"),
    ('m["players"]', "wrong-key", "`players`", "did you mean `plays`?"),
    ('m["qwerty"]', "wrong-key", "which is a key of no message", "a turn has type, game, turn"),
    ('m["legal"][0][0]', "wrong-shape", "an entry of `legal`", 'use c["card"]'),
    ('m["legal"][0].startswith("J")', "wrong-shape", "an entry of `legal`", 'use c["card"]'),
    ('m["legal"]["card"]', "wrong-shape", "a list for an object", "take an entry first"),
    ('m["hand"][0]["card"]', "wrong-shape", "a text for an object", "`hand` and `pile`"),
    ('{"7H": 1}["9S"]', "missing-key", "KeyError: '9S'", "look at `type` first"),
    ('play(cards=m["hand"][0])', "wrong-key", "it sent `cards`, expected `card`", "as in {"),
    ("play(card=0)", "wrong-value", "a number, such as its index", 'legal[i]["card"]'),
    ('play(card=m["legal"][0])', "wrong-value", "is an object", 'legal[i]["card"]'),
    ("play(card=None, turn=None)", "answers-no-turn", "it answered `hello`", "is `turn`"),
    ("play(card='AC', turn=None)", "answers-no-turn", "its answer is null", "is `turn`"),
    ("print({1: 2}, flush=True)", "not-json", "no JSON", "json.dumps"),
    ("print({'a': 2}, flush=True)", "python-repr", "a Python object", "json.dumps(answer)"),
]
TOLD_IN_JAVASCRIPT = [
    ("m.legl[0]", "wrong-key", "a turn has no key `legl`", "did you mean `legal`?"),
    ("m.legal[0].startsWith('J')", "wrong-shape", "an entry of `legal`", "use c.card"),
    ("console.log({ a: 'b' })", "object-text", "as its language shows it", "JSON.stringify"),
    ("console.log(`${m}`)", "object-text", "as its language shows it", "JSON.stringify"),
    ("console.log(`{'a': true}`)", "object-text", "double quotes", "JSON.stringify"),
    ("console.log(JSON.stringify({a: {}}, null, 2))", "several-lines", "", "third argument"),
    ('console.log(\'{"type":"play","card":0}\')', "wrong-value", "", "legal[i].card"),
]


RUBYS_WARNING = "<main>: warning: timer_create failed: Function not implemented, signals racy\n"
IN_OS = 'Traceback (most recent call last):\n  File "<frozen os>", line 679, in __getitem__\n'
IN_SEMAPHORES = (
    'Traceback (most recent call last):\n  File "/usr/lib/python3.11/multiprocessing/'
    'synchronize.py", line 57, in __init__\n    sl = SemLock(\n'
)
IN_MMAP = (
    'Traceback (most recent call last):\n  File "a.py", line 6, in <module>\n'
    "    mmap.mmap(-1, 4096)\n    ^^^^^^^^^^^^^^^^^^^\n"
)
NO_MEMORY = "OSError: [Errno 12] Cannot allocate memory"
LAST_WORDS = [
    (f"{IN_OS}KeyError: 'MODEL_PATH'\n", "missing-variable", "KeyError: 'MODEL_PATH'"),
    (
        f"{IN_SEMAPHORES}FileNotFoundError: [Errno 2] No such file or directory\n",
        "sharing-refused",
        "FileNotFoundError: [Errno 2] No such file or directory",
    ),
    (f"{IN_MMAP}{NO_MEMORY}\n", "sharing-refused", NO_MEMORY),
    (f"{NO_MEMORY}\n", "out-of-memory", NO_MEMORY),
    (
        f"{RUBYS_WARNING}bot.rb:3:in `f': boom (RuntimeError)\n\tfrom bot.rb:9:in `<main>'\n",
        "exception",
        "bot.rb:3:in `f': boom (RuntimeError)",
    ),
    ("lua: a.lua:1: boom\nstack traceback:\n\t[C]: in ?\n", "exception", "lua: a.lua:1: boom"),
    (
        'Fatal error: exception Failure("boom")\n',
        "exception",
        'Fatal error: exception Failure("boom")',
    ),
    ('boom\n    while executing\n"error boom"\n    (file "a.tcl" line 1)\n', "exception", "boom"),
    ("panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n", "exception", "panic: boom"),
    (
        "terminate called after throwing an instance of 'int'\n",
        "exception",
        "terminate called after throwing an instance of 'int'",
    ),
    (
        "one\na.sh: line 1: x: unbound variable\n",
        "exit-status",
        "a.sh: line 1: x: unbound variable",
    ),
]


def told_of(found, cause, because, mend):
    assert found.cause == cause, found
    assert because in found.because
    assert mend in found.mend


@pytest.mark.parametrize(("code", "cause", "because", "mend"), TOLD, ids=[row[0] for row in TOLD])
def test_what_was_meant_is_told(tmp_path, code, cause, because, mend):
    (tmp_path / "bot.py").write_text(PYTHON.replace("CODE", code), "utf-8")
    told_of(diagnosed(started_by("python3", "-S", "bot.py", folder=tmp_path)), cause, because, mend)


@pytest.mark.parametrize(
    ("written", "cause", "quoted"), LAST_WORDS, ids=[row[0][:12] for row in LAST_WORDS]
)
def test_the_line_that_says_why_is_found_in_every_language(tmp_path, written, cause, quoted):
    code = f"sys.stderr.write({written!r}) and sys.exit(3)"
    (tmp_path / "bot.py").write_text(PYTHON.replace("CODE", code), "utf-8")
    found = diagnosed(started_by("python3", "-S", "bot.py", folder=tmp_path))
    assert (found.cause, found.because.endswith(f": {quoted}")) == (cause, True), found


@pytest.mark.toolchain
@pytest.mark.parametrize(
    ("code", "cause", "because", "mend"), TOLD_IN_JAVASCRIPT, ids=[r[0] for r in TOLD_IN_JAVASCRIPT]
)
def test_what_was_meant_is_told_in_the_bots_language(tmp_path, code, cause, because, mend):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    (tmp_path / "bot.js").write_text(JAVASCRIPT.replace("CODE", code), "utf-8")
    told_of(diagnosed(started_by("node", "bot.js", folder=tmp_path)), cause, because, mend)


@pytest.mark.parametrize(("run", "build", "words"), [
    (["node", "bot.js"], [], "JSON.stringify"),
    (["ruby", "bot.rb"], [], "JSON.generate"),
    (["./bot"], ["cc", "-o", "bot", "bot.c"], "printf("),
    (["./bot"], ["sh", "build.sh"], "json.dumps"),
    (["bash", "bot.sh"], [], "printf '{"),
    (["java", "-cp", "bot.jar", "BotKt"], ["kotlinc", "bot.kt"], "println("),
    ([], [], "in JavaScript: console.log(JSON.stringify(answer))"),
])  # fmt: skip
def test_how_json_is_written_is_told_by_language(run, build, words):
    game = tried(broken("prints_repr")).games[0].record
    assert words in diagnosis(game, game.faults[0], None, Program(run, build)).mend


@pytest.mark.parametrize("name", ["one_game", "never_ends", "loud"])
def test_what_is_allowed_is_no_fault(name):
    assert tried(broken(name)).problem is None


def test_a_fault_has_all_its_facts():
    found = diagnosed(broken("exits_with_status"))
    assert (found.phase, found.ended) == ("turn", "exit status 3")
    assert found.cpu_us > 0
    assert found.max_rss_kb < resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "its own"
    assert (found.limit_us, found.memory_mb) == (PATIENT.move_ms * 1000, 512)
    assert f'"turn":{found.turn}' in found.expected
    crash = diagnosed(broken("crashes_after_three"))
    assert crash.stderr[-1] == "ZeroDivisionError: division by zero"
    assert crash.because.endswith(crash.stderr[-1])
    assert diagnosed(broken("half_line"), limits=SHORT).unfinished.startswith('{"type": "play"')
    assert diagnosed(broken("segfault")).ended == "SIGSEGV"


def test_a_process_that_ends_by_a_signal_is_run_again_in_a_debugger():
    came = tried(broken("segfault"))
    record = came.games[0].record
    found = diagnosis(record, record.faults[0])
    assert (found.cause, "in a debugger" in found.mend) == ("signal", True)
    assert found.again == f"kseri rerun {record.game} --seat {found.seat} --debugger gdb"
    assert "in a debugger: let it play" in came.problem.mend, "a check's own games are not stored"
    status = tried(broken("exits_with_status")).games[0].record
    assert "--debugger" not in diagnosis(status, status.faults[0]).again


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("segfault", "turn"),
        ("missing_module", "boot"),
    ],
)
def test_who_has_read_its_first_turn_has_started(name, phase):
    assert diagnosed(broken(name)).phase == phase


def test_who_has_answered_another_turn_has_started():
    record = tried(broken("missing_module")).games[0].record
    wrong = msgspec.structs.replace(record.faults[0], got='{"type":"play","turn":9,"card":"2S"}')
    assert diagnosis(record, wrong).phase == "turn"


def test_an_exception_at_the_end_of_its_memory_is_for_want_of_it():
    (game,) = tried(broken("crashes_after_three")).games
    (fault,) = game.record.faults
    log = next(log for log in game.logs if log.seat == fault.seat)
    full = msgspec.structs.replace(fault, max_rss_kb=516 * 1024)
    assert diagnosis(game.record, fault, log).cause == "exception"
    found = diagnosis(game.record, full, log)
    assert found.cause == "out-of-memory"
    assert "516 of 512 MB" in found.because
    assert "ZeroDivisionError: division by zero" in found.because


@pytest.mark.parametrize(
    ("computed_us", "answers_us", "cause"),
    [(4_390_000, 10_000, "too-slow"), (4_390_000, 900_000, "starved"), (1_000, 10, "starved")],
)
def test_a_loop_without_end_on_a_busy_machine(computed_us, answers_us, cause):
    (game,) = tried(broken("crashes_after_three")).games
    record = game.record
    for deal in record.deals:
        deal.plays[:] = [msgspec.structs.replace(p, elapsed_us=answers_us) for p in deal.plays]
    (fault,) = record.faults
    answered_us = 3 * answers_us
    fault = msgspec.structs.replace(
        fault, kind="timeout", exit_status=None, runnable=True, used_us=11_000_000,
        limit_us=11_000_000, cpu_us=answered_us + computed_us,
    )  # fmt: skip
    found = diagnosis(record, fault)
    assert found.cause == cause
    assert "endless loop" in found.because + found.mend
    assert "the machine" in found.because
