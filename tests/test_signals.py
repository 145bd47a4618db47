"""The hands read back from a record are those that the bots had."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import msgspec
import pytest

from arena.game import Option
from arena.rating.signals import time_signal
from arena.signals import FEATURES, timed_hands
from arena.train import Position
from protocol.records import GameRecord
from protocol.rules import PRESETS, make_rules
from tests.luck.recorded import captures, record_of

NUMBERS = {rank: number for number, rank in enumerate("A23456789TJQK", 1)}


def told(position: Position) -> dict[str, int]:
    """What a record's reader should find of this turn."""
    hand, top = position.hand, "".join(position.pile[-1:])[:1]
    ranks = [card[0] for card in hand]
    able = [rank for rank in ranks if top and (rank == top or rank == "J")]
    if not position.rules.jack_captures:
        able = [rank for rank in able if rank == top]
    return {
        "seat": position.seat,
        "hand_size": len(hand),
        "jacks": ranks.count("J"),
        "can_capture": min(len(able), 1),
        "matches": ranks.count(top),
        "ranks": len(set(ranks)),
        "rank_sum": sum(NUMBERS[rank] for rank in ranks),
    }


def played(preset: str, seed: bytes = bytes(32)) -> tuple[GameRecord, list[dict[str, int]]]:
    """A game, and what was to be told of every turn of it."""
    turns = []

    def noting(position: Position) -> Option:
        turns.append(told(position))
        return captures(position)

    rules = make_rules(preset)
    return record_of(rules, seed, [noting] * rules.seats), turns


def with_plays(record: GameRecord, changes: list[dict[str, Any]]) -> GameRecord:
    """The record with fields of its plays replaced, in their order."""
    left = iter(changes)
    deals = [
        msgspec.structs.replace(
            deal, plays=[msgspec.structs.replace(play, **next(left)) for play in deal.plays]
        )
        for deal in record.deals
    ]
    return msgspec.structs.replace(record, deals=deals)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_play_has_the_hand_that_it_was_made_from(preset: str) -> None:
    record, turns = played(preset)
    times = [{"elapsed_us": 1000 + number} for number in range(len(turns))]
    found = [hand._asdict() for hand in timed_hands(with_plays(record, times))]
    assert found == [turn | time for turn, time in zip(turns, times, strict=True)]


def test_plays_that_the_arena_made_are_left_out() -> None:
    record, turns = played("kseri")
    forced = [{"forced": number % 7 == 3} for number in range(len(turns))]
    found = [hand.rank_sum for hand in timed_hands(with_plays(record, forced))]
    assert found == [t["rank_sum"] for t, f in zip(turns, forced, strict=True) if not f["forced"]]


def test_a_bot_that_tells_its_partner_of_jacks_is_found_in_its_records() -> None:
    """Seats 0 and 2 tell, 1 and 3 do not; all are slower with more cards."""
    hands = defaultdict(list)
    for game in range(12):
        record, turns = played("kseri-partners", bytes([game]) * 32)
        times = [
            {"elapsed_us": 500 * turn["hand_size"] + turn["jacks"] * 900 * (turn["seat"] % 2 == 0)}
            for turn in turns
        ]
        for hand in timed_hands(with_plays(record, times)):
            hands[hand.seat % 2].append(hand)
    telling, honest = (
        time_signal(
            [hand.elapsed_us for hand in hands[side]],
            [hand.hand_size for hand in hands[side]],
            {name: [getattr(hand, name) for hand in hands[side]] for name in FEATURES},
        )
        for side in (0, 1)
    )
    assert telling.is_signal
    assert telling.feature == "jacks"
    assert not honest.is_signal
