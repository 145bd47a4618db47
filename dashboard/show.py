"""How values are written on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup

from arena.diagnosis import what_it_used, when_it_was
from arena.standings import Standing
from arena.text import visible

DASH = "–"

BONUS_WORDS = {
    "kseri": "kseri",
    "double_kseri": "double kseri",
    "jack_on_jack": "jack on jack",
    "two_of_clubs_match": "two of clubs",
}
_BONUS_SHORT = {
    "kseri": "kseri",
    "double_kseri": "double",
    "jack_on_jack": "jacks",
    "two_of_clubs_match": "2♣\ufe0e",
}
REASON_WORDS = {
    "target": "target reached",
    "deals": "all deals played",
    "max_deals": "most deals reached",
    "forfeit": "forfeit",
    "void": "void",
}


def win_percent(row: Standing) -> str:
    """Games won in percent, a draw as half a win."""
    return f"{100 * (row.wins + row.draws / 2) / row.games:.1f}" if row.games else DASH


def signed(value: float | None) -> str:
    """A difference with its sign, as in +1.25 or −0.50."""
    return DASH if value is None else f"{value:+.2f}".replace("-0.00", "+0.00").replace("-", "−")


def duration(us: float) -> str:
    """A time given in microseconds, with as many digits as it is worth."""
    if us < 1000:
        return f"{us:.0f}\u00a0µs"
    return f"{us / 1000:.{int(us < 10_000)}f}\u00a0ms"


def when(text: str | None) -> str:
    """A time of a record for a person to read."""
    return DASH if text is None else text.replace("T", " ").replace("Z", " UTC")


def halves(value: float) -> str:
    """A score in games, as in 17½."""
    whole = int(value)
    return str(whole) if value == whole else f"{whole or ''}½"


def side_name(names: Sequence[str], side: int, sides: int) -> str:
    """Who plays for a side, as in "greedy & counter"."""
    return " & ".join(dict.fromkeys(names[side::sides]))


_ICONS = {
    "first": "M5 5V19M19 5L9 12 19 19Z",
    "previous": "M17 5L7 12 17 19Z",
    "play": "M8 5L18 12 8 19Z",
    "pause": "M8 5V19M16 5V19",
    "next": "M7 5L17 12 7 19Z",
    "final": "M19 5V19M5 5L15 12 5 19Z",
}


def icon(name: str) -> Markup:
    """A sign on a button; the button says in words what it does."""
    return Markup(
        '<svg class="icon {}" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">'
        '<path d="{}"/></svg>'
    ).format(name, _ICONS[name])


FILTERS: dict[str, Callable[..., Any]] = {
    "win_percent": win_percent,
    "signed": signed,
    "duration": duration,
    "when": when,
    "when_it_was": when_it_was,
    "what_it_used": what_it_used,
    "halves": halves,
    "visible": visible,
    "side_name": side_name,
    "bonus_word": BONUS_WORDS.__getitem__,
    "bonus_short": _BONUS_SHORT.__getitem__,
    "reason_word": lambda reason: REASON_WORDS.get(reason, reason),
}
