"""Tournaments of every kind, run by the arena with games that are made up, for their pages."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.schedule import Chunk, GameKey
from arena.standings import refresh
from arena.store import depart, note_decision, writing
from tests.tournament.made_up import Judge, MadeUp, Verdict, entered, played
from tests.tournament.memory import Stopped

LABELS = ("ace", "boss", "cat", "dog", "elk", "fly")
"""From the strongest to the weakest, but for a cycle: dog beats ace."""
FAULTY = "fly"


@dataclass(frozen=True)
class Cups:
    """The numbers of the tournaments in the database."""

    path: Path
    cup: int
    """A round robin: `FAULTY` crashes now and then, dog beats ace."""
    running: int
    """A round robin of which half is played, its standings kept some games ago."""
    swiss: int
    """Of seven: one has a bye in every round."""
    knockout: int
    """Of six, decided."""
    double: int
    """Of five, decided."""
    open_double: int
    """Of six, not decided."""
    league: int
    at_four: int
    """Four at a table, each for itself."""
    drawn: int
    """Partners drawn anew."""


def chance(seed: int) -> Judge:
    """The stronger one wins more often; one game in ten is drawn."""

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        draw = random.Random(f"{seed} {chunk.pairing} {key}")
        if FAULTY in chunk.pairing and draw.random() < 0.15:
            return Verdict(forfeits=FAULTY)
        if draw.random() < 0.1:
            return Verdict()
        ordered, often = sorted(chunk.pairing), 0.72
        if ordered == ["ace", "dog"]:
            ordered, often = ["dog", "ace"], 0.95
        winner = ordered[0] if draw.random() < often else ordered[-1]
        return Verdict(winner, draw.randint(1, 60))

    return judge


class _Maker:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._number = 0

    def make(
        self, *labels: str, stops_after: int = 10**9, judge: Judge | None = None, **settings: Any
    ) -> int:
        """Run a tournament, or the beginning of one; returns its number."""
        self._number += 1
        seed = None if settings.get("kind") == "league" else self._number
        entry = entered(self._path, *labels, seed=seed, **settings)
        executor = MadeUp(judge or chance(self._number), at_once=3, stops_after=stops_after)
        try:
            played(self._path, entry, executor)
        except Stopped:
            assert stops_after < 10**9
        return entry.stored.id


def make_cups(path: Path) -> Cups:
    """All of them in a new database."""
    make = _Maker(path).make
    seven, six, five = (*LABELS, "gnu"), LABELS, LABELS[:5]
    cup = make(*six, name="Cup", matches=14)
    running = make(*six, name="Half a cup", matches=14, stops_after=180)
    refresh(path, running)
    with writing(path) as db:
        depart(db, cup, "elk", "set aside", "forfeited 10 games in a row")
        note_decision(db, cup, "set aside", "elk", "forfeited 10 games in a row")
    return Cups(
        path=path,
        cup=cup,
        running=running,
        swiss=make(*seven, name="Swiss", kind="swiss", matches=2),
        knockout=make(*six, name="Knockout", kind="knockout"),
        double=make(*five, name="Double", kind="double-knockout"),
        open_double=make(*six, name="Open", kind="double-knockout", matches=2, stops_after=26),
        league=make(*six, name="League", kind="league", rounds=3, rated=False),
        at_four=make(*five, name="At four", rules="faro-4", matches=3),
        drawn=make(*five, name="Drawn", rules="kseri-partners", partners="drawn"),
    )
