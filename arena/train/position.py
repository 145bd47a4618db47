"""What one seat may know of a running deal, looked up as it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from arena.game import Deal, Game, Option, bonus_points
from protocol.rules import RuleSet


class Position:
    """All that a seat's `turn` message tells but ids and times, with the message's names.

    It looks into the game as it is now: what is to be kept must be taken out of it. Every list is
    the caller's own. For a seat that is not in turn `legal` is empty, and the rest is what it may
    know at that moment (R30).
    """

    __slots__ = ("_game", "seat", "side")

    def __init__(self, game: Game, seat: int) -> None:
        self._game = game
        self.seat = seat
        self.side = seat % game.rules.sides

    @property
    def _deal(self) -> Deal:
        return self._game.deal

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self._game.rules

    @property
    def turn(self) -> int:
        """The number of the play that is due in the game, from 1."""
        deal, rules = self._game.deal, self._game.rules
        plays_a_deal = 52 * rules.decks - rules.centre_cards
        return (deal.number - 1) * plays_a_deal + len(deal.plays) + 1

    @property
    def number(self) -> int:
        """Of the deal, from 1."""
        return self._deal.number

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return self._deal.dealer

    @property
    def centre(self) -> list[str]:
        """The open centre cards when play began, bottom to top."""
        return list(self._deal.centre)

    @property
    def buried(self) -> list[str]:
        """Jacks put back into the stock, in order (R5)."""
        return self._deal.buried[:]

    @property
    def bottom(self) -> str | None:
        """The bottom card where it is exposed (R6)."""
        return self._deal.bottom

    @property
    def hand(self) -> list[str]:
        """The own hand, in the order dealt."""
        return self._game.deal.hands[self.seat][:]

    @property
    def legal(self) -> list[Option]:
        """Every legal answer, in the hand's order; empty for a seat that is not in turn."""
        deal = self._game.deal
        return deal.legal() if deal.seat == self.seat else []

    @property
    def pile(self) -> list[str]:
        """Open cards, bottom to top."""
        return self._game.deal.pile[:]

    @property
    def hidden_centre(self) -> int:
        """How many centre cards lie face down."""
        return len(self._deal.hidden_centre)

    @property
    def taken_centre(self) -> list[str] | None:
        """Those cards, for the side that took them."""
        deal = self._deal
        mine = deal.taken_centre and deal.centre_taker == self.side
        return list(deal.taken_centre) if mine else None

    @property
    def marker(self) -> str | None:
        """The card of a kseri just made, where it may be taken (R15)."""
        return self._deal.marker

    @property
    def stock(self) -> int:
        """How many cards are still to be dealt."""
        return len(self._deal.stock)

    @property
    def hands(self) -> list[int]:
        """How many cards every seat holds."""
        return [len(hand) for hand in self._deal.hands]

    @property
    def captured(self) -> list[int]:
        """How many cards every side has captured."""
        return [len(cards) for cards in self._deal.captured]

    @property
    def bonus(self) -> list[int]:
        """Points of R12 to R17 in this deal so far, by side."""
        return bonus_points(self._deal)

    @property
    def scores(self) -> list[int]:
        """By side, before this deal."""
        return self._game.scores[:]

    @property
    def plays(self) -> list[tuple[int, str, int]]:
        """All plays of this deal so far: seat, card, how many cards it took with itself."""
        deal = self._deal
        return [
            (deal.seat_of(number), card, len(took))
            for number, (card, took) in enumerate(zip(deal.plays, deal.taken, strict=True))
        ]

    @property
    def played(self) -> Sequence[str]:
        """The cards of `plays` alone: what a bot that counts cards needs most."""
        return tuple(self._deal.plays)
