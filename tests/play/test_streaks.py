"""After how many forfeits in a row no further game of a chunk begins."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

import pytest

from arena.play.streaks import Streaks
from arena.schedule import GameKey, VoidMatch
from arena.testing import ScriptedBot
from tests.play.many import Hall, answer, any_legal

MOST = 3
WRONG = {"card": "no card"}


def hall(fails: Collection[int], games: int, batch: int = 1, most: int | None = None) -> Hall:
    """Games of two, some of which the first forfeits: by the order of their beginning."""
    numbers: dict[str, int] = {}

    def script(turn: dict[str, Any]) -> Any:
        number = numbers.setdefault(turn["game"], len(numbers) + 1)
        return [(0, answer(turn, WRONG))] if number in fails else any_legal(turn)

    bots = {"a": partial(ScriptedBot, script), "b": partial(ScriptedBot, any_legal)}
    return Hall(bots, dict.fromkeys(bots, batch), games, most_forfeits=most)


@pytest.mark.parametrize(("batch", "games"), [(1, 3), (2, 4), (8, 8)])
def test_no_further_game_begins_after_the_last(batch: int, games: int) -> None:
    assert len(hall(range(21), 20, batch, MOST).records) == games


@pytest.mark.parametrize("batch", [1, 2])
def test_fewer_in_a_row_end_nothing(batch: int) -> None:
    assert len(hall([1, 2, 4, 5, 7, 8], 9, batch, MOST).records) == 9


@pytest.mark.parametrize(
    ("fails", "ends", "too_long"),
    [
        ([1, 2, 3], [1, 2, 3], 3),
        ([2, 3, 4], [4, 2, 3], 3),
        ([2, 3, 4], [3, 1, 4, 5, 2], 5),
        ([1, 2, 4, 5], [1, 2, 4, 5, 3], None),
        ([1, 3, 5], [1, 3, 5], None),
    ],
)
def test_a_streak_is_one_of_the_order_not_of_the_clock(
    fails: list[int], ends: list[int], too_long: int | None
) -> None:
    events = hall(fails, 5).finished
    streaks = Streaks([GameKey(match, 0, 0) for match in range(1, 6)], MOST)
    streaks.note(VoidMatch(("a", "b"), GameKey(1, 0, 0), "no room"))
    found = []
    for match in ends:
        streaks.note(events[match - 1])
        found.append(streaks.is_one_too_long)
    assert found.count(True) == (0 if too_long is None else len(ends) - too_long + 1)
    assert found == sorted(found)
