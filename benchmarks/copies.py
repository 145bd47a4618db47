"""As many games as are wanted, made of a few that were really played; not to be verified."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable

import msgspec
import trio

from arena.play import FinishedGame, Plan, Report, play_chunk
from arena.schedule import Chunk, GameKey, Secret, VoidMatch, pairing_text
from arena.testing import ScriptedBot, ScriptedHost, practice_plan
from protocol.records import GameRecord
from tests.store.games import sloppy
from tests.tournament.memory import varied

PAIR = ("template-a", "template-b")
ROTATIONS = 2
FAULTY_EVERY = 1_000
"""One match in so many has a game that was forfeited."""
_MATCHES = 24
SECRET = Secret(bytes(32))

Match = tuple[bytes, ...]
"""Its games by rotation, as a worker process sends them."""


class Templates(msgspec.Struct, frozen=True):
    """Matches that were really played by two bots in memory."""

    fair: list[Match]
    won: list[int]
    """How many games of each of these the first entrant won."""
    forfeited: list[Match]

    def of(self, number: int) -> Match:
        """What match number so and so of a pairing is made of."""
        some = self.fair if number % FAULTY_EVERY else self.forfeited
        return some[number % len(some)]

    def drawn(self, chance: random.Random, wins: float) -> Match:
        """One for a pairing whose first entrant wins such a share of its games."""
        if chance.random() * FAULTY_EVERY < 1:
            return chance.choice(self.forfeited)
        weights = [wins**won * (1 - wins) ** (ROTATIONS - won) for won in self.won]
        return chance.choices(self.fair, weights)[0]


@functools.cache
def templates(preset: str) -> Templates:
    """Play them."""
    careful = _played(preset, lambda: ScriptedBot(varied))
    careless = _played(preset, lambda: sloppy(31))
    assert not any(game.faults for games in careful for game in _records(games))
    return Templates(
        fair=careful,
        won=[sum(map(_is_won, _records(games))) for games in careful],
        forfeited=[games for games in careless if any(g.faults for g in _records(games))],
    )


def _records(match: Match) -> list[GameRecord]:
    return [_decoder.decode(game).record for game in match]


def _is_won(game: GameRecord) -> bool:
    return game.winner is not None and game.seats[game.winner].bot == PAIR[0]


def _played(preset: str, make: Callable[[], ScriptedBot]) -> list[Match]:
    """Some matches of such bots."""
    found: dict[int, list[FinishedGame]] = {}

    async def report(event: FinishedGame | VoidMatch) -> None:
        assert isinstance(event, FinishedGame)
        found.setdefault(event.record.match, []).append(event)

    keys = [GameKey(m, 0, r) for m in range(1, _MATCHES + 1) for r in range(ROTATIONS)]
    host = ScriptedHost(dict.fromkeys(PAIR, make))
    plan = practice_plan(*PAIR, preset=preset)
    trio.run(play_chunk, host, plan, Chunk(PAIR, 0, tuple(keys)), report)  # type: ignore[arg-type]
    return [tuple(map(msgspec.msgpack.encode, games)) for games in found.values()]


_decoder = msgspec.msgpack.Decoder(FinishedGame)


def copy(template: Match, pairing: tuple[str, ...], key: GameKey) -> FinishedGame:
    """One game of a match as if another pairing had played it, with an id of its own."""
    game = _decoder.decode(template[key.rotation])
    label = dict(zip(PAIR, pairing, strict=True))
    name = SECRET.game_id(pairing_text(pairing), key)
    seats = [msgspec.structs.replace(seat, bot=label[seat.bot]) for seat in game.record.seats]
    record = msgspec.structs.replace(
        game.record, game=name, pairing=list(pairing), match=key.match, seats=seats
    )
    return FinishedGame(record, [msgspec.structs.replace(log, game=name) for log in game.logs])


class Enough(Exception):
    """As many games have been reported as were wanted."""


class Copying:
    """An executor that plays nothing: it reports copies as fast as they are taken."""

    def __init__(self, preset: str, most: int) -> None:
        """`most`: games after which it is stopped, as if by Ctrl-C."""
        self._templates = templates(preset)
        self._left = most

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        """Report copies of all games; see `arena.executor.Executor`."""
        for chunk in chunks:
            await trio.lowlevel.checkpoint()
            for key in chunk.games:
                if not self._left:
                    raise Enough
                self._left -= 1
                await report(copy(self._templates.of(key.match), chunk.pairing, key))
