"""What follows from what one seat was sent, and from nothing else: so it tells nothing hidden."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from protocol.messages import DealInfo, Play, SeenPlay, Turn
from protocol.rules import RuleSet


def captures(turn: Turn, card: str, rules: RuleSet) -> bool:
    """Whether a card of the hand can capture (R9); `legal` tells only where there is a choice."""
    if turn.pile:
        return card[0] == turn.pile[-1][0] or (card[0] == "J" and rules.jack_captures)
    if turn.marker is None or card[0] != turn.marker[0]:
        return False
    # The last play of a deal may not be allowed to take a marker (R16).
    return rules.last_play_kseri or turn.stock > 0 or sum(turn.hands) > 1


def would_take(turn: Turn, card: str, rules: RuleSet) -> int:
    """How many cards a card of the hand would take, itself aside; 0 where it can't capture."""
    if not captures(turn, card, rules):
        return 0
    return len(turn.pile) + turn.hidden_centre if turn.pile else 1


def after(turn: Turn, play: Play, rules: RuleSet) -> Turn:
    """The table right after the seat's own play, for as long as it has not heard of others.

    Points and markers, which it is told in its next turn, are as they were or none.
    """
    takes = would_take(turn, play.card, rules) if play.capture is not False else 0
    side = rules.side_of[turn.seat]
    own = SeenPlay(turn.seat, play.card, takes + 1 if takes else 0)
    hand = list(turn.hand)
    hand.remove(play.card)
    gained = takes + 1 if takes else 0
    return msgspec.structs.replace(
        turn,
        hand=hand,
        legal=[],
        pile=[] if takes else [*turn.pile, play.card],
        hidden_centre=0 if takes else turn.hidden_centre,
        marker=None,
        hands=[count - (seat == turn.seat) for seat, count in enumerate(turn.hands)],
        captured=[count + gained * (each == side) for each, count in enumerate(turn.captured)],
        plays=[*turn.plays, own],
    )


def taken_by(deal: DealInfo, plays: Sequence[SeenPlay]) -> list[list[str | None]]:
    """What each play of a deal captured, itself last; None for cards that lay face down."""
    pile: list[str | None] = list(deal.centre)
    found: list[list[str | None]] = []
    for number, play in enumerate(plays):
        if not play.took:
            pile.append(play.card)
            found.append([])
            continue
        if not pile and number:
            # The marker: the card that the kseri before has captured (R15).
            pile = found[-1][:1]
        open_cards = [*pile, play.card]
        found.append([*[None] * (play.took - len(open_cards)), *open_cards][-play.took :])
        pile = []
    return found


def unheard(plays: Sequence[SeenPlay], seat: int) -> Sequence[SeenPlay]:
    """The plays after the seat's own last one."""
    own = [number for number, play in enumerate(plays) if play.seat == seat]
    return plays[own[-1] + 1 :] if own else plays
