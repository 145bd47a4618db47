"""The seats around the table as a page draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.replay import rules_of_record
from dashboard.positions import DealView, Move, Position, Seen
from protocol.records import GameRecord
from protocol.rules import RuleSet


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """One seat at the table."""

    seat: int
    name: str
    version: str | None
    """None where who sits there is hidden."""
    rating: str | None
    """In words, where it has one that is to be shown."""
    side: int
    hand: list[Seen]
    in_turn: bool
    is_dealer: bool
    captured: int
    """Cards that its side has captured in this deal."""
    kseris: int | None
    """Kseris that its side has made in this deal; None where that is not counted."""


def names_known(record: GameRecord, seer: int | None) -> list[str]:
    """Who sits at every seat, as far as seat `seer` was told; None: as everybody may know now."""
    if seer is None or not record.names_hidden:
        return [seat.bot for seat in record.seats]
    return [who.bot if seat == seer else f"seat {seat}" for seat, who in enumerate(record.seats)]


def seats_around(
    record: GameRecord,
    view: DealView,
    position: Position,
    names: Sequence[str],
    ratings: Mapping[str, str],
) -> tuple[list[Panel], list[Panel]]:
    """The seats above and below the table from left to right, seat 0 at the bottom.

    They follow each other in the direction of play.
    """
    rules = rules_of_record(record)
    panels = [
        _panel(record, view, position, seat, name, ratings.get(name))
        for seat, name in enumerate(names)
    ]
    return placed(rules, panels)


def placed(rules: RuleSet, panels: Sequence[Panel]) -> tuple[list[Panel], list[Panel]]:
    """Panels, given by seat, as rows above and below the table; see `seats_around`."""
    # With five or six seats three sit at the bottom: the last, the first and the second.
    wing = 1 if rules.seats > 4 else 0
    bottom = [*panels[1 : 1 + wing], *panels[:1], *panels[rules.seats - wing :]]
    top = list(panels[1 + wing : rules.seats - wing])
    if rules.direction == "counterclockwise":
        top, bottom = top[::-1], bottom[::-1]
    return top, bottom


def _panel(
    record: GameRecord,
    view: DealView,
    position: Position,
    seat: int,
    name: str,
    rating: str | None,
) -> Panel:
    who = record.seats[seat]
    return Panel(
        seat=seat,
        name=name,
        version=who.version if name == who.bot else None,
        rating=rating,
        side=who.side,
        hand=position.hands[seat],
        in_turn=position.seat == seat,
        is_dealer=position.dealer == seat,
        captured=len(position.captured[who.side]),
        kseris=sum(
            _is_kseri(move) and record.seats[move.seat].side == who.side
            for move in view.moves[: position.move]
        ),
    )


def _is_kseri(move: Move) -> bool:
    return "kseri" in move.bonus or "double_kseri" in move.bonus
