"""A position as a vector of fixed size, and actions as numbers.

An action is a card's place in `CARDS`, plus 52 where it captures by choice: 0 to 51 plays the card
where there is no choice, and lays it where there is one.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from arena.game import DECK, Option
from arena.train.position import Position
from protocol.rules import RuleSet

CARDS = DECK
"""Every card by its number: suits C D H S, within a suit A 2 … 9 T J Q K."""
ACTIONS = 2 * len(CARDS)
Vector = npt.NDArray[np.int32]
Mask = npt.NDArray[np.int8]

_NUMBER = {card: number for number, card in enumerate(CARDS)}
_HAND = 4


def layout(rules: RuleSet) -> dict[str, slice]:
    """Where everything stands in the vector of a rule set, in this order.

    - `hand`, `pile`, `top`, `marker`, `bottom`, `gone`: 52 numbers each, how many of every card;
      `gone` are those that are not in a hand or to be dealt any more as far as the seat knows: the
      plays, the open centre, and the hidden centre that its side took.
    - `seat`, `dealer` (counted from the own seat), `number` of the deal, `turn` of the game,
      `hidden_centre`, `stock`: one number each.
    - `hands` by seat, from the own seat on; `captured`, `bonus`, `scores` by side, from the own
      side on.
    - Cards in order, as their number in `CARDS` plus 1, the rest 0: `hand_order`, `centre`,
      `buried` (at most 8 a deck), `taken_centre`.
    - `plays`: for every play of the deal so far its card so numbered, and how many cards it took.
    """
    sizes = dict.fromkeys(("hand", "pile", "top", "marker", "bottom", "gone"), len(CARDS))
    sizes |= dict.fromkeys(("seat", "dealer", "number", "turn", "hidden_centre", "stock"), 1)
    sizes |= {"hands": rules.seats}
    sizes |= dict.fromkeys(("captured", "bonus", "scores"), rules.sides)
    sizes |= {"hand_order": _HAND, "centre": rules.centre_cards, "buried": 8 * rules.decks}
    sizes |= {"taken_centre": rules.centre_cards}
    sizes |= {"plays": 2 * (52 * rules.decks - rules.centre_cards)}
    found, start = {}, 0
    for name, size in sizes.items():
        found[name] = slice(start, start + size)
        start += size
    return found


def size_of(rules: RuleSet) -> int:
    """How many numbers the vector of a rule set has."""
    return int(layout(rules)["plays"].stop)


def encode(position: Position) -> Vector:
    """All that a `turn` message tells but ids and times; every number is 0 or more."""
    plays = position.plays
    taken = position.taken_centre or []
    pile, centre = position.pile, position.centre
    seat, side, rules = position.seat, position.side, position.rules
    numbers: list[int] = []
    for cards in (
        position.hand,
        pile,
        pile[-1:],
        [position.marker],
        [position.bottom],
        [*(card for _, card, _ in plays), *centre, *taken],
    ):
        numbers += _counts(cards)
    numbers += [seat, (position.dealer - seat) % rules.seats, position.number, position.turn]
    numbers += [position.hidden_centre, position.stock]
    numbers += _turned(position.hands, seat)
    for by_side in (position.captured, position.bonus, position.scores):
        numbers += _turned(by_side, side)
    table = rules.centre_cards
    for cards, size in (
        (position.hand, _HAND),
        (centre, table),
        (position.buried, 8 * rules.decks),
        (taken, table),
    ):
        numbers += _order(cards, size)
    for _, card, took in plays:
        numbers += (_NUMBER[card] + 1, took)
    vector = np.zeros(size_of(rules), np.int32)
    vector[: len(numbers)] = numbers
    return vector


def _counts(cards: Iterable[str | None]) -> list[int]:
    counts = [0] * len(CARDS)
    for card in cards:
        if card is not None:
            counts[_NUMBER[card]] += 1
    return counts


def _turned(numbers: list[int], first: int) -> list[int]:
    return numbers[first:] + numbers[:first]


def _order(cards: list[str], size: int) -> list[int]:
    numbers = [_NUMBER[card] + 1 for card in cards[:size]]
    return numbers + [0] * (size - len(numbers))


def action_of(option: Option) -> int:
    """The number of a legal answer."""
    card, capture = option
    return _NUMBER[card] + (len(CARDS) if capture else 0)


def mask(legal: Iterable[Option]) -> Mask:
    """1 for every action that is legal, else 0."""
    found = np.zeros(ACTIONS, np.int8)
    for option in legal:
        found[action_of(option)] = 1
    return found


def option_of(action: int, legal: Iterable[Option]) -> Option:
    """The legal answer that an action is. Raises `ValueError` where it is none."""
    for option in legal:
        if action_of(option) == action:
            return option
    raise ValueError(f"action {action} is not legal here")
