"""What a worker of a cluster does with the tasks it gets."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("distributed", reason="needs the extra `cluster`")

from arena.bots import BotFiles, cache_folder, find_bot
from arena.errors import SandboxUnavailable
from arena.executor.cluster.messages import (
    Hire,
    Hired,
    NotHired,
    Play,
    Played,
    Refused,
    answer_to_hire,
    answer_to_play,
)
from arena.executor.cluster.on_worker import _alone, _on_one_core, hire, play
from arena.play import Bot
from arena.schedule import Chunk, GameKey, Secret, with_drawn
from arena.testing import practice_plan
from arena.version import VERSION

KEYS = tuple(GameKey(1, 0, rotation) for rotation in (0, 1))
CHUNK = Chunk(("greedy", "random"), 0, KEYS, frozenset(KEYS))

pytestmark = pytest.mark.cluster


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # It could not be undone for the tests that follow.
    monkeypatch.setattr("arena.executor.cluster.on_worker.hide_own_memory", lambda: None)


def known(name: str) -> Bot:
    """A bot as an order tells of it."""
    bot = find_bot(name)
    run = tuple(bot.manifest.run)
    return Bot(name=name, version=bot.manifest.version, hash=bot.hash, folder="/gone", run=run)


def order(job: str, bot: BotFiles | None = None) -> Hire:
    plan = practice_plan("greedy", "random", preset="kseri-short")
    plan = msgspec.structs.replace(
        plan,
        bots={name: known(name) for name in ("greedy", "random")},
        master=b"",
        commitment=Secret(bytes(32)).commitment,
    )
    return Hire(job=job, isolation="none", plan=plan, bots=(bot.to_zip(),) if bot else ())


def answer(message: Hire) -> Hired | Refused:
    found: Hired | Refused = answer_to_hire.decode(hire(VERSION, msgspec.msgpack.encode(message)))
    return found


def in_a_thread(data: bytes) -> Played | Refused | NotHired:
    """What `play` gives where the engine runs it."""
    answers: list[bytes] = []
    thread = threading.Thread(target=lambda: answers.append(play(data)))
    thread.start()
    thread.join()
    found: Played | Refused | NotHired = answer_to_play.decode(answers[0])
    return found


def test_a_worker_asks_for_what_it_lacks_and_then_plays() -> None:
    chunk = with_drawn(bytes(32), CHUNK, 2)
    data = msgspec.msgpack.encode(Play("job", (chunk,)))
    lacking = answer(order("job"))
    assert isinstance(lacking, Hired)
    assert set(lacking.lacks) == {find_bot(name).hash for name in ("greedy", "random")}
    assert isinstance(in_a_thread(data), NotHired), "not before it has all"
    for name in ("greedy", "random"):
        lacking = answer(order("job", find_bot(name)))
    assert isinstance(lacking, Hired)
    assert not lacking.lacks
    played = in_a_thread(data)
    assert isinstance(played, Played)
    records = [result.game.record for result in played.results if result.game]
    assert [GameKey(each.match, each.replay, each.rotation) for each in records] == list(KEYS)
    secret = Secret(bytes(32))
    assert [each.seed for each in records] == [secret.seed("greedy,random", KEYS[0]).hex()] * 2
    assert {each.master_commitment for each in records} == {secret.commitment}


def test_a_bot_that_was_not_asked_for_is_refused() -> None:
    refused = answer(order("job", find_bot("saver")))
    assert isinstance(refused, Refused)
    assert "another bot than it asked for" in refused.reason
    assert not list(cache_folder().glob("*"))


def test_two_workers_in_one_process_do_not_play_side_by_side() -> None:
    with _alone():
        refused = answer(order("job"))
    assert isinstance(refused, Refused)
    assert "shares its process with another worker" in refused.reason


def test_what_is_no_bot_is_refused() -> None:
    sent = msgspec.structs.replace(order("job"), bots=(b"no archive",))
    refused = answer(sent)
    assert isinstance(refused, Refused)
    assert "not a zip archive" in refused.reason


def test_where_it_can_not_isolate_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def breach(isolation: str, trusted: bool) -> None:
        raise SandboxUnavailable("it does not hold here")

    monkeypatch.setattr("arena.executor.cluster.on_worker.settle_isolation", breach)
    refused = answer(order("job"))
    assert isinstance(refused, Refused)
    assert refused.reason == "it does not hold here"
    assert not refused.is_other_version


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux pins threads")
def test_each_worker_holds_a_core_of_its_own_as_long_as_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Cores are held for a user: here for one whom no other worker of this machine runs as.
    monkeypatch.setattr(os, "geteuid", lambda: -os.getpid())
    usable = os.sched_getaffinity(0)
    held: list[set[int]] = []

    def hold(left: int) -> None:
        with _on_one_core():
            held.append(os.sched_getaffinity(0))
            if left:
                thread = threading.Thread(target=starts_anywhere, args=(left - 1,))
                thread.start()
                thread.join()
        assert os.sched_getaffinity(0) == usable

    def starts_anywhere(left: int) -> None:
        # A thread begins where the one is that starts it.
        os.sched_setaffinity(0, usable)
        hold(left)

    starts_anywhere(len(usable))
    assert len(set().union(*held[:-1])) == len(usable)
    assert all(len(cores) == 1 for cores in held[:-1])
    assert held[-1] == usable, "one more than there are cores stays on any"
