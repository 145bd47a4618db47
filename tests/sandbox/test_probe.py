"""Whether a sandbox holds is tried before anybody relies on it, and remembered as long as it may.

The leaks are real ones: each takes one layer away from a sandbox that holds.
"""

from __future__ import annotations

import dataclasses
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import SandboxUnavailable
from arena.sandbox import Backend, choose, landlock, landlock_launcher, probe, settle_isolation
from arena.sandbox.attacks import SUBSET
from arena.sandbox.launch import Launch, Prepared

pytestmark = [pytest.mark.sandbox, pytest.mark.hostile]

BACKENDS = ("bubblewrap", "landlock")


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where verdicts are remembered: nowhere yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kseri-arena" / "isolation.json"


def backend_of(name: str) -> Backend:
    try:
        return choose.select_backend(name)
    except SandboxUnavailable as error:
        pytest.skip(str(error))


class Edited:
    """A sandbox whose command line, or environment, is not what it should be."""

    def __init__(self, name: str, edit: Callable[[Prepared], Prepared]) -> None:
        self._real = backend_of(name)
        self.name = self._real.name
        self.leftovers = self._real.leftovers
        self._edit = edit

    def prepare(self, launch: Launch) -> Prepared:
        return self._edit(self._real.prepare(launch))

    def started(self, pid: int, launch: Launch) -> None:
        self._real.started(pid, launch)


def without(*words: str, more: int = 0) -> Callable[[Prepared], Prepared]:
    """Leave out these words of the command line, and as many as `more` behind each."""

    def edit(prepared: Prepared) -> Prepared:
        argv = list(prepared.argv)
        for word in words:
            at = argv.index(word)
            del argv[at : at + 1 + more]
        return dataclasses.replace(prepared, argv=argv)

    return edit


def with_whole_etc(prepared: Prepared) -> Prepared:
    argv = list(prepared.argv)
    at = argv.index("/etc") - 3
    assert argv[at : at + 4] == ["--perms", "0711", "--dir", "/etc"]
    argv[at : at + 4] = ["--ro-bind", "/etc", "/etc"]
    return dataclasses.replace(prepared, argv=argv)


def with_environment(prepared: Prepared) -> Prepared:
    return dataclasses.replace(without("--clearenv")(prepared), environment=dict(os.environ))


def without_limits(prepared: Prepared) -> Prepared:
    argv = list(prepared.argv)
    at = argv.index("/usr/bin/prlimit")
    del argv[at : argv.index("--", at) + 1]
    return dataclasses.replace(prepared, argv=argv)


LEAKS: dict[str, tuple[Callable[[Prepared], Prepared], str]] = {
    "shows /etc": (with_whole_etc, "read-passwd"),
    "hands the environment on": (with_environment, "own-environment"),
    "filters no calls": (without("--seccomp", more=1), "fork"),
    "sets no limits": (without_limits, "memory"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_in_bubblewrap_is_found(leak: str, cache: Path) -> None:
    edit, attack = LEAKS[leak]
    with pytest.raises(SandboxUnavailable, match=f"bubblewrap does not hold here: .*{attack}"):
        probe.holds(Edited("bubblewrap", edit))
    assert not cache.exists(), "a breach is not remembered"


def test_leaks_in_landlock_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = backend_of("landlock")
    with monkeypatch.context() as patch:
        patch.setattr(landlock, "_SYSTEM", [("/", landlock_launcher.READ)])
        assert any("read-passwd" in failure for failure in probe.probe(backend).failures)
    with monkeypatch.context() as patch:
        patch.setattr(landlock, "bot_environment", lambda path, folder: dict(os.environ))
        assert any("own-environment" in failure for failure in probe.probe(backend).failures)


@pytest.mark.parametrize("name", BACKENDS)
def test_a_sandbox_that_holds_is_tried_once(
    name: str, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    backend = backend_of(name)
    report = probe.probe(backend)
    assert (report.failures, set(report.verdicts)) == ([], set(SUBSET))
    tried = counted(monkeypatch, report)
    for _ in range(2):
        probe.holds(backend)
    assert tried == [backend]
    cache.write_text("{not json", "utf-8")
    probe.holds(backend)
    assert len(tried) == 2, "what can't be read is no verdict"


def counted(patch: pytest.MonkeyPatch, report: probe.ProbeReport) -> list[Any]:
    """Every backend that is tried from now on."""
    tried: list[Any] = []

    def instead(backend: Backend) -> probe.ProbeReport:
        tried.append(backend)
        return report

    patch.setattr(probe, "probe", instead)
    return tried


CHANGES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "another user": lambda patch: patch.setattr(os, "geteuid", lambda: 4711),
    "another kernel": lambda patch: patch.setattr(platform, "release", lambda: "9.9"),
    "another version of the arena": lambda patch: patch.setattr(probe, "VERSION", "9.9"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_verdict_is_of_its_user_kernel_and_version(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = backend_of("landlock")
    tried = counted(monkeypatch, probe.ProbeReport("landlock", {}, []))
    probe.holds(backend)
    with monkeypatch.context() as patch:
        CHANGES[change](patch)
        probe.holds(backend)
    assert len(tried) == 2
    probe.holds(backend)
    assert len(tried) == 2, "the first verdict is kept, too"


def test_a_cache_that_cannot_be_written_costs_only_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    tried = counted(monkeypatch, probe.ProbeReport("landlock", {}, []))
    for _ in range(2):
        probe.holds(backend_of("landlock"))
    assert len(tried) == 2


Backends = dict[str, Callable[[], Backend]]


def chosen_from(patch: pytest.MonkeyPatch, backends: Backends) -> None:
    """Let these be what this machine has."""
    patch.setattr(choose, "select_backend", lambda name: backends[name]())


def missing(name: str) -> Backend:
    raise SandboxUnavailable(f"{name} is not installed (apt install {name})")


def test_auto_goes_on_to_the_next_where_the_best_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    leaky, real = Edited("bubblewrap", with_whole_etc), backend_of("landlock")
    backends: Backends = {"bubblewrap": lambda: leaky, "landlock": lambda: real}
    chosen_from(monkeypatch, backends)
    assert settle_isolation("auto", trusted=False) == ("landlock", "")


def test_strangers_are_refused_and_shipped_bots_go_on_where_nothing_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leaky = Edited("bubblewrap", with_whole_etc)
    backends: Backends = {"bubblewrap": lambda: leaky, "landlock": lambda: missing("landlock")}
    chosen_from(monkeypatch, backends)
    with pytest.raises(SandboxUnavailable) as refused:
        settle_isolation("auto", trusted=False)
    for text in ("read-passwd", "apt install landlock", "--isolation none"):
        assert text in str(refused.value)
    isolation, why = settle_isolation("auto", trusted=True)
    assert isolation == "none"
    assert "read-passwd" in why
    with pytest.raises(SandboxUnavailable):
        settle_isolation("bubblewrap", trusted=True)
    assert settle_isolation("none", trusted=False) == ("none", "asked for")


SAID = {
    "bwrap: setting up uid map: Permission denied": "bwrap-userns-restrict",
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted": "bwrap-userns-restrict",
    "bwrap: No permissions to create new namespace": "seccomp=unconfined",
    "bwrap: Something else": "Something else",
}


@pytest.mark.parametrize("said", SAID)
def test_what_a_sandbox_says_when_it_cannot_be_made_comes_with_the_remedy(
    said: str, tmp_path: Path
) -> None:
    backend: Any = backend_of("bubblewrap")
    backend._program = str(tmp_path / "bwrap")
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\necho '{said}' >&2; exit 1\n", "utf-8")
    (tmp_path / "bwrap").chmod(0o755)
    with pytest.raises(SandboxUnavailable) as refused:
        probe.holds(backend)
    assert said in str(refused.value)
    assert SAID[said] in str(refused.value)


def test_a_machine_without_bubblewrap_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        choose.select_backend("bubblewrap")
