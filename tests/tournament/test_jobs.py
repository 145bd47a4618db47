"""Bots that were handed in from elsewhere: each job comes to an end that its author can read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bots import read_bot
from arena.errors import Trouble
from arena.store import (
    Job,
    Reader,
    Token,
    add_job,
    new_token,
    put_back,
    running_jobs,
    take_job,
    token_of,
    writing,
)
from arena.store.jobs import MOST_TRIES
from arena.tournament import jobs
from arena.tournament.jobs import Intake, run_jobs, run_next_job
from tests.cli.program import HOSTILE, bot, environment
from tests.submission.archives import MANIFEST, Entry, made
from tests.tournament.memory import entered


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


Given = Callable[..., Job]


@pytest.fixture
def given(database: Path, tmp_path: Path) -> Given:
    """Hands in a bot, as the dashboard does; by the author of that name."""

    def hand_in(path: Path, author: str = "ada", version: str | None = None) -> Job:
        upload = read_bot(path).to_zip() if path.is_dir() else path.read_bytes()
        file = f"{path.name}.zip" if path.is_dir() else path.name
        with writing(database) as db:
            return add_job(db, token(database, author), file, version, upload)

    return hand_in


SECRETS: dict[tuple[Path, str], str] = {}


def token(database: Path, author: str) -> Token:
    """The token of an author, made when it is first asked for."""
    with writing(database) as db:
        if (database, author) not in SECRETS:
            SECRETS[database, author] = new_token(db, author, 20, 2)
        found = token_of(db, SECRETS[database, author])
    assert found
    return found


def run_one(database: Path, job: Job, **keys: Any) -> Job:
    """Run the next job, which is this one, and look what came of it."""
    with writing(database) as db:
        assert run_next_job(Intake(database, "none", **keys), db)
    return looked_up(database, job)


def looked_up(database: Path, job: Job) -> Job:
    with Reader(database) as reader:
        return reader.job(job.key)


def league(database: Path, **keys: Any) -> int:
    return entered(
        database, "greedy", "random", name="cup", kind="league", seed=None, **keys
    ).stored.id


def left(database: Path) -> list[tuple[str, int | None]]:
    """Submitted versions with the token of each."""
    with writing(database) as db:
        return list(db.execute("SELECT name || '@' || version, token_id FROM submissions"))


def test_a_good_bot_is_taken_in_step_by_step_and_plays_in_the_league(
    database: Path, given: Given, tmp_path: Path
) -> None:
    number = league(database)
    folder = bot(tmp_path, "mine", version='"1.0"')
    job = given(folder)
    assert (job.state, job.steps) == ("waiting", [])
    done = run_one(database, job, league=number, trusted=True)
    assert (done.state, done.bot, done.label) == ("accepted", "mine@1.0", "mine")
    assert done.tournament_id == number
    names = [step.name for step in done.steps]
    assert names[:3] == ["Read", "Built", "manifest"]
    assert names[-3:] == ["Checked", "Stored", "Entered"]
    assert {step.verdict for step in done.steps} == {"ok"}
    assert left(database) == [("mine@1.0", 1)]
    with Reader(database) as reader:
        assert [entrant.label for entrant in reader.entrants(number)] == [
            "greedy",
            "random",
            "mine",
        ]
    with writing(database) as db:
        assert db.execute("SELECT upload FROM jobs").fetchone() == (None,), "kept as a bot alone"
        assert not run_next_job(Intake(database, "none"), db)

    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace("1.0", "2.0"))
    done = run_one(database, given(folder), league=number, trusted=True)
    assert done.steps[-1].text == "mine@2.0 plays from the next round on in the place of mine."
    again = run_one(database, given(folder), league=number, trusted=True)
    assert again.state == "accepted"
    assert again.steps[-1].text == "mine@2.0 plays already with these files."


def test_every_step_is_told_to_open_pages_while_it_is_taken(
    database: Path, given: Given, tmp_path: Path
) -> None:
    job = given(bot(tmp_path, "mine"))
    with Reader(database) as reader:
        before = reader.latest_event()
    run_one(database, job)
    with Reader(database) as reader:
        events = reader.events_since(before, 100) or []
    told = [event.number for event in events if event.topic == f"job:{job.id}"]
    assert told == sorted(told)
    assert len(told) >= 3
    assert [event.kind for event in events if event.topic == "bots"] == ["submitted"]


def test_a_file_of_a_known_language_has_the_version_that_its_author_says(
    database: Path, given: Given, tmp_path: Path
) -> None:
    path = bot(tmp_path, "one") / "bot.py"
    path = path.rename(tmp_path / "solo.py")
    done = run_one(database, given(path, version="3.1"))
    assert (done.state, done.bot) == ("accepted", "solo@3.1")


def crashing(folder: Path) -> Path:
    return bot(
        folder, "bad", f"print('last words', file=sys.stderr); raise SystemExit({HOSTILE!a})"
    )


def illegal(folder: Path) -> Path:
    return bot(folder, "bad", "play['card'] = '??'")


def broken_build(folder: Path) -> Path:
    place = bot(folder, "bad", build='["sh", "make.sh"]')
    (place / "make.sh").write_text("echo no such header; exit 3")
    return place


def other_rules(folder: Path) -> Path:
    return bot(folder, "bad", rules='["kseri-3"]')


def no_zip(folder: Path) -> Path:
    path = folder / "bad.zip"
    path.write_bytes(b"PK, or so it says")
    return path


def bomb(folder: Path) -> Path:
    return _zip(folder, Entry(b"bot.toml", MANIFEST), Entry(b"zeros", bytes(9 * 2**20)))


def climbing(folder: Path) -> Path:
    return _zip(folder, Entry(b"bot.toml", MANIFEST), Entry(b"../../bot.py"))


def link(folder: Path) -> Path:
    return _zip(folder, Entry(b"bot.toml", MANIFEST), Entry(b"x", b"/etc/shadow", mode=0o120777))


def _zip(folder: Path, *entries: Entry) -> Path:
    path = folder / "bad.zip"
    path.write_bytes(made(*entries))
    return path


def unknown_ending(folder: Path) -> Path:
    path = folder / "bad.exe"
    path.write_bytes(b"MZ")
    return path


def shipped_name(folder: Path) -> Path:
    return bot(folder, "greedy")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (crashing, "exit"),
        (illegal, "?? is not in the hand"),
        (broken_build, "sh make.sh failed with exit status 3"),
        (other_rules, "plays kseri-3, not kseri"),
        (no_zip, "bad.zip: not a zip archive, or cut off"),
        (bomb, "at most 200 times as much"),
        (climbing, "no plain path below the bot's folder"),
        (link, "bad.zip: x: a link"),
        (unknown_ending, "bad.exe: a single file needs one of these endings: .py"),
        (shipped_name, "'greedy' is a bot that comes with the arena"),
    ],
)
def test_a_bad_bot_is_refused_with_the_reason_and_leaves_nothing(
    database: Path, given: Given, tmp_path: Path, make: Callable[[Path], Path], told: str
) -> None:
    number = league(database)
    done = run_one(database, given(make(tmp_path)), league=number, trusted=True)
    assert (done.state, done.label) == ("refused", None)
    failed = next(step for step in done.steps if step.verdict == "failed")
    said = [failed.text, *([failed.diagnosis.what] if failed.diagnosis else [])]
    assert told in " ".join(said)
    assert not [text for text in said if str(tmp_path) in text or "kseri-upload" in text]
    assert (failed.output == "no such header") == (make is broken_build)
    if make is crashing:
        assert failed.diagnosis
        assert "last words" in failed.diagnosis.stderr[0]
        assert failed.diagnosis.again.startswith("kseri check bad.zip")
    assert left(database) == []


def test_a_name_belongs_to_the_token_that_submitted_it_first(
    database: Path, given: Given, tmp_path: Path
) -> None:
    folder = bot(tmp_path, "mine", version='"1.0"')
    run_one(database, given(folder))
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text().replace("1.0", "2.0"))
    done = run_one(database, given(folder, "eve"))
    assert done.state == "refused"
    assert "'mine' is somebody else's bot's" in done.steps[-1].text
    assert [step.name for step in done.steps] == ["Read", "Build"], "refused before it is built"
    assert left(database) == [("mine@1.0", 1)]


def test_a_token_has_only_so_many_bots_but_any_number_of_versions(
    database: Path, given: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.submission._check", lambda *_: "Checked: no.")
    for name in ("a", "b"):
        assert run_one(database, given(bot(tmp_path, name))).state == "accepted"
    done = run_one(database, given(bot(tmp_path, "c")))
    assert done.state == "refused"
    assert "2 bots (a, b), as many as it may" in done.steps[-1].text
    other = tmp_path / "other"
    other.mkdir()
    assert run_one(database, given(bot(other, "a", version='"2.0"'))).state == "accepted"


def test_a_stranger_does_not_play_without_isolation_unless_somebody_says_so(
    database: Path, given: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.submission._check", lambda *_: "Checked: no.")
    done = run_one(database, given(bot(tmp_path, "mine")), league=league(database))
    assert done.state == "refused"
    assert "without isolation" in done.steps[-1].text


@pytest.mark.parametrize("error", [Trouble("/secret/place: the disk is full"), RuntimeError("oh")])
def test_trouble_of_the_arena_is_told_to_its_organiser_alone(
    database: Path,
    given: Given,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
) -> None:
    def fail(*_: object, **__: object) -> bool:
        raise error

    said: list[str] = []
    monkeypatch.setattr(jobs, "submit", fail)
    done = run_one(database, given(bot(tmp_path, "mine")), say=said.append)
    assert done.state == "failed"
    assert "its organiser is told why" in done.steps[-1].text
    assert "secret" not in str(done.steps)
    assert str(error) in " ".join(said) + capsys.readouterr().err
    assert token(database, "ada").submissions == 0, "it costs nothing of the quota"


def test_a_job_whose_run_is_stopped_waits_again(
    database: Path, given: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> bool:
        raise KeyboardInterrupt

    job = given(bot(tmp_path, "mine"))
    with monkeypatch.context() as patch, writing(database) as db:
        patch.setattr(jobs, "submit", interrupted)
        for _ in range(MOST_TRIES + 1):
            with pytest.raises(KeyboardInterrupt):
                run_next_job(Intake(database, "none"), db)
            assert looked_up(database, job).state == "waiting"
    assert run_one(database, job).state == "accepted"


def test_a_job_that_ends_the_arena_every_time_is_given_up(
    database: Path, given: Given, tmp_path: Path
) -> None:
    job = given(bot(tmp_path, "mine"))
    with writing(database) as db:
        for _ in range(MOST_TRIES):
            assert looked_up(database, job).state == "waiting"
            assert take_job(db), "and then the power fails"
            put_back(db)
        assert take_job(db) is None
    given_up = looked_up(database, job)
    assert given_up.state == "failed"
    assert "the arena ended 3 times" in given_up.steps[-1].text


RUNNER = """\
import sys
from pathlib import Path
from arena.tournament.jobs import Intake, run_jobs
run_jobs(Intake(Path(sys.argv[1]), "none", say=lambda line: print(line, flush=True)))
"""


def test_jobs_are_run_as_they_come_by_one_process_at_a_time(
    database: Path, given: Given, tmp_path: Path
) -> None:
    first = given(bot(tmp_path, "first"))
    command = [sys.executable, "-c", RUNNER, str(database)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment(), start_new_session=True
    ) as runner:
        try:
            assert runner.stdout
            assert runner.stdout.readline() == "first.zip: first@1.0: accepted\n"
            second = given(bot(tmp_path, "second"))
            assert runner.stdout.readline() == "second.zip: second@1.0: accepted\n"
            with pytest.raises(Trouble, match="another process takes in bots already"):
                run_jobs(Intake(database, "none"))
        finally:
            os.kill(runner.pid, signal.SIGKILL)
    assert [looked_up(database, job).state for job in (first, second)] == ["accepted"] * 2
    with running_jobs(database):
        pass
