"""A build on a disk that was full before it: the machine's trouble, and not the bot's fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import Trouble
from arena.sandbox import NoIsolation, build_watch, run_build

KIB, MIB = 1024, 1024 * 1024


def free(monkeypatch: pytest.MonkeyPatch, before: int, now: int) -> None:
    """Let so many bytes of the disk be free at the beginning, and so many later."""
    answers = [before]
    monkeypatch.setattr(build_watch, "_free", lambda _: answers.pop() if answers else now)


@pytest.mark.parametrize("script", ["exec sleep 1000", "exit 1"])
def test_without_room_at_the_beginning_it_is_the_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    free(monkeypatch, 100 * KIB, 40 * KIB)
    (tmp_path / "scratch" / "bot").mkdir(parents=True)
    with pytest.raises(Trouble) as told:
        run_build(NoIsolation(), ["sh", "-c", script], tmp_path / "scratch" / "bot")
    assert str(told.value) == (
        f"{tmp_path}: no room for a build: 100 KiB of the disk were free when it began, and it "
        "took more than half of them"
    )


def test_with_room_at_the_beginning_it_is_the_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free(monkeypatch, 300 * MIB, 140 * MIB)
    (tmp_path / "scratch" / "bot").mkdir(parents=True)
    result = run_build(NoIsolation(), ["sleep", "1000"], tmp_path / "scratch" / "bot")
    assert result.problem == "left less than 150 MiB of the disk free"
