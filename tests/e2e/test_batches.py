"""Real processes that play many games at once: the same games, and whose fault is whose."""

import msgspec
import pytest

from tests.e2e.playing import PATIENT, play, program

pytestmark = [pytest.mark.e2e, pytest.mark.hostile]

GAMES = 8


def many(how="array", doing="", *, name="many", batch=GAMES):
    return program("many_games", how, doing, name=name, batch=batch)


def played(bot, other=None, limits=PATIENT, games=GAMES):
    """Eight games, all at once unless the bots take fewer."""
    return play(bot, other or many(name="other"), limits=limits, games=games)


def games_of(found):
    """What the games are, but for times and processes."""
    return {
        record.game: [
            [(play.seat, play.card, play.capture) for play in deal.plays] for deal in record.deals
        ]
        for record in found.records
    }


def faulty(found):
    """The faults of the games that have any."""
    return [faults for faults in found.faults if faults]


def test_the_games_are_the_same_with_one_process_for_all_and_with_one_for_each():
    """Arrays against arrays, lines against arrays, a bot of one game against both."""
    tables = {
        "arrays": (many(), many(name="other")),
        "lines": (many("lines"), many(name="other", batch=3)),
        "mixed": (program("good", name="many"), many(name="other")),
    }
    alone = played(many(batch=1), many(name="other", batch=1))
    assert alone.faults == [[]] * GAMES
    for bots in tables.values():
        found = played(*bots)
        assert found.faults == [[]] * GAMES
        assert games_of(found) == games_of(alone)


def test_all_games_are_played_by_one_process_a_seat():
    found = played(many())
    processes = {seat.process for record in found.records for seat in record.seats}
    assert processes == {"0.0.0.1", "0.0.1.1"}
    plays = [play for record in found.records for deal in record.deals for play in deal.plays]
    assert max(play.turns for play in plays) == GAMES


@pytest.mark.parametrize(
    ("doing", "kind"),
    [("illegal", "illegal"), ("twice", "unasked"), ("forget", "timeout")],
)
def test_a_fault_in_one_game_leaves_the_others_alone(doing, kind):
    limits = msgspec.structs.replace(PATIENT, move_ms=400, bank_ms=0)
    found = played(many("lines", doing), limits=limits if doing == "forget" else PATIENT)
    assert faulty(found) == [[("many", kind)]]
    assert len(found.records) == GAMES


@pytest.mark.parametrize(
    ("doing", "kind"), [("garbage", "malformed"), ("crash", "crash"), ("flood", "flood")]
)
def test_what_is_no_answer_of_any_game_is_a_fault_of_all_that_are_open(doing, kind):
    found = played(many("array", doing))
    assert faulty(found) == [[("many", kind)]] * len(faulty(found))
    assert len(faulty(found)) > 1
    if doing != "garbage":
        assert len(faulty(found)) == GAMES


def test_answers_of_games_that_there_are_not_are_ignored():
    assert played(many("array", "elsewhere")).faults == [[]] * GAMES
