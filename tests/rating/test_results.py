"""Counting matches, and rows that can't have happened."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating import Results, fit

GOOD = {"a": [0, 0], "b": [1, 1], "games": [2, 2], "score": [1.5, 0], "count": [3, 1]}


def made(**changed: list) -> Results:
    return Results(**{name: np.array(values) for name, values in (GOOD | changed).items()})


def test_equal_matches_are_counted_from_either_side() -> None:
    results = Results.from_matches([[(0, 1, 2, 1.5)], [(1, 0, 2, 0.5)], [(0, 1, 2, 2)]])
    rows = zip(results.a, results.b, results.games, results.score, results.count, strict=True)
    assert sorted(rows) == [(0, 1, 2, 1.5, 2), (0, 1, 2, 2.0, 1)]
    assert results.cluster is None


def test_pairs_of_one_match_share_a_cluster() -> None:
    match = [(0, 1, 3, 2), (0, 2, 3, 1), (1, 2, 3, 1.5)]
    results = Results.from_matches([match, match[::-1], [(0, 1, 3, 0)]])
    assert results.cluster is not None
    assert results.cluster.tolist() == [0, 0, 0, 1]
    assert results.count.tolist() == [2, 2, 2, 1]


def test_bots_is_one_more_than_the_highest_index() -> None:
    assert made(b=[7, 1]).bots == 8
    assert Results.from_matches([]).bots == 0


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"b": [1, 0]}, "row 1 of the results: a bot can't be its own opponent"),
        ({"a": [-1, 0]}, "start at 0"),
        ({"games": [2, 0]}, "at least 1"),
        ({"count": [0, 1]}, "at least 1"),
        ({"score": [2.5, 0]}, "0 to games"),
        ({"score": [0.25, 0]}, "halves"),
        ({"score": [float("nan"), 0]}, "0 to games"),
        ({"games": [2]}, "differ in length"),
        ({"cluster": [1]}, "differ in length"),
        ({"count": [1.5, 1]}, "count must be whole numbers"),
    ],
)
def test_a_row_that_cannot_have_happened_is_refused(changed: dict, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        made(**changed)


def test_rows_of_one_cluster_have_one_count() -> None:
    with pytest.raises(ValueError, match="another count"):
        fit(made(cluster=[5, 5]))
