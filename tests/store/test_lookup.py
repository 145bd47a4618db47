"""Submitted bots found by name: which version, in which tournament, and why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots import BotFiles, CannotFind, NotEntered, find_bot
from arena.store import (
    Reader,
    keep_submission,
    open_for_writing,
    retire,
    submitted_in,
    undisturbed,
    versions,
    writing,
)
from tests.dashboard.made import Made, bot


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """With the versions 1.1 to 1.12 of the bot `mine`, none of them retired."""
    path = tmp_path / "arena.db"
    open_for_writing(path).close()
    for number in range(1, 13):
        with writing(path) as db, undisturbed(db):
            keep_submission(db, bot("mine", f"1.{number}"))
    return path


def retire_all(path: Path) -> None:
    with writing(path) as db:
        retire(db, versions(db, "mine"))


def test_no_more_than_ten_versions_are_named(path: Path) -> None:
    found = submitted_in(path)("mine", "2.0")
    newest = ", ".join(f"1.{number}" for number in range(12, 2, -1))
    assert found == NotEntered(
        f"that version was not submitted; there are: {newest} and 2 older ones"
    )


@pytest.mark.parametrize(("asked", "retired"), [(None, "mine@1.12"), ("1.3", "mine@1.3")])
def test_of_a_retired_bot_no_command_is_told_to_those_who_may_not_give_it(
    path: Path, asked: str | None, retired: str
) -> None:
    retire_all(path)
    assert submitted_in(path)("mine", asked) == NotEntered("retired", retired=retired)
    with pytest.raises(CannotFind, match=r"^bot 'mine': retired$"):
        find_bot("mine", path.parent, submitted_in(path))


def test_a_bot_is_found_without_what_it_made_of_tournaments(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Made(path, "t", ["mine", "other"], version="1.1")
    retire_all(path)
    monkeypatch.setattr(Reader, "appearances", None)
    assert isinstance(submitted_in(path)("mine", None), NotEntered)
    assert isinstance(submitted_in(path, "another")("mine", None), NotEntered)
    found = submitted_in(path, "t")("mine", None)
    assert isinstance(found, BotFiles)
    assert found.hash == bot("mine", "1.1").hash
