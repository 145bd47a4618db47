"""Tournaments whose games are made up as a test wants them: who wins, who fails, which ends when.

Everything but the games is the real thing. The records have seeds, salts and ids by the secret,
but no plays, and can't be verified.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import trio

from arena.bots import find_bot
from arena.game import commitment
from arena.play import FinishedGame, Plan, Report
from arena.schedule import Chunk, GameKey, Secret, VoidMatch, pairing_text, seating
from arena.tournament import Entry, Progress, enter, run
from protocol.records import DealRecord, Fault, GameRecord, PlayedRules, SeatRecord
from protocol.rules import RULES_VERSION
from protocol.tournament import Tournament
from tests.tournament.memory import Stopped


class Verdict(NamedTuple):
    """How a game ends."""

    winner: str | None = None
    """Its label; None for a draw."""
    ahead: int = 30
    """By how many points the winner is ahead."""
    forfeits: str | None = None
    """Who fails in it; a game of two is won by the other one then."""


Judge = Callable[[Chunk, GameKey], Verdict]
Meanwhile = Callable[[int], Awaitable[None]]


def drawn(chunk: Chunk, key: GameKey) -> Verdict:
    """Every game is drawn."""
    return Verdict()


def by_order(*labels: str) -> Judge:
    """Whoever comes first in the order wins every game."""

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        return Verdict(min(chunk.pairing, key=labels.index))

    return judge


def by_chance(seed: int, failing: Callable[[str], bool] = lambda label: False) -> Judge:
    """Any result, the same for the same game; those that are `failing` fail in all of theirs."""

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        chance = random.Random(f"{seed} {chunk.pairing} {key}")
        fail = [label for label in chunk.pairing if failing(label)]
        if fail:
            return Verdict(forfeits=chance.choice(fail))
        return Verdict(chance.choice([None, *chunk.pairing]), chance.randint(1, 40))

    return judge


class MadeUp:
    """An executor that plays nothing: a judge says how each game ends."""

    def __init__(
        self,
        judge: Judge = drawn,
        *,
        fails: Callable[[tuple[str, ...], GameKey], bool] = lambda pairing, key: False,
        at_once: int = 1,
        order: int = 0,
        stops_after: int = 10**9,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        """`fails`: the games that the arena fails; `at_once`: how many chunks are played at once,
        whose games end in an order that `order` decides; `stops_after`: so many games in all its
        runs; `meanwhile`: called after every game with how many were played."""
        self._judge, self._fails = judge, fails
        self._at_once, self._chance = at_once, random.Random(order)
        self._stops_after, self._meanwhile = stops_after, meanwhile
        self.chunks: list[Chunk] = []
        self.played: list[tuple[tuple[str, ...], GameKey]] = []

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        """Play all chunks; see `Executor`."""
        queue, running = iter(chunks), list[Iterator[FinishedGame | VoidMatch]]()
        while self._fill(running, queue, plan):
            one = self._chance.choice(running)
            event = next(one, None)
            if event is None:
                running.remove(one)
            elif isinstance(event, VoidMatch):
                await report(event)
            else:
                await self._report(event, report)

    def _fill(
        self, running: list[Iterator[FinishedGame | VoidMatch]], queue: Iterator[Chunk], plan: Plan
    ) -> bool:
        while len(running) < self._at_once and (chunk := next(queue, None)):
            self.chunks.append(chunk)
            running.append(self._games(plan, chunk))
        return bool(running)

    def _games(self, plan: Plan, chunk: Chunk) -> Iterator[FinishedGame | VoidMatch]:
        void = set()
        for key in chunk.games:
            if key.match in void:
                continue
            if self._fails(chunk.pairing, key):
                void.add(key.match)
                yield VoidMatch(chunk.pairing, key, "made to fail")
            else:
                yield made_up(plan, chunk, key, self._judge(chunk, key))

    async def _report(self, game: FinishedGame, report: Report) -> None:
        if len(self.played) == self._stops_after:
            raise Stopped
        record = game.record
        key = GameKey(record.match, record.replay, record.rotation)
        self.played.append((tuple(record.pairing), key))
        await report(game)
        if self._meanwhile:
            await self._meanwhile(len(self.played))


def made_up(plan: Plan, chunk: Chunk, key: GameKey, verdict: Verdict) -> FinishedGame:
    """A game that ended so."""
    rules, secret, text = plan.rules, Secret(plan.master), pairing_text(chunk.pairing)
    labels = seating(chunk.pairing, key.rotation, rules)
    side_of = {label: rules.side_of[seat] for seat, label in reversed([*enumerate(labels)])}
    winner = _winner(verdict, side_of, rules.sides)
    scores = [60 + verdict.ahead * (side == winner) for side in range(rules.sides)]
    seed, salt = secret.seed(text, key), secret.salt(text, key)
    record = GameRecord(
        game=secret.game_id(text, key),
        tournament=plan.tournament,
        pairing=list(chunk.pairing),
        round=chunk.round,
        match=key.match,
        rotation=key.rotation,
        replay=key.replay,
        names_hidden=plan.names_hidden,
        rated=plan.rated,
        master_commitment=secret.commitment,
        rules=PlayedRules(preset=rules.preset, overrides=plan.overrides, version=RULES_VERSION),
        seats=[
            SeatRecord(
                bot=label,
                version=plan.bots[label].version,
                hash=plan.bots[label].hash,
                side=rules.side_of[seat],
                bot_seed=secret.bot_seed(text, key, seat),
                process="0",
                nth=1,
            )
            for seat, label in enumerate(labels)
        ],
        seed=seed.hex(),
        salt=salt.hex(),
        commitment=commitment(salt, seed),
        deals=[DealRecord(number=1, attempt=0, dealer=0, plays=[])],
        scores=scores,
        winner=winner,
        ranks=_ranks(rules.sides, winner, side_of.get(verdict.forfeits or "")),
        reason="forfeit" if verdict.forfeits else "target",
        faults=[Fault(seat=labels.index(verdict.forfeits), deal=1, turn=1, kind="crash", detail="")]
        if verdict.forfeits
        else [],
        limits=plan.limits,
        isolation="none",
        practice=plan.practice,
        started="2026-01-01T00:00:00Z",
        elapsed_ms=1,
        arena="test",
    )
    return FinishedGame(record, [])


def _winner(verdict: Verdict, side_of: dict[str, int], sides: int) -> int | None:
    if verdict.forfeits and sides == 2:
        return 1 - side_of[verdict.forfeits]
    return None if verdict.winner is None else side_of[verdict.winner]


def _ranks(sides: int, winner: int | None, forfeiter: int | None) -> list[int]:
    """The winner before all others, who share a rank; whoever forfeited behind them."""
    second = 1 if winner is None else 2
    ranks = [1 if side == winner else second for side in range(sides)]
    if forfeiter is not None:
        ranks[forfeiter] = sides
    return ranks


def entered(database: Path, *labels: str, seed: int | None = 1, **settings: Any) -> Entry:
    """A tournament of entrants that are called so, entered into the database."""
    tournament = Tournament(**{"name": "t", "bots": list(labels), "matches": 1, **settings})
    return enter(
        database,
        tournament,
        dict.fromkeys(labels, find_bot("greedy")),
        kind=tournament.kind,
        master=None if seed is None else seed.to_bytes(32, "big"),
        isolation="none",
    )


def played(
    database: Path, entry: Entry, executor: MadeUp, progress: Progress | None = None
) -> Progress:
    """Play what is missing of a tournament."""
    progress = progress or Progress()
    trio.run(run, database, entry, executor, progress)
    return progress
