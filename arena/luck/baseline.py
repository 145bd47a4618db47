"""The baseline player, and what it makes of a deal. Frozen: its play is the measure of all luck.

It captures whenever it can, with the card that is worth most at once; else it lays the card worth
least. Which of equally good cards it takes is drawn, one order of all cards for every replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import shake_128

import numpy as np
from numpy.typing import NDArray

from arena.game import DECK, Deal, make_deal, side_scores
from protocol.rules import RuleSet

BASELINE = 1
"""Rises with any change of its play: luck by different baselines is never put together."""

_TIE = 32
"""A card's worth in points stands above so many bits, which decide between equal ones."""

Ints = NDArray[np.int64]
Worths = Mapping[str, int]
"""Every card's worth, all different."""


def replayed(rules: RuleSet, seed: bytes, number: int, dealer: int, times: int) -> Ints:
    """[replay, side]: points of deal `number` (from 1) of this seed, played `times` times.

    The same arguments always give the same points, and fewer replays the first of more.
    """
    points = []
    for worths in drawn_worths(rules, seed, number, times):
        deal = make_deal(rules, seed, number, dealer)
        play_out(deal, worths)
        points.append([side.total for side in side_scores(deal)])
    return np.array(points, dtype=np.int64)


def play_out(deal: Deal, worths: Worths) -> None:
    """Let the baseline play a deal to its end on all seats."""
    can_capture, play, worth = deal.can_capture, deal.play, worths.__getitem__
    while not deal.over:
        hand = deal.hands[deal.seat]
        able = [card for card in hand if can_capture(card)]
        if not able:
            play(min(hand, key=worth))
        else:
            play(able[0] if len(able) == 1 else _best_capture(deal, able, worths))


def _best_capture(deal: Deal, able: list[str], worths: Worths) -> str:
    """The card that scores most at once: its own points and the bonus (R12, R17).

    Cards that differ here are jacks and cards of the top's rank. Only the latter earn a bonus,
    since on jacks alone nothing but jacks can capture.
    """
    pile = deal.pile
    if not pile:
        return max(able, key=worths.__getitem__)
    bonus = deal.rules.points.kseri if len(pile) == 1 else 0
    if pile[-1] == "2C":
        bonus += deal.rules.two_of_clubs_match
    gain = {card: worths[card] for card in able}
    for card in able:
        if card[0] == pile[-1][0]:
            gain[card] += bonus << _TIE
    return max(able, key=gain.__getitem__)


def drawn_worths(rules: RuleSet, seed: bytes, number: int, times: int) -> list[Worths]:
    """What `play_out` needs for every replay of deal `number` (from 1) of this seed.

    A drawn order of the cards, below what they count.
    """
    points = [_card_points(card, rules) << _TIE for card in DECK]
    drawn = shake_128(seed + number.to_bytes(4, "big")).digest(4 * len(DECK) * times)
    orders = np.frombuffer(drawn, ">u4").reshape(times, len(DECK)) + np.array(points)
    return [dict(zip(DECK, order, strict=True)) for order in orders.tolist()]


def _card_points(card: str, rules: RuleSet) -> int:
    """What this card counts at the end of the deal (R21)."""
    points = rules.points
    by_card = {"TD": points.ten_of_diamonds, "2C": points.two_of_clubs}
    by_rank = {"A": points.ace, "J": points.jack}
    return by_card.get(card) or by_rank.get(card[0], 0)
