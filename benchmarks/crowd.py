"""A database like that of a university's arena: a thousand bots, a million games, every kind."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import trio

from arena.bots import BotFiles, read_upload
from arena.schedule import Chunk, GameKey
from arena.standings import refresh, standings
from arena.store import (
    Reader,
    add_job,
    finish_tournament,
    keep_standings,
    new_token,
    note_planned,
    token_of,
    writing,
)
from arena.tournament import Entry, Progress, enter, run
from benchmarks.bulk import SPREAD_ELO, fill
from protocol.tournament import Tournament
from tests.tournament.made_up import Judge, MadeUp, Verdict

CROWD = "Crowd"
"""The tournament that has nearly all of the games."""
JOB_KEY = "0" * 32
"""Of a submission that waits."""
_CHALLENGERS = 5
"""They meet everybody in it: a round robin of a thousand has too many pairings to store."""
_MATCHES = 100
_LINES = 64
"""Entrants of the largest tournament that has a crosstable."""
_ROUNDS = 2
"""Of the league."""


def make_crowd(database: Path, bots: int) -> None:
    """Fill a new database: a gauntlet of all bots, and one tournament of every other kind.

    A thousand bots make a million games, which takes some minutes.
    """
    everybody = [f"bot-{number:04}" for number in range(bots)]
    gauntlet = {"kind": "gauntlet", "challengers": _CHALLENGERS, "matches": _MATCHES}
    entry = _entered(database, CROWD, everybody, **gauntlet)
    games = fill(database, entry.stored.id, with_games=True)
    with writing(database) as db:
        note_planned(db, entry.stored.id, games)
        finish_tournament(db, entry.stored.id)
    _keep_standings(database, entry.stored.id)
    _made_up(database, "Table", everybody[:_LINES], matches=2)
    for kind in ("swiss", "knockout", "double-knockout"):
        _made_up(database, kind.capitalize(), everybody, kind=kind)
    _made_up(database, "League", everybody, kind="league", rounds=_ROUNDS, rated=False)
    _hand_in(database)


def _entered(database: Path, name: str, labels: list[str], **settings: Any) -> Entry:
    tournament = Tournament(name=name, bots=labels, **{"matches": 1, **settings})
    return enter(
        database,
        tournament,
        {label: _bot(label) for label in labels},
        kind=tournament.kind,
        master=None,
        isolation="none",
    )


def _bot(name: str) -> BotFiles:
    """A bot that nobody starts."""
    return read_upload(f"{name}.py", f"# {name}".encode())


def _made_up(database: Path, name: str, labels: list[str], **settings: Any) -> None:
    """A tournament whose games have results, but no plays."""
    entry = _entered(database, name, labels, **settings)
    trio.run(run, database, entry, MadeUp(by_strength(labels), at_once=8), Progress())
    refresh(database, entry.stored.id)


def by_strength(labels: list[str]) -> Judge:
    """The earlier one wins more often; one game in a hundred is forfeited."""
    place = {label: number / len(labels) for number, label in enumerate(labels)}
    chance = random.Random(1)

    def judge(chunk: Chunk, _: GameKey) -> Verdict:
        one, other = chunk.pairing
        if chance.random() < 0.01:
            return Verdict(forfeits=chance.choice(chunk.pairing))
        share = 1 / (1 + 10 ** ((place[one] - place[other]) * SPREAD_ELO / 400))
        return Verdict(one if chance.random() < share else other, chance.randint(1, 60))

    return judge


def _keep_standings(database: Path, tournament_id: int) -> None:
    """Rate at once what was stored at once."""
    with Reader(database) as reader, writing(database) as db:
        kept = msgspec.msgpack.encode(standings(reader, tournament_id))
        keep_standings(db, tournament_id, kept)


def _hand_in(database: Path) -> None:
    with writing(database) as db:
        token = token_of(db, new_token(db, "ada", 20, 5))
        assert token is not None
        job = add_job(db, token, "mine.py", None, b"pass")
        db.execute("UPDATE jobs SET key = ? WHERE id = ?", [JOB_KEY, job.id])
