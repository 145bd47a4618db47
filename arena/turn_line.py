"""The line that asks for a play, put together from parts that stay the same for a while.

It is what `encode_line` makes of a `Turn`, byte by byte, in a third of the time: most of what the
arena does for a decision is to write this line.
"""

from __future__ import annotations

from typing import Any

import msgspec

from arena.game import DECK, Deal, bonus_points, captured_cards, held_cards, taken_centre
from protocol.messages import DealInfo, Legal

_encoder = msgspec.json.Encoder()


def _json(value: Any) -> str:
    return _encoder.encode(value).decode()


_ONLY = {card: _json(Legal(card)) for card in DECK}
_EITHER = {card: f"{_json(Legal(card, True))},{_json(Legal(card, False))}" for card in DECK}
"""Of a card that may capture or be laid: both answers."""
_only = _ONLY.__getitem__
_after_others = {card: f',"{card}"' for card in DECK}.__getitem__


class TurnLines:
    """Writes the turns of one game, and the plays of its running deal."""

    __slots__ = (
        "_captured",
        "_centres",
        "_counts",
        "_deal",
        "_game",
        "_hidden",
        "_moves",
        "_pile",
        "_plays",
        "_scores",
    )

    def __init__(self, game: str, move_ms: int) -> None:
        self._game = f'{{"type":"turn","game":{_json(game)},"turn":'
        self._moves = f'],"clock":{{"move_ms":{move_ms},"bank_ms":'
        self._counts: dict[tuple[int, int], str] = {}
        """By the plays made in a deal and who is in turn, the same in all deals: the counts."""

    def new_deal(self, deal: Deal, scores: list[int]) -> None:
        """A deal begins, with these scores of the sides before it."""
        info = DealInfo(
            number=deal.number,
            dealer=deal.dealer,
            centre=list(deal.centre),
            buried=deal.buried,
            bottom=deal.bottom,
        )
        self._deal = f',"deal":{_json(info)},"hand":["'
        self._scores = f',"scores":{_json(scores)},"plays":['
        self._plays = ""
        self._pile = "".join(map(_after_others, deal.pile))
        self._see_centre(deal)
        self._see_captured(deal)

    def played(self, deal: Deal) -> None:
        """The deal's last play has been made."""
        card, took = deal.plays[-1], len(deal.taken[-1])
        seat = deal.seat_of(len(deal.plays) - 1)
        self._plays += f',{{"seat":{seat},"card":"{card}","took":{took}}}'
        if took:
            self._pile = ""
            self._see_captured(deal)
            if len(deal.hidden_centre) != self._hidden:
                self._see_centre(deal)
        else:
            self._pile += _after_others(card)

    def _see_centre(self, deal: Deal) -> None:
        self._hidden = hidden = len(deal.hidden_centre)
        self._centres = [
            f'],"hidden_centre":{hidden},"taken_centre":{_json(taken_centre(deal, side))},"marker":'
            for side in range(deal.rules.sides)
        ]
        """By side."""

    def _see_captured(self, deal: Deal) -> None:
        captured, bonus = _json(captured_cards(deal)), _json(bonus_points(deal))
        self._captured = f',"captured":{captured},"bonus":{bonus}{self._scores}'

    def plays(self) -> Any:
        """All plays of the deal so far, to stand in a message."""
        return msgspec.Raw(f"[{self._plays[1:]}]")

    def line(self, turn: int, deal: Deal, bank_us: int, used_us: int) -> bytes:
        """The line of play number `turn` of the game, for the seat in turn; see `view`.

        `bank_us`: what is left of the seat's bank; `used_us`: what its last answer was charged.
        """
        seat = deal.seat
        hand = '","'.join(deal.hands[seat])
        centre = self._centres[seat % deal.rules.sides]
        marker = f'"{deal.marker}"' if deal.marker else "null"
        counts = self._counts.get((len(deal.plays), seat)) or self._count(deal)
        return (
            f'{self._game}{turn},"seat":{seat}{self._deal}{hand}"],"legal":[{_legal(deal)}],"pile":['
            f"{self._pile[1:]}{centre}{marker}{counts}{self._captured}{self._plays[1:]}"
            f'{self._moves}{bank_us // 1000},"used_ms":{-(-used_us // 1000)}}}}}\n'
        ).encode()

    def _count(self, deal: Deal) -> str:
        counts = f',"stock":{len(deal.stock)},"hands":{_json(held_cards(deal))}'
        self._counts[len(deal.plays), deal.seat] = counts
        return counts


def _legal(deal: Deal) -> str:
    """What `Deal.legal` says, in JSON."""
    cards, choosable = deal.playable(), deal.choosable()
    if choosable.isdisjoint(cards):
        return ",".join(map(_only, cards))
    return ",".join([_EITHER[card] if card in choosable else _ONLY[card] for card in cards])
