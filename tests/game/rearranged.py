"""Another deal that one seat cannot tell from the deal it plays (R31)."""

from __future__ import annotations

import random
from collections import Counter

from arena.game import Deal, make_deal
from tests.game import naive


def rearranged(deal: Deal, seed: bytes, rng: random.Random) -> Deal | None:
    """Replace everything hidden from the seat in turn by another arrangement it may believe in.

    `deal` was made from `seed`. None if the arrangement that was drawn contradicts what the seat
    has seen of jacks being buried (R5, R28: never on top of the stock, never at the bottom).
    """
    layout, burials = _layout(deal, seed)
    hidden = _hide(deal, layout)
    cards = [layout[slot] for slot in hidden]
    rng.shuffle(cards)
    layout |= dict(zip(hidden, cards, strict=True))
    undone = _before_burying(deal, layout, burials)
    if undone is None:
        return None
    deck, places = undone
    other = Deal(deal.rules, deal.dealer, deck, lambda _: places.pop(0), 1, deal.attempt)
    for card, taken in zip(deal.plays, deal.taken, strict=True):
        other.play(card, bool(taken))
    return other


def _layout(deal: Deal, seed: bytes) -> tuple[dict[int, str], list[tuple[int, str]]]:
    """The card at every place of the deck, as if jacks had been buried before; the burials."""
    start = make_deal(deal.rules, seed, 1, deal.dealer)
    table, _ = naive.make_table(deal.rules, seed, 1, deal.dealer)
    stock_slots = list(range(52 * deal.rules.decks))
    hand_slots, centre_slots = naive.first_cards(stock_slots, deal.rules, deal.dealer)
    layout = dict(zip(stock_slots, start.stock, strict=True))
    layout |= dict(zip(centre_slots, _centre_as_dealt(start), strict=True))
    for slots, hand in zip(hand_slots, start.hands, strict=True):
        layout |= dict(zip(slots, hand, strict=True))
    return layout, table.buried


def _centre_as_dealt(start: Deal) -> list[str]:
    """An open centre is the pile; a hidden one was turned up from its end."""
    if start.rules.centre == "open":
        return start.pile
    return [*start.hidden_centre, *reversed(start.pile)]


def _hide(deal: Deal, layout: dict[int, str]) -> list[int]:
    """The places whose cards the seat in turn does not know.

    Within every hand of another seat the cards change places first: in which order they were dealt
    is as hidden as the cards themselves.
    """
    rules, me = deal.rules, deal.seat
    slots = list(range(52 * rules.decks))
    hands, centre = naive.first_cards(slots, rules, deal.dealer)
    took_centre = deal.centre_taker == me % rules.sides
    hidden = [] if took_centre else centre[: len(centre) - len(deal.centre)]
    each_round = 4 * rules.seats
    for first in range(0, 10**6, each_round):
        now = deal.plays[first : first + each_round]
        for seat, mine in enumerate(hands):
            if seat != me or first > len(deal.plays):
                played = Counter(
                    card for number, card in enumerate(now, first) if deal.seat_of(number) == seat
                )
                hidden += _hide_hand(deal, layout, mine, played)
        if not slots:
            return hidden
        hands = [[] for _ in hands]
        naive.refill(slots, hands, rules, deal.dealer)
    raise AssertionError("the stock never ends")


def _hide_hand(
    deal: Deal, layout: dict[int, str], slots: list[int], played: Counter[str]
) -> list[int]:
    """Reverse the order of a hand (not of the exposed bottom card); which places stay hidden."""
    free = [slot for slot in slots if deal.bottom is None or slot != len(layout) - 1]
    layout |= dict(zip(free, [layout[slot] for slot in reversed(free)], strict=True))
    bottom = [layout[slot] for slot in slots if slot not in free]
    left = played - Counter(bottom)
    hidden = []
    for slot in free:
        if left[layout[slot]]:
            left[layout[slot]] -= 1
        else:
            hidden.append(slot)
    return hidden


def _before_burying(
    deal: Deal, layout: dict[int, str], burials: list[tuple[int, str]]
) -> tuple[list[str], list[int]] | None:
    """Take the buried jacks out of the stock again: the deck as it was dealt, and R28's places."""
    slots = list(range(len(layout)))
    _, centre_slots = naive.first_cards(slots, deal.rules, deal.dealer)
    stock = [layout[slot] for slot in slots]
    places: list[int] = []
    for place, jack in reversed(burials):
        if jack not in stock:
            return None
        index = stock.index(jack)
        stock.remove(jack)
        if not 1 <= index < len(stock):
            return None
        places.insert(0, index)
        stock.insert(0, layout[centre_slots[place]])
        layout[centre_slots[place]] = jack
    layout |= dict(zip(slots, stock, strict=True))
    return [layout[slot] for slot in range(len(layout))], places
