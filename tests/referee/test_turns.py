"""What a turn says: enough to play without memory, and nothing of others' time."""

import json

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.messages import Turn
from protocol.rules import PRESETS
from protocol.schema import schemas_folder
from tests.referee.table import Table, rules_of, setup_of


@pytest.mark.parametrize(
    ("used_us", "used_ms", "bank_ms"),
    [
        (0, 0, 500),
        (1, 1, 500),
        (1_000, 1, 500),
        (1_001, 2, 500),
        (100_000, 100, 500),
        (100_001, 101, 499),
        (101_000, 101, 499),
        (101_001, 102, 498),
        (599_999, 600, 0),
        (600_000, 600, 0),
    ],
)
def test_used_time_is_rounded_up_and_the_bank_down(used_us, used_ms, bank_ms):
    table = Table(setup_of())
    seat = table.seat
    assert table.ask().clock.used_ms == 0
    table.hear({"type": "play", "card": table.referee.game.deal.legal()[0][0]}, used_us)
    table.play_until(seat)
    clock = table.ask().clock
    assert (clock.move_ms, clock.bank_ms, clock.used_ms) == (100, bank_ms, used_ms)


def test_time_that_boot_time_covered_is_not_in_used_ms():
    table = Table(setup_of(), booted=False)
    seat = table.seat
    table.play(at_us=1_000_001)
    table.play_until(seat)
    assert (table.ask().clock.used_ms, table.referee.deals()[0].plays[0].elapsed_us) == (1, 1)
    assert table.referee.seats[seat].clock.boot_used_us == 1_000_000


class Memory:
    """What somebody who remembers every line would know of the running deal."""

    def __init__(self, turn: Turn) -> None:
        self.number = turn.deal.number
        self.pile = list(turn.deal.centre)
        self.captured = [0] * len(turn.captured)
        self.hand: list[str] = []
        self.plays = 0

    def follow(self, turn: Turn, seat: int) -> None:
        """Take in the plays that are new, and check that the turn says all that follows."""
        sides = len(turn.captured)
        for play in turn.plays[self.plays :]:
            if play.seat == seat:
                self.hand.remove(play.card)
            if play.took:
                self.captured[play.seat % sides] += play.took
                if not self.pile:
                    # R15: the marker and the played card; the marker was the other side's.
                    self.captured[(play.seat - 1) % sides] -= 1
                self.pile = []
            else:
                self.pile.append(play.card)
        self.plays = len(turn.plays)
        if not self.hand:
            self.hand = list(turn.hand)
        assert turn.hand == self.hand
        assert turn.pile == self.pile
        assert turn.captured == self.captured


@pytest.mark.parametrize("preset", PRESETS)
def test_a_turn_alone_says_what_all_lines_together_say(preset):
    table = Table(setup_of(rules_of(preset, target=30)))
    memories: dict[int, Memory] = {}
    turn_number = 0
    while table.referee.to_ask is not None:
        seat = table.seat
        ended = table.messages(seat, "deal_end")
        turn = table.play(option=turn_number)
        turn_number += 1
        assert (turn.turn, turn.seat, turn.game) == (turn_number, seat, table.setup.game)
        if seat not in memories or memories[seat].number != turn.deal.number:
            memories[seat] = Memory(turn)
        memories[seat].follow(turn, seat)
        assert turn.scores == (ended[-1]["scores"] if ended else [0] * len(turn.scores))
        cards = 52 * table.setup.rules.decks
        assert (
            cards
            == turn.stock
            + sum(turn.hands)
            + sum(turn.captured)
            + len(turn.pile)
            + turn.hidden_centre
        )
        assert turn.hands[seat] == len(turn.hand)
    assert turn_number + 1 == table.referee.turn_number


def test_the_hidden_centre_is_shown_to_every_seat_of_the_side_that_took_it_and_to_no_other():
    table = Table(setup_of(rules_of("pisti", target=20)))
    taker = None
    seen: dict[int, list[str] | None] = {}
    while not table.messages(0, "deal_end"):
        deal = table.referee.game.deal
        taker, face_down = deal.centre_taker, len(deal.hidden_centre)
        seat, turn = table.seat, table.play()
        if taker is None:
            assert turn.taken_centre is None
            assert turn.hidden_centre == face_down
        else:
            assert turn.hidden_centre == 0
            seen[seat] = turn.taken_centre
    hidden = table.messages(0, "deal_end")[0]["hidden_centre"]
    assert taker is not None
    assert seen == {seat: hidden if seat % 2 == taker else None for seat in range(4)}


times = st.lists(st.integers(0, 90_000), min_size=48, max_size=48)


@settings(max_examples=20, deadline=None)
@given(times, times, st.sampled_from(["kseri", "pisti", "kseri-3"]))
def test_nothing_of_the_others_times_reaches_a_seat(some, others, preset):
    """Two games that differ in nothing but how long the other seats think."""
    watched = 0

    def lines(pace):
        table = Table(setup_of(rules_of(preset)))
        for number in range(48):
            own = table.seat == watched
            table.play(at_us=some[number] if own else pace[number])
        return table.sent[watched]

    assert lines(some) == lines(others)


@pytest.mark.parametrize("preset", PRESETS)
def test_lines_are_compact_ascii_with_the_type_first_and_far_below_the_limit(preset):
    table = Table(setup_of(rules_of(preset, deals=1), names=["ü" * 39] * 6))
    table.play_out()
    for line in table.sent[0]:
        assert line.isascii()
        assert line.startswith(b'{"type":"')
        assert line.endswith(b"}\n")
        assert line.count(b"\n") == 1
        assert b", " not in line
        assert len(line) < 16 * 1024
        message = msgspec.json.decode(line)
        assert list(message)[:2] == ["type", "game"]


@pytest.mark.parametrize("preset", ["kseri", "pisti", "kseri-3", "faro-6"])
def test_every_line_fits_the_schema_that_bot_authors_read(preset):
    schema = json.loads((schemas_folder() / "from-arena.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    table = Table(setup_of(rules_of(preset, target=15), faults_allowed=2))
    table.early(b"?")
    table.ask()
    table.hear({"type": "play", "card": "\N{GRINNING FACE}" * 300})
    table.time_out()
    table.play_out()
    kinds = set()
    for lines in table.sent:
        for line in lines:
            message = json.loads(line)
            kinds.add(message["type"])
            validator.validate(message)
    assert kinds == {"hello", "turn", "deal_end", "game_end", "error"}
