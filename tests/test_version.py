"""The version is written twice, and means the same."""

from __future__ import annotations

import tomllib
from pathlib import Path

from arena.version import VERSION

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"


def test_arena_and_distribution_have_one_version() -> None:
    assert tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["version"] == VERSION
