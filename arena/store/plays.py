"""The plays of a game as text that a person can read in the database.

One line a deal: `dealer=1 7H:184 QHx92 …`, a play as the card, `:` if it was laid or `x` if it
captured, and the time charged in µs; `/n` behind it where its turn was one of n in a line, `!`
behind a play that the arena made for the seat, and `attempt=n` where a deal was made again (R5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from protocol.records import DealRecord, PlayRecord

_HEAD = re.compile(r"dealer=(\d+)(?: attempt=(\d+))?(?!\S)")
_PLAY = re.compile(r"(?<!\S)([A23456789TJQK][CDHS])([:x])(\d+)(?:/(\d+))?(!?)(?!\S)")


def plays_to_text(deals: Sequence[DealRecord]) -> str:
    """All deals of a game as text."""
    return "\n".join(map(_deal_line, deals))


def _deal_line(deal: DealRecord) -> str:
    words = [f"dealer={deal.dealer}"]
    if deal.attempt:
        words.append(f"attempt={deal.attempt}")
    words += [
        f"{play.card}{':x'[play.capture]}{play.elapsed_us}{_more(play)}" for play in deal.plays
    ]
    return " ".join(words)


def _more(play: PlayRecord) -> str:
    turns = f"/{play.turns}" if play.turns > 1 else ""
    return f"{turns}!" if play.forced else turns


def text_to_plays(text: str, seats: int) -> list[DealRecord]:
    """The deals that `plays_to_text` wrote, without their scores. Raises ValueError."""
    return [_deal(number, line, seats) for number, line in enumerate(text.split("\n"), 1)]


def _deal(number: int, line: str, seats: int) -> DealRecord:
    head = _HEAD.match(line)
    if head is None:
        raise ValueError(f"not a deal: {line!r}")
    dealer = int(head[1])
    # All plays of a deal at once: one at a time is what most of the time of a record went into.
    plays = _PLAY.findall(line, head.end())
    if len(plays) != line.count(" ", head.end()):
        raise ValueError(f"not a play in {line!r}")
    return DealRecord(
        number=number,
        attempt=int(head[2] or 0),
        dealer=dealer,
        plays=[
            PlayRecord(
                seat=(dealer + 1 + turn) % seats,
                card=card,
                capture=how == "x",
                elapsed_us=int(elapsed_us),
                forced=bool(forced),
                turns=int(turns or 1),
            )
            for turn, (card, how, elapsed_us, turns, forced) in enumerate(plays)
        ],
    )
