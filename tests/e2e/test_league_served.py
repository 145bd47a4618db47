"""`kseri serve --league`: pages, games and submissions together, and nothing left of them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from arena.bots import read_bot
from arena.store import Reader, new_token, writing
from tests.cli.program import START, bot, complaint, environment, kseri, tournament_file
from tests.dashboard.server import PATIENCE_S, multipart

pytestmark = pytest.mark.e2e


@dataclass(frozen=True)
class Arena:
    """One that is open."""

    process: subprocess.Popen[str]
    address: str
    database: Path
    secret: str

    def json(self, path: str, body: bytes | None = None, **headers: str) -> Any:
        """What a page says to programs."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        with urlopen(Request(self.address + path, body, names), timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def submit(self, folder: Path) -> Any:
        """Hand in a bot, and wait until its job is over."""
        body, kind = multipart({}, bot=(f"{folder.name}.zip", read_bot(folder).to_zip()))
        sent = {"Authorization": f"Bearer {self.secret}", "Content_Type": kind}
        job = self.json("submit", body, **sent)
        while not job["finished"]:
            self.wait()
            job = self.json(f"submit/{job['key']}.json")
        return job

    def wait(self) -> None:
        """Until something has happened that is told to open pages."""
        latest = self.json("events.json")["latest"]
        for _ in range(100):
            if self.json(f"events.json?since={latest}")["events"]:
                return
            time.sleep(0.05)  # as a page without a stream does

    def ended(self) -> tuple[str, str]:
        """Wait for its end; the rest of what it has printed, few lines."""
        self.process.wait(PATIENCE_S)
        assert self.process.stdout
        assert self.process.stderr
        return self.process.stdout.read(), self.process.stderr.read()

    def games_of(self, label: str) -> int:
        with Reader(self.database) as reader:
            return len(reader.games(tournament_id=1, bot=label))


@contextmanager
def open_arena(folder: Path, *words: object) -> Iterator[Arena]:
    database = folder / "arena.db"
    with writing(database) as db:
        secret = new_token(db, "ada", 20, 5)
    command = [*START, "serve", "--db", database, "--port", "0", "--isolation", "none", *words]
    with subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(XDG_CACHE_HOME=str(folder / "cache")),
    ) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            match = re.fullmatch(r"Dashboard: (http://127\.0\.0\.1:\d+/)\n", line)
            assert match, (line, process.stderr and process.stderr.read())
            yield Arena(process, match[1], database, secret)
        finally:
            process.kill()


def family(pid: int) -> dict[int, str]:
    """All descendants of a process, each with the time when it started."""
    parents, found = {}, dict[int, str]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        fields = stat_of(int(path.parent.name))
        if fields:
            parents[int(path.parent.name)] = int(fields[1])
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        children = [child for child, its in parents.items() if its == parent]
        found |= {child: fields[19] for child in children if (fields := stat_of(child))}
        waiting += children
    return found


def stat_of(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name; none where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def living(processes: dict[int, str]) -> list[int]:
    """Those that still run."""
    return [
        pid
        for pid, started in processes.items()
        if (fields := stat_of(pid)) and fields[19] == started and fields[0] != "Z"
    ]


def league_file(folder: Path) -> Path:
    keys = {"kind": '"league"', "matches": 1, "rules": '"kseri-short"'}
    return tournament_file(folder, "greedy", "random", name="cup", **keys)


def test_a_submitted_bot_is_checked_entered_and_plays_while_the_pages_are_shown(
    tmp_path: Path,
) -> None:
    with open_arena(tmp_path, "--league", league_file(tmp_path), "--workers", 1) as arena:
        job = arena.submit(bot(tmp_path, "mine"))
        assert (job["state"], job["label"]) == ("accepted", "mine"), job["steps"]
        while arena.games_of("mine") < 2:
            arena.wait()
        bad = arena.submit(bot(tmp_path, "bad", "raise SystemExit(3)"))
        assert bad["state"] == "refused"
        with urlopen(arena.address + f"submit/{job['key']}", timeout=PATIENCE_S) as page:
            assert b"mine plays in" in page.read()
        assert arena.process.poll() is None
        arena.process.send_signal(signal.SIGTERM)
        out, err = arena.ended()
    assert arena.process.returncode == 0
    assert out.splitlines() == [
        f"Bots are taken in: {arena.address}submit",
        "mine.zip: mine@1.0: accepted",
        "bad.zip: bad@1.0: refused",
    ]
    assert "Traceback" not in err


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_whatever_ends_it_nothing_is_left_running(tmp_path: Path, stop: signal.Signals) -> None:
    slow = bot(tmp_path, "slow", "import time; time.sleep(0.9)")
    with open_arena(tmp_path, "--league", league_file(tmp_path), "--workers", 1) as arena:
        body, kind = multipart({}, bot=("slow.zip", read_bot(slow).to_zip()))
        sent = {"Authorization": f"Bearer {arena.secret}", "Content_Type": kind}
        key = arena.json("submit", body, **sent)["key"]
        while not (job := arena.json(f"submit/{key}.json"))["doing"].startswith("trying"):
            assert not job["finished"]
            arena.wait()
        while not arena.games_of("greedy"):
            arena.wait()
        before = family(arena.process.pid)
        assert len(before) >= 5, "two parts, a worker, its bots, the bot that is checked"
        arena.process.send_signal(stop)
        arena.process.wait(PATIENCE_S)
        if stop == signal.SIGKILL:
            while living(before):
                time.sleep(0.05)
        assert living(before) == []
    if stop != signal.SIGKILL:
        assert arena.process.returncode == 0
        with Reader(arena.database) as reader:
            assert reader.job(key).state == "waiting", "the next one takes it in"
    again = kseri("verify", "--db", arena.database, "--tournament", "cup")
    # A match that was stopped in its middle stands before that.
    told = again.stdout + again.stderr
    assert re.search(r"^\d+ sound, 0 wrong", again.stdout, re.MULTILINE), told


def test_jobs_alone_and_again_where_it_was_stopped(tmp_path: Path) -> None:
    for name in ("first", "second"):
        with open_arena_again(tmp_path, "--jobs") as arena:
            job = arena.submit(bot(tmp_path, name))
            assert (job["state"], job["label"]) == ("accepted", None)
    with Reader(tmp_path / "arena.db") as reader:
        assert {row.name for row in reader.submissions()} == {"first", "second"}


@contextmanager
def open_arena_again(folder: Path, *words: object) -> Iterator[Arena]:
    """The same, with another token for the same author's bots."""
    database = folder / "arena.db"
    if database.exists():
        kseri("token", "revoke", "ada", "--db", database)
    with open_arena(folder, *words) as arena:
        yield arena


def test_a_league_that_somebody_else_plays_is_not_played_twice(tmp_path: Path) -> None:
    file = league_file(tmp_path)
    with open_arena(tmp_path, "--league", file, "--workers", 1) as arena:
        while not arena.games_of("greedy"):
            arena.wait()
        other = kseri("serve", "--league", "cup", "--db", arena.database, "--isolation", "none")
        complaint(other, 1, "'cup' is being played by another process", after=1)


def test_a_league_that_is_paused_leaves_the_pages_and_goes_on_when_served_again(
    tmp_path: Path,
) -> None:
    with open_arena(tmp_path, "--league", league_file(tmp_path), "--workers", 1) as arena:
        while not arena.games_of("greedy"):
            arena.wait()
        kseri("tournament", "pause", "cup", "--db", arena.database)
        assert arena.process.stderr
        told = arena.process.stderr.readline() + arena.process.stderr.readline()
        assert "cup is paused" in told
        assert arena.json("events.json")["latest"]
        played = arena.games_of("greedy")
    with open_arena_again(tmp_path, "--league", "cup", "--workers", 1) as arena:
        while arena.games_of("greedy") <= min(played, 40):
            arena.wait()


def test_trouble_of_one_part_ends_all_with_its_reason(tmp_path: Path) -> None:
    with open_arena(tmp_path, "--league", league_file(tmp_path), "--workers", 1) as arena:
        while not arena.games_of("greedy"):
            arena.wait()
        before = family(arena.process.pid)
        arena.database.rename(tmp_path / "elsewhere.db")
        out, err = arena.ended()
        assert arena.process.returncode == 1
        # Whichever part finds it first: one that is still starting never had it.
        assert "moved or deleted" in err or "no such database" in err
        assert "Traceback" not in err
        assert living(before) == []
        assert "Bots are taken in" in out
