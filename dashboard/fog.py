"""What one seat knew of a deal at a moment of it: R30, for every seat and not only the one in turn.

What a bot is told in its turn is `arena.game.view`; this is the same knowledge as a table to look
at. Nothing that the seat did not know leaves this module: neither cards nor what came later.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dashboard.positions import DealView, Move, Position, Seen
from protocol.rules import RuleSet


def seen_by(view: DealView, rules: RuleSet, seat: int, move: int) -> DealView:
    """The deal as `seat` knew it after `move` plays of it: its last position is that one."""
    moves = view.moves[:move]
    knows_centre = _knows_centre(view.positions[move], rules, seat)
    first_capture = next((each.number for each in moves if each.taken), None)
    face_down = 0 if knows_centre else view.positions[move].centre_size
    return DealView(
        number=view.number,
        before=view.before,
        positions=[_position(each, rules, seat, moves) for each in view.positions[: move + 1]],
        moves=[
            _move(each, seat, face_down if each.number == first_capture else 0) for each in moves
        ],
    )


def plays_of_a_deal(rules: RuleSet) -> int:
    """How many plays a whole deal has: every card that is dealt to a hand."""
    return 52 * rules.decks - rules.centre_cards


def _position(position: Position, rules: RuleSet, seat: int, moves: Sequence[Move]) -> Position:
    is_over = position.seat is None
    captured = list(position.captured)
    if position.centre_taker is not None and not _knows_centre(position, rules, seat):
        taken = captured[position.centre_taker]
        captured[position.centre_taker] = _first_down(taken, position.centre_size)
    return msgspec.structs.replace(
        position,
        hands=_hands(position, rules, seat, moves),
        legal=position.legal if position.seat == seat else [],
        hidden_centre=position.hidden_centre if is_over else _down(position.hidden_centre),
        captured=captured,
        points=position.points if is_over else position.bonus,
    )


def _knows_centre(position: Position, rules: RuleSet, seat: int) -> bool:
    """Whether the seat knows the cards of the hidden centre that were taken, if any (R11)."""
    return position.seat is None or position.centre_taker in (None, rules.side_of[seat])


def _down(cards: Sequence[Seen]) -> list[Seen]:
    return [None] * len(cards)


def _first_down(cards: Sequence[Seen], count: int) -> list[Seen]:
    """Captured cards of which the first came from the hidden centre."""
    return [*_down(cards[:count]), *cards[count:]]


def _hands(
    position: Position, rules: RuleSet, seat: int, moves: Sequence[Move]
) -> list[list[Seen]]:
    """The seat's own hand and how many cards the others hold."""
    hands = [hand if other == seat else _down(hand) for other, hand in enumerate(position.hands)]
    bottom = _bottom_in_hand(position, rules, moves)
    if bottom and seat != position.dealer:
        hands[position.dealer][-1] = bottom
    return hands


def _bottom_in_hand(position: Position, rules: RuleSet, moves: Sequence[Move]) -> Seen:
    """The exposed bottom card while all know that the dealer holds it (R6)."""
    if position.stock or not position.hands[position.dealer]:
        return None
    last_hands = plays_of_a_deal(rules) - 4 * rules.seats
    played = moves[last_hands : position.move]
    is_played = any(
        move.seat == position.dealer and move.card == position.bottom for move in played
    )
    return None if is_played else position.bottom


def _move(move: Move, seat: int, face_down: int) -> Move:
    """A play as the seat knows it: how one came about only its own seat knows."""
    is_own = move.seat == seat
    return msgspec.structs.replace(
        move,
        taken=_first_down(move.taken, face_down),
        elapsed_us=move.elapsed_us if is_own else None,
        forced=move.forced and is_own,
        fault=move.fault and is_own,
    )
