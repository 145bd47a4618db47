"""A recorded deal as a row of tables to look at: what lies where after every play."""

from __future__ import annotations

import msgspec

from arena.game import Deal, Option, bonus_points, make_deal, side_scores
from arena.replay import rules_of_record, with_sides
from protocol.records import DealRecord, GameRecord

Seen = str | None
"""A card; None: it lies there, but face down for whoever looks."""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """The table after some plays of a deal; see `dashboard.fog` for what one seat knows of it."""

    move: int
    """How many plays of the deal were made."""
    dealer: int
    seat: int | None
    """The seat in turn; None where the deal is over."""
    hands: list[list[Seen]]
    """By seat."""
    legal: list[Option]
    """What the seat in turn may play."""
    pile: list[str]
    """Open cards, bottom to top; at the end of the deal those that were left."""
    hidden_centre: list[Seen]
    stock: int
    """How many cards are still to be dealt."""
    bottom: str | None
    """The bottom card where all see it (R6); while there is a stock it lies there."""
    buried: list[str]
    """Jacks put back into the stock (R5)."""
    marker: str | None
    """The card of a kseri just made, where it may be taken (R15)."""
    captured: list[list[Seen]]
    """Cards by side, in the order taken; at the end of the deal with those that were left."""
    centre_taker: int | None
    """The side that took the hidden centre, whose cards are then its first (R11)."""
    centre_size: int
    """How many cards of the hidden centre were taken."""
    bonus: list[int]
    """Points of R12 to R17 by side, which are public at once."""
    points: list[int]
    """All points by side in this deal so far; at its end those that it is worth."""
    left_to: int | None
    """The side that the pile's last cards fell to at the end of the deal (R19)."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One play, as it stands in the list."""

    number: int
    """In its deal, from 1."""
    turn: int
    """In its game, from 1."""
    seat: int
    card: str
    taken: list[Seen]
    """What it captured, itself last; empty for a laid card."""
    bonus: dict[str, int]
    """Points by kind."""
    elapsed_us: int | None
    """The time charged for it; None where it is not known."""
    forced: bool
    """Whether the arena played it for the seat."""
    fault: bool
    """Whether its seat committed a fault in this turn."""


class DealView(msgspec.Struct, frozen=True, kw_only=True):
    """One deal to look at."""

    number: int
    before: list[int]
    """Scores by side when it began."""
    positions: list[Position]
    """From the deal's beginning to its last play: one more than there are moves."""
    moves: list[Move]


def deal_view(record: GameRecord, number: int) -> DealView:
    """The deal of that number, from 1. Raises `ReplayError` where the record is wrong.

    The record needs its seed and must have that deal.
    """
    record = checked(record)
    played = record.deals[number - 1]
    deal = deal_before(record, number, 0)
    faults = {(fault.turn, fault.seat) for fault in record.faults}
    first = 1 + sum(len(each.plays) for each in record.deals[: number - 1])
    positions, moves = [position_of(deal)], []
    for turn, play in enumerate(played.plays, first):
        deal.play(play.card, play.capture)
        positions.append(position_of(deal))
        moves.append(
            move_of(
                deal,
                turn,
                elapsed_us=play.elapsed_us,
                forced=play.forced,
                fault=(turn, play.seat) in faults,
            )
        )
    return DealView(
        number=number,
        before=_before(record.deals[: number - 1], deal.rules.sides),
        positions=positions,
        moves=moves,
    )


def checked(record: GameRecord) -> GameRecord:
    """The record with its deals' scores. Raises `ReplayError` where it does not follow from
    its seed.
    """
    # The store scores the deals of what it could play again, and of nothing else.
    return record if record.deals and record.deals[0].sides else with_sides(record)


def deal_before(record: GameRecord, number: int, move: int) -> Deal:
    """The engine's own state of a deal after its first `move` plays, of a sound record."""
    played = record.deals[number - 1]
    rules, seed = rules_of_record(record), bytes.fromhex(record.seed)
    deal = make_deal(rules, seed, number, played.dealer)
    for play in played.plays[:move]:
        deal.play(play.card, play.capture)
    return deal


def _before(deals: list[DealRecord], sides: int) -> list[int]:
    totals = [[side.total for side in deal.sides or []] for deal in deals]
    return [sum(column) for column in zip(*totals, strict=True)] or [0] * sides


def position_of(deal: Deal) -> Position:
    """What lies where in a deal, hidden or not."""
    return Position(
        move=len(deal.plays),
        dealer=deal.dealer,
        seat=None if deal.over else deal.seat,
        hands=[list(hand) for hand in deal.hands],
        legal=deal.legal(),
        pile=list(deal.pile),
        hidden_centre=list(deal.hidden_centre),
        stock=len(deal.stock),
        bottom=deal.bottom,
        buried=list(deal.buried),
        marker=deal.marker,
        captured=[list(cards) for cards in deal.captured],
        centre_taker=deal.centre_taker,
        centre_size=len(deal.taken_centre),
        bonus=bonus_points(deal),
        points=[side.total for side in side_scores(deal)],
        left_to=deal.last_capture if deal.over and deal.pile else None,
    )


def move_of(
    deal: Deal,
    turn: int,
    *,
    elapsed_us: int | None = None,
    forced: bool = False,
    fault: bool = False,
) -> Move:
    """The last play made in a deal."""
    number = len(deal.plays)
    return Move(
        number=number,
        turn=turn,
        seat=deal.seat_of(number - 1),
        card=deal.plays[-1],
        taken=list(deal.taken[-1]),
        bonus=dict(deal.bonuses.get(number - 1, {})),
        elapsed_us=elapsed_us,
        forced=forced,
        fault=fault,
    )
