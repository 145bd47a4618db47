"""The line that asks for a play, put together from parts that stay the same for a deal.

It is what `encode_line` makes of a `Turn`, byte by byte, in half the time: most of what the arena
does for a decision is to write this line.
"""

from __future__ import annotations

from typing import Any

import msgspec

from arena.game import DECK, Deal, Option, View
from protocol.messages import DealInfo, Legal

_encode = msgspec.json.Encoder().encode
_LEGAL: dict[Option, bytes] = {
    (card, capture): _encode(Legal(card, capture))
    for card in DECK
    for capture in (None, True, False)
}
_legal = _LEGAL.__getitem__


class TurnLines:
    """Writes the turns of one game, and the plays of its running deal."""

    __slots__ = ("_deal", "_game", "_moves", "_plays", "_scores")

    def __init__(self, game: str, move_ms: int) -> None:
        self._game = _encode(game)
        self._moves = b'"clock":{"move_ms":%d,"bank_ms":' % move_ms

    def new_deal(self, deal: Deal, scores: list[int]) -> None:
        """A deal begins, with these scores of the sides before it."""
        info = DealInfo(
            number=deal.number,
            dealer=deal.dealer,
            centre=list(deal.centre),
            buried=deal.buried,
            bottom=deal.bottom,
        )
        self._deal, self._scores = _encode(info), _encode(scores)
        self._plays = b""

    def played(self, deal: Deal) -> None:
        """The deal's last play has been made."""
        number = len(deal.plays) - 1
        self._plays += b',{"seat":%d,"card":"%s","took":%d}' % (
            deal.seat_of(number),
            deal.plays[number].encode(),
            len(deal.taken[number]),
        )

    def plays(self) -> Any:
        """All plays of the deal so far, to stand in a message."""
        return msgspec.Raw(b"[%s]" % self._plays[1:])

    def line(self, turn: int, seat: int, seen: View, bank_us: int, used_us: int) -> bytes:
        """The line of play number `turn` of the game, for the seat that sees `seen`.

        `bank_us`: what is left of the seat's bank; `used_us`: what its last answer was charged.
        """
        return (
            b'{"type":"turn","game":%b,"turn":%d,"seat":%d,"deal":%b,"hand":%b,"legal":[%b],'
            b'"pile":%b,"hidden_centre":%d,"taken_centre":%b,"marker":%b,"stock":%d,"hands":%b,'
            b'"captured":%b,"bonus":%b,"scores":%b,"plays":[%b],%b%d,"used_ms":%d}}\n'
        ) % (
            self._game,
            turn,
            seat,
            self._deal,
            _encode(seen.hand),
            b",".join(map(_legal, seen.legal)),
            _encode(seen.pile),
            seen.hidden_centre,
            _encode(seen.taken_centre),
            _encode(seen.marker),
            seen.stock,
            _encode(seen.hands),
            _encode(seen.captured),
            _encode(seen.bonus),
            self._scores,
            self._plays[1:],
            self._moves,
            bank_us // 1000,
            -(-used_us // 1000),
        )
