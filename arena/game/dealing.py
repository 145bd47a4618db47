"""From the deck to the hands, the centre and the stock: R3 to R8."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.game.cards import is_jack
from protocol.rules import RuleSet


class NeedsRedeal(Exception):
    """Every centre card is a jack and `opening_jack = cover`: the deal is made again (R5)."""


def dealt(
    rules: RuleSet, leader: int, deck: Sequence[str]
) -> tuple[list[str], list[list[str]], list[str]]:
    """The centre in dealt order, the hands by seat, and the stock (R3, R4)."""
    table, held = rules.centre_cards, 4 * rules.seats
    hands: list[list[str]] = [[] for _ in range(rules.seats)]
    if rules.deal_order == "hands-first":
        deal_hands(hands, deck[:held], leader, True)
        centre = list(deck[held : held + table])
    else:
        centre = list(deck[:table])
        deal_hands(hands, deck[table : table + held], leader, False)
    return centre, hands, list(deck[table + held :])


def deal_hands(hands: list[list[str]], cards: Sequence[str], leader: int, by_twos: bool) -> None:
    """Four cards to every seat from the leader on: two passes of two, or one of four (R3, R7)."""
    seats = len(hands)
    for place in range(seats):
        hand = hands[(leader + place) % seats]
        if by_twos:
            first, second = 2 * place, 2 * (seats + place)
            hand += cards[first : first + 2]
            hand += cards[second : second + 2]
        else:
            hand += cards[4 * place : 4 * place + 4]


def bury_jacks(centre: list[str], stock: list[str], bury_at: Callable[[int], int]) -> list[str]:
    """Replace the centre's jacks and put them into the stock (R5, R28); which they were."""
    buried = []
    for place in range(len(centre)):
        while is_jack(centre[place]):
            jack, centre[place] = centre[place], stock.pop(0)
            stock.insert(bury_at(len(stock)), jack)
            buried.append(jack)
    return buried


def open_pile(rules: RuleSet, centre: list[str]) -> list[str]:
    """Take from the centre what is turned up (R4, R5), bottom to top. Raises `NeedsRedeal`."""
    if rules.centre == "open":
        pile = centre[:]
        centre.clear()
        return pile
    pile = [centre.pop()]
    if rules.opening_jack == "cover":
        while is_jack(pile[-1]):
            if not centre:
                raise NeedsRedeal
            pile.append(centre.pop())
    return pile
