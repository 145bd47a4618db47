"""The plays of a game as text that a person can read in the database.

One line a deal: `dealer=1 7H:184 QHx92 …`, a play as the card, `:` if it was laid or `x` if it
captured, and the time charged in µs; `!` behind a play that the arena made for the seat, and
`attempt=n` where a deal was made again (R5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from protocol.records import DealRecord, PlayRecord

_PLAY = re.compile(r"([A23456789TJQK][CDHS])([:x])(\d+)(!?)")


def plays_to_text(deals: Sequence[DealRecord]) -> str:
    """All deals of a game as text."""
    return "\n".join(map(_deal_line, deals))


def _deal_line(deal: DealRecord) -> str:
    words = [f"dealer={deal.dealer}"]
    if deal.attempt:
        words.append(f"attempt={deal.attempt}")
    for play in deal.plays:
        how, forced = "x" if play.capture else ":", "!" if play.forced else ""
        words.append(f"{play.card}{how}{play.elapsed_us}{forced}")
    return " ".join(words)


def text_to_plays(text: str, seats: int) -> list[DealRecord]:
    """The deals that `plays_to_text` wrote, without their scores."""
    return [_deal(number, line, seats) for number, line in enumerate(text.split("\n"), 1)]


def _deal(number: int, line: str, seats: int) -> DealRecord:
    settings = {"attempt": 0, "dealer": 0}
    plays: list[PlayRecord] = []
    for word in line.split():
        if "=" in word:
            name, value = word.split("=")
            settings[name] = int(value)
        else:
            seat = (settings["dealer"] + 1 + len(plays)) % seats
            plays.append(_play(seat, word))
    return DealRecord(
        number=number, attempt=settings["attempt"], dealer=settings["dealer"], plays=plays
    )


def _play(seat: int, word: str) -> PlayRecord:
    match = _PLAY.fullmatch(word)
    if match is None:
        raise ValueError(f"not a play: {word!r}")
    card, how, elapsed_us, forced = match.groups()
    return PlayRecord(
        seat=seat,
        card=card,
        capture=how == "x",
        elapsed_us=int(elapsed_us),
        forced=bool(forced),
    )
