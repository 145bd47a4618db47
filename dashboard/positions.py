"""A recorded game as a row of tables to look at: what lies where after every play."""

from __future__ import annotations

from dataclasses import dataclass

from arena.game import Deal, Game, side_scores
from arena.replay import Step, rules_of_record, steps
from protocol.records import GameRecord, PlayRecord


@dataclass(frozen=True)
class Position:
    """The table after some plays of a deal, everything in it, hidden or not."""

    move: int
    """How many plays of the deal were made."""
    dealer: int
    seat: int | None
    """The seat in turn; None where the deal or the game is over."""
    hands: list[list[str]]
    pile: list[str]
    """Open cards, bottom to top; at the end of the deal those that were left."""
    hidden_centre: list[str]
    stock: int
    """How many cards are still to be dealt."""
    bottom: str | None
    """The bottom card where all see it and it is not dealt yet (R6)."""
    buried: list[str]
    """Jacks put back into the stock (R5)."""
    marker: str | None
    """The card of a kseri just made, where it may be taken (R15)."""
    captured: list[int]
    """Cards by side; at the end of the deal with those that were left."""
    points: list[int]
    """All points by side in this deal so far; at its end those that it is worth."""
    left_to: int | None
    """The side that the pile's last cards fell to at the end of the deal (R19)."""


@dataclass(frozen=True)
class Move:
    """One play, as it stands in the list."""

    number: int
    """In its deal, from 1."""
    turn: int
    """In its game, from 1."""
    play: PlayRecord
    taken: list[str]
    """What it captured, itself last; empty for a laid card."""
    bonus: dict[str, int]
    """Points by kind."""


@dataclass(frozen=True)
class DealView:
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
    rules = rules_of_record(record)
    before = [0] * rules.sides
    positions = [_position(Game(rules, bytes.fromhex(record.seed)).deal)]
    moves: list[Move] = []
    for turn, step in enumerate(steps(record), 1):
        if step.deal.number > number:
            break
        if step.deal.number == number:
            positions.append(_position(step.deal))
            moves.append(_move(step, turn))
        elif step.sides and step.deal.number == number - 1:
            before = list(step.game.scores)
            positions = [_position(step.game.deal)]
    return DealView(number, before, positions, moves)


def _position(deal: Deal) -> Position:
    return Position(
        move=len(deal.plays),
        dealer=deal.dealer,
        seat=None if deal.over else deal.seat,
        hands=[list(hand) for hand in deal.hands],
        pile=list(deal.pile),
        hidden_centre=list(deal.hidden_centre),
        stock=len(deal.stock),
        bottom=deal.bottom if deal.stock else None,
        buried=list(deal.buried),
        marker=deal.marker,
        captured=[len(cards) for cards in deal.captured],
        points=[side.total for side in side_scores(deal)],
        left_to=deal.last_capture if deal.over and deal.pile else None,
    )


def _move(step: Step, turn: int) -> Move:
    deal, number = step.deal, step.number
    return Move(
        number=number + 1,
        turn=turn,
        play=step.play,
        taken=list(deal.taken[number]),
        bonus=dict(deal.bonuses.get(number, {})),
    )
