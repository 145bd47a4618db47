"""What the page of a game shows of one position, and the way to the others."""

from __future__ import annotations

import msgspec

from arena.game import DECK
from arena.replay import rules_of_record
from dashboard.around import Panel, names_known, seats_around
from dashboard.fog import plays_of_a_deal, seen_by
from dashboard.positions import DealView, Move, Position, checked, deal_view
from dashboard.scores import Curve, SideLine, across, curves, side_lines
from dashboard.ways import Ways, ways_from
from protocol.records import GameRecord
from protocol.rules import RuleSet, SideScore


class NoSuchPosition(LookupError):
    """A deal, a play or a seat that the game does not have; the text is a sentence."""


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a game and does not stand in its record."""

    notes: dict[int, str] = {}
    """Of its bots by turn, if they may be shown."""
    ratings: dict[str, str] = {}
    """In words, by label, of those that have one."""


class PositionPage(msgspec.Struct, frozen=True, kw_only=True):
    """One position of a game and what leads to the others.

    With a `seat` it has only what that seat knew at that moment.
    """

    deal: int
    move: int
    seat: int | None
    plays: int
    """How many plays the deal has."""
    names: list[str]
    """Who sits at every seat."""
    position: Position
    moves: list[Move]
    last: Move | None
    """The play just made."""
    note: str | None
    """What its bot said about it, where that may be shown."""
    upcoming: str | None
    """The card that will be played next."""
    top: list[Panel]
    bottom: list[Panel]
    """The seats in the order in which they sit around the table, from left to right."""
    sides: list[SideLine]
    curves: list[Curve]
    cursor: float
    """Where in the chart this position is."""
    ways: Ways
    valued: list[str]
    """The cards that count at the end of a deal (R21)."""
    scores: list[SideScore] | None
    """By side: what the whole deal came to; None where that is not known."""
    ended: bool
    """Whether this is the last position of the game."""


def position_page(
    record: GameRecord,
    deal: int,
    move: int,
    seat: int | None = None,
    beside: Beside = Beside(),  # noqa: B008
) -> PositionPage:
    """The position after `move` plays of deal number `deal`, as everybody or one seat sees it.

    The record needs its seed. For a seat, which does not know how long a deal lasts that is
    forfeited, a `move` beyond the deal's end is its end; nor does it know ratings. Raises
    `NoSuchPosition`, and `ReplayError` for a wrong record.
    """
    _check(record, deal, seat)
    record = checked(record)
    view = deal_view(record, deal)
    plays = len(view.moves)
    if seat is not None:
        rules = rules_of_record(record)
        move, plays = min(move, plays), plays_of_a_deal(rules)
        view = seen_by(view, rules, seat, move)
        beside = Beside(notes=beside.notes)
    elif move > plays:
        raise NoSuchPosition(f"Deal {deal} has no play {move}: it has {plays}.")
    return _page(record, view, move, seat, plays, beside)


def _check(record: GameRecord, deal: int, seat: int | None) -> None:
    deals, seats = len(record.deals), len(record.seats)
    if not 1 <= deal <= deals:
        raise NoSuchPosition(f"This game has no deal {deal}: it has {deals}.")
    if seat is not None and seat >= seats:
        raise NoSuchPosition(f"This game has no seat {seat}: it has seats 0 to {seats - 1}.")


def _page(
    record: GameRecord,
    view: DealView,
    move: int,
    seat: int | None,
    plays: int,
    beside: Beside,
) -> PositionPage:
    position = view.positions[move]
    names = names_known(record, seat)
    top, bottom = seats_around(record, view, position, names, beside.ratings)
    last = view.moves[move - 1] if move else None
    is_told = last is not None and seat in (None, last.seat)
    return PositionPage(
        deal=view.number,
        move=move,
        seat=seat,
        plays=plays,
        names=names,
        position=position,
        moves=view.moves,
        last=last,
        note=beside.notes.get(last.turn) if last and is_told else None,
        upcoming=view.moves[move].card if move < len(view.moves) else None,
        top=top,
        bottom=bottom,
        sides=side_lines(view, position, names),
        curves=curves(view, plays),
        cursor=across(move, plays),
        ways=ways_from(record, view.number, move, seat, plays),
        scores=record.deals[view.number - 1].sides
        if seat is None or position.seat is None
        else None,
        valued=_valued(rules_of_record(record)),
        ended=view.number == len(record.deals) and move == len(record.deals[-1].plays),
    )


def _valued(rules: RuleSet) -> list[str]:
    points = rules.points
    by_card = {"TD": points.ten_of_diamonds, "2C": points.two_of_clubs}
    by_rank = {"A": points.ace, "J": points.jack}
    return [card for card in DECK if by_card.get(card) or by_rank.get(card[0])]


def position_instead(
    record: GameRecord,
    deal: int,
    play: Move,
    after: Position,
    beside: Beside = Beside(),  # noqa: B008
) -> PositionPage:
    """The position after `play`, which was not made in the game; nothing is played after it."""
    view = deal_view(record, deal)
    plays, move = len(view.moves), play.number
    view = msgspec.structs.replace(
        view,
        positions=[*view.positions[:move], after],
        moves=[*view.moves[: move - 1], play],
    )
    page = _page(record, view, move, None, plays, beside)
    return msgspec.structs.replace(page, scores=None, ended=False)
