"""A position in one or two sentences, for whoever hears the page and does not see it."""

from __future__ import annotations

from dashboard.cards import card_name
from dashboard.positions import Move
from dashboard.replay import PositionPage
from dashboard.show import BONUS_WORDS, side_name


def telling(page: PositionPage) -> str:
    """What was just played and what it changed."""
    sentences = [_play(page, page.last) if page.last else _beginning(page)]
    if page.position.seat is None:
        sentences.append(_end(page))
    else:
        sentences.append(_table(page))
    return " ".join(sentences)


def _play(page: PositionPage, move: Move) -> str:
    parts = [f"Play {move.number}: {page.names[move.seat]}, {card_name(move.card)}"]
    if move.taken:
        parts.append(f"takes {_cards(len(move.taken) - 1)}")
    parts += [f"{BONUS_WORDS[kind]}, {points} points" for kind, points in move.bonus.items()]
    return ", ".join(parts) + "."


def _beginning(page: PositionPage) -> str:
    return f"Deal {page.deal}, dealt by {page.names[page.position.dealer]}."


def _table(page: PositionPage) -> str:
    pile, seat = page.position.pile, page.position.seat
    assert seat is not None
    top = f"{_cards(len(pile))} in the pile, {card_name(pile[-1])} on top" if pile else "No pile"
    return f"{top}. {page.names[seat]} is next."


def _end(page: PositionPage) -> str:
    sides = len(page.sides)
    scores = ", ".join(f"{side.name} {side.total}" for side in page.sides)
    left = page.position.left_to
    swept = "" if left is None else f"The cards left go to {side_name(page.names, left, sides)}. "
    return f"{swept}The deal is over. {scores}."


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
