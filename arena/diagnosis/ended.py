"""Why a process ended: what it wrote to standard error, or how it ended."""

from __future__ import annotations

import re

from arena.diagnosis.evidence import Cause, Evidence
from arena.diagnosis.keys import why_key
from arena.diagnosis.start import why_not_started, windows_line_ends
from arena.text import counted, one_line

_LINES_READ = 40
_LINE_CHARS = 500
"""How much of a line is looked at: what a pattern costs grows faster than the line."""
_QUOTED = 160

_SANDBOX = "a bot may not do that (README, Security): do without it"

# They are tried on whatever a bot writes: each part of a line that may be anything has a bound.
_STDERR: list[tuple[str, str, str, str]] = [
    (
        "threads-refused",
        r"can't start new thread|pthread_create|create (?:new )?native thread|[Ff]ailed to "
        r"(?:create|spawn) thread",
        "the sandbox refused it another thread: 64 are allowed",
        "start fewer threads; a bot has one core",
    ),
    (
        "sharing-refused",
        r"multiprocessing/(?:synchronize|shared_memory|heap)\.py|/dev/shm|(?:sem|shm)_open|"
        r"mmap\.mmap\((?:.{0,200}\n){1,4}OSError: \[Errno 12\]",
        "the sandbox refused it what processes share: shared memory (MAP_SHARED), or a semaphore",
        "do without multiprocessing (threading and queue.Queue can be used), and map memory that "
        "is nobody else's (MAP_PRIVATE)",
    ),
    (
        "out-of-memory",
        r"MemoryError|bad_alloc|OutOfMemoryError|heap out of memory|memory allocation of \d+|"
        r"Cannot allocate memory|[Oo]ut of memory|ENOMEM|insufficient memory",
        "it asked for more memory than the {memory_mb} MB that it may have",
        "keep less in memory; `limits` in `hello` says how much there is (`memory_mb`)",
    ),
    (
        "processes-refused",
        r"fork.{0,200}Resource temporarily unavailable|"
        r"BlockingIOError.{0,200}temporarily unavailable|spawn\w{0,200} .{0,200}EAGAIN|"
        r"[Cc]an(?:'t|not) fork|fork: retry|_fork_exec|os\.fork\(",
        "the sandbox refused it another process: a bot is one process (EAGAIN)",
        "do without subprocess, multiprocessing and fork; threads are allowed",
    ),
    (
        "network-refused",
        r"socket\.py|getaddrinfo|name resolution|Network is unreachable|ENETUNREACH|EAI_AGAIN|"
        r"SocketException|UnknownHostException|socket.{0,200}(?:[Pp]ermission denied|EACCES)|"
        r"IO::Socket|connect E",
        "the sandbox refused it the network (EACCES)",
        "keep all that it needs in its own folder: there is no network",
    ),
    (
        "writing-refused",
        r"Read-only file system|EROFS|Permission ?(?:Error)?.{0,200}[Dd]enied: '|EACCES: "
        r"permission denied, (?:open|mkdir)",
        "the sandbox refused it a file: nothing can be written, and only its own folder read",
        "keep what it learns in memory, and write what it wants to tell to standard error",
    ),
    (
        "call-refused",
        r"Function not implemented|ENOSYS|Operation not permitted|EPERM|No locks available",
        "the sandbox refused it a system call",
        _SANDBOX,
    ),
    (
        "windows-line-ends",
        r"python3?\\r|\^M|/env: .{0,200}\\r|\r': No such file|\$'\S{0,200}\\r'|bad interpreter",
        "a line of its program ends in a carriage return: the file has Windows line ends",
        "save it with Unix line ends (\\n)",
    ),
    (
        "missing-module",
        r"ModuleNotFoundError|ImportError|Cannot find module|Can't locate \S{1,200} in @INC|"
        r"ClassNotFoundException|NoClassDefFoundError|error while loading shared libraries|"
        r"cannot load such file|module '\S{1,200}' not found",
        "a module that it imports is not there",
        "put it into the bot's folder: only that and what the arena's machine has can be seen",
    ),
    (
        "syntax-error",
        r"SyntaxError|IndentationError|TabError|syntax error|Parse error",
        "its program can't be read: a syntax error",
        "mend the line that standard error names; the arena's version of the language may be older",
    ),
    (
        "not-executable",
        r"failed to execute .{0,200}(?:Permission denied|Exec format)|"
        r"exec.{0,200}Permission denied|Exec format error|^\S{1,200}: Permission denied$",
        "its program may not be executed",
        "make the file executable (chmod +x) with a #! line, or run it by its interpreter",
    ),
    (
        "missing-file",
        r"can't open file|Can't open perl script|Unable to access jarfile|find or load main class|"
        r"No such file or directory|FileNotFoundError|ENOENT|command not found",
        "a file that it needs is not there",
        "put it into the bot's folder, which is its working directory; see `run` in bot.toml",
    ),
    (
        "unreadable-line",
        r"JSONDecodeError|Unexpected (?:token|end of).{0,200}JSON|JSONException|MalformedJson|"
        r"JSON::ParserError",
        "it could not read a line of the arena as JSON",
        "read whole lines, skip empty ones, and take \\r\\n for a line's end",
    ),
    (
        "missing-key",
        r"KeyError|Cannot read propert|undefined (?:method|local)|is not defined",
        "it looked for something that this message does not have",
        "look at `type` first: only `turn` has hand and legal; read past every other line",
    ),
    (
        "bad-characters",
        r"UnicodeDecodeError|UnicodeEncodeError",
        "it took a text in the wrong encoding",
        "read and write UTF-8",
    ),
    (
        "exception",
        r"Traceback \(most|Exception in thread|panicked at|Uncaught|Unhandled|^\w*Error\b|"
        r"^\S{0,200}Exception\b| at \S{1,200} line \d+|Assertion|throw |terminate called after|"
        # Of Ruby, Lua, OCaml, Go and Tcl.
        r"^\S{1,200}:\d+:in .{0,200}\([A-Z][\w:]{0,100}\)$|"
        r"^\S{0,200}lua\S{0,20}: \S{1,200}:\d+: |^Fatal error: exception |^panic: |"
        r"^fatal error: |^.{0,500}(?=\n    while executing)",
        "it was ended by an exception that it did not catch",
        "mend what standard error tells of",
    ),
]
_HARMLESS = "timer_create failed: "
"""What Ruby writes as it starts in a sandbox, whatever becomes of it."""
_PATTERNS = [(code, re.compile(p, re.MULTILINE), why, mend) for code, p, why, mend in _STDERR]

_SIGNALS = {
    "SIGSEGV": "it used memory that is not its own: a null pointer, an index, or endless recursion",
    "SIGBUS": "it used memory that is not there",
    "SIGABRT": "it aborted: an assertion, a heap that was damaged, or an exception uncaught",
    "SIGFPE": "it divided by zero",
    "SIGILL": "it has an instruction that this processor does not know (built elsewhere?)",
    "SIGSYS": "it made a system call that is not allowed",
    "SIGPIPE": "it wrote to a pipe that nobody reads",
    "SIGTRAP": "it hit a trap that its compiler or runtime had set",
}


_NEARLY_ALL = 0.9
"""From which part of its memory on a program may have ended for want of more."""
_NO_MEMORY = "Cannot allocate memory"
"""What Linux says where there is no memory, and where a sandbox refuses to share it."""
_PERSON = "a person, who "
"""How `arena.person` begins to say of itself why it ended."""


def why_ended(known: Evidence) -> Cause:
    """Why a process is no more, or never began."""
    fault = known.fault
    if fault.kind == "memory":
        return _by_name("out-of-memory", known)
    started = fault.exit_status is not None or bool(fault.signal)
    _, is_person, why = fault.detail.partition(_PERSON)
    if is_person:
        return Cause("gave-up", f"the person at the table {why}", "play another one")
    if cause := why_not_started(known, started) or why_by_stderr(known):
        return cause
    return told_of_hidden(known, _by_end(known))


def told_of_hidden(known: Evidence, cause: Cause) -> Cause:
    """A cause that standard error may say more about, with where that is where it is not shown."""
    if not known.is_hidden:
        return cause
    log = f"`kseri log {known.record.game}{known.at}`"
    more = f"what it wrote to standard error is its owner's: {log} shows it"
    return cause._replace(mend=f"{cause.mend}; {more}" if cause.mend else more)


def why_by_stderr(known: Evidence) -> Cause | None:
    """The first cause that the end of standard error tells of."""
    text = _last_words(known)
    for code, pattern, _, _ in _PATTERNS:
        if code == "sharing-refused" and _NO_MEMORY in text and _has_used_all(known):
            continue
        if pattern.search(text):
            line = _telling(text, pattern)
            return _refined(known, code, line, text) or _by_name(code, known, line)
    return None


def _last_words(known: Evidence) -> str:
    """The end of standard error, without what tells of no trouble."""
    lines = [line[:_LINE_CHARS] for line in known.stderr.splitlines() if _HARMLESS not in line]
    return "\n".join(lines[-_LINES_READ:])


def _refined(known: Evidence, code: str, line: str, text: str) -> Cause | None:
    """The same cause told more exactly, where more is known."""
    if code == "exception" and _has_used_all(known):
        return _all_memory(known, line)
    if code in ("missing-key", "exception"):
        return why_key(known, line, text.partition(line)[0])
    program = known.program
    if code in ("syntax-error", "missing-file") and program.is_for_a_shell and program.windows_file:
        return windows_line_ends(program.windows_file)
    return None


def _by_name(name: str, known: Evidence, line: str = "") -> Cause:
    for code, _, why, mend in _PATTERNS:
        if code == name:
            because = why.format(memory_mb=known.record.limits.memory_mb)
            return Cause(code, f"{because}: {line}" if line else because, mend)
    raise AssertionError(name)


def _telling(text: str, pattern: re.Pattern[str]) -> str:
    """The line that names the trouble: below a traceback its last one, else the one found."""
    lines = [line for line in text.splitlines() if line.strip()]
    trace = max((n for n, line in enumerate(lines) if line.startswith("Traceback")), default=-1)
    if trace >= 0:
        below = [line for line in lines[trace + 1 :] if not line.startswith((" ", "\t"))]
        if below:
            return one_line(below[0])[:_QUOTED]
    match = pattern.search(text)
    start = text.rfind("\n", 0, match.start()) + 1 if match else 0
    return one_line(text[start:].partition("\n")[0])[:_QUOTED]


def _has_used_all(known: Evidence) -> bool:
    """Whether nearly all memory was taken that it may have."""
    return known.fault.max_rss_kb >= _NEARLY_ALL * known.record.limits.memory_mb * 1024


def _all_memory(known: Evidence, line: str) -> Cause:
    """The cause of an exception that does not name the memory which its program lacked."""
    _, _, _, mend = next(each for each in _PATTERNS if each[0] == "out-of-memory")
    peak = f"{known.fault.max_rss_kb / 1024:.0f} of {known.record.limits.memory_mb} MB"
    because = f"it had taken {peak} when it ended: a recursion or a list without end? {line}"
    return Cause("out-of-memory", because, mend)


def _by_end(known: Evidence) -> Cause:
    fault = known.fault
    if fault.signal == "SIGKILL":
        if _has_used_all(known):
            return _by_name("out-of-memory", known)
        return Cause(
            "killed", "it was killed from outside", "look whether the machine ran out of memory"
        )
    if fault.signal:
        why = _SIGNALS.get(fault.signal, f"it was ended by {fault.signal}")
        return Cause("signal", why, "run the same turns again in a debugger")
    if fault.unfinished and not fault.exit_status:
        return Cause(
            "no-newline",
            "it ended in the middle of a line",
            "end every answer with a newline, and read on until input ends",
        )
    if known.is_hidden:
        return _by_end_alone(known)
    if fault.exit_status:
        written = [one_line(line) for line in _last_words(known).splitlines() if line.strip()]
        if written:
            return Cause(
                "exit-status",
                f"it ended itself with exit status {fault.exit_status}; the last that it wrote: "
                f"{written[-1][:_QUOTED]}",
                "mend what standard error tells of",
            )
        return Cause(
            "exit-status",
            f"it ended itself with exit status {fault.exit_status}, and wrote nothing that says "
            "why",
            "write to standard error why it ends",
        )
    return _well_ended(known)


def _by_end_alone(known: Evidence) -> Cause:
    """How it ended, where what it wrote last is not shown: that may be an exception or nothing."""
    status = known.fault.exit_status
    if status:
        return Cause("exit-status", f"it ended itself with exit status {status}", "")
    return Cause("ends-early", f"it ended by itself {_after_answers(known)}", "")


def _after_answers(known: Evidence) -> str:
    return f"after {counted(known.answers, 'answer')}"


def _well_ended(known: Evidence) -> Cause:
    return Cause(
        "ends-early",
        f"it ended by itself {_after_answers(known)}, as if nothing were left to do",
        "read lines in a loop until input ends: the arena closes it when all games are over",
    )
