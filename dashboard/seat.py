"""What the page of a visitor's seat shows: drawn from what that seat was sent, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.seen import after, taken_by, would_take
from arena.store import Sitting
from dashboard.around import Panel, placed
from dashboard.positions import Move, Position
from dashboard.seating import play_text
from dashboard.show import side_name
from protocol.messages import DealEnd, Hello, Turn
from protocol.rules import RuleSet

YOU = "you"


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One legal play, a button."""

    value: str
    words: str
    """On the button, as in "take 4" or "lay"."""
    told: str
    """How the button is named, before the card."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A card of the hand with its buttons."""

    card: str
    options: list[Option]


class SideScore(msgspec.Struct, frozen=True, kw_only=True):
    """One side's score, as far as everybody at the table knows it."""

    side: int
    name: str
    total: int
    """With the bonus points of this deal."""
    bonus: int
    captured: int
    """Cards, in this deal."""


class SeatPage(msgspec.Struct, frozen=True, kw_only=True):
    """The table, as the template of the replay's table takes it, and what may be played."""

    seat: int
    deal: int
    turn: int
    """The number that an answer has to name."""
    names: list[str]
    position: Position
    last: Move | None
    moves: list[Move]
    top: list[Panel]
    bottom: list[Panel]
    sides: list[SideScore]
    choices: list[Choice]
    """Empty while others play."""
    note: None = None
    upcoming: None = None
    ended: bool = False


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The messages of a sitting, sorted."""

    hello: Hello
    before: Turn | None
    """The turn that was answered last."""
    ends: list[DealEnd]
    """Deals that have ended since."""
    turn: Turn


def told_of(sitting: Sitting) -> Told | None:
    """What the seat was sent; None while it was asked for nothing yet."""
    hello = next((each for each in sitting.told if isinstance(each, Hello)), None)
    turns = [each for each in sitting.told if isinstance(each, Turn)]
    if hello is None or not turns:
        return None
    return Told(
        hello=hello,
        before=turns[0] if len(turns) > 1 else None,
        ends=[each for each in sitting.told if isinstance(each, DealEnd)],
        turn=turns[-1],
    )


def names_of(hello: Hello) -> list[str]:
    """Who sits at every seat."""
    names = hello.names or [f"seat {seat}" for seat in range(hello.rules.seats)]
    return [YOU if seat == hello.seat else name for seat, name in enumerate(names)]


def seat_page(sitting: Sitting, told: Told) -> SeatPage:
    """The table after everything that the seat knows of, its own last play among it."""
    hello, turn = told.hello, told.turn
    names, rules = names_of(hello), hello.rules
    is_asked = not sitting.is_answered
    choices = _choices(turn, rules) if is_asked else []
    if sitting.answer:
        turn = after(turn, sitting.answer, rules)
    moves = _moves(turn)
    position = _position(turn, is_asked)
    panels = _panels(turn, position, names, rules)
    # The visitor sits at the bottom, whichever seat that is.
    top, bottom = placed(rules, [*panels[turn.seat :], *panels[: turn.seat]])
    return SeatPage(
        seat=turn.seat,
        deal=turn.deal.number,
        turn=turn.turn,
        names=names,
        position=position,
        last=moves[-1] if moves else None,
        moves=moves,
        top=top,
        bottom=bottom,
        sides=_sides(turn, names),
        choices=choices,
    )


def _choices(turn: Turn, rules: RuleSet) -> list[Choice]:
    return [
        Choice(
            card=card,
            options=[
                _option(card, each.capture, would_take(turn, card, rules))
                for each in turn.legal
                if each.card == card
            ],
        )
        for card in turn.hand
    ]


def _option(card: str, capture: bool | None, takes: int) -> Option:
    if takes and capture is not False:
        words = f"take {takes}"
        told = f"Take {takes} card{'s' if takes > 1 else ''} with"
    else:
        words, told = "lay", "Lay"
    return Option(value=play_text(card, capture), words=words, told=told)


def _moves(turn: Turn) -> list[Move]:
    taken = taken_by(turn.deal, turn.plays)
    return [
        Move(
            number=number,
            turn=number,
            seat=play.seat,
            card=play.card,
            taken=cards,
            bonus={},
            elapsed_us=None,
            forced=False,
            fault=False,
        )
        for number, (play, cards) in enumerate(zip(turn.plays, taken, strict=True), 1)
    ]


def _position(turn: Turn, is_asked: bool) -> Position:
    hands: list[list[str | None]] = [[None] * count for count in turn.hands]
    hands[turn.seat] = list(turn.hand)
    is_over = not turn.stock and not any(turn.hands)
    following = (turn.seat + 1) % len(turn.hands)
    return Position(
        move=len(turn.plays),
        dealer=turn.deal.dealer,
        seat=turn.seat if is_asked else None if is_over else following,
        hands=hands,
        legal=[],
        pile=turn.pile,
        hidden_centre=[None] * turn.hidden_centre,
        stock=turn.stock,
        bottom=turn.deal.bottom,
        buried=turn.deal.buried,
        marker=turn.marker,
        captured=[[None] * count for count in turn.captured],
        centre_taker=None,
        centre_size=0,
        bonus=turn.bonus,
        points=turn.bonus,
        left_to=None,
    )


def _panels(
    turn: Turn, position: Position, names: Sequence[str], rules: RuleSet
) -> Sequence[Panel]:
    return [
        Panel(
            seat=seat,
            name=name,
            version=None,
            rating=None,
            side=rules.side_of[seat],
            hand=position.hands[seat],
            in_turn=position.seat == seat,
            is_dealer=turn.deal.dealer == seat,
            captured=turn.captured[rules.side_of[seat]],
            kseris=None,
        )
        for seat, name in enumerate(names)
    ]


def _sides(turn: Turn, names: Sequence[str]) -> list[SideScore]:
    count = len(turn.scores)
    return [
        SideScore(
            side=side,
            name=side_name(names, side, count),
            total=turn.scores[side] + turn.bonus[side],
            bonus=turn.bonus[side],
            captured=turn.captured[side],
        )
        for side in range(count)
    ]
