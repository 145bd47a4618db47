"""The ways from one position of a game to the others."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from protocol.records import GameRecord

NEAR = 12
"""How many deals before and after the shown one have links of their own."""


class Ways(msgspec.Struct, frozen=True, kw_only=True):
    """Addresses of other positions; None where there is none."""

    here: str
    first: str | None
    previous: str | None
    next: str | None
    final: str | None
    """The game's last position; for a seat, which does not know it, the deal's."""
    deal_before: str | None
    deal_after: str | None
    """The beginnings of other deals."""
    deals: list[int]
    """The deals to go to; where there are many, the first, the last and those near this one."""


def address(deal: int, move: int, seat: int | None = None) -> str:
    """Where on the page of its game a position is."""
    return f"?deal={deal}&move={move}" + ("" if seat is None else f"&seat={seat}")


def ways_from(record: GameRecord, deal: int, move: int, seat: int | None, plays: int) -> Ways:
    """The ways from a position of a deal that has so many plays; see `PositionPage`."""
    counts = [len(each.plays) for each in record.deals]
    is_first, is_last = (deal, move) == (1, 0), (deal, move) == (len(counts), counts[-1])
    if seat is None:
        final = None if is_last else address(len(counts), counts[-1])
    else:
        final = None if move == counts[deal - 1] else address(deal, plays, seat)
    return Ways(
        here=address(deal, move, seat),
        first=None if is_first else address(1, 0, seat),
        previous=_previous(counts, deal, move, seat),
        next=_next(counts, deal, move, seat),
        final=final,
        deal_before=address(deal - 1, 0, seat) if deal > 1 else None,
        deal_after=_deal_after(counts, deal, move, seat),
        # The seat did not know that there would be another deal.
        deals=_deals_near(len(counts) if seat is None else deal, deal),
    )


def _previous(counts: Sequence[int], deal: int, move: int, seat: int | None) -> str | None:
    if move:
        return address(deal, move - 1, seat)
    return address(deal - 1, counts[deal - 2], seat) if deal > 1 else None


def _next(counts: Sequence[int], deal: int, move: int, seat: int | None) -> str | None:
    if move < counts[deal - 1]:
        return address(deal, move + 1, seat)
    return address(deal + 1, 0, seat) if deal < len(counts) else None


def _deal_after(counts: Sequence[int], deal: int, move: int, seat: int | None) -> str | None:
    if deal == len(counts) or (seat is not None and move < counts[deal - 1]):
        return None
    return address(deal + 1, 0, seat)


def _deals_near(deals: int, deal: int) -> list[int]:
    near = range(max(deal - NEAR, 1), min(deal + NEAR, deals) + 1)
    return sorted({1, *near, deals})
