"""Another deal that one seat cannot tell from the one it plays (R31), for any deal of a game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from arena.game import Deal, Stream, make_deal, shuffled
from arena.game.dealing import deal_hands, dealt
from protocol.rules import RuleSet

Burial = tuple[int, str]
"""A place of the centre and the jack that lay there."""


@dataclass
class Layout:
    """Where every card of a deal lies when play begins: the first hands, the centre, the stock."""

    rules: RuleSet
    dealer: int
    cards: list[str]
    """By position: hands in the order of seats, centre as dealt, stock from its head."""
    hands: list[list[list[int]]]
    """By round and seat the positions of the cards dealt, in the order dealt."""
    centre: list[int]
    stock: list[int]
    burials: list[Burial]


def layout_of(rules: RuleSet, seed: bytes, number: int, dealer: int) -> Layout:
    """The deal that the engine makes, taken apart."""
    attempt = make_deal(rules, seed, number, dealer).attempt
    stream = Stream(seed, number, attempt)
    leader = (dealer + 1) % rules.seats
    centre, first, stock = dealt(rules, leader, shuffled(stream, rules))
    burials: list[Burial] = []
    for place in range(len(centre)):
        while rules.opening_jack == "bury" and centre[place][0] == "J":
            burials.append((place, centre[place]))
            jack, centre[place] = centre[place], stock.pop(0)
            stock.insert(1 + stream.uniform(len(stock) - 1), jack)
    held = 4 * rules.seats
    cards = [*(card for hand in first for card in hand), *centre, *stock]
    places = list(range(held + len(centre), len(cards)))
    rounds = [[list(range(4 * seat, 4 * seat + 4)) for seat in range(rules.seats)]]
    for start in range(0, len(places), held):
        hands: list[list[int]] = [[] for _ in range(rules.seats)]
        deal_hands(hands, places[start : start + held], leader, rules.refill == "twos")
        rounds.append(hands)
    table = list(range(held, held + len(centre)))
    return Layout(rules, dealer, cards, rounds, table, places, burials)


def rearranged(deal: Deal, seed: bytes, rng: random.Random) -> Deal:
    """Replace what the seat in turn of `deal` cannot see; the new deal is given from its start."""
    for _ in range(1_000):
        layout = layout_of(deal.rules, seed, deal.number, deal.dealer)
        hidden = _hidden(deal, layout, rng)
        cards = [layout.cards[position] for position in hidden]
        rng.shuffle(cards)
        for position, card in zip(hidden, cards, strict=True):
            layout.cards[position] = card
        bury = _unbury(layout, rng)
        if bury is not None:
            return _deal_again(deal, layout, iter(bury))
    raise AssertionError("no arrangement agrees with the jacks that were buried")


def _deal_again(deal: Deal, layout: Layout, bury: Iterator[int]) -> Deal:
    deck = _deck(layout)
    return Deal(deal.rules, deal.dealer, deck, lambda _: next(bury), deal.number, deal.attempt)


def _hidden(deal: Deal, layout: Layout, rng: random.Random) -> list[int]:
    """The positions whose cards the seat in turn does not know.

    The cards of another seat's hand change places first: who sees them played does not learn in
    which order they were dealt.
    """
    rules, me = deal.rules, deal.seat
    bottom = layout.stock[-1] if deal.bottom else None
    face_down = len(layout.centre) - len(deal.centre)
    hidden = [] if deal.centre_taker == me % rules.sides else layout.centre[:face_down]
    size = 4 * rules.seats
    for number, hands in enumerate(layout.hands):
        plays = range(number * size, min(len(deal.plays), (number + 1) * size))
        for seat, positions in enumerate(hands):
            if seat == me and number * size <= len(deal.plays):
                continue
            free = [position for position in positions if position != bottom]
            cards = [layout.cards[position] for position in free]
            rng.shuffle(cards)
            played = Counter(deal.plays[play] for play in plays if deal.seat_of(play) == seat)
            if bottom in positions:
                played[layout.cards[bottom]] -= 1
            for position, card in zip(free, cards, strict=True):
                layout.cards[position] = card
                if played[card] > 0:
                    played[card] -= 1
                else:
                    hidden.append(position)
    return hidden


def _unbury(layout: Layout, rng: random.Random) -> list[int] | None:
    """Put the buried jacks back into the centre; R28's indices, or None where it forbids them."""
    stock = [layout.cards[position] for position in layout.stock]
    indices: list[int] = []
    for place, jack in reversed(layout.burials):
        allowed = [n for n in range(1, len(stock) - 1) if stock[n] == jack]
        if not allowed:
            return None
        index = rng.choice(allowed)
        del stock[index]
        indices.insert(0, index)
        position = layout.centre[place]
        stock.insert(0, layout.cards[position])
        layout.cards[position] = jack
    for position, card in zip(layout.stock, stock, strict=True):
        layout.cards[position] = card
    return indices


def _deck(layout: Layout) -> list[str]:
    """The deck from which this is dealt (R3)."""
    rules, size = layout.rules, len(layout.cards)
    leader = (layout.dealer + 1) % rules.seats
    centre, hands, stock = dealt(rules, leader, list(map(str, range(size))))
    places = [*(place for hand in hands for place in hand), *centre, *stock]
    deck = [""] * size
    for position, place in enumerate(places):
        deck[int(place)] = layout.cards[position]
    return deck
