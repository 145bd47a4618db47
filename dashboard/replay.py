"""What the page of a game shows of one position, and the way to the others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from arena.replay import rules_of_record
from dashboard.positions import DealView, Move, Position, deal_view
from dashboard.show import side_name
from protocol.records import GameRecord

BAR_WIDTH = 300
"""Of the score bar and the chart, in their own units."""
CHART_HEIGHT = 54


class NoSuchPosition(LookupError):
    """A deal or a play that the game does not have; the text is a sentence."""


@dataclass(frozen=True)
class Panel:
    """One seat at the table."""

    seat: int
    name: str
    version: str
    side: int
    hand: list[str]
    in_turn: bool
    is_dealer: bool
    captured: int
    """Cards that its side has captured in this deal."""
    kseris: int
    """Kseris that its side has made in this deal."""


@dataclass(frozen=True)
class SideLine:
    """One side's score."""

    side: int
    name: str
    total: int
    """With what it has made of this deal so far."""
    gained: int
    """In this deal so far."""
    bar_start: float
    bar_width: float
    """Its part of the score bar, of `BAR_WIDTH`."""


@dataclass(frozen=True)
class PositionPage:
    """One position of a game and what leads to the others."""

    deal: int
    move: int
    position: Position
    moves: list[Move]
    last: Move | None
    """The play just made."""
    upcoming: str | None
    """The card that will be played next."""
    top: list[Panel]
    bottom: list[Panel]
    """The seats in the order in which they sit around the table, from left to right."""
    sides: list[SideLine]
    curves: list[tuple[int, str]]
    """By side the points of a line in the chart: the lead of side 0 where there are two sides,
    else the points of each."""
    cursor: float
    """Where in the chart this position is."""
    deals: int
    first: str
    previous: str | None
    next: str | None
    final: str
    """Addresses of other positions."""
    faulty: frozenset[int]
    """Turns in which a seat committed a fault."""
    ended: bool
    """Whether this is the last position of the game."""


def position_page(record: GameRecord, deal: int, move: int) -> PositionPage:
    """The position after `move` plays of deal number `deal`.

    The record needs its seed. Raises `NoSuchPosition`, and `ReplayError` for a wrong record.
    """
    deals = len(record.deals)
    if not 1 <= deal <= deals:
        raise NoSuchPosition(f"This game has no deal {deal}: it has {deals}.")
    view = deal_view(record, deal)
    if move >= len(view.positions):
        raise NoSuchPosition(f"Deal {deal} has no play {move}: it has {len(view.moves)}.")
    position = view.positions[move]
    counts = [len(each.plays) for each in record.deals]
    top, bottom = _around(record, view, position)
    upcoming = view.moves[move].play.card if move < len(view.moves) else None
    return PositionPage(
        deal=deal,
        move=move,
        position=position,
        moves=view.moves,
        last=view.moves[move - 1] if move else None,
        upcoming=upcoming,
        top=top,
        bottom=bottom,
        sides=_side_lines(record, view, position),
        curves=_curves(view),
        cursor=_across(move, view),
        deals=deals,
        first=address(1, 0),
        previous=_previous(counts, deal, move),
        next=_next(counts, deal, move),
        final=address(deals, counts[-1]),
        faulty=frozenset(fault.turn for fault in record.faults),
        ended=deal == deals and move == counts[-1],
    )


def address(deal: int, move: int) -> str:
    """Where on the page of its game a position is."""
    return f"?deal={deal}&move={move}"


def _previous(counts: list[int], deal: int, move: int) -> str | None:
    if move:
        return address(deal, move - 1)
    return address(deal - 1, counts[deal - 2]) if deal > 1 else None


def _next(counts: list[int], deal: int, move: int) -> str | None:
    if move < counts[deal - 1]:
        return address(deal, move + 1)
    return address(deal + 1, 0) if deal < len(counts) else None


def _around(
    record: GameRecord, view: DealView, position: Position
) -> tuple[list[Panel], list[Panel]]:
    """The seats around the table, seat 0 at the bottom, in the direction of play."""
    rules = rules_of_record(record)
    panels = [_panel(record, view, position, seat) for seat in range(rules.seats)]
    # With five or six seats three sit at the bottom: the last, the first and the second.
    wing = 1 if rules.seats > 4 else 0
    bottom = panels[1 : 1 + wing] + panels[:1] + panels[rules.seats - wing :]
    top = panels[1 + wing : rules.seats - wing]
    if rules.direction == "counterclockwise":
        top, bottom = top[::-1], bottom[::-1]
    return top, bottom


def _panel(record: GameRecord, view: DealView, position: Position, seat: int) -> Panel:
    who = record.seats[seat]
    return Panel(
        seat=seat,
        name=who.bot,
        version=who.version,
        side=who.side,
        hand=position.hands[seat],
        in_turn=position.seat == seat,
        is_dealer=position.dealer == seat,
        captured=position.captured[who.side],
        kseris=sum(
            record.seats[move.play.seat].side == who.side
            for move in view.moves[: position.move]
            if "kseri" in move.bonus or "double_kseri" in move.bonus
        ),
    )


def _side_lines(record: GameRecord, view: DealView, position: Position) -> list[SideLine]:
    names = [seat.bot for seat in record.seats]
    totals = [old + new for old, new in zip(view.before, position.points, strict=True)]
    whole = sum(totals)
    parts = [total / whole if whole else 1 / len(totals) for total in totals]
    starts = accumulate(parts, initial=0.0)
    return [
        SideLine(
            side=side,
            name=side_name(names, side, len(totals)),
            total=total,
            gained=position.points[side],
            bar_start=round(BAR_WIDTH * start, 1),
            bar_width=round(BAR_WIDTH * part, 1),
        )
        for side, (total, part, start) in enumerate(zip(totals, parts, starts, strict=False))
    ]


def _curves(view: DealView) -> list[tuple[int, str]]:
    rows = [position.points for position in view.positions]
    if len(view.before) == 2:
        leads = [first - second for first, second in rows]
        return [(0, _line(leads, max(map(abs, leads)), view))]
    most = max(max(row) for row in rows)
    return [
        # Twice the points less the most: nobody's line begins at the bottom edge.
        (side, _line([2 * row[side] - most for row in rows], most, view))
        for side in range(len(view.before))
    ]


def _line(values: list[int], most: int, view: DealView) -> str:
    """Values from -most to most as a line across the chart."""
    middle = CHART_HEIGHT / 2
    reach = (middle - 3) / (most or 1)
    return " ".join(
        f"{_across(move, view):.1f},{middle - value * reach:.1f}"
        for move, value in enumerate(values)
    )


def _across(move: int, view: DealView) -> float:
    return round(BAR_WIDTH * move / (len(view.moves) or 1), 1)
