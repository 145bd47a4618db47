"""The plays of a game as text that a person can read in the database.

One line a deal: `dealer=1 7H:184 QHx92 …`, a play as the card, `:` if it was laid or `x` if it
captured, and the time charged in µs; `!` behind a play that the arena made for the seat, and
`attempt=n` where a deal was made again (R5). `/n` stands before plays whose turns were one of n in
a line, up to the next such word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from protocol.records import DealRecord, PlayRecord

_HEAD = re.compile(r"dealer=(\d+)(?: attempt=(\d+))?(?!\S)")
_PLAY = re.compile(r"(?<!\S)(?:/(\d+) )?([A23456789TJQK][CDHS])([:x])(\d+)(!?)(?!\S)")


def plays_to_text(deals: Sequence[DealRecord]) -> str:
    """All deals of a game as text."""
    return "\n".join(map(_deal_line, deals))


def _deal_line(deal: DealRecord) -> str:
    words = [f"dealer={deal.dealer}"]
    if deal.attempt:
        words.append(f"attempt={deal.attempt}")
    turns = 1
    for play in deal.plays:
        if play.turns != turns:
            turns = play.turns
            words.append(f"/{turns}")
        words.append(f"{play.card}{':x'[play.capture]}{play.elapsed_us}{'!' * play.forced}")
    return " ".join(words)


def text_to_plays(text: str, seats: int) -> list[DealRecord]:
    """The deals that `plays_to_text` wrote, without their scores. Raises ValueError."""
    return [_deal(number, line, seats) for number, line in enumerate(text.split("\n"), 1)]


def _deal(number: int, line: str, seats: int) -> DealRecord:
    head = _HEAD.match(line)
    if head is None:
        raise ValueError(f"not a deal: {line!r}")
    dealer = int(head[1])
    # All plays of a deal at once: one at a time is what most of the time of a record went into.
    found = _PLAY.findall(line, head.end())
    if len(found) + sum(bool(turns) for turns, *_ in found) != line.count(" ", head.end()):
        raise ValueError(f"not a play in {line!r}")
    plays, turns = [], 1
    for play, (other_turns, card, how, elapsed_us, forced) in enumerate(found):
        turns = int(other_turns or turns)
        plays.append(
            PlayRecord(
                seat=(dealer + 1 + play) % seats,
                card=card,
                capture=how == "x",
                elapsed_us=int(elapsed_us),
                forced=bool(forced),
                turns=turns,
            )
        )
    return DealRecord(number=number, attempt=int(head[2] or 0), dealer=dealer, plays=plays)
