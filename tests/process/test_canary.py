"""Whose doing it was that the canary's echo came late, judged from the record alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ArenaFault
from arena.process.canary import INTERVAL_MS, Canary, Mark, held_up_ms

BOT, PARTNER, OTHER = 11, 12, 13


def record(*gaps: tuple[int, int], pid: int = BOT) -> list[Mark]:
    """Echoes from 0 ns on: so many ms after the one before, of which `pid` used so many."""
    marks = [Mark(0, {pid: 0})]
    for gap_ms, used_ms in gaps:
        at_ns, cpu_us = marks[-1]
        used_us = cpu_us[pid] + used_ms * 1000
        marks.append(Mark(at_ns + gap_ms * 1_000_000, {pid: used_us}))
    return marks


PROMPT = [(INTERVAL_MS, 0)] * 20
"""A second in which every echo came at once, and the bot slept."""

CASES: dict[str, tuple[list[tuple[int, int]], int, int]] = {
    "a bot that sleeps": (PROMPT, 0, 0),
    "a bot that computes": ([(INTERVAL_MS, INTERVAL_MS)] * 20, 0, 0),
    "a loop that stands still": ([*PROMPT, (550, 0)], 0, 500),
    "a stall in the middle": ([*PROMPT, (350, 0), *PROMPT], 0, 300),
    "the longest of two": ([*PROMPT, (150, 0), (250, 0), *PROMPT], 0, 200),
    "a stall before the turn": ([(950, 0), *PROMPT], 950, 0),
    "a stall that reaches into the turn": ([(950, 0), *PROMPT], 800, 150),
    "a turn within a stall": ([(950, 0)], 800, 150),
    "a bot that computed before the turn": (
        [*[(INTERVAL_MS, 50)] * 90, *PROMPT, (350, 0)],
        4500,
        300,
    ),
    "a core that somebody else shares": ([(450, 100), *PROMPT], 0, 300),
    "a bot that holds up the canary": ([(450, 450)] * 3, 0, 0),
    "a bot that does so once, and then sleeps": ([*PROMPT, (450, 450), *PROMPT], 0, 0),
    "a bot with more cores than one": ([(450, 1800), *PROMPT, *PROMPT, *PROMPT, *PROMPT], 0, 0),
    "a stall in a turn that was spent computing": ([*[(INTERVAL_MS, 50)] * 20, (550, 0)], 0, 0),
    "a turn older than the record": ([*PROMPT, (350, 0)], -60_000, 300),
}


@pytest.mark.parametrize("case", CASES)
def test_what_held_up_a_turn(case: str) -> None:
    gaps, start_ms, expected = CASES[case]
    assert held_up_ms(record(*gaps), start_ms * 1_000_000, [BOT]) == expected


def test_what_a_partner_computes_is_no_excuse_and_what_others_compute_is_one() -> None:
    for pid, expected in ((BOT, 0), (PARTNER, 0), (OTHER, 400)):
        marks = record(*PROMPT, (450, 440), pid=pid)
        assert held_up_ms(marks, 0, [BOT, PARTNER]) == expected


def test_a_process_that_was_started_meanwhile_has_used_what_it_has_used() -> None:
    marks = [Mark(0, {}), Mark(450_000_000, {BOT: 150_000})]
    assert held_up_ms(marks, 0, [BOT]) == 250


gaps = st.lists(st.tuples(st.integers(INTERVAL_MS, 2_000), st.integers(0, 4_000)), min_size=1)


@given(gaps, st.integers(-1_000, 5_000))
def test_no_bot_gains_by_computing(gaps: Sequence[tuple[int, int]], start_ms: int) -> None:
    idle = record(*[(gap_ms, 0) for gap_ms, _ in gaps])
    busy = record(*gaps)
    start_ns = min(start_ms * 1_000_000, idle[-1].at_ns)
    assert 0 <= held_up_ms(busy, start_ns, [BOT]) <= held_up_ms(idle, start_ns, [BOT])


@given(gaps)
def test_a_bot_never_wins_time_by_what_it_alone_caused(gaps: Sequence[tuple[int, int]]) -> None:
    """Whatever it lets stand between its bursts: each costs it what the canary was late."""
    own = [(gap_ms, max(used_ms, gap_ms - INTERVAL_MS)) for gap_ms, used_ms in gaps]
    assert held_up_ms(record(*own), 0, [BOT]) == 0


@pytest.mark.parametrize(
    ("move_ms", "tolerated"), [(20, 50), (500, 50), (1_000, 100), (9_000, 900)]
)
def test_as_much_is_tolerated_as_a_bot_should_leave_itself(move_ms: int, tolerated: int) -> None:
    canary = Canary(dict, move_ms)
    # Nobody asks it: it is late in any turn that is shorter than the time since it was last heard.
    canary._marks[0] = Mark(canary._marks[0].at_ns - 20_000_000_000, {})
    canary.check(tolerated * 1000, [BOT])
    with pytest.raises(ArenaFault, match=f"overloaded.* more than the {tolerated} ms"):
        canary.check((tolerated + 1) * 1000, [BOT])
