"""Games whose records do not follow from their seeds: said in one line, with the game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import Trouble
from arena.schedule import GameKey
from arena.standings import measured, time_signals
from protocol.records import GameRecord
from tests.store.test_counting import Played


@pytest.mark.parametrize("look", [measured, lambda record: time_signals([record])])
def test_a_record_that_does_not_follow_from_its_seed_is_said(
    tmp_path: Path, look: Callable[[GameRecord], object]
) -> None:
    made_up = Played(tmp_path / "games.db").game(("a", "b"), GameKey(1, 0, 0)).record
    with pytest.raises(Trouble, match=f"game {made_up.game} is damaged in the database"):
        look(made_up)
