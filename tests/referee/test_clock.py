"""Boot, move and bank time by the protocol's section "Time"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.clock import SeatClock
from protocol.messages import Limits

LIMITS = Limits(boot_ms=100, move_ms=10, bank_ms=50)
BOOT, MOVE, BANK = 100_000, 10_000, 50_000


def clock(booted: bool = True) -> SeatClock:
    return SeatClock(LIMITS, booted)


@pytest.mark.parametrize(
    ("answered_us", "charged_us", "bank_us"),
    [
        (0, 0, BANK),
        (1, 1, BANK),
        (MOVE, MOVE, BANK),
        (MOVE + 1, MOVE + 1, BANK - 1),
        (MOVE + BANK, MOVE + BANK, 0),
        # Read by an arena that was late itself: nobody can be charged more than there was.
        (MOVE + BANK + 7, MOVE + BANK, 0),
    ],
)
def test_a_running_process_pays_what_exceeds_the_time_for_a_move(answered_us, charged_us, bank_us):
    seat = clock()
    assert seat.budget_us == MOVE + BANK
    assert seat.charge(answered_us) == charged_us
    assert (seat.used_us, seat.bank_us, seat.boot_used_us) == (charged_us, bank_us, 0)
    assert seat.budget_us == MOVE + bank_us


@pytest.mark.parametrize(
    ("ready_us", "answered_us", "boot_us", "charged_us"),
    [
        (None, 5, 5, 0),
        (None, BOOT, BOOT, 0),
        (None, BOOT + 1, BOOT, 1),
        (None, BOOT + MOVE + BANK, BOOT, MOVE + BANK),
        (0, MOVE, 0, MOVE),
        (40_000, 40_000 + MOVE, 40_000, MOVE),
        (BOOT, BOOT + 3, BOOT, 3),
        # A late ready: what goes beyond the time to boot is the answer's.
        (BOOT + 2_000, BOOT + 5_000, BOOT, 5_000),
    ],
    ids=str,
)
def test_boot_time_covers_the_wait_until_ready_or_the_first_answer(
    ready_us, answered_us, boot_us, charged_us
):
    seat = clock(booted=False)
    assert not seat.booted
    assert seat.budget_us == BOOT + MOVE + BANK
    if ready_us is not None:
        seat.ready(ready_us)
        assert seat.booted
        assert seat.budget_us == min(ready_us, BOOT) + MOVE + BANK
    assert seat.charge(answered_us) == charged_us
    assert seat.booted
    assert seat.boot_used_us == boot_us
    assert seat.bank_us == BANK - max(0, charged_us - MOVE)


def test_ready_before_the_turn_is_written_leaves_no_boot_time():
    seat = clock(booted=False)
    seat.ready(0)
    assert seat.budget_us == MOVE + BANK
    assert seat.charge(7) == 7


def test_ready_counts_once_and_never_for_a_process_that_has_played():
    seat = clock(booted=False)
    seat.ready(30_000)
    seat.ready(90_000)
    assert seat.budget_us == 30_000 + MOVE + BANK
    seat.charge(30_000 + MOVE)
    seat.ready(5_000)
    assert seat.budget_us == MOVE + BANK
    running = clock(booted=True)
    running.ready(9_000)
    assert running.charge(9_500) == 9_500


def test_boot_time_is_for_the_first_turn_only():
    seat = clock(booted=False)
    seat.charge(20_000)
    assert seat.budget_us == MOVE + BANK


def test_a_new_process_has_boot_time_of_its_own_and_what_is_left_of_the_bank():
    seat = clock()
    seat.charge(MOVE + 20_000)
    seat.reboot()
    assert not seat.booted
    assert seat.budget_us == BOOT + MOVE + BANK - 20_000
    assert seat.charge(BOOT + 5) == 5


def test_an_empty_bank_still_leaves_the_time_for_a_move():
    seat = clock()
    seat.charge(seat.budget_us)
    assert seat.budget_us == MOVE
    seat.charge(seat.budget_us)
    assert (seat.bank_us, seat.budget_us) == (0, MOVE)


turns = st.lists(
    st.tuples(st.integers(0, 250_000), st.none() | st.integers(0, 250_000)), max_size=20
)


@given(turns, st.booleans())
def test_time_is_neither_lost_nor_found(turns, booted):
    """What is charged, what boot time covers and what the bank loses add up over a whole game."""
    seat = clock(booted)
    bank = BANK
    for number, (waited, ready) in enumerate(turns):
        covers = not seat.booted
        if ready is not None and ready <= min(waited, seat.budget_us):
            seat.ready(ready)
        answered = min(waited, seat.budget_us)
        charged = seat.charge(answered)
        covered = seat.boot_used_us if covers else 0
        assert charged + covered == answered
        assert 0 <= covered <= (BOOT if number == 0 and not booted else 0)
        assert seat.bank_us == bank - max(0, charged - MOVE) >= 0
        assert seat.budget_us == MOVE + seat.bank_us
        bank = seat.bank_us
