"""What a deal is worth to each side: R18 to R21."""

from __future__ import annotations

from arena.game.deal import Deal
from protocol.rules import SideScore


def side_scores(deal: Deal) -> list[SideScore]:
    """Each side's points of this deal, by source.

    Of a deal that is not over: what it has captured so far, without majority (R21), sweep (R20)
    and last capture (R18).
    """
    sizes = [*map(len, deal.captured)]
    most = max(sizes)
    majority = most if sizes.count(most) == 1 else None
    return [_side_score(deal, side, majority) for side in range(deal.rules.sides)]


def _side_score(deal: Deal, side: int, majority: int | None) -> SideScore:
    rules, cards = deal.rules, deal.captured[side]
    points = rules.points
    last = deal.over and deal.last_capture == side
    # No letter is both a rank and a suit, so all cards can be searched as one text.
    text = "".join(cards)
    fields = {
        "aces": points.ace * text.count("A"),
        "jacks": points.jack * text.count("J"),
        "ten_of_diamonds": points.ten_of_diamonds * text.count("TD"),
        "two_of_clubs": points.two_of_clubs * text.count("2C"),
        "majority": points.majority if deal.over and len(cards) == majority else 0,
        "kseri": deal.kseri[side] + (points.kseri if last and _is_sweep_kseri(deal) else 0),
        "double_kseri": deal.double_kseri[side],
        "jack_on_jack": deal.jack_on_jack[side],
        "two_of_clubs_match": deal.two_of_clubs_match[side],
        "last_capture": rules.last_capture_bonus if last else 0,
    }
    return SideScore(cards=len(cards), total=sum(fields.values()), **fields)


def _is_sweep_kseri(deal: Deal) -> bool:
    """Whether the one card left at the end is a kseri for the last capturer (R20)."""
    return deal.rules.sweep_kseri and len(deal.pile) == 1 and not deal.last_by_jack


def ownerless(deal: Deal) -> list[str]:
    """The cards that belong to nobody at the end: nobody captured (R19)."""
    if not deal.over or deal.last_capture is not None:
        return []
    return [*deal.hidden_centre, *deal.pile]
