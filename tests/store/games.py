"""Games to store: some that were really played, and as many copies of them as a test wants."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import trio

from arena.bots import find_bot
from arena.play import FinishedGame, play_chunk
from arena.schedule import Chunk, GameKey, labels_of, rotations_of, rules_of
from arena.store import begin_tournament, writing
from arena.testing import Said, ScriptedBot, ScriptedHost, practice_plan
from protocol.messages import Limits
from protocol.records import GameRecord
from protocol.tournament import Tournament

MASTER = bytes(32)
NAMES = ("counter", "greedy", "random", "saver")


def sloppy(every: int) -> ScriptedBot:
    """A bot that answers every so many turns with something that is no message."""

    def act(turn: dict[str, Any]) -> Iterable[Said]:
        if turn["turn"] % every == 0:
            return [(0, b"no idea")]
        number = turn["turn"] * 5 % len(turn["legal"])
        note = {"note": "five"} if turn["turn"] % 9 == 0 else {}
        return [(0, {"type": "play", "turn": turn["turn"], **turn["legal"][number], **note})]

    return ScriptedBot(act)


@functools.cache
def played(preset: str = "kseri", faults_allowed: int = 0, matches: int = 2) -> list[FinishedGame]:
    """All games of a few matches of one pairing; some bots of them misbehave."""
    plan = practice_plan(
        *NAMES, preset=preset, limits=Limits(faults_allowed=faults_allowed, move_ms=10_000)
    )
    size = plan.rules.sides
    pairing = (*NAMES, "random-2", "random-3")[:size]
    bots = dict(plan.bots) | {name: plan.bots["random"] for name in ("random-2", "random-3")}
    plan = msgspec.structs.replace(plan, bots=bots)
    keys = tuple(GameKey(m, 0, r) for r in range(size) for m in range(1, matches + 1))
    host = ScriptedHost({name: functools.partial(sloppy, 31 + n) for n, name in enumerate(NAMES)})
    found: list[FinishedGame] = []

    async def report(event: Any) -> None:
        found.append(event)

    trio.run(
        functools.partial(play_chunk, host, plan, Chunk(pairing, 0, keys), report)  # type: ignore[arg-type]
    )
    return found


def copies(count: int, preset: str = "kseri") -> list[FinishedGame]:
    """So many matches made of the played ones, each with ids of its own; not to be verified."""
    base = played(preset)
    matches = {game.record.match for game in base}
    found = []
    for number in range(count):
        for game in base:
            if game.record.match == 1 + number % len(matches):
                found.append(_renamed(game, number + 1))
    return found


def _renamed(game: FinishedGame, match: int) -> FinishedGame:
    name = f"{match:012x}{game.record.rotation:04x}"
    record = msgspec.structs.replace(game.record, match=match, game=name)
    return FinishedGame(record, [msgspec.structs.replace(log, game=name) for log in game.logs])


def begin(database: Path, games: Sequence[FinishedGame]) -> int:
    """Enter a tournament that these games are of; returns its number."""
    record = games[0].record
    tournament = Tournament(
        name="t",
        bots=list(record.pairing),
        rules=record.rules.preset,
        faults_allowed=record.limits.faults_allowed,
        rated=record.rated,
        names_hidden=record.names_hidden,
    )
    rules = rules_of(tournament)
    bots = [find_bot(name.removesuffix("-2").removesuffix("-3")) for name in record.pairing]
    labels = labels_of([bot.manifest.name for bot in bots])
    with writing(database) as db:
        return begin_tournament(
            db,
            tournament=tournament,
            rules=rules,
            kind="play",
            bots=dict(zip(labels, bots, strict=True)),
            master=MASTER,
            practice=True,
            isolation="none",
            games_planned=10**6,
            rotations=rotations_of(tournament, rules),
        )


def items(games: Sequence[FinishedGame]) -> list[Any]:
    """Games as the writer takes them."""
    return [(game.record, game.logs) for game in games]


def shuffled(games: Sequence[Any], seed: int) -> list[Any]:
    """The same in an order that `seed` decides."""
    found = list(games)
    random.Random(seed).shuffle(found)
    return found


def recount(records: Iterable[GameRecord], rotations: int) -> dict[str, dict[str, float]]:
    """Every entrant's totals, counted from all games at once and without the arena's help."""
    matches: dict[Any, list[GameRecord]] = {}
    for record in records:
        matches.setdefault((*record.pairing, record.match, record.replay), []).append(record)
    totals: dict[str, dict[str, float]] = {}
    for games in matches.values():
        if len(games) == rotations:
            for label in games[0].pairing:
                _count_match(totals.setdefault(label, dict.fromkeys(COUNTS, 0)), label, games)
    return totals


COUNTS = (
    *("matches", "games", "wins", "draws", "losses", "forfeits", "faults", "deals"),
    *("points_for", "points_against", "plays", "overruns", "elapsed_us"),
)


def _count_match(total: dict[str, float], label: str, games: Sequence[GameRecord]) -> None:
    total["matches"] += 1
    for game in games:
        total["games"] += 1
        seats = [seat for seat, who in enumerate(game.seats) if who.bot == label]
        side = game.seats[seats[0]].side
        firsts = [place for place, rank in enumerate(game.ranks) if rank == 1]
        how = "losses" if side not in firsts else "wins" if len(firsts) == 1 else "draws"
        total[how] += 1
        total["faults"] += sum(fault.seat in seats for fault in game.faults)
        own = [p for d in game.deals for p in d.plays if p.seat in seats and not p.forced]
        total["plays"] += len(own)
        total["overruns"] += sum(game.seats[seat].overruns for seat in seats)
        total["elapsed_us"] += sum(play.elapsed_us for play in own)
        lost = lost_sides(game)
        total["forfeits"] += side in lost
        if not lost:
            total["deals"] += len(game.deals)
            total["points_for"] += game.scores[side]
            others = sum(game.scores) - game.scores[side]
            total["points_against"] += others / (len(game.scores) - 1)


def lost_sides(game: GameRecord) -> set[int]:
    """The sides that forfeited a game of bots that are only ever malformed."""
    allowed = game.limits.faults_allowed
    counts = [sum(fault.seat == seat for fault in game.faults) for seat in range(len(game.seats))]
    return {game.seats[seat].side for seat, count in enumerate(counts) if count > allowed}


def rows(database: Path, table: str) -> list[dict[str, Any]]:
    """A summary table as it stands."""
    with writing(database) as db:
        found = [dict(row) for row in db.query(f"SELECT * FROM {table}")]
    return sorted(found, key=json.dumps)
