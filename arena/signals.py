"""The hands of a recorded game beside the times thought over them: `arena.rating.signals` tells
whether the times tell of the hands. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.game import Deal, is_jack
from arena.game.cards import RANKS
from arena.replay import Step, steps
from protocol.records import GameRecord


class TimedHand(NamedTuple):
    """One play: the time charged for it, and what may be said of the hand it came from."""

    seat: int
    elapsed_us: int
    hand_size: int
    jacks: int
    """Jacks in the hand."""
    can_capture: int
    """1 where some card could capture the pile, else 0."""
    matches: int
    """Cards of the rank of the pile's top; 0 on an empty table."""
    ranks: int
    """Different ranks."""
    rank_sum: int
    """The sum of all ranks, ace 1 to king 13."""


FEATURES = ("jacks", "can_capture", "matches", "ranks", "rank_sum")
"""The fields of `TimedHand` that say something of the hand which the others do not see."""


def timed_hands(record: GameRecord) -> Iterator[TimedHand]:
    """Every play that a bot chose; those that the arena made for it are left out.

    Needs the record's seed. Raises `arena.replay.ReplayError` where the record does not follow
    from it, and `protocol.rules.RuleSetError`.
    """
    pile: Sequence[str] = ()
    for step in steps(record):
        if step.number == 0:
            pile = step.deal.centre
        if not step.play.forced:
            yield _timed_hand(step, pile)
        pile = tuple(step.deal.pile)


def _timed_hand(step: Step, pile: Sequence[str]) -> TimedHand:
    hand = _hand_before(step)
    jacks = sum(map(is_jack, hand))
    matches = sum(card[0] == pile[-1][0] for card in hand) if pile else 0
    by_jack = bool(pile) and jacks > 0 and step.game.rules.jack_captures
    return TimedHand(
        seat=step.play.seat,
        elapsed_us=step.play.elapsed_us,
        hand_size=len(hand),
        jacks=jacks,
        can_capture=int(matches > 0 or by_jack),
        matches=matches,
        ranks=len({card[0] for card in hand}),
        rank_sum=sum(RANKS.index(card[0]) + 1 for card in hand),
    )


def _hand_before(step: Step) -> list[str]:
    """The hand that a play was made from. After the last card of all hands new ones are there."""
    deal: Deal = step.deal
    left = 3 - step.number // deal.rules.seats % 4
    return [step.play.card, *(deal.hands[step.play.seat] if left else ())]
