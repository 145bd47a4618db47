"""`kseri check` at the command line: what it prints and how it ends."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import jsonschema
import pytest

from protocol.schema import schemas_folder
from tests.check.tried import BROKEN
from tests.cli.program import START, cache, complaint, kseri

__all__ = ["cache"]
pytestmark = pytest.mark.e2e


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """A folder for bots."""
    return tmp_path


def folder_of(place: Path, *words: str, **files: str) -> Path:
    """A bot with these files beside its manifest, started by these words."""
    bot = place / "mine"
    bot.mkdir()
    build = files.pop("build", "")
    (bot / "bot.toml").write_text(
        f'name = "mine"\n{build}\nrun = {json.dumps(words)}\nrules = ["kseri"]\n', "utf-8"
    )
    for name, text in files.items():
        (bot / name).write_text(text, "utf-8")
    return bot


def test_a_good_bot_is_ready(bots: Path) -> None:
    result = kseri("check", "random", folder=bots)
    assert result.returncode == 0, result.stdout
    assert "random is ready" in result.stdout.splitlines()[-1]
    assert "16  end of input: ok" in result.stdout


@pytest.mark.hostile
def test_a_broken_bot_is_told_what_to_mend_first(bots: Path) -> None:
    bot = folder_of(bots, "python3", "-S", "stale_hand.py")
    for name in ("seven.py", "stale_hand.py"):
        shutil.copy(BROKEN / name, bot)
    result = kseri("check", bot, "--isolation", "none")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[-1] == "mine is not ready. To mend first: 3  first answer, above"
    again = " ".join(map(shlex.quote, [*START, "check", str(bot)]))
    assert f"       again: {again}" in lines
    assert "expected: one line such as" in result.stdout
    assert result.stdout.count("it has played") == 1
    assert "What to do" not in result.stdout


def test_lines_fit_the_terminal_and_are_whole_where_asked_for(bots: Path) -> None:
    bot = folder_of(bots, "python3", "-S", "stale_hand.py")
    for name in ("seven.py", "stale_hand.py"):
        shutil.copy(BROKEN / name, bot)
    words = ("check", bot, "--isolation", "none")
    lines = kseri(*words).stdout.splitlines()
    assert (
        max(len(line) for line in lines if "again: " not in line and "stderr: " not in line) <= 80
    )
    assert any(line.startswith('      sent: {"type":"hello"') and line[-1] == "…" for line in lines)
    report = json.loads(kseri(*words, "--json").stdout)
    (sent,) = (step["sent"] for step in report["steps"] if step["name"] == "first answer")
    assert '"clock":{' in sent
    assert '"clock":{' in "".join(kseri(*words, "--verbose").stdout.split())


def test_a_submitted_bot_is_checked_by_its_name(bots: Path) -> None:
    bot = folder_of(bots, "python3", "-S", "one_game.py")
    for name in ("seven.py", "one_game.py"):
        shutil.copy(BROKEN / name, bot)
    at = ("--isolation", "none", "--db", bots / "a.db")
    assert kseri("submit", bot, *at).returncode == 0
    shutil.rmtree(bot)
    result = kseri("check", "mine@1.0", *at, folder=bots)
    assert result.returncode == 0, result.stdout
    assert result.stdout.splitlines()[-1].startswith("mine is ready")


def test_a_bot_that_takes_long_is_not_waited_for_in_silence(bots: Path) -> None:
    bot = folder_of(bots, "python3", "-S", "sleeps_first.py")
    (bot / "sleeps_first.py").write_text("import time\ntime.sleep(3)\n", "utf-8")
    result = kseri("check", bot, "--isolation", "none")
    assert "trying: start: 0 of 48 plays" in result.stderr
    assert all(line.startswith(("trying: ", "Isolation: ")) for line in result.stderr.splitlines())


def test_the_report_fits_its_schema(bots: Path) -> None:
    schema = json.loads((schemas_folder() / "check-report.json").read_text("utf-8"))
    broken = folder_of(bots, "python3", "no-such-file.py")
    result = kseri("check", broken, "--isolation", "none", "--json", folder=bots)
    assert (result.returncode, result.stderr) == (1, "")
    report = json.loads(result.stdout)
    jsonschema.validate(report, schema)
    assert report["is_ready"] is False
    assert report["steps"][-1]["diagnosis"]["cause"] == "missing-file"


def test_a_bot_that_cannot_be_built_is_not_ready(bots: Path) -> None:
    bot = folder_of(
        bots, "./mine", build='build = ["sh", "-c", "echo no compiler; echo bad line; exit 3"]'
    )
    result = kseri("check", bot, "--isolation", "none")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[2:4] == ["      got: no compiler", "      got: bad line"]
    assert lines[-1] == "mine is not ready. To mend first: 1  build, above"
    again = " ".join(map(shlex.quote, [*START, "check", str(bot)]))
    assert lines[-2] == f"      again: {again}"
    assert re.fullmatch(r"      used: \d+\.\d of 300 s", lines[-3])
    assert "      expected: exit status 0 within 300 s" in result.stdout


@pytest.mark.parametrize(
    "script", ["npm() { return 243; }; npm install", "echo getaddrinfo ENOTFOUND; exit 1"]
)
def test_a_build_that_may_have_wanted_the_network_is_told_that_there_is_none(
    bots: Path, script: str
) -> None:
    bot = folder_of(bots, "./mine", build=f'build = ["sh", "-c", "{script}"]')
    text = " ".join(kseri("check", bot, "--isolation", "none").stdout.split())
    assert "(a build has no network: put all that it needs into the bot's folder)" in text


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ("exit 7", "failed with exit status 7"),
        ("kill -9 $$", "was ended by signal 9 (SIGKILL)"),
        ("kill -25 $$", "was ended by signal 25 (SIGXFSZ)"),
    ],
)
def test_a_build_that_says_nothing_is_told_by_its_ending_alone(
    bots: Path, script: str, ending: str
) -> None:
    bot = folder_of(bots, "./mine", build=f'build = ["sh", "-c", "{script}"]')
    text = " ".join(kseri("check", bot, "--isolation", "none").stdout.split())
    assert ending in text
    assert "network" not in text


def test_wrong_use(bots: Path) -> None:
    complaint(kseri("check", "nobody", folder=bots), 2, "nobody")
    complaint(kseri("check", folder=bots), 2, "BOT")
