"""What a complete match adds to the summary tables. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import msgspec

from arena.faults import forfeited_sides
from arena.store.kseris import kseris_of
from protocol.records import GameRecord
from protocol.rules import RuleSet, make_rules


@dataclass
class Totals:
    """What one entrant made of some games."""

    matches: int = 0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    """Games that it forfeited; they are among its losses."""
    faults: int = 0
    deals: int = 0
    """Deals of games that nobody forfeited; only these count in points."""
    points_for: float = 0.0
    points_against: float = 0.0
    """The mean of the other sides."""
    plays: int = 0
    overruns: int = 0
    """Answers that took longer than the pace of the table."""
    elapsed_us: int = 0
    kseris: int = 0
    """Made by its side, in the deals that are counted."""


def outcome_of(games: Sequence[GameRecord], labels: Sequence[str]) -> list[float | None]:
    """The score of a match for every pair of its entrants: of the first, in games won.

    Pairs in the order (0, 1), (0, 2) … of `labels`. A game counts 1 for the better rank, ½ each
    for the same; None for a pair that shared a side.
    """
    return [_pair_outcome(games, a, b) for a, b in combinations(labels, 2)]


def _pair_outcome(games: Sequence[GameRecord], a: str, b: str) -> float | None:
    score = 0.0
    for game in games:
        ranks = _ranks(game, a, b)
        if ranks is None:
            return None
        score += 0.5 if ranks[0] == ranks[1] else float(ranks[0] < ranks[1])
    return score


def totals_of(games: Sequence[GameRecord]) -> dict[str, Totals]:
    """What every entrant of one complete match made of it."""
    totals: dict[str, Totals] = {}
    for game in games:
        kseris, thought = _kseris(game), _thought(game)
        for label, side in {seat.bot: seat.side for seat in game.seats}.items():
            total = totals.setdefault(label, Totals(matches=1))
            total.kseris += kseris[side]
            _add_game(total, game, label, side, thought)
    return totals


def _kseris(game: GameRecord) -> list[int]:
    """By side, in the deals that count."""
    rules = _rules(game.rules.preset, msgspec.json.encode(game.rules.overrides))
    deals = [] if forfeited_sides(game) else game.deals
    made = [kseris_of(deal, rules) for deal in deals]
    return [sum(deal[side] for deal in made) for side in range(rules.sides)]


@cache
def _rules(preset: str, overrides: bytes) -> RuleSet:
    return make_rules(preset, msgspec.json.decode(overrides))


def _thought(game: GameRecord) -> list[tuple[int, int]]:
    """By seat, how many plays were its own, and what they were charged in µs."""
    plays, elapsed_us = [0] * len(game.seats), [0] * len(game.seats)
    for deal in game.deals:
        for play in deal.plays:
            if not play.forced:
                plays[play.seat] += 1
                elapsed_us[play.seat] += play.elapsed_us
    return list(zip(plays, elapsed_us, strict=True))


def _add_game(
    total: Totals, game: GameRecord, label: str, side: int, thought: Sequence[tuple[int, int]]
) -> None:
    total.games += 1
    total.wins += game.winner == side
    shares_first = game.winner is None and game.ranks[side] == 1
    total.draws += shares_first
    total.losses += game.winner != side and not shares_first
    total.overruns += sum(seat.overruns for seat in game.seats if seat.bot == label)
    seats = {place for place, seat in enumerate(game.seats) if seat.bot == label}
    total.faults += sum(fault.seat in seats for fault in game.faults)
    for seat in seats:
        plays, elapsed_us = thought[seat]
        total.plays += plays
        total.elapsed_us += elapsed_us
    forfeited = forfeited_sides(game)
    total.forfeits += side in forfeited
    if not forfeited:
        others = [score for place, score in enumerate(game.scores) if place != side]
        total.deals += len(game.deals)
        total.points_for += game.scores[side]
        total.points_against += sum(others) / len(others)


def meetings_of(games: Sequence[GameRecord]) -> Iterator[tuple[str, str, int, int]]:
    """Of one complete match: two entrants by label, and the games the first won and drew.

    Partners are no opponents. A game is won by whoever has the better rank.
    """
    for a, b in combinations(sorted(games[0].pairing), 2):
        ranks = [_ranks(game, a, b) for game in games]
        if None not in ranks:
            won = sum(rank is not None and rank[0] < rank[1] for rank in ranks)
            drawn = sum(rank is not None and rank[0] == rank[1] for rank in ranks)
            yield a, b, won, drawn


def _ranks(game: GameRecord, a: str, b: str) -> tuple[int, int] | None:
    """Of two entrants; None where they shared a side."""
    sides = {seat.bot: seat.side for seat in game.seats}
    return None if sides[a] == sides[b] else (game.ranks[sides[a]], game.ranks[sides[b]])


def fault_kinds_of(games: Sequence[GameRecord]) -> Counter[tuple[str, str]]:
    """How many faults of every kind, by entrant and kind."""
    return Counter(
        (game.seats[fault.seat].bot, fault.kind) for game in games for fault in game.faults
    )


@dataclass(frozen=True)
class Moments:
    """Sums over matches from which points a deal are estimated, with their errors by match.

    With z = (points of every entrant, deals) of one match, over its games that nobody forfeited.
    """

    sums: list[int]
    """Of z."""
    products: list[int]
    """Of z_i z_j for i ≤ j, row by row."""

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return self.sums[-1]


def moments_of(games: Sequence[GameRecord]) -> Moments:
    """What one complete match adds; all zeros where every game of it was forfeited."""
    pairing = games[0].pairing
    z = [0] * (len(pairing) + 1)
    for game in games:
        if not forfeited_sides(game):
            side_of = {seat.bot: seat.side for seat in game.seats}
            for place, label in enumerate(pairing):
                z[place] += game.scores[side_of[label]]
            z[-1] += len(game.deals)
    return Moments(z, [a * b for i, a in enumerate(z) for b in z[i:]])


def outcome_text(outcome: Sequence[float | None]) -> str:
    """An outcome as it stands in the database: JSON, such as [1.5]."""
    return msgspec.json.encode(outcome).decode()
