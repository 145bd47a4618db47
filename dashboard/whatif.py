"""What a deal would have come to with another card: the baseline player goes on from there.

The baseline (see `arena.luck`) plays on all seats, open to nothing but the cards that each seat
holds, so that what follows depends on the card alone and not on who sat there. It is played out
from every legal answer in the same way; only which of equally good cards it takes is drawn.
"""

from __future__ import annotations

import msgspec

from arena.game import Deal, Option, side_scores
from arena.luck import REPLAYS
from arena.luck.baseline import Worths, drawn_worths, play_out
from dashboard.positions import Move, Position, checked, deal_before, move_of, position_of
from protocol.records import GameRecord, PlayRecord
from protocol.rules import SideScore


class NoSuchOption(LookupError):
    """A card that could not be played there; the text is a sentence."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the deal comes to after one legal answer."""

    card: str
    capture: bool | None
    """Whether it captures, where it may do either."""
    is_played: bool
    """Whether it is what was played in the game."""
    points: list[float]
    """By side: the deal's points, the mean of `arena.luck.REPLAYS` ways to play it out."""
    lead: float
    """Of the side in turn over the best other side."""


class Continued(msgspec.Struct, frozen=True):
    """A play of the baseline."""

    seat: int
    card: str
    captures: bool


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """Another answer in one turn of a game, and what would have come of it."""

    deal: int
    move: int
    """How many plays were made before."""
    seat: int
    side: int
    outcomes: list[Outcome]
    """Of every legal answer, in the hand's order."""
    chosen: Outcome
    play: Move
    """It as a play of the deal."""
    after: Position
    """The table right after it."""
    plays: list[Continued]
    """How the baseline goes on, the first time."""
    sources: list[SideScore]
    """By side: what the deal came to that first time."""
    in_the_game: list[SideScore] | None
    """What it really came to; None where it was not played to its end."""


def option_text(option: Option) -> str:
    """An answer as an address has it: `7H`, or `7H:take` and `7H:lay` where it may do both."""
    card, capture = option
    return card if capture is None else f"{card}:{'take' if capture else 'lay'}"


def what_if(record: GameRecord, deal: int, move: int, answer: str) -> WhatIf:
    """Play `answer` (as `option_text` writes it) after `move` plays of a deal, then play it out.

    Without an answer the first legal one. At most 8 answers, each played out 8 times. The record
    needs its seed and must have that position. Raises `NoSuchOption`, and `ReplayError` for a wrong
    record.
    """
    record = checked(record)
    before = deal_before(record, deal, move)
    options = before.legal()
    texts = list(map(option_text, options))
    answer = answer or texts[0] if texts else answer
    if answer not in texts:
        legal = f"legal: {', '.join(texts)}" if texts else "the deal is over there"
        raise NoSuchOption(f"After play {move} of deal {deal} {answer!r} can't be played; {legal}.")
    worths = drawn_worths(before.rules, bytes.fromhex(record.seed), deal, REPLAYS)
    ahead = [_Ahead(record, deal, move, option, worths) for option in options]
    return _told(record, before, ahead, texts.index(answer))


class _Ahead:
    """One answer, and the deal played out from it."""

    def __init__(
        self, record: GameRecord, deal: int, move: int, option: Option, worths: list[Worths]
    ) -> None:
        self.option = option
        self.after = deal_before(record, deal, move)
        self.after.play(*option)
        self.ends = [deal_before(record, deal, move) for _ in worths]
        for end, order in zip(self.ends, worths, strict=True):
            end.play(*option)
            play_out(end, order)

    def outcome(self, side: int, played: PlayRecord | None) -> Outcome:
        """What it comes to, for the side in turn and all others."""
        totals = [[score.total for score in side_scores(end)] for end in self.ends]
        points = [sum(column) / len(column) for column in zip(*totals, strict=True)]
        card, capture = self.option
        captures = bool(self.after.taken[-1])
        return Outcome(
            card=card,
            capture=capture,
            is_played=played is not None and (played.card, played.capture) == (card, captures),
            points=points,
            lead=points[side] - max(points[:side] + points[side + 1 :]),
        )


def _told(record: GameRecord, before: Deal, ahead: list[_Ahead], chosen: int) -> WhatIf:
    played_deal, move = record.deals[before.number - 1], len(before.plays)
    played = played_deal.plays[move] if move < len(played_deal.plays) else None
    side = before.seat % before.rules.sides
    turn = 1 + move + sum(len(each.plays) for each in record.deals[: before.number - 1])
    outcomes = [each.outcome(side, played) for each in ahead]
    after, end = ahead[chosen].after, ahead[chosen].ends[0]
    return WhatIf(
        deal=before.number,
        move=move,
        seat=before.seat,
        side=side,
        outcomes=outcomes,
        chosen=outcomes[chosen],
        play=move_of(after, turn),
        after=position_of(after),
        plays=[
            Continued(end.seat_of(number), end.plays[number], bool(end.taken[number]))
            for number in range(move + 1, len(end.plays))
        ],
        sources=side_scores(end),
        in_the_game=played_deal.sides,
    )
