"""`kseri doctor`: what this machine can do, as text and as JSON, and the exit status."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from arena import doctor
from arena.doctor import LANGUAGES, Report
from arena.errors import SandboxUnavailable
from arena.sandbox import NoIsolation, choose
from arena.sandbox.attacks import SUBSET
from arena.sandbox.probe import ProbeReport
from arena.templates import templates
from tests.cli.conftest import Here
from tests.cli.program import assert_harmless, kseri

pytestmark = pytest.mark.sandbox

WIDTH = 80


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starts and waits are measured once."""
    monkeypatch.setattr(doctor, "_STARTS", 1)
    monkeypatch.setattr(doctor, "_WAITS", 1)
    monkeypatch.setenv("COLUMNS", str(WIDTH))


def lines_of(output: str) -> list[str]:
    lines = output.splitlines()
    assert [line for line in lines if len(line) > WIDTH] == []
    assert_harmless(lines)
    return lines


def test_the_command_says_the_same_as_text_and_as_json() -> None:
    """On whatever machine this is: a sandbox that holds, or none and the reason."""
    text, json = kseri("doctor", COLUMNS=str(WIDTH)), kseri("doctor", "--json")
    assert (text.stderr, json.stderr) == ("", "")
    report = msgspec.json.decode(json.stdout, type=Report)
    assert text.returncode == json.returncode == (0 if report.is_safe else 1)
    lines = lines_of(text.stdout)
    assert lines[0].startswith(report.kernel[:20])
    for backend in report.backends:
        verdict = "holds" if backend.holds else "can't be used"
        assert f"{backend.name}: {verdict}" in lines
        assert bool(backend.problem) is not backend.holds
        if backend.holds:
            assert {attack.attack for attack in backend.attacks} == set(SUBSET)
            assert {attack.verdict for attack in backend.attacks} == {"stopped"}
            assert backend.start_ms
    assert [row.language for row in report.languages] == list(LANGUAGES)
    assert all(bool(row.program) is not bool(row.problem) for row in report.languages)
    assert any(line.startswith("Clock: ") for line in lines)


def test_every_language_there_is_a_bot_to_start_from_is_looked_for() -> None:
    """By the command that `kseri new --list` goes by, so that both say the same."""
    assert {row.language: row.programs[0] for row in templates()}.items() <= LANGUAGES.items()


def missing(name: str) -> Any:
    if name == "none":
        return NoIsolation()
    raise SandboxUnavailable(f"{name} is not installed (Debian, Ubuntu: apt install {name})")


@pytest.mark.usefixtures("quick")
def test_a_machine_without_a_sandbox(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "select_backend", missing)
    text, json = here("doctor"), here("doctor", "--json")
    assert (text.returncode, json.returncode) == (1, 1)
    said = " ".join(" ".join(lines_of(text.stdout)).split())
    for part in (
        "bubblewrap: can't be used",
        "apt install bubblewrap",
        "landlock: can't be used",
        "No sandbox holds here: play only programs that you trust, with --isolation none.",
    ):
        assert part in said
    report = msgspec.json.decode(json.stdout, type=Report)
    assert [(row.holds, row.attacks, row.start_ms) for row in report.backends] == [
        (False, [], None)
    ] * len(choose.ISOLATING)


@pytest.mark.usefixtures("quick")
def test_a_sandbox_that_leaks_does_not_count(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both do, here; the attack that came through stands in its line."""

    def leaks(backend: Any) -> ProbeReport:
        found = {"read-passwd": ("breach", "root:x:0:0"), "fork": ("stopped", "EAGAIN")}
        return ProbeReport(backend.name, found, ["read-passwd: breach (root:x:0:0)"])  # type: ignore[arg-type]

    monkeypatch.setattr(doctor, "select_backend", lambda name: NoIsolation())
    monkeypatch.setattr(doctor, "probe", leaks)
    result = here("doctor")
    assert result.returncode == 1
    lines = lines_of(result.stdout)
    assert lines.count("  read-passwd: breach (root:x:0:0)") == len(choose.ISOLATING)
    assert sum(line.split()[1:3] == ["read-passwd", "breach"] for line in lines) == len(
        choose.ISOLATING
    )


@pytest.mark.usefixtures("quick")
def test_one_sandbox_that_holds_is_enough(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def only_landlock(name: str) -> Any:
        return NoIsolation() if name == "landlock" else missing(name)

    monkeypatch.setattr(doctor, "select_backend", only_landlock)
    monkeypatch.setattr(doctor, "probe", lambda backend: ProbeReport(backend.name, {}, []))
    result = here("doctor")
    assert result.returncode == 0
    assert "Bots of strangers can be played and rated on this machine." in result.stdout
