"""All workers of one connection: hired as they join, kept busy, replaced when they are gone."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, cast
from urllib.parse import urlsplit

import msgspec
import trio

from arena.bots import BotFiles
from arena.errors import ArenaError, Trouble, UsageError
from arena.executor.chunk_queue import ChunkQueue, Taken
from arena.executor.cluster import on_worker
from arena.executor.cluster.connection import Connection, TaskFailed
from arena.executor.cluster.hosts import Hosts
from arena.executor.cluster.messages import (
    Hire,
    NotHired,
    Play,
    Played,
    Refused,
    answer_to_hire,
    answer_to_play,
)
from arena.play import Plan
from arena.schedule import Secret, with_drawn
from arena.version import VERSION

_WINDOW = 2
"""Tasks of a worker: the one that it plays, and the next."""
_LOOK_S = 0.5
"""How often it is looked which workers there are."""
_ORDER_BYTES = 4 * 1024 * 1024
"""Bots are sent together until they have so many bytes."""
_GRACE_S = 5
"""How long nobody but workers that refuse may be there: others may be about to join."""

_Answer = TypeVar("_Answer")
Load = list[Taken]
"""Chunks that one task plays at once."""


class Employer(Protocol):
    """What a crew needs to know of the run."""

    address: str
    isolation: str
    concurrency: int
    hosts: Hosts
    files: Callable[[str], BotFiles]
    say: Callable[[str], None]


class _OutOfService(Exception):
    """A worker does not play, or plays no longer."""

    def __init__(self, reason: str, is_other_version: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_other_version = is_other_version


class _BegunAnew(Exception):
    """Another process stands where the worker was."""


@dataclass
class _Hand:
    """A worker, and what it has to play, in the order in which it gets to it."""

    address: str
    host: str
    """Its name, or its address as long as it has not told that."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    out: list[Load] = field(default_factory=list)
    refusal: _OutOfService | None = None
    is_gone: bool = False


class Crew:
    """All workers of one connection, for one run."""

    def __init__(
        self,
        employer: Employer,
        connection: Connection,
        plan: Plan,
        queue: ChunkQueue,
        results: trio.MemorySendChannel[tuple[Load, Played]],
    ) -> None:
        """`results`: takes what was played; whoever receives it tells the queue."""
        self._employer, self._connection = employer, connection
        self._plan, self._queue, self._results = plan, queue, results
        self._hands: dict[str, _Hand] = {}
        self._order = Hire(
            job=secrets.token_hex(16), isolation=employer.isolation, plan=_for_workers(plan)
        )

    async def run(self) -> None:
        """Play until all chunks are done; whatever ends it, none stays with a worker.

        Raises `ConnectionLost`, and `Trouble` or `UsageError` where nobody there can play.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow, nursery)
            await self._queue.wait_until_done()
            nursery.cancel_scope.cancel()

    async def _follow(self, nursery: trio.Nursery) -> None:
        """Take on workers that join, let go of those that are gone."""
        asking: trio.CancelScope | None = None
        able = trio.current_time()
        while True:
            there = await self._connection.workers()
            self._let_go(self._hands.keys() - there.keys())
            for address in there.keys() - self._hands.keys():
                hand = self._hands[address] = _Hand(address, urlsplit(address).hostname or address)
                nursery.start_soon(self._employ, hand, there[address])
            if there and asking:
                asking.cancel()
                asking = None
            elif not there and not asking:
                self._employer.say(f"{self._employer.address}: waiting for workers")
                asking = trio.CancelScope()
                nursery.start_soon(self._ask_for_a_worker, asking)
            if not there or not all(hand.refusal for hand in self._hands.values()):
                able = trio.current_time()
            elif trio.current_time() > able + _GRACE_S:
                raise self._nobody_can()
            await trio.sleep(_LOOK_S)

    def _let_go(self, addresses: set[str]) -> None:
        for address in addresses:
            hand = self._hands.pop(address)
            hand.is_gone = True
            hand.scope.cancel()

    def _nobody_can(self) -> ArenaError:
        refusals = {hand.host: hand.refusal for hand in self._hands.values() if hand.refusal}
        why = "; ".join(f"{host}: {refusal}" for host, refusal in list(refusals.items())[:3])
        is_ours = all(refusal.is_other_version for refusal in refusals.values())
        return (UsageError if is_ours else Trouble)(f"no worker of the cluster can play: {why}")

    async def _ask_for_a_worker(self, scope: trio.CancelScope) -> None:
        """Have a task wait: that it can't be run is how Dask's `adapt` knows to start a worker."""
        # One that can't even run this is told to be of no use when it is hired.
        with scope, suppress(TaskFailed):
            await self._connection.call(None, on_worker.here)

    async def _employ(self, hand: _Hand, threads: int) -> None:
        """Hire a worker and keep it busy until nothing is left, or it is gone."""
        try:
            with hand.scope:
                await self._hire(hand, threads)
                async with trio.open_nursery() as nursery:
                    for _ in range(_WINDOW):
                        nursery.start_soon(self._feed, hand)
        except* _OutOfService as errors:
            self._note_refusal(hand, _first(errors))
        except* _BegunAnew:
            # The next look takes it on again.
            self._hands.pop(hand.address, None)
            hand.is_gone = True
        finally:
            self._put_back(hand)

    async def _hire(self, hand: _Hand, threads: int) -> None:
        """Make a worker ready, sending it the bots that it lacks. Raises `_OutOfService`."""
        if threads != 1:
            raise _OutOfService(f"has {threads} threads; start it with --nthreads 1, one a core")
        sent: set[str] = set()
        order = self._order
        while lacks := await self._lacking(hand, order):
            for digest in lacks:
                if digest in sent:
                    raise _OutOfService(f"does not keep bot {digest}")
            archives = await trio.to_thread.run_sync(self._archives, lacks)
            sent.update(lacks[: len(archives)])
            order = msgspec.structs.replace(self._order, bots=archives)
        self._employer.hosts[hand.host].workers.add(hand.address)

    def _archives(self, digests: tuple[str, ...]) -> tuple[bytes, ...]:
        """The first of these bots, as many as one order may carry."""
        archives: list[bytes] = []
        for digest in digests:
            archives.append(self._employer.files(digest).to_zip())
            if sum(map(len, archives)) >= _ORDER_BYTES:
                break
        return tuple(archives)

    async def _lacking(self, hand: _Hand, order: Hire) -> tuple[str, ...]:
        """Which bots a worker lacks, by their hashes, after it got an order."""
        data = msgspec.msgpack.encode(order)
        try:
            reply = await self._connection.call(hand.address, on_worker.hire, VERSION, data)
        except TaskFailed as error:
            raise _OutOfService(f"can't be made ready: {error}") from None
        answer = _decoded(answer_to_hire, reply)
        hand.host = answer.host
        if isinstance(answer, Refused):
            raise _OutOfService(answer.reason, answer.is_other_version)
        return answer.lacks

    async def _feed(self, hand: _Hand) -> None:
        """Give a worker one load after another until there are no more."""
        while load := await self._next_load():
            hand.out.append(load)
            played = await self._play(hand, load)
            await self._results.send((load, played))
            hand.out.remove(load)

    async def _next_load(self) -> Load:
        first = await self._queue.take()
        load = [first] if first else []
        while load and len(load) < self._employer.concurrency:
            more = self._queue.take_now()
            if more is None:
                break
            load.append(more)
        return load

    async def _play(self, hand: _Hand, load: Load) -> Played:
        """Have a worker play. Raises `_OutOfService`, `_BegunAnew`."""
        plan = self._plan
        chunks = tuple(with_drawn(plan.master, chunk, plan.rules.seats) for _, chunk, _ in load)
        data = msgspec.msgpack.encode(Play(self._order.job, chunks))
        try:
            reply = await self._connection.call(hand.address, on_worker.play, data)
        except TaskFailed as error:
            raise _OutOfService(f"failed: {error}") from None
        answer = _decoded(answer_to_play, reply)
        if isinstance(answer, NotHired):
            raise _BegunAnew
        if isinstance(answer, Refused):
            raise _OutOfService(answer.reason)
        return answer

    def _note_refusal(self, hand: _Hand, refusal: _OutOfService) -> None:
        hand.refusal = refusal
        if self._employer.hosts.refused(hand.host, hand.address, refusal.reason):
            self._employer.say(f"{hand.host}: a worker refuses: {refusal.reason}")

    def _put_back(self, hand: _Hand) -> None:
        """Put back what a worker has; where it is its fault, the first of it has cost a try."""
        if hand.is_gone and hand.out:
            self._employer.hosts[hand.host].lost += 1
            self._employer.say(f"{hand.host}: a worker is lost; its chunks are played again")
        out, hand.out = hand.out, []
        for place, load in enumerate(out):
            costs = place == 0 and (hand.is_gone or hand.refusal is not None)
            for number, chunk, tries in load:
                self._queue.put_back(number, chunk, tries + costs)


def _for_workers(plan: Plan) -> Plan:
    """What workers need to know of a plan: not the master secret, nor where bots are here."""
    bots = {name: msgspec.structs.replace(bot, folder="") for name, bot in plan.bots.items()}
    commitment = Secret(plan.master).commitment
    return msgspec.structs.replace(plan, master=b"", commitment=commitment, bots=bots)


def _decoded(decoder: msgspec.msgpack.Decoder[_Answer], reply: object) -> _Answer:
    try:
        return decoder.decode(cast(bytes, reply))
    except (msgspec.MsgspecError, TypeError) as error:
        raise _OutOfService(f"gave no answer that can be read: {error}") from None


def _first(group: BaseException) -> _OutOfService:
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    assert isinstance(group, _OutOfService)
    return group
