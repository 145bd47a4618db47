"""What happened at a visitor's table since the visitor's last play, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.seen import unheard
from arena.store import Sitting
from dashboard.cards import card_name
from dashboard.seat import YOU, SeatPage, Told, names_of
from dashboard.show import side_name
from protocol.messages import DealEnd, SeenPlay, Turn


def seat_telling(sitting: Sitting, told: Told, page: SeatPage) -> str:
    """What the others played and captured, and what is to be done."""
    return " ".join(_sentences(sitting, told, page))


def _sentences(sitting: Sitting, told: Told, page: SeatPage) -> Iterator[str]:
    names, turn = names_of(told.hello), told.turn
    if sitting.is_answered:
        if page.last and sitting.answer:
            yield _play(names, SeenPlay(page.seat, page.last.card, len(page.last.taken)))
        yield f"{names[(page.seat + 1) % len(names)].capitalize()} is next."
        return
    for end in told.ends:
        yield from _deal_end(names, end, turn.seat)
    if not turn.plays or told.ends:
        yield f"Deal {turn.deal.number}, dealt by {names[turn.deal.dealer]}."
    yield from (_play(names, play) for play in unheard(turn.plays, turn.seat))
    yield from _bonus(names, told.before, turn)
    yield f"{_pile(turn)} It is your turn."


def _deal_end(names: Sequence[str], end: DealEnd, seat: int) -> Iterator[str]:
    yield from (_play(names, play) for play in unheard(end.plays, seat))
    scores = ", ".join(
        f"{side_name(names, side, len(end.scores))} {points.total}"
        for side, points in enumerate(end.sides)
    )
    yield f"Deal {end.deal} is over: {scores}."


def _play(names: Sequence[str], play: SeenPlay) -> str:
    name = names[play.seat]
    verb = ("take" if play.took else "play") + ("" if name == YOU else "s")
    if not play.took:
        return f"{name.capitalize()} {verb} {card_name(play.card)}."
    return f"{name.capitalize()} {verb} {_cards(play.took - 1)} with {card_name(play.card)}."


def _bonus(names: Sequence[str], before: Turn | None, turn: Turn) -> Iterator[str]:
    """Bonus points since the turn before, of the same deal."""
    known = [0] * len(turn.bonus)
    if before and before.deal.number == turn.deal.number:
        known = before.bonus
    for side, (old, new) in enumerate(zip(known, turn.bonus, strict=True)):
        if new != old:
            name = side_name(names, side, len(turn.bonus))
            yield f"{new - old:+d} bonus points for {name}."


def _pile(turn: Turn) -> str:
    if not turn.pile:
        return "The table is empty."
    return f"{_cards(len(turn.pile))} in the pile, {card_name(turn.pile[-1])} on top."


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
