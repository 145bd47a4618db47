"""A transcript has the very bytes that the bots were sent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BotCannotStart
from arena.replay import ReplayError
from arena.schedule import GameKey
from arena.testing import Said, Script, first_legal, practice_plan
from arena.transcript import Answered, Doubt, Failed, Sent, sent_bytes, transcript
from protocol.messages import Limits
from protocol.records import GameRecord
from protocol.rules import PRESETS, make_rules
from tests.referee.test_any_bot import habits
from tests.transcript.recorded import Recorder, assert_same, play, retold

LIMITS = Limits(boot_ms=1_000, move_ms=100, bank_ms=500)
MATCHES = tuple(GameKey(match, 0, 0) for match in (1, 2, 3))


def varied(turn: dict[str, Any]) -> Iterable[Said]:
    """Any legal answer, after times that use up some of the bank."""
    choice = turn["legal"][turn["turn"] * 7 % len(turn["legal"])]
    after_ms = (turn["turn"] * 31) % 90 + (0.3 if turn["turn"] % 5 else 37.7)
    return [(after_ms, {"type": "play", "turn": turn["turn"], **choice})]


def names_of(preset: str) -> str:
    return "abcdef"[: make_rules(preset).sides]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_over_several_games_of_the_same_processes(preset: str) -> None:
    names = names_of(preset)
    plan = practice_plan(*names, preset=preset, limits=LIMITS, deals=3)
    records, host = play(plan, dict.fromkeys(names, partial(Recorder, varied)), *MATCHES)
    assert_same(records, host)
    banks = {message["clock"]["bank_ms"] for bot in host.started for message in turns_of(bot)}
    assert len(banks) > 3, "the clocks are not all full"


def turns_of(bot: Any) -> list[dict[str, Any]]:
    return [message for message in bot.received if message["type"] == "turn"]


@pytest.mark.parametrize("hidden", [True, False])
def test_a_game_to_its_target_and_its_rotation(hidden: bool) -> None:
    plan = msgspec.structs.replace(practice_plan("a", "b", preset="kseri"), names_hidden=hidden)
    keys = GameKey(1, 0, 0), GameKey(1, 0, 1)
    records, host = play(plan, dict.fromkeys("ab", partial(Recorder, varied)), *keys)
    assert len(records[0].deals) > 1
    assert_same(records, host)
    first, second = (sent_bytes(retold(record, 0, records[1])) for record in records)
    assert b'"seed":null' in first
    assert records[1].seed.encode() in second


def clumsy(turn: dict[str, Any]) -> Iterable[Said]:
    """Every tolerated fault, one after another, at every third of its turns."""
    number = turn["turn"]
    good = [(0, message) for _, message in first_legal(turn)]
    match number // 6 % 5, number % 6 < 3:
        case 0, True:
            return [(3, {"type": "play", "turn": number, "card": "ha\u202e\x1b" * 80})]
        case 1, True:
            return [(5, b"\xff\xfe not json \x00")]
        case 2, True:
            return [*good, *good]
        case 3, True:
            return [(60_000, good[0][1])]
        case 4, True:
            return [(1, b"{" * 70_000)]
    return good


@pytest.mark.parametrize("allowed", [1, 3, 1_000])
@pytest.mark.parametrize("preset", ["kseri", "kseri-3", "kseri-partners", "pisti-2", "faro-6"])
def test_faults_that_are_allowed_and_the_forfeit_in_the_end(preset: str, allowed: int) -> None:
    names = names_of(preset)
    limits = msgspec.structs.replace(LIMITS, faults_allowed=allowed, bank_ms=100_000)
    plan = practice_plan(*names, preset=preset, limits=limits, deals=2)
    makers = dict.fromkeys(names, Recorder) | {"a": partial(Recorder, clumsy)}
    records, host = play(plan, makers, *MATCHES[:2])
    assert_same(records, host)
    kinds = {fault.kind for record in records for fault in record.faults}
    assert len(kinds) >= (4 if allowed == 1_000 else 1)


ENDINGS: dict[str, list[Said]] = {
    "illegal": [(0, {"type": "play", "card": "XX"})],
    "malformed": [(0, b"7H")],
    "timeout": [(0, {"type": "ready"})],
    "boot": [(5, None)],
    "late": [(22_000, {"type": "ready"})],
    "crash": [(0, {"type": "ready"}), (5, None)],
    "flood": [(0, {"type": "log", "text": "x" * 60_000})] * 18,
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("preset", ["kseri-plain", "kseri-3", "kseri-partners"])
@pytest.mark.parametrize("when", [0, 20])
def test_every_way_to_forfeit(ending: str, preset: str, when: int) -> None:
    def script(turn: dict[str, Any]) -> Iterable[Said]:
        return ENDINGS[ending] if turn["turn"] > when else first_legal(turn)

    names = names_of(preset)
    plan = practice_plan(*names, preset=preset, limits=LIMITS, deals=1)
    makers = dict.fromkeys(names, Recorder) | {"a": partial(Recorder, script)}
    records, host = play(plan, makers, *MATCHES[:2])
    assert_same(records, host)
    assert len(records[0].faults) == 1


@pytest.mark.parametrize(
    "extra",
    [
        [(0, b"?")],
        [(0, {"type": "play", "card": "7H"})],
        [(0, b"x" * 70_000)],
        [(0, {"type": "log", "text": "x" * 60_000})] * 18,
    ],
    ids=["malformed", "unasked", "too long", "flood"],
)
def test_a_forfeit_before_the_turn_is_sent(extra: Any) -> None:
    def script(turn: dict[str, Any]) -> Iterable[Said]:
        return [*first_legal(turn), *extra] if turn["turn"] > 10 else first_legal(turn)

    plan = practice_plan("a", "b", deals=1)
    records, host = play(plan, {"a": partial(Recorder, script), "b": Recorder})
    assert_same(records, host)
    (fault,) = records[0].faults
    events = retold(records[0], 0, records[0])
    assert fault.turn not in [event.turn for event in events if isinstance(event, Sent)]


def test_a_process_started_anew_was_sent_what_is_told_and_the_one_before_the_beginning() -> None:
    def quits_after_the_game(turn: dict[str, Any]) -> Iterable[Said]:
        return [*first_legal(turn), *([(0, None)] if len(turn["plays"]) >= 46 else [])]

    plan = practice_plan("a", "b", deals=1)
    makers = {"a": partial(Recorder, quits_after_the_game), "b": Recorder}
    records, host = play(plan, makers, *MATCHES[:2])
    first, _, second = host.started
    events = retold(records[1], 0, records[1])
    game = records[1].game
    assert sent_bytes(events) == second.of_game(game)  # type: ignore[attr-defined]
    assert sent_bytes(events).startswith(first.of_game(game))  # type: ignore[attr-defined]
    assert isinstance(events[0], Doubt)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.tuples(habits, st.integers(1, 12)), min_size=6, max_size=6),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from([0, 1, 5, 1_000]),
)
def test_bots_that_do_anything_at_any_time(bots: Any, preset: str, allowed: int) -> None:
    limits = Limits(boot_ms=50, move_ms=10, bank_ms=30, faults_allowed=allowed)
    names = names_of(preset)
    plan = practice_plan(*names, preset=preset, deals=2, limits=limits)
    makers = {name: partial(Recorder, script_of(*bots[n])) for n, name in enumerate(names)}
    records, host = play(plan, makers, *MATCHES[:2])
    for record in records:
        for seat in range(plan.rules.seats):
            events = retold(record, seat, records[-1])
            told = sent_bytes(events)
            mark = b'"seat":%d,"side_of"' % seat
            streams = {bot: bot.of_game(record.game) for bot in host.started}  # type: ignore[attr-defined]
            own = [stream for stream in streams.values() if mark in stream]
            if len(own) == 1:
                # One that ended while others were asked did not read what it was then sent.
                failed = any(isinstance(event, Failed) for event in events)
                (bot,) = [bot for bot, stream in streams.items() if mark in stream]
                assert told.startswith(own[0]) if failed and bot.has_ended else own == [told]
            else:
                assert isinstance(events[0], Doubt)
                assert all(line in told for stream in own for line in stream.splitlines())


def script_of(habits: Any, good: int) -> Script:
    turns = iter(range(10_000))

    def script(turn: dict[str, Any]) -> Iterable[Said]:
        number = next(turns)
        if number % good:
            return first_legal(turn)
        extra, after, answers = habits[number // good % len(habits)]
        return [*extra, *[(after, message) for _, message in first_legal(turn)] * answers]

    return script


def test_a_command_that_cannot_be_started_was_sent_nothing() -> None:
    records, host = play(practice_plan("a", "b", deals=1), {"b": Recorder, "a": missing})
    seat = [seat.bot for seat in records[0].seats].index("a")
    events = retold(records[0], seat, records[0])
    assert [type(event) for event in events] == [Doubt]
    other = retold(records[0], 1 - seat, records[0])
    assert sent_bytes(other) == b"".join(host.started[0].lines)  # type: ignore[attr-defined]


def missing() -> Recorder:
    raise BotCannotStart("a: no such command")


def one_record() -> GameRecord:
    plan = practice_plan("a", "b", preset="kseri", limits=LIMITS, deals=1)
    (record,), _ = play(plan, dict.fromkeys("ab", partial(Recorder, varied)))
    return record


def test_answers_stand_after_their_turns_as_the_record_has_them() -> None:
    record = one_record()
    events = retold(record, 1, record)
    plays = [play for play in record.deals[0].plays if play.seat == 1]
    answers = [event for event in events if isinstance(event, Answered)]
    assert [(a.card, a.captured) for a in answers] == [(p.card, p.capture) for p in plays]
    choices = 0
    for before, event in pairwise(events):
        if isinstance(event, Answered):
            assert isinstance(before, Sent)
            assert before.turn == event.turn
            turn, answer = msgspec.json.decode(before.line), msgspec.json.decode(event.line)
            assert answer.pop("turn") == turn["turn"]
            assert answer.pop("type") == "play"
            assert answer in turn["legal"]
            choices += "capture" in answer
    assert choices


def test_faults_stand_where_they_happened() -> None:
    limits = Limits(faults_allowed=1_000, move_ms=100, bank_ms=0)
    plan = practice_plan("a", "b", limits=limits, deals=1)
    (record,), _ = play(plan, {"a": partial(Recorder, clumsy), "b": Recorder})
    events = retold(record, 0, record)
    failed = [event.fault for event in events if isinstance(event, Failed)]
    assert failed == record.faults
    for before, event in pairwise(events):
        if isinstance(event, Failed) and event.fault.played:
            assert isinstance(before, Sent)
            assert before.turn == event.fault.turn
    assert not [event for event in retold(record, 1, record) if isinstance(event, Failed)]


def test_nothing_but_the_own_seat_is_told() -> None:
    """The other hand, and what the other is told, stand in no line."""
    record = one_record()
    for seat in (0, 1):
        for event in retold(record, seat, record):
            if isinstance(event, Sent) and event.turn:
                assert msgspec.json.decode(event.line)["seat"] == seat


def test_a_record_that_does_not_follow_from_its_seed_is_refused() -> None:
    record = msgspec.structs.replace(one_record(), seed="00" * 32)
    with pytest.raises(ReplayError):
        transcript(record, 0, seed_told=True)
