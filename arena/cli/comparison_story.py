"""How a test of two bots stands, and what it has come to, in words and as JSON."""

from __future__ import annotations

import dataclasses
import math
import sys
import time
from pathlib import Path

import click
import msgspec

from arena.cli.called import at_database, called
from arena.rating import Look
from arena.text import counted
from arena.tournament import MOST_ALIKE, MOST_WITHOUT_POINTS, RunningComparison

_UNITS = {"wins": "Elo", "points": "points"}


class LiveLine:
    """Says on standard error, at most once a second, how a test stands; at its end how it ended."""

    def __init__(self, running: RunningComparison) -> None:
        self._running = running
        self._said_at = -math.inf
        self._said = ""

    def __enter__(self) -> None:
        self._running.on_change = self._on_change

    def __exit__(self, *_: object) -> None:
        self._say()
        if self._said and sys.stderr.isatty():
            click.echo(err=True)

    def _on_change(self) -> None:
        if time.monotonic() - self._said_at >= 1:
            self._say()

    def _say(self) -> None:
        line = live_line(self._running)
        if line == self._said:
            return
        if sys.stderr.isatty():
            click.echo("\r" + line.ljust(len(self._said)), err=True, nl=False)
        else:
            click.echo(line, err=True)
        self._said, self._said_at = line, time.monotonic()


def live_line(running: RunningComparison) -> str:
    """How a test stands, in less than 80 columns; empty before its first match."""
    look = running.comparison.look
    if look is None:
        return ""
    unit = _UNITS[running.plan.tested.statistic]
    matches = counted(look.matches, "match")
    return (
        f"{matches}: LLR {look.llr:.2f} ({look.lower:.2f}, {look.upper:.2f}), "
        f"{_signed(_estimate(look))} [{_signed(look.low)}, {_signed(look.high)}] {unit}"
    )


def _estimate(look: Look) -> float:
    """The strength as the matches stand; infinite where all were won or all lost."""
    if look.estimate is not None:
        return look.estimate
    return math.inf if look.high == math.inf else -math.inf


def _signed(value: float) -> str:
    return f"{value:+.1f}" if math.isfinite(value) else ("+inf" if value > 0 else "-inf")


def tell_result(running: RunningComparison, database: Path) -> None:
    """Print what a test has come to; `database` for the command that says more of a fault."""
    plan, comparison = running.plan, running.comparison
    ended = f"{_how_it_ended(running)} after {counted(comparison.matches, 'match')}"
    click.echo(f"{plan.names}, {plan.question}: {ended}")
    if comparison.end == "no points":
        click.echo(f"The last {MOST_WITHOUT_POINTS} have no points: their games were forfeited")
    if comparison.end == "no variance":
        click.echo(f"All {MOST_ALIKE} were the same, and the same for H0 as for H1")
    if comparison.look:
        _tell_look(running, comparison.look)
    _tell_forfeits(running, database)


def _how_it_ended(running: RunningComparison) -> str:
    end = running.comparison.end
    return f"{end} accepted" if end in ("H0", "H1") else "no decision"


def _tell_look(running: RunningComparison, look: Look) -> None:
    click.echo(f"LLR {look.llr:.2f}, bounds {look.lower:.2f} and {look.upper:.2f}")
    if look.adjusted:
        low, high = _signed(look.adjusted.low), _signed(look.adjusted.high)
        click.echo(f"{_in_words(running, look.adjusted.estimate)}, 95 % {low} to {high}")
        click.echo("(adjusted for the stop; an estimate as the matches stand would lean outwards)")
    elif look.estimate is None:
        click.echo(_all_alike(running, has_won=look.high == math.inf))
    else:
        error = "" if look.error is None else f" ± {look.error:.1f}"
        click.echo(f"{_in_words(running, look.estimate)}{error} as the matches stand")
    unit = _UNITS[running.plan.tested.statistic]
    click.echo(f"At every look so far, 95 %: {_signed(look.low)} to {_signed(look.high)} {unit}")


def _in_words(running: RunningComparison, estimate: float) -> str:
    """Which one is how much stronger; the sign is that of the hypotheses."""
    first, second = running.plan.labels
    if running.plan.tested.statistic == "wins":
        return f"{first} is {_signed(estimate)} Elo stronger than {second}"
    return f"{first} makes {_signed(estimate)} points a match more than {second}"


def _all_alike(running: RunningComparison, has_won: bool) -> str:
    first, second = running.plan.labels
    what, which = ("won", "stronger") if has_won else ("lost", "weaker")
    return f"{first} {what} every game: no number says how much {which} than {second} it is"


def _tell_forfeits(running: RunningComparison, database: Path) -> None:
    comparison = running.comparison
    games = comparison.matches * running.entry.stored.rotations
    for label, forfeited in comparison.forfeits.items():
        click.echo(f"{label} forfeited {forfeited.games} of {counted(games, 'game')}; the latest:")
        click.echo(f"  {called()} log {forfeited.latest}{at_database(database)}")
    if comparison.forfeits and running.plan.tested.statistic == "points":
        click.echo("Forfeited games have no points: they are left out")


def as_json(running: RunningComparison) -> bytes:
    """What a test has come to, as JSON; numbers that are not finite, or not known, are null."""
    plan, comparison = running.plan, running.comparison
    look = dataclasses.asdict(comparison.look) if comparison.look else {"decision": None}
    found = {
        "first": plan.labels[0],
        "second": plan.labels[1],
        "by": plan.tested.statistic,
        "h0": plan.tested.h0,
        "h1": plan.tested.h1,
        "end": comparison.end,
        "played": comparison.matches,
        "forfeits": {label: each.games for label, each in comparison.forfeits.items()},
        "matches": 0,
    } | look
    return msgspec.json.encode(_finite(found))


def _finite(value: object) -> object:
    """Infinite numbers are no JSON."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
