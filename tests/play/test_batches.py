"""Many games at once in one process, by bots in memory: whose answer is whose, who pays."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.diagnosis import Program, diagnosis
from arena.play import batch
from arena.testing import ScriptedBot, first_legal
from arena.transcript import sent_bytes, transcript
from protocol.codec import decode_bot_line, split_line
from protocol.messages import Limits
from tests.play.many import LIMITS, Hall, Recorder, answer, any_legal

GOOD = partial(ScriptedBot, any_legal)


def hall(a: Any = GOOD, b: Any = GOOD, n: int = 4, m: int | None = None, **more: Any) -> Hall:
    """Four games between `a` and `b` at once, of processes that take n and m games."""
    batches = {"a": n, "b": n if m is None else m}
    return Hall({"a": a, "b": b}, batches, more.pop("games", 4), **more)


def test_the_games_are_the_same_however_many_go_on_at_once() -> None:
    sizes = [(1, 1), (8, 8), (32, 32), (8, 32), (8, 1), (1, 32)]
    halls = [hall(n=n, m=m, games=10, rotations=2, deals=2) for n, m in sizes]
    assert len(halls[0].plays) == 20
    assert all(each.plays == halls[0].plays for each in halls)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 9), st.integers(0, 3))
def test_the_games_are_the_same_whatever_the_sizes_and_delays(
    n: int, m: int, games: int, delay: int
) -> None:
    def late(turn: dict[str, Any]) -> Any:
        return [(delay * (turn["turn"] % 3), said) for _, said in any_legal(turn)]

    alone = hall(n=1, games=games)
    assert hall(partial(ScriptedBot, late), n=n, m=m, games=games).plays == alone.plays


def test_one_process_plays_all_games_of_a_rotation() -> None:
    found = hall(n=8, games=10, rotations=2)
    assert len(found.host.started) == 4
    assert len(set(found.processes("a"))) == 2
    assert [record.seats[0].nth for record in found.records[:10]] == list(range(1, 11))


def test_a_bot_of_one_game_has_a_process_for_each_that_goes_on() -> None:
    found = hall(n=32, m=1, games=20)
    assert Counter(found.processes("a")).most_common() == [("0.0.0.1", 20)]
    assert len(set(found.processes("b"))) == 8
    assert found.faults == [[]] * 20


def test_a_line_has_at_most_n_turns_and_one_a_game() -> None:
    found = hall(partial(Recorder, any_legal), n=3, games=8)
    (bot,) = (each for each in found.host.started if isinstance(each, Recorder))
    lines = [json.loads(line) for line in bot.lines]
    asked = [[m["game"] for m in line if m["type"] == "turn"] for line in lines if line is not None
             and isinstance(line, list)]  # fmt: skip
    assert all(len(games) == len(set(games)) <= 3 for games in asked)
    assert max(map(len, asked)) == 3


def test_messages_of_a_game_come_in_order() -> None:
    found = hall(partial(Recorder, any_legal), n=4, games=6, deals=2)
    (bot,) = (each for each in found.host.started if isinstance(each, Recorder))
    for record in found.records:
        kinds = [m["type"] for m in bot.received if m["game"] == record.game]
        assert kinds[0] == "hello"
        assert kinds[-1] == "game_end"
        turns = [m["turn"] for m in bot.received if m["game"] == record.game and "turn" in m]
        assert turns == sorted(turns)
        assert kinds.count("deal_end") == 2


def test_hello_says_how_many_games_a_process_takes() -> None:
    found = hall(n=4, m=1)
    batches = {
        m["limits"]["batch"]: m["seat"]
        for bot in found.host.started
        for m in bot.received
        if m["type"] == "hello"
    }
    assert batches == {4: 0, 1: 1}
    assert [[seat.batch for seat in record.seats] for record in found.records] == [[4, 1]] * 4


def test_the_transcript_of_a_game_has_the_messages_that_were_sent() -> None:
    late = partial(Recorder, lambda turn: [(2_500, answer(turn))])
    found = hall(late, n=4, games=4)
    (bot,) = (each for each in found.host.started if isinstance(each, Recorder))
    for record in found.records:
        told = sent_bytes(transcript(record, 0, seed_told=True)).splitlines()
        assert [json.loads(line) for line in told] == [
            message for message in bot.received if message["game"] == record.game
        ]


# Time


def by_turns(record: Any, seat: int) -> set[tuple[int, int]]:
    """How many turns stood in the lines of one seat's plays, and what was charged."""
    plays = [play for deal in record.deals for play in deal.plays]
    return {(play.turns, play.elapsed_us) for play in plays if play.seat == seat}


def test_every_turn_has_the_time_of_all_that_stand_in_its_line() -> None:
    ready = [(0, {"type": "ready"})]
    slow = partial(ScriptedBot, lambda turn: [(900, answer(turn))], ready)
    # All answers come 900 ms after the line: nobody needs the bank, however many there are.
    found = hall(slow, limits=Limits(boot_ms=10_000, move_ms=1_000, bank_ms=0))
    assert found.faults == [[]] * 4
    assert {elapsed for r in found.records for _, elapsed in by_turns(r, 0)} == {900_000}
    late = partial(ScriptedBot, lambda turn: [(1_500, answer(turn))], ready)
    limits = Limits(boot_ms=10_000, move_ms=1_000, bank_ms=0)
    assert hall(late, n=1, limits=limits).faults == [[("a", "timeout")]] * 4
    lonely = [r for r in hall(late, limits=limits).records if r.faults]
    assert all(fault.limit_us == 1_000_000 for record in lonely for fault in record.faults)


def test_a_missing_answer_is_a_time_out_of_its_own_game_alone() -> None:
    silent: list[str] = []

    def forgets(turn: dict[str, Any]) -> Any:
        if not silent:
            silent.append(turn["game"])
        return [] if turn["game"] in silent else any_legal(turn)

    found = hall(partial(ScriptedBot, forgets, [(0, {"type": "ready"})]), n=4)
    late = [record for record in found.records if record.faults]
    assert [record.game for record in late] == silent
    (fault,) = late[0].faults
    turns = fault.limit_us // 1_000_000 - 10 if fault.limit_us else 0
    assert (fault.kind, 1 <= turns <= 4) == ("timeout", True)


def test_a_process_boots_once_for_all_its_games() -> None:
    slow = partial(ScriptedBot, first_legal, [(3_000, {"type": "ready"})])
    found = hall(slow, n=4, games=8)
    assert found.faults == [[]] * 8
    boots = [record.seats[0].boot_us for record in found.records]
    assert set(boots[4:]) == {0}


def test_a_paced_game_goes_on_alone() -> None:
    limits = msgspec.structs.replace(LIMITS, tick_ms=50)
    found = hall(n=8, limits=limits, preset="kseri-partners")
    assert [[seat.batch for seat in record.seats] for record in found.records] == [[1] * 4] * 4


def test_bots_that_want_a_new_process_for_every_game_get_it() -> None:
    assert len(set(hall(n=8, reuse=False).processes("a"))) == 4


# Faults


def once(fault: Any) -> Any:
    """A script that does something else than answer, in the first turn that it is asked."""
    done: list[int] = []

    def script(turn: dict[str, Any]) -> Any:
        if not done:
            done.append(1)
            return fault(turn)
        return any_legal(turn)

    return script


def faulty(found: Hall) -> list[list[tuple[str, str]]]:
    """The faults of the games that have any."""
    return [faults for faults in found.faults if faults]


def test_an_illegal_answer_is_a_fault_of_its_game_alone() -> None:
    script = once(lambda turn: [(0, answer(turn) | {"card": "XX"})])
    assert faulty(hall(partial(ScriptedBot, script))) == [[("a", "illegal")]]


def test_an_unreadable_answer_that_names_its_game_is_its_fault_alone() -> None:
    script = once(lambda turn: [(0, answer(turn) | {"card": 7})])
    assert faulty(hall(partial(ScriptedBot, script))) == [[("a", "malformed")]]


@pytest.mark.parametrize(
    "line",
    [
        b"[",
        b'[{"type":"play"',
        b"[7]",
        b"[null]",
        b"[[]]",
        b"7H",
        b'[{"type":"play","card":"7H"}]',
        b'{"type":"play","card":"7H"}',
        b"[" * 5_000,
        b'{"type":"play","game":7,"card":"7H"}',
        b'[{"type":"ready"}' + b',{"type":"ready"}' * 4 * 128 + b"]",
    ],
)
def test_what_belongs_to_no_game_is_a_fault_in_every_open_turn(line: bytes) -> None:
    asked: list[str] = []

    def script(turn: dict[str, Any]) -> Any:
        asked.append(turn["game"])
        return [(1, line)]

    found = hall(partial(ScriptedBot, script), games=4)
    assert found.faults == [[("a", "malformed")]] * 4
    assert set(asked) == {record.game for record in found.records}


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (b'[{"type":"play"', "broken-array"),
        (b'{"type":"play","card":"7H"}', "no-game"),
        (b"[1" + b",1" * 4 * 128 + b"]", "long-array"),
    ],
)
def test_what_is_wrong_with_such_a_line_is_said(line: bytes, cause: str) -> None:
    found = hall(partial(ScriptedBot, lambda turn: [(1, line)]))
    record = found.records[0]
    assert diagnosis(record, record.faults[0], None, Program(("./bot",))).cause == cause


def test_faults_that_are_allowed_do_not_end_a_game() -> None:
    limits = msgspec.structs.replace(LIMITS, faults_allowed=1_000)
    script = once(lambda turn: [(0, b"[")])
    found = hall(partial(ScriptedBot, script), limits=limits)
    assert ("a", "malformed") in faulty(found)[0]
    assert {record.reason for record in found.records} == {"deals"}


def test_a_crash_is_one_of_every_game_that_goes_on() -> None:
    found = hall(partial(ScriptedBot, once(lambda turn: [(0, answer(turn)), (0, None)])), games=6)
    assert found.faults[:4] == [[("a", "crash")]] * 4
    assert found.faults[4:] == [[]] * 2
    assert len(set(found.processes("a"))) == 2


def test_a_process_that_ends_before_its_first_output_boots_in_none_of_its_games() -> None:
    script = once(lambda turn: [(0, None)])
    found = hall(lambda: ScriptedBot(script), n=2, games=4)
    assert found.faults == [[("a", "boot")]] * 2 + [[]] * 2


def test_a_process_that_ends_before_it_said_anything_in_later_games_is_replaced() -> None:
    seen: set[str] = set()
    ended: list[str] = []

    def script(turn: dict[str, Any]) -> Any:
        seen.add(turn["game"])
        if len(seen) > 2 and not ended:
            ended.append(turn["game"])
            return [(0, None)]
        return any_legal(turn)

    found = hall(partial(ScriptedBot, script), n=2, games=4)
    assert found.faults == [[]] * 4
    assert found.processes("a") == ["0.0.0.1"] * 2 + ["0.0.0.2"] * 2


def test_a_second_answer_is_a_fault_when_its_seat_is_asked_again() -> None:
    script = once(lambda turn: [(0, answer(turn)), (0, answer(turn))])
    found = hall(partial(ScriptedBot, script))
    assert faulty(found) == [[("a", "unasked")]]


@pytest.mark.parametrize("line", [b"x", b"[x", b"[1" + b",1" * 500 + b"]"])
def test_of_a_stream_of_rubbish_only_the_beginning_is_looked_at(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Counter[str]()

    def counted(name: str, function: Any, *data: Any) -> Any:
        read[name] += b"type" not in data[0]
        return function(*data)

    for function in (split_line, decode_bot_line):
        name = function.__name__
        monkeypatch.setattr(batch, name, partial(counted, name, function))
    script = once(lambda turn: [*any_legal(turn), *[(0, line)] * 5_000])
    assert hall(partial(ScriptedBot, script), games=1).faults == [[("a", "malformed")]]
    assert max(read.values()) <= 128


def test_answers_of_other_games_are_noted_and_ignored() -> None:
    def script(turn: dict[str, Any]) -> Any:
        return [(0, answer(turn) | {"game": "0" * 16}), *any_legal(turn)]

    found = hall(partial(ScriptedBot, script))
    assert found.faults == [[]] * 4
    assert "another game" in str(found.logs("a"))


def test_a_wrong_turn_is_ignored_while_the_right_one_is_open() -> None:
    def script(turn: dict[str, Any]) -> Any:
        return [(0, answer(turn) | {"turn": turn["turn"] + 1}), *any_legal(turn)]

    assert hall(partial(ScriptedBot, script)).faults == [[]] * 4


def test_answers_may_come_as_one_array_in_any_order() -> None:
    waiting: list[dict[str, Any]] = []

    class Arrays(ScriptedBot):
        def post(self, line: bytes) -> None:
            known = len(self.received)
            super().post(line)
            turns = [m for m in self.received[known:] if m["type"] == "turn"]
            waiting[:] = [answer(turn) for turn in reversed(turns)]

    def script(turn: dict[str, Any]) -> Any:
        if waiting[0]["game"] != turn["game"]:
            return []
        return [(1, json.dumps(waiting).encode())]

    found = hall(partial(Arrays, script), partial(ScriptedBot, first_legal), games=6)
    alone = partial(ScriptedBot, first_legal)
    assert found.plays == hall(alone, alone, n=1, games=6).plays


def test_a_flood_is_more_than_a_mebibyte_for_every_game() -> None:
    def chatters(times: int) -> Any:
        log = (0, {"type": "log", "text": "x" * 60_000})
        return partial(ScriptedBot, once(lambda turn: [log] * times + any_legal(turn)))

    assert hall(chatters(60)).faults == [[]] * 4
    assert hall(chatters(80)).faults == [[("a", "flood")]] * 4


def test_logs_go_to_the_game_that_they_name() -> None:
    def script(turn: dict[str, Any]) -> Any:
        log = {"type": "log", "text": turn["game"], "game": turn["game"]}
        return [(0, log), *any_legal(turn)]

    found = hall(partial(ScriptedBot, script))
    assert [set(logs) for logs in found.logs("a")] == [{r.game} for r in found.records]


def test_a_process_that_has_forfeited_ends_with_its_other_games() -> None:
    script = once(lambda turn: [(0, answer(turn) | {"card": "XX"})])
    found = hall(partial(ScriptedBot, script), games=8)
    assert faulty(found) == [[("a", "illegal")]]
    assert found.processes("a") == ["0.0.0.1"] * 4 + ["0.0.0.2"] * 4


def test_where_more_sides_play_the_others_go_on() -> None:
    makes = {
        "a": partial(ScriptedBot, once(lambda turn: [(0, answer(turn) | {"card": "XX"})])),
        "b": GOOD,
        "c": GOOD,
    }
    found = Hall(makes, dict.fromkeys("abc", 4), 6, preset="kseri-3")
    assert faulty(found) == [[("a", "illegal")]]
    assert {record.reason for record in found.records} == {"deals"}


def test_a_fault_of_the_sandbox_voids_the_games_of_the_process_alone() -> None:
    class Failing(ScriptedBot):
        def __init__(self) -> None:
            super().__init__(lambda turn: [(0, None)])
            self.sandbox_failure = "no room"

    found = hall(Failing, n=2, games=4)
    assert found.records == []
    assert [getattr(event, "cause", "") for event in found.events] == ["no room"] * 4


@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize("kind", [ValueError, OSError])
def test_what_a_bot_or_the_machine_spoils_as_it_is_started_voids_its_games_alone(
    kind: type[Exception], n: int
) -> None:
    def fail() -> ScriptedBot:
        raise kind("nobody has thought of it")

    found = hall(fail, n=n, games=4)
    why = f"bot a could not be started: {kind.__name__}: nobody has thought of it"
    assert [getattr(event, "cause", "") for event in found.events] == [why] * 4


@pytest.mark.parametrize("n", [1, 4])
def test_a_mistake_of_the_arena_itself_voids_nothing(n: int) -> None:
    def fail() -> ScriptedBot:
        raise TypeError("an argument is missing")

    with pytest.raises(TypeError, match="an argument is missing"):
        hall(fail, n=n, games=4)
