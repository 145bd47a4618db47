"""Which time is charged, and whose time it is."""

import pytest

from protocol.messages import Limits
from tests.e2e.playing import PATIENT, play, program

pytestmark = pytest.mark.e2e

GOOD = program("good")
CPU = Limits(boot_ms=20_000, move_ms=200, bank_ms=0, clock="cpu")


def test_sleep_is_not_charged_where_cpu_time_is():
    """By the wall this would be a time-out in its first turn."""
    (record,) = play(program("naps"), GOOD, limits=CPU).records
    assert record.faults == []
    assert max(play.elapsed_us for play in record.deals[0].plays) < 200_000


@pytest.mark.parametrize("name", ["burns", "closes_output"])
def test_neither_work_nor_waiting_is_without_end_where_cpu_time_is_charged(name):
    limits = Limits(boot_ms=20_000, move_ms=50, bank_ms=50, clock="cpu")
    assert play(program(name), GOOD, limits=limits).faults == [[(name, "timeout")]]


@pytest.mark.parametrize("sleeper", ["naps", "says_that_it_naps"])
def test_nobody_thinks_on_the_opponents_time(sleeper):
    """The one sleeps for a second in all; the other would compute for as long."""
    (record,) = play(program(sleeper), program("thinks_ahead"), limits=PATIENT).records
    assert record.faults == []
    assert record.seats[1].bot == "thinks_ahead"
    assert record.seats[1].cpu_us < 600_000
