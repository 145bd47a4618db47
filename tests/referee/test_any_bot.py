"""Bots that do anything at any time: the arena judges every game, and every record is sound."""

import json
from functools import partial

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.faults import forfeited_sides
from arena.play import FinishedGame
from arena.replay import steps
from arena.schedule import GameKey
from arena.testing import ScriptedBot, ScriptedHost, first_legal, practice_plan
from protocol.messages import Limits
from protocol.rules import PRESETS
from tests.referee.test_scripted_games import check_record, play

LIMITS = Limits(boot_ms=50, move_ms=10, bank_ms=30)

noise = st.one_of(
    st.binary(max_size=20),
    st.sampled_from([
        {"type": "ready"},
        {"type": "log", "text": "x" * 3_000},
        {"type": "play", "card": "7H"},
        {"type": "play", "card": "JC", "turn": 3, "note": "hm"},
        {"type": "play", "card": "JC", "game": "another"},
        {"type": "play", "card": "x" * 60_000, "turn": 2},
        b"x" * 70_000,
        b'{"type":"log","text":"\xf0\x9f\x98\x80"}',
        None,
    ]),
)  # fmt: skip
moment = st.sampled_from([0, 0, 1, 9, 11, 39, 41, 80, 95])
doings = st.lists(st.tuples(moment, noise), max_size=3)
habits = st.lists(st.tuples(doings, moment, st.booleans()), min_size=1, max_size=8)


def bot(habits, good):
    """Mostly plays well; every so often it does what its habits say, too or instead."""
    turns = iter(range(10_000))

    def script(turn):
        number = next(turns)
        if number % good:
            return first_legal(turn)
        extra, after, answers = habits[number // good % len(habits)]
        answer = [(after, message) for _, message in first_legal(turn)] * answers
        return [*extra, *answer]

    return partial(ScriptedBot, script)


def check_sent(bot):
    """What one bot was sent hangs together."""
    turns = [message for message in bot.received if message["type"] == "turn"]
    for message in bot.received:
        assert len(json.dumps(message)) < 16_384
    for turn in turns:
        assert turn["legal"]
        assert {play["card"] for play in turn["legal"]} == set(turn["hand"])
        assert turn["hands"][turn["seat"]] == len(turn["hand"])
    games = [message["game"] for message in bot.received if message["type"] == "hello"]
    # A hello for every game, in their order; a game begun is never gone back to.
    assert list(dict.fromkeys(message["game"] for message in bot.received)) == games


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(habits, st.integers(1, 12)), min_size=6, max_size=6),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from([0, 1, 5, 1_000]),
    st.integers(0, 5),
)
def test_every_game_ends_with_a_record_that_follows_from_its_seed(bots, preset, allowed, missing):
    limits = msgspec.structs.replace(LIMITS, faults_allowed=allowed)
    plan = practice_plan(*"abcdef", preset=preset, deals=2, limits=limits)
    pairing = tuple("abcdef")[: plan.rules.sides]
    made = {name: bot(*bots[seat]) for seat, name in enumerate("abcdef") if seat != missing}
    host = ScriptedHost(made)
    events = play(host, plan, *(GameKey(match, 0, 0) for match in (1, 2)), pairing=pairing)
    assert len(events) == 2
    for event in events:
        assert isinstance(event, FinishedGame)
        check_judged(event.record)
    assert all(started.has_ended for started in host.started)
    for started in host.started:
        check_sent(started)


def check_judged(record):
    """The record replays, and its forfeits are those of its fatal faults."""
    check_record(record)
    for _ in steps(record):
        continue
    out = set(forfeited_sides(record))
    sides = 1 + max(seat.side for seat in record.seats)
    assert (record.reason == "forfeit") == (len(out) == sides - 1)
    for deal in record.deals:
        for made in deal.plays:
            assert made.elapsed_us <= 40_000
    for seat, seated in enumerate(record.seats):
        faults = [fault for fault in record.faults if fault.seat == seat]
        assert len(faults) <= record.limits.faults_allowed + 1
        assert seated.boot_us <= 50_000
    forced = sum(play.forced for deal in record.deals for play in deal.plays)
    played = sum(fault.played is not None for fault in record.faults)
    assert forced >= played
    assert out or forced == played
