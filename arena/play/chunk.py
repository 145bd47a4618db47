"""Plays chunks: their rotations one after another, each with processes of its own."""

from __future__ import annotations

from arena.errors import ArenaFault
from arena.play.game import deliver, run_game
from arena.play.many import ManyGames, has_batches
from arena.play.place import Player, stop_all
from arena.play.plan import FinishedGame, Observer, Plan, Report
from arena.play.table import Rotation, Table
from arena.process import Canary, Host, Starter
from arena.schedule import Chunk, GameKey, VoidMatch


async def play_chunk(
    host: Starter,
    plan: Plan,
    chunk: Chunk,
    report: Report,
    observer: Observer | None = None,
    canary: Canary | None = None,
) -> None:
    """Play all games of a chunk, rotation after rotation, each with processes of its own.

    A match in which the machine fails the arena is reported void and left; so is one in which
    time runs out while the `canary` is late. Games that have an `observer` go on one at a time.
    """
    void: set[int] = set()
    for number in sorted({key.rotation for key in chunk.games}):
        rotation = Rotation(host, plan, chunk, number)
        games = ManyGames if has_batches(rotation) else _OneByOne
        await games(rotation, observer, canary).play(report, void)


def keep_canary(host: Host, plan: Plan) -> Canary | None:
    """A canary beside the games of a plan; None where real time is charged to nobody."""
    limits = plan.limits
    return host.keep_canary(limits.move_ms) if limits.clock == "wall" else None


class _OneByOne:
    """The games of one rotation of a chunk, one after another."""

    def __init__(
        self, rotation: Rotation, observer: Observer | None, canary: Canary | None
    ) -> None:
        self._rotation, self._observer, self._canary = rotation, observer, canary
        self._places = [rotation.place(seat) for seat in range(len(rotation.labels))]

    async def play(self, report: Report, void: set[int]) -> None:
        """Play the games in order, but for matches in `void`, to which failed ones are added."""
        finished = False
        try:
            for key in self._rotation.keys:
                if key.match not in void:
                    await self._play_and_report(key, report, void)
            finished = True
        finally:
            await stop_all(self._places, kill=not finished)

    async def _play_and_report(self, key: GameKey, report: Report, void: set[int]) -> None:
        try:
            finished = await self._play_game(key)
        except ArenaFault as error:
            void.add(key.match)
            await stop_all(self._places, kill=True)
            await report(VoidMatch(self._rotation.chunk.pairing, key, str(error)))
            return
        await report(finished)
        await stop_all(place for place in self._places if not place.bot.reuse)

    async def _play_game(self, key: GameKey) -> FinishedGame:
        host, plan = self._rotation.host, self._rotation.plan
        players = [Player(place) for place in self._places]
        table = Table(self._rotation, key, players)
        referee = table.referee
        host.games += 1
        try:
            await run_game(
                host,
                referee,
                players,
                self._observer,
                plan.think_on_opponents_time,
                self._canary,
            )
        except ArenaFault:
            referee.void()
            await deliver(referee, players)
            raise
        finally:
            host.games -= 1
        return table.finished(
            [player.end_game(referee, seat) for seat, player in enumerate(players)]
        )
