"""What so many matches a day would need, by arithmetic from what was measured here.

Run from the root: python -m benchmarks.capacity [--matches N]
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import msgspec

FIGURES = Path(__file__).parent / "figures.json"
_DAY_S = 24 * 60 * 60
_CHUNK_MATCHES = 25
_GAMES = 2
"""Of a match of two: one with either seat order."""


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured on one machine; see `benchmarks.record`."""

    decisions_a_game: float
    """Plays of a game to 101 between bots of like strength."""
    decision_us: float
    """A core's time for one decision of instant C bots, bots included."""
    batched_decision_us: float
    """The same with 32 games at once in each process."""
    starts_ms: float
    """A core's time to start and end a process in its sandbox."""
    hand_over_us: float
    """The way of a chunk to a worker and back."""
    stored_games_a_second: float
    """What one writer stores in one SQLite database."""
    stored_bytes_a_game: float
    sent_bytes_a_game: float
    """From a worker to whoever stores it."""


class Need(msgspec.Struct, frozen=True):
    """One thing that is needed, and how that was come by."""

    what: str
    amount: str
    how: str


def needs(costs: Costs, matches_a_day: float) -> list[Need]:
    """What a day of so many matches of two instant bots needs; thinking comes on top."""
    matches = matches_a_day / _DAY_S
    games = matches * _GAMES
    decisions = games * costs.decisions_a_game
    chunks = matches / _CHUNK_MATCHES
    writers = games / costs.stored_games_a_second
    starts = chunks * _GAMES * 2
    return [
        Need("matches a second", _round(matches), f"{matches_a_day:,.0f} / 86,400"),
        Need(
            "decisions a second",
            _round(decisions),
            f"x 2 games x {costs.decisions_a_game:.0f} plays",
        ),
        Need(
            "cores, one game at a time",
            _round(decisions * costs.decision_us / 1e6),
            f"x {costs.decision_us:.1f} µs a decision, instant bots",
        ),
        Need(
            "cores, batches of 32",
            _round(decisions * costs.batched_decision_us / 1e6),
            f"x {costs.batched_decision_us:.1f} µs a decision, instant bots",
        ),
        Need(
            "cores more, for every ms that a bot thinks",
            _round(decisions / 1000),
            "a decision a ms and core",
        ),
        Need(
            "cores to start processes",
            _round(starts * costs.starts_ms / 1000),
            f"4 processes for {_CHUNK_MATCHES} matches x {costs.starts_ms:.1f} ms",
        ),
        Need(
            "tasks a second at the scheduler",
            _round(chunks),
            f"chunks of {_CHUNK_MATCHES} matches",
        ),
        Need(
            "writers with a SQLite database each",
            _round(writers),
            f"{_round(costs.stored_games_a_second)} games a second each",
        ),
        Need(
            "storage a day",
            f"{games * _DAY_S * costs.stored_bytes_a_game / 1e12:,.1f} TB",
            f"{costs.stored_bytes_a_game:,.0f} bytes a game",
        ),
        Need(
            "network, to whoever stores",
            f"{games * costs.sent_bytes_a_game * 8 / 1e9:,.2f} Gbit/s",
            f"{costs.sent_bytes_a_game:,.0f} bytes a game",
        ),
    ]


def most_with_one_writer(costs: Costs) -> float:
    """Matches a day that one database takes."""
    return costs.stored_games_a_second / _GAMES * _DAY_S


def _round(amount: float) -> str:
    """Three digits are more than such arithmetic is worth."""
    power = math.floor(math.log10(amount))
    return f"{round(amount, 2 - power):,.{max(0, 2 - power)}f}"


def read_costs() -> Costs:
    """What was measured last."""
    return msgspec.convert(json.loads(FIGURES.read_text("utf-8"))["costs"], Costs)


def main() -> None:
    """Print what is needed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=float, default=1e9, help="a day")
    costs = read_costs()
    for need in needs(costs, parser.parse_args().matches):
        print(f"{need.amount:>14}  {need.what} ({need.how})")
    print(f"{most_with_one_writer(costs):>14,.0f}  matches a day with one writer")


if __name__ == "__main__":
    main()
