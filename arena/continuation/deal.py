"""A deal of a recorded game gone on with by other bots, from any of its plays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

import msgspec
import trio

from arena.game import make_deal
from arena.play import Bot, Plan
from arena.play.game import run_game
from arena.play.place import Place, Player, stop_all
from arena.process import Host
from arena.referee import GameSetup, Referee
from arena.replay import rules_of_record, with_sides
from arena.schedule import labels_of
from protocol.records import GameRecord
from protocol.what_if import TIMES, Continued

SECONDS = 60.0
"""How long all of that may take together; what is over by then is what came of it."""


async def continued(
    host: Host,
    record: GameRecord,
    deal: int,
    move: int,
    bots: Sequence[Bot],
    *,
    times: int = TIMES,
    seconds: float = SECONDS,
    report: Callable[[Continued], None] = lambda way: None,
) -> list[Continued]:
    """Let `bots`, one a seat, play deal number `deal` on after its first `move` plays.

    They have the game's limits, full clocks and no fixed pace, and each time other seeds for their
    own random choices, always the same ones for the same question. `report` is called with every
    way as soon as it is over. The record needs its seed and must have that position, with the deal
    not over there. Raises `ReplayError` for a wrong record, and `ArenaFault`.
    """
    found: list[Continued] = []
    record = with_sides(record)
    with trio.move_on_after(seconds):
        for time in range(times):
            found.append(await _once(host, record, deal, move, bots, time))
            report(found[-1])
    return found


class _OfOneDeal(Referee):
    """Judges the rest of one deal: the game is over for it where the deal is."""

    def __init__(self, setup: GameSetup, record: GameRecord, deal: int, move: int) -> None:
        """The state after `move` plays of that deal, whose greetings are still to be sent."""
        super().__init__(setup, [False] * setup.rules.seats)
        before = record.deals[: deal - 1]
        played = record.deals[deal - 1]
        self.game.scores = [
            sum(each.sides[side].total for each in before if each.sides)
            for side in range(setup.rules.sides)
        ]
        self.game.deal = make_deal(setup.rules, setup.seed, deal, played.dealer)
        self.turn_number = 1 + sum(len(each.plays) for each in before)
        self.played.clear()
        self._new_deal()
        for play in played.plays[:move]:
            self.game.deal.play(play.card, play.capture)
            self._after_play(self.game.deal, play.elapsed_us)

    @property
    def to_ask(self) -> int | None:
        """The seat whose answer is due; None when the deal, or the game, is over."""
        return super().to_ask if len(self.played) == 1 and not self.played[0].sides else None


async def _once(
    host: Host, record: GameRecord, deal: int, move: int, bots: Sequence[Bot], time: int
) -> Continued:
    labels = labels_of([bot.name for bot in bots])
    referee = _OfOneDeal(_setup(record, labels, f"{deal}|{move}|{time}"), record, deal, move)
    plan = _plan(record, referee.setup, dict(zip(labels, bots, strict=True)))
    places = [Place(host, plan, label, f"{time}.{seat}") for seat, label in enumerate(labels)]
    finished = False
    host.games += 1
    try:
        await run_game(host, referee, [Player(place) for place in places])
        finished = True
    finally:
        host.games -= 1
        await stop_all(places, kill=not finished)
    return Continued(deal=referee.deals()[0], faults=referee.faults)


def _plan(record: GameRecord, setup: GameSetup, bots: Mapping[str, Bot]) -> Plan:
    """One game a process, whatever the bots can do."""
    return Plan(
        tournament=None,
        rules=setup.rules,
        overrides=record.rules.overrides,
        limits=setup.limits,
        names_hidden=record.names_hidden,
        rated=False,
        practice=True,
        master=b"",
        bots={label: msgspec.structs.replace(bot, batch=1) for label, bot in bots.items()},
    )


def _setup(record: GameRecord, labels: Sequence[str], which: str) -> GameSetup:
    """What the bots are told: a game of its own, so that nothing is known of the recorded one."""
    drawn = hashlib.sha256(f"{record.game}|{which}".encode()).digest()
    seats = range(len(labels))
    return GameSetup(
        game=drawn[:8].hex(),
        rules=rules_of_record(record),
        seed=bytes.fromhex(record.seed),
        salt=bytes.fromhex(record.salt),
        bot_seeds=[_bot_seed(drawn, seat) for seat in seats],
        names=None if record.names_hidden else labels,
        limits=msgspec.structs.replace(record.limits, tick_ms=msgspec.UNSET),
        reveal=False,
    )


def _bot_seed(drawn: bytes, seat: int) -> int:
    return int.from_bytes(hashlib.sha256(drawn + bytes([seat])).digest(), "big") % 2**31
