"""Standings say what a direct computation on the exported games says."""

from __future__ import annotations

import csv
import functools
import math
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from arena.rating import NORMAL_95, Results, fit
from arena.store import Reader
from protocol.records import GameRecord
from tests.cli.program import exported, kseri
from tests.store.games import lost_sides, recount, sloppy
from tests.tournament.memory import InMemory, entered, played

Rows = dict[str, dict[str, str]]


def csv_rows(database: Path, name: str) -> Rows:
    """The standings of a tournament as they are exported, by label."""
    result = kseri("export", "--standings", "--db", database, "--tournament", name)
    assert (result.returncode, result.stderr) == (0, "")
    return {row["label"]: row for row in csv.DictReader(result.stdout.splitlines())}


def records(database: Path, name: str) -> list[GameRecord]:
    """Those that count: a bot that forfeits ten games in a row is set aside."""
    counted = exported(database, "--tournament", name, "--canonical")
    ids = {msgspec.json.decode(line)["game"] for line in counted}
    lines = exported(database, "--tournament", name)
    games = [msgspec.json.decode(line, type=GameRecord) for line in lines]
    return [game for game in games if game.game in ids]


def pair_scores(games: list[GameRecord], labels: list[str]) -> list[Any]:
    """What one match says of every two of its entrants, from the ranks of its games."""
    scores = []
    for a, b in combinations(games[0].pairing, 2):
        score = 0.0
        for game in games:
            ranks = {seat.bot: game.ranks[seat.side] for seat in game.seats}
            score += (ranks[a] < ranks[b]) + (ranks[a] == ranks[b]) / 2
        scores.append((labels.index(a), labels.index(b), len(games), score))
    return scores


def direct(games: list[GameRecord], labels: list[str], rotations: int) -> dict[str, Any]:
    """Ratings from all complete matches, by label, as the rating package gives them."""
    matches: dict[Any, list[GameRecord]] = {}
    for game in games:
        matches.setdefault((*game.pairing, game.match, game.replay), []).append(game)
    whole = [pair_scores(m, labels) for m in matches.values() if len(m) == rotations]
    ratings = [rating for group in fit(Results.from_matches(whole)) for rating in group.ratings]
    return {labels[rating.bot]: rating for rating in ratings}


def direct_points(games: list[GameRecord], rotations: int) -> dict[str, float]:
    """Points a deal by least squares over all pairs of all games that nobody forfeited."""
    counts = Counter((*game.pairing, game.match, game.replay) for game in games)
    labels = sorted({label for game in games for label in game.pairing})
    rows, margins = [], []
    for game in games:
        whole = counts[(*game.pairing, game.match, game.replay)] == rotations
        if whole and not lost_sides(game):
            deals, side = len(game.deals), {seat.bot: seat.side for seat in game.seats}
            for a, b in combinations(game.pairing, 2):
                row = np.zeros(len(labels))
                row[labels.index(a)], row[labels.index(b)] = deals**0.5, -(deals**0.5)
                rows.append(row)
                margins.append((game.scores[side[a]] - game.scores[side[b]]) / deals**0.5)
    # Of all solutions the shortest: values with mean 0.
    values = np.linalg.lstsq(np.array(rows), np.array(margins), rcond=None)[0] if rows else []
    return dict(zip(labels, values, strict=False))


def assert_standings(database: Path, name: str, rotations: int) -> Rows:
    games, rows = records(database, name), csv_rows(database, name)
    counted = recount(games, rotations)
    ratings, points = direct(games, sorted(rows), rotations), direct_points(games, rotations)
    for label, row in rows.items():
        rating, total = ratings[label], counted[label]
        assert float(row["rating"]) == pytest.approx(rating.rating, abs=0.1)
        for key, end in (("low", rating.low), ("high", rating.high)):
            if math.isfinite(end):
                assert float(row[key]) == pytest.approx(end, abs=0.1)
            else:
                assert row[key] == "", "what has no bound is left empty"
        assert (int(row["rank_low"]), int(row["rank_high"])) == (rating.rank_low, rating.rank_high)
        assert (row["provisional"] == "True") == rating.provisional == (total["matches"] < 10)
        if row["error"]:
            assert float(row["error"]) == pytest.approx(NORMAL_95 * rating.se, abs=0.1)
        for key in ("matches", "games", "wins", "draws", "losses", "forfeits", "faults"):
            assert int(row[key]) == total[key]
        if total["deals"]:
            assert float(row["points"]) == pytest.approx(points[label], abs=1e-4)
        else:
            assert row["points"] == ""
    return rows


def test_two_sides(database: Path) -> None:
    rows = assert_standings(database, "two", 2)
    assert rows["greedy"]["provisional"] == "True"


def test_only_complete_matches_of_a_tournament_that_goes_on_count(database: Path) -> None:
    rows = assert_standings(database, "open", 2)
    assert [row["games"] for row in rows.values()] == ["2", "2"]


def test_forfeits_are_losses_and_never_points(database: Path) -> None:
    rows = assert_standings(database, "three", 3)
    quitter = rows["quitter"]
    assert quitter["games"] == quitter["losses"] == quitter["forfeits"] == "6"
    assert {row["points"] for row in rows.values()} == {""}
    three = " ".join(kseri("standings", "--db", database, "--tournament", "three").stdout.split())
    assert "6 (6 lost)" in three
    lines = kseri("standings", "--db", database, "--tournament", "three").stdout.splitlines()
    with Reader(database) as reader:
        number = reader.tournament("three").id
        latest = reader.games(tournament_id=number, faulty=True, limit=1)[0].game
    commands = [line for line in lines if line.startswith("  ")]
    assert commands[-2].endswith(f" log {latest} --db {database}")
    assert commands[-1].endswith(f" games --faults --tournament {number} --db {database}")


@pytest.mark.parametrize(
    ("preset", "rotations", "matches", "every"),
    [("kseri-short", 2, 11, 61), ("kseri-3", 3, 4, 191)],
)
def test_a_larger_tournament_with_faults(
    tmp_path: Path, preset: str, rotations: int, matches: int, every: int
) -> None:
    database = tmp_path / "games.db"
    names = ("greedy", "greedy", "random", "saver")
    entry = entered(database, *names, rules=preset, matches=matches)
    played(database, entry, InMemory(make=functools.partial(sloppy, every)))
    rows = assert_standings(database, "t", rotations)
    assert any(row["provisional"] == "False" for row in rows.values())
    assert any(int(row["forfeits"]) for row in rows.values())
    assert math.isfinite(float(rows["greedy"]["error"]))
    order = [(int(row["rank_low"]), -float(row["rating"])) for row in rows.values()]
    assert order == sorted(order)
