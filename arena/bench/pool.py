"""Games a second of whole tournaments in worker processes, and records written a second.

Everything is the real thing: two instant C bots are entered, played by workers that are pinned to
a core each, and their games stored with their summaries.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import trio

from arena.bench.programs import instant_c, instant_entrant, plan_of_two
from arena.bots import find_bot
from arena.executor import Workers
from arena.play import FinishedGame, Plan
from arena.schedule import Chunk, VoidMatch
from arena.store import open_writer
from arena.tournament import Entry, Progress, enter, run
from protocol.tournament import Tournament

_MATCHES_A_WORKER = 200
_CHUNK_MATCHES = 25
_EMPTY_CHUNKS = 2_000


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """What a tournament in so many workers came to; medians over its runs."""

    workers: int
    isolation: str
    games_a_second: float
    """From the first game that was reported to the last, starts of bots included."""
    decisions_a_second: float
    speedup: float
    """Games a second over those of the first count of workers in the same run."""
    hand_over_us: float
    """What a chunk costs beyond its games: the way to a worker and back."""
    hand_over_share: float
    """The same, of the time that a chunk of 25 matches took."""


class Storing(msgspec.Struct, frozen=True, kw_only=True):
    """How fast games are stored, each with its part of the summaries; medians."""

    games_a_second: float
    bytes_a_game: float
    """How much the database grew by a game."""
    sent_bytes_a_game: float
    """What a worker sends of one."""
    deals_a_game: float
    plays_a_game: float


class _Timed:
    """Games as they are reported, and when."""

    def __init__(self) -> None:
        self.games: list[FinishedGame] = []
        self._first = self._last = 0.0

    def heard(self, game: FinishedGame) -> None:
        self._last = time.perf_counter()
        self._first = self._first or self._last
        self.games.append(game)

    @property
    def seconds_a_game(self) -> float:
        """After the first, which had waited for everything to start."""
        return (self._last - self._first) / (len(self.games) - 1)

    @property
    def decisions_a_game(self) -> float:
        """Plays of the average game."""
        return statistics.mean(map(_plays, self.games))


def _plays(game: FinishedGame) -> int:
    return sum(len(deal.plays) for deal in game.record.deals)


def measure_pool(
    folder: Path, isolation: str, counts: Sequence[int], runs: int
) -> tuple[list[Pool], Storing]:
    """Play a tournament with every count of workers in turn, and store its games once more."""
    folder.chmod(0o755)
    bot = instant_entrant(folder / "instant-bot")
    found: dict[int, list[_Timed]] = {count: [] for count in counts}
    storing = []
    for _ in range(runs):
        for count, done in found.items():
            with tempfile.TemporaryDirectory() as place:
                entry = _entered(Path(place) / "games.db", bot, isolation, count)
                done.append(_played(Path(place) / "games.db", entry, isolation, count))
        with tempfile.TemporaryDirectory() as place:
            storing.append(_stored(Path(place) / "games.db", bot, done[-1].games))
    hand_over_us = trio.run(_hand_over_us, isolation, plan_of_two(instant_c(folder), {}))
    pools = [_median(found, count, counts[0], isolation, hand_over_us) for count in counts]
    return pools, _median_of_storing(storing)


def _median(
    found: dict[int, list[_Timed]], count: int, first: int, isolation: str, hand_over_us: float
) -> Pool:
    seconds = statistics.median(each.seconds_a_game for each in found[count])
    chunk_us = seconds * count * 2 * _CHUNK_MATCHES * 1e6
    return Pool(
        workers=count,
        isolation=isolation,
        games_a_second=1 / seconds,
        decisions_a_second=statistics.median(each.decisions_a_game for each in found[count])
        / seconds,
        speedup=statistics.median(
            other.seconds_a_game / each.seconds_a_game
            for each, other in zip(found[count], found[first], strict=True)
        ),
        hand_over_us=hand_over_us,
        hand_over_share=hand_over_us / chunk_us,
    )


def _entered(database: Path, bot: Path, isolation: str, workers: int) -> Entry:
    tournament = Tournament(
        name="bench",
        bots=["instant", "instant-2"],
        matches=_MATCHES_A_WORKER * workers,
        chunk_matches=_CHUNK_MATCHES,
        rated=False,
    )
    files = find_bot(str(bot))
    return enter(
        database,
        tournament,
        {"instant": files, "instant-2": files},
        kind=tournament.kind,
        master=(1).to_bytes(32, "big"),
        isolation=isolation,
    )


def _played(database: Path, entry: Entry, isolation: str, workers: int) -> _Timed:
    timed = _Timed()
    progress = Progress(on_game=timed.heard)
    trio.run(run, database, entry, Workers(isolation, workers), progress)
    return timed


async def _hand_over_us(isolation: str, plan: Plan) -> float:
    """The way of a chunk without games to a worker and back, one after the other."""
    begin = 0.0

    def chunks() -> Iterator[Chunk]:
        nonlocal begin
        # The queue asks for one more than it hands out, and the first waits for the worker.
        for number in range(_EMPTY_CHUNKS + 2):
            if number == 2:
                begin = time.perf_counter()
            yield Chunk(("a", "b"), number, ())

    await Workers(isolation, 1).run(plan, chunks(), _nothing)
    return (time.perf_counter() - begin) / _EMPTY_CHUNKS * 1e6


async def _nothing(event: FinishedGame | VoidMatch) -> None:
    """Chunks without games report none."""


def _stored(database: Path, bot: Path, games: Sequence[FinishedGame]) -> Storing:
    """Store games that were played elsewhere, as fast as they are taken."""
    entry = _entered(database, bot, "none", len(games))
    empty = database.stat().st_size
    seconds = trio.run(_store, database, entry.stored.id, games)
    return Storing(
        games_a_second=len(games) / seconds,
        bytes_a_game=(database.stat().st_size - empty) / len(games),
        sent_bytes_a_game=statistics.mean(len(msgspec.msgpack.encode(game)) for game in games),
        deals_a_game=statistics.mean(len(game.record.deals) for game in games),
        plays_a_game=statistics.mean(map(_plays, games)),
    )


async def _store(database: Path, tournament: int, games: Sequence[FinishedGame]) -> float:
    begin = time.perf_counter()
    async with open_writer(database, tournament) as writer:
        for game in games:
            await writer.put((game.record, game.logs))
    return time.perf_counter() - begin


def _median_of_storing(found: Sequence[Storing]) -> Storing:
    fields = Storing.__struct_fields__
    return Storing(
        **{name: statistics.median(getattr(each, name) for each in found) for name in fields}
    )
