"""`kseri check` at the command line: what it prints and how it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from protocol.schema import schemas_folder
from tests.check.tried import BROKEN
from tests.cli.program import complaint, kseri

pytestmark = pytest.mark.e2e


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for bots, and copies of them away from the user's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
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
    last = result.stdout.splitlines()[-1]
    assert last.startswith("mine is not ready. First: first answer: it has played ")
    assert "again: kseri check " in result.stdout
    assert "expected: one line such as" in result.stdout


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
    bot = folder_of(bots, "./mine", build='build = ["sh", "-c", "echo no compiler; exit 3"]')
    result = kseri("check", bot, "--isolation", "none")
    assert result.returncode == 1
    assert "no compiler" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("mine is not ready. First: build: ")


def test_wrong_use(bots: Path) -> None:
    complaint(kseri("check", "nobody", folder=bots), 2, "nobody")
    complaint(kseri("check", folder=bots), 2, "BOT")
