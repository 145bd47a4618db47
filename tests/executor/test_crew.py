"""The coordinator's part with workers that are functions: lost, begun anew, refusing, too many."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio

pytest.importorskip("distributed", reason="needs the extra `cluster`")

from arena.bots import BotFiles, find_bot
from arena.errors import Trouble, UsageError
from arena.executor.cluster import Cluster, on_worker
from arena.executor.cluster.connection import ConnectionLost, TaskFailed
from arena.executor.cluster.hosts import Hosts
from arena.executor.cluster.messages import (
    Hire,
    Hired,
    NotHired,
    Play,
    Played,
    Refused,
    answer_to_hire,
    to_hire,
    to_play,
)
from arena.executor.frames import Result
from arena.play import FinishedGame
from arena.schedule import GameKey, VoidMatch
from tests.executor.test_workers import ALL, CHUNKS, PLAN, game, keys

pytestmark = pytest.mark.cluster

Event = FinishedGame | VoidMatch
Behaviour = Callable[[str, Play], Played | Refused | NotHired | Hired | Exception]


def played(order: Play, host: str = "host") -> Played:
    """All games of a task."""
    results = [
        Result(number, game=game(key))
        for number, chunk in enumerate(order.chunks)
        for key in chunk.games
    ]
    return Played(host, 1.0, results)


class FakeScheduler:
    """Stands in for a scheduler and its workers: what each does with a task is a function's doing.

    A task takes a second, by a clock that jumps.
    """

    def __init__(self, workers: dict[str, int], behaviour: Behaviour) -> None:
        self.there = dict(workers)
        self.hired: list[str] = []
        self.orders: list[tuple[str, Play]] = []
        self.sent: list[bytes] = []
        self.answer_to_hire: Callable[[str, Hire], Hired | Refused] = lambda address, _: Hired(
            address, ()
        )
        self.connections = 0
        self.waiting = 0
        """Tasks that wait for any worker."""
        self.is_up = True
        self._behaviour = behaviour
        self._turns = {address: trio.Lock() for address in workers}

    @asynccontextmanager
    async def open(self, address: str, timeout_s: float) -> AsyncIterator[FakeScheduler]:
        if not self.is_up:
            raise TimeoutError("nobody answers")
        self.connections += 1
        yield self

    async def workers(self) -> dict[str, int]:
        await trio.lowlevel.checkpoint()
        if not self.is_up:
            raise ConnectionLost
        return dict(self.there)

    async def call(self, address: str | None, function: object, *data: object) -> object:
        if address is None:
            self.waiting += 1
            await trio.sleep_forever()
        assert address is not None
        message = data[-1]
        assert isinstance(message, bytes)
        self.sent.append(message)
        async with self._turns.setdefault(address, trio.Lock()):
            await trio.sleep(1)
            if address not in self.there:
                await trio.sleep_forever()
            if function is on_worker.hire:
                self.hired.append(address)
                return msgspec.msgpack.encode(self.answer_to_hire(address, to_hire.decode(message)))
            order = to_play.decode(message)
            self.orders.append((address, order))
            answer = self._behaviour(address, order)
            if isinstance(answer, Exception):
                raise answer
            if address not in self.there:
                await trio.sleep_forever()
            return msgspec.msgpack.encode(answer)


def run(
    monkeypatch: pytest.MonkeyPatch, fake: FakeScheduler, concurrency: int = 1
) -> tuple[Cluster, list[Event], list[str]]:
    """Play all chunks; returns what was reported, and what was said."""
    reported: list[Event] = []
    said: list[str] = []

    def files(digest: str) -> BotFiles:
        return find_bot("greedy")

    cluster = Cluster("tls://there:1", "none", files, concurrency, said.append)
    monkeypatch.setattr("arena.executor.cluster.coordinator.open_connection", fake.open)

    async def report(event: Event) -> None:
        await trio.lowlevel.checkpoint()
        reported.append(event)

    async def main() -> None:
        with trio.fail_after(10_000):
            await cluster.run(PLAN, iter(CHUNKS), report)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    return cluster, reported, said


def always(address: str, order: Play) -> Played:
    return played(order, address)


TWO = {"tls://one:1": 1, "tls://two:1": 1}


@pytest.mark.parametrize("concurrency", [1, 3, 9])
def test_every_chunk_is_played_once(monkeypatch: pytest.MonkeyPatch, concurrency: int) -> None:
    fake = FakeScheduler(TWO, always)
    _, reported, _ = run(monkeypatch, fake, concurrency)
    assert keys(reported) == ALL
    assert sorted(fake.hired) == sorted(TWO)
    assert max(len(order.chunks) for _, order in fake.orders) == min(concurrency, len(CHUNKS))


def test_no_worker_is_told_the_master_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = msgspec.structs.replace(PLAN, master=bytes(range(100, 132)))
    monkeypatch.setattr("tests.executor.test_crew.PLAN", plan)
    fake = FakeScheduler(TWO, always)
    run(monkeypatch, fake)
    assert fake.sent
    assert not [data for data in fake.sent if plan.master in data]
    hired = [to_hire.decode(data) for data in fake.sent[:1]]
    assert [bot.folder for order in hired for bot in order.plan.bots.values()] == ["", ""]
    drawn = [each for _, order in fake.orders for chunk in order.chunks for each in chunk.drawn]
    assert sorted(each.key for each in drawn) == ALL


def test_what_a_lost_worker_had_is_played_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_is_lost(address: str, order: Play) -> Played:
        if "one" in address:
            fake.there.pop(address, None)
        return played(order, address)

    fake = FakeScheduler(TWO, one_is_lost)
    cluster, reported, said = run(monkeypatch, fake)
    assert keys(reported) == ALL
    [remark] = [line for line in cluster.remarks() if "lost" in line]
    assert remark == "tls://one:1: 1 worker(s) lost; their chunks were played again"
    assert [line for line in said if "a worker is lost" in line]


def test_a_worker_that_joins_later_is_hired(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_more_joins(address: str, order: Play) -> Played:
        fake.there["tls://late:1"] = 1
        return played(order, address)

    fake = FakeScheduler({"tls://one:1": 1}, one_more_joins)
    _, reported, _ = run(monkeypatch, fake)
    assert keys(reported) == ALL
    assert fake.hired == ["tls://one:1", "tls://late:1"]


def test_a_worker_that_has_begun_anew_is_hired_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([NotHired()])
    fake = FakeScheduler(TWO, lambda address, order: next(answers, played(order, address)))
    _, reported, _ = run(monkeypatch, fake)
    assert keys(reported) == ALL
    assert len(fake.hired) == 3


@pytest.mark.parametrize("failure", [Refused("one", "no sandbox here"), TaskFailed("OSError: no")])
def test_a_worker_that_fails_gets_nothing_more(
    monkeypatch: pytest.MonkeyPatch, failure: Refused | TaskFailed
) -> None:
    fake = FakeScheduler(
        TWO, lambda address, order: failure if "one" in address else played(order, address)
    )
    cluster, reported, _ = run(monkeypatch, fake)
    assert keys(reported) == ALL
    assert len([address for address, _ in fake.orders if "one" in address]) <= 2
    [remark] = [line for line in cluster.remarks() if "refused" in line]
    assert "no" in remark


def test_a_chunk_that_kills_every_worker_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(address: str, order: Play) -> Played:
        if order.chunks[0].number == 0:
            fake.there.pop(address)
            fake.there[f"tls://next{len(fake.orders)}:1"] = 1
        return played(order, address)

    fake = FakeScheduler({"tls://one:1": 1}, dies)
    with pytest.raises(BaseExceptionGroup) as error:
        run(monkeypatch, fake)
    assert error.group_contains(Trouble, match="a worker process died 5 times on a, b")


def test_chunks_of_a_lost_connection_are_played_over_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = iter([ConnectionLost()])
    fake = FakeScheduler(TWO, lambda address, order: next(broken, played(order, address)))
    _, reported, said = run(monkeypatch, fake)
    assert keys(reported) == ALL
    assert fake.connections == 2
    assert [line for line in said if "the connection is lost" in line]


def test_a_scheduler_that_stays_away_ends_the_run_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def goes_down(address: str, order: Play) -> ConnectionLost:
        fake.is_up = False
        return ConnectionLost()

    fake = FakeScheduler(TWO, goes_down)
    with pytest.raises(BaseExceptionGroup) as error:
        run(monkeypatch, fake)
    assert error.group_contains(Trouble, match="the same command goes on from there")


@pytest.mark.parametrize(("most", "orders"), [(10**6, 2), (1, 3)], ids=["together", "by parts"])
def test_bots_are_sent_to_whoever_lacks_them(
    monkeypatch: pytest.MonkeyPatch, most: int, orders: int
) -> None:
    monkeypatch.setattr("arena.executor.cluster.crew._ORDER_BYTES", most)
    missing = ["aa", "bb"]

    def lacks(address: str, order: Hire) -> Hired:
        for archive in order.bots:
            assert BotFiles.from_zip(archive).hash == find_bot("greedy").hash
            missing.pop(0)
        return Hired(address, tuple(missing))

    # Alone: files are read in a thread, which the clock that jumps does not wait for.
    fake = FakeScheduler({"tls://one:1": 1}, always)
    fake.answer_to_hire = lacks
    _, reported, _ = run(monkeypatch, fake)
    assert keys(reported) == ALL
    assert len(fake.hired) == orders


def test_a_worker_that_does_not_keep_what_it_was_sent_gets_no_chunks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = FakeScheduler({"tls://one:1": 1}, always)
    fake.answer_to_hire = lambda address, _: Hired(address, ("aa",))
    with pytest.raises(BaseExceptionGroup) as error:
        run(monkeypatch, fake)
    assert error.group_contains(Trouble, match="does not keep bot aa")
    assert not fake.orders


@pytest.mark.parametrize(
    ("refusal", "error", "part"),
    [
        (Refused("one", "can't isolate"), Trouble, "can't isolate"),
        (Refused("one", "has version 9", True), UsageError, "has version 9"),
    ],
)
def test_where_nobody_can_play_it_is_said_why(
    monkeypatch: pytest.MonkeyPatch, refusal: Refused, error: type[Exception], part: str
) -> None:
    fake = FakeScheduler(TWO, always)
    fake.answer_to_hire = lambda address, _: refusal
    with pytest.raises(BaseExceptionGroup) as group:
        run(monkeypatch, fake)
    assert group.group_contains(error, match=f"no worker of the cluster can play: one: {part}")
    assert not fake.orders


def test_a_worker_of_several_threads_is_not_hired(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeScheduler(TWO | {"tls://many:1": 4}, always)
    cluster, reported, _ = run(monkeypatch, fake)
    assert keys(reported) == ALL
    assert "tls://many:1" not in fake.hired
    assert [line for line in cluster.remarks() if line.startswith("many: 1 worker(s) refused")]


def test_a_worker_that_answers_nonsense_gets_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nonsense = Hired("one", ())  # no answer to that question
    fake = FakeScheduler(
        TWO, lambda address, order: nonsense if "one" in address else played(order, address)
    )
    cluster, reported, _ = run(monkeypatch, fake)
    assert keys(reported) == ALL
    assert [line for line in cluster.remarks() if "gave no answer that can be read" in line]


def test_where_no_worker_is_a_task_asks_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Joining(FakeScheduler):
        async def workers(self) -> dict[str, int]:
            if self.waiting:
                self.there = dict(TWO)
            return await super().workers()

    fake = Joining({}, always)
    _, reported, said = run(monkeypatch, fake)
    assert keys(reported) == ALL
    assert fake.waiting == 1
    assert [line for line in said if "waiting for workers" in line]


def test_a_worker_of_another_version_does_not_even_read_its_order() -> None:
    answer = answer_to_hire.decode(on_worker.hire("0.0.0", b"no message"))
    assert isinstance(answer, Refused)
    assert answer.is_other_version
    assert answer.reason.endswith("of the arena, not 0.0.0")


def test_hosts_are_told_of_by_what_they_did() -> None:
    hosts = Hosts()
    assert hosts.remarks() == []
    results = [Result(0, game=game(key)) for key in ALL]
    for name, seconds in (("fast", 10.0), ("usual", 12.0), ("lame", 30.0)):
        hosts.played(name, seconds, results)
        hosts[name].workers.add(name)
    void = VoidMatch(("a", "b"), GameKey(1, 0, 0), "the canary was late")
    hosts.played("usual", 0.0, [Result(0, void=void)] * 2)
    assert hosts.refused("bad", "tls://bad:1", "can't isolate")
    assert not hosts.refused("bad", "tls://bad:2", "can't isolate")
    assert not hosts.refused("bad", "tls://bad:2", "can't isolate")
    summary, *lines = hosts.remarks()
    assert summary == "48 games on 3 host(s) with 3 worker(s), 13.0 s a chunk"
    [slow] = [line for line in lines if line.startswith("lame")]
    assert "2.5 times the median of hosts" in slow
    assert "usual: 2 void match(es): the canary was late" in lines
    assert "bad: 2 worker(s) refused: can't isolate" in lines
    assert len(lines) == 3


def test_chunks_of_another_length_than_is_best_are_told() -> None:
    hosts = Hosts()
    hosts.played("host", 0.5, [Result(0, game=game(ALL[0]))])
    [summary] = hosts.remarks()
    assert "0.5 s a chunk; 5 to 30 s are best (chunk_matches in the file)" in summary
