"""One deal, play by play: R9 to R19. Cards and bonuses; what they come to is in `scoring`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.game.cards import DECK
from arena.game.dealing import bury_jacks, deal_hands, dealt, open_pile
from protocol.rules import RuleSet

Option = tuple[str, bool | None]
"""A legal answer: a card, and whether it captures where both are allowed (else None)."""

# An answer is the same tuple every time: building it anew would cost more than all of `legal`.
_ONLY: dict[str, Option] = {card: (card, None) for card in DECK}
_EITHER: dict[str, tuple[Option, Option]] = {card: ((card, True), (card, False)) for card in DECK}
_only = _ONLY.__getitem__
_NOTHING: Sequence[str] = ()
_NO_CARDS: frozenset[str] = frozenset()

_SAME_RANK = {top: frozenset(card for card in DECK if card[0] == top[0]) for top in DECK}
"""For every top card the cards that can capture it where jacks are like other ranks (R9)."""
_OR_JACK = {top: same | _SAME_RANK["JC"] for top, same in _SAME_RANK.items()}
"""The same where `jack_captures` is on."""


class IllegalPlay(ValueError):
    """A play that the rules forbid. The fault of the seat that made it."""

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        """The rule that forbids it: `R9` or `R10`."""
        super().__init__(message)


class Deal:
    """One deal in progress, with everything in it, hidden or not.

    What one seat may know of it is in `arena.game.view`. The state may be read by anyone above;
    `play` alone changes it.
    """

    __slots__ = (
        "_captors",
        "_last",
        "_optional",
        "_sides",
        "attempt",
        "bonuses",
        "bottom",
        "buried",
        "captured",
        "centre",
        "centre_taker",
        "dealer",
        "double_kseri",
        "hands",
        "hidden_centre",
        "jack_on_jack",
        "kseri",
        "last_by_jack",
        "last_capture",
        "marker",
        "marker_side",
        "number",
        "over",
        "pile",
        "plays",
        "rules",
        "seat",
        "stock",
        "taken",
        "taken_centre",
        "two_of_clubs_match",
    )

    def __init__(
        self,
        rules: RuleSet,
        dealer: int,
        deck: Sequence[str],
        bury_at: Callable[[int], int],
        number: int = 1,
        attempt: int = 0,
    ) -> None:
        """Deal `deck` (in the order dealt, after all cuts); the first card goes to the leader.

        `bury_at(length)` gives the place of R28, 1 .. length - 1, for a jack put back into a
        stock of that length. Raises `NeedsRedeal`.
        """
        self.rules = rules
        self.number = number
        """Which deal of its game this is, from 1."""
        self.attempt = attempt
        """How often the deal was made again before (R5)."""
        self.dealer = dealer
        self.seat = leader = (dealer + 1) % rules.seats
        """The seat that plays next."""
        centre, self.hands, self.stock = dealt(rules, leader, deck)
        bury = rules.opening_jack == "bury"
        self.buried = bury_jacks(centre, self.stock, bury_at) if bury else []
        """Jacks put back into the stock, in order (R5)."""
        self.pile = open_pile(rules, centre)
        """Open cards that a capture takes, bottom to top."""
        self.hidden_centre = centre
        """Centre cards face down, in dealt order."""
        self.centre = tuple(self.pile)
        """The pile when play began."""
        self.bottom = deck[-1] if rules.bottom_card == "exposed" else None
        """The bottom card where all may see it (R6)."""
        self.plays: list[str] = []
        """Every card played, in order; play i was made by `seat_of(i)`."""
        self.taken: list[Sequence[str]] = []
        """For every play what it captured, itself last; empty for a laid card."""
        self.bonuses: dict[int, dict[str, int]] = {}
        """Bonus points by kind, by the number of the play that earned them."""
        self.captured: list[list[str]] = [[] for _ in range(rules.sides)]
        self.kseri = [0] * rules.sides
        """Points of R12 by side, net of what R15 took back."""
        self.double_kseri = [0] * rules.sides
        self.jack_on_jack = [0] * rules.sides
        self.two_of_clubs_match = [0] * rules.sides
        self.last_capture: int | None = None
        """The side that captured last."""
        self.last_by_jack = False
        """Whether that capture was made by a jack's power (R20)."""
        self.centre_taker: int | None = None
        """The side that took the hidden centre (R11)."""
        self.taken_centre: Sequence[str] = ()
        self.marker: str | None = None
        """The captured card of a kseri just made, where it may be taken (R15)."""
        self.marker_side = -1
        self.over = False
        # What the hot path asks of the rule set, so that it asks once a deal and not once a play.
        self._optional = rules.capture == "optional"
        self._captors = _OR_JACK if rules.jack_captures else _SAME_RANK
        self._sides = rules.sides
        self._last = len(deck) - rules.centre_cards - 1
        """The number of the deal's last play."""

    def seat_of(self, play: int) -> int:
        """The seat that made play number `play` of this deal, counted from 0."""
        return (self.dealer + 1 + play) % self.rules.seats

    @property
    def leader(self) -> int:
        """The seat that plays first (R2)."""
        return (self.dealer + 1) % self.rules.seats

    def can_capture(self, card: str) -> bool:
        """Whether the seat in turn could capture with this card (R9)."""
        if self.pile:
            return card in self._captors[self.pile[-1]]
        return self._can_take_marker(card)

    def _can_take_marker(self, card: str) -> bool:
        """Whether R15 and R16 let the seat in turn take the marker with this card."""
        marker = self.marker
        return (
            marker is not None
            and card[0] == marker[0]
            and self.seat % self._sides != self.marker_side
            and (self.rules.last_play_kseri or len(self.plays) != self._last)
        )

    def playable(self) -> list[str]:
        """The cards of the seat in turn, in the hand's order, identical ones once."""
        hand = self.hands[self.seat]
        if self.rules.decks == 2 and len(set(hand)) < len(hand):
            return list(dict.fromkeys(hand))
        return hand

    def choosable(self) -> frozenset[str]:
        """The cards with which the seat in turn would have to say whether it captures (R10)."""
        if not self._optional:
            return _NO_CARDS
        if self.pile:
            return self._captors[self.pile[-1]]
        if self.marker:
            return frozenset(filter(self._can_take_marker, self.hands[self.seat]))
        return _NO_CARDS

    def legal(self) -> list[Option]:
        """Every legal answer of the seat in turn, in the hand's order, identical cards once.

        The first is what is played for a seat that does not answer. Empty when the deal is over.
        """
        cards, choosable = self.playable(), self.choosable()
        if choosable.isdisjoint(cards):
            return [*map(_only, cards)]
        options: list[Option] = []
        for card in cards:
            if card in choosable:
                options += _EITHER[card]
            else:
                options.append(_ONLY[card])
        return options

    def play(self, card: str, capture: bool | None = None) -> None:
        """Put down `card` for the seat in turn; `capture` None: it captures if it can (R10).

        Raises `IllegalPlay` (R9: not in the hand, or the deal is over; R10: a wrong `capture`)
        and then changes nothing.
        """
        seat, pile = self.seat, self.pile
        hand = self.hands[seat]
        if card not in hand:
            raise IllegalPlay("R9", self._not_in_hand(card))
        # `can_capture`, without the call.
        can = card in self._captors[pile[-1]] if pile else self._can_take_marker(card)
        if capture is None:
            capture = can
        elif capture is not can:
            self._check_choice(card, capture)
        hand.remove(card)
        if capture:
            self._capture(card, seat % self._sides)
        else:
            pile.append(card)
            self.taken.append(_NOTHING)
            self.marker = None
        self.plays.append(card)
        self.seat = (seat + 1) % len(self.hands)
        if not hand and seat == self.dealer:
            self._next_hands()

    def _not_in_hand(self, card: str) -> str:
        return "the deal is over" if self.over else f"{card} is not in the hand"

    def _check_choice(self, card: str, capture: bool) -> None:
        """Refuse a `capture` that the card or the rule set does not allow (R10)."""
        if capture:
            raise IllegalPlay("R10", f"{card} cannot capture here")
        if not self._optional:
            raise IllegalPlay("R10", f"{card} can capture and must")

    def _capture(self, card: str, side: int) -> None:
        """Take the pile, or the marker where there is no pile, with `card` (R11, R15)."""
        pile = self.pile
        self.last_capture = side
        self.last_by_jack = card[0] == "J" and self.rules.jack_captures
        if pile:
            taken = [*self.hidden_centre, *pile, card]
            if len(pile) == 1 or self.last_by_jack:
                self._score_capture(side)
            if pile[-1] == "2C" and card[0] == "2":
                self._earn("two_of_clubs_match", side, self.rules.two_of_clubs_match)
            if self.hidden_centre:
                self.centre_taker, self.taken_centre = side, tuple(self.hidden_centre)
                self.hidden_centre = []
            self.pile = []
        else:
            taken = self._take_marker(card, side)
        self.taken.append(taken)
        self.captured[side] += taken

    def _score_capture(self, side: int) -> None:
        """Bonuses and marker of a capture of one card, or by a jack (R12 to R16)."""
        rules, pile, number = self.rules, self.pile, len(self.plays)
        if number == 0 and not rules.first_play_kseri:
            return
        if number == self._last and not rules.last_play_kseri:
            return
        if not self.last_by_jack:
            self._earn("kseri", side, rules.points.kseri)
            if rules.double_kseri != "none":
                self.marker, self.marker_side = pile[0], side
        elif rules.jack_on_jack and all(below[0] == "J" for below in pile):
            self._earn("jack_on_jack", side, rules.jack_on_jack)

    def _take_marker(self, card: str, side: int) -> list[str]:
        """Take the marker from the side that made the kseri before (R15)."""
        marker, first = self.marker, self.marker_side
        assert marker is not None
        # The kseri was that side's last capture: the marker lies under the card that made it.
        del self.captured[first][-2]
        if self.rules.double_kseri == "takes":
            self.kseri[first] -= self.rules.points.kseri
        self._earn("double_kseri", side, self.rules.points.double_kseri)
        self.marker = None
        return [marker, card]

    def _earn(self, kind: str, side: int, points: int) -> None:
        """Give `side` the points of the play being made, and note where they came from."""
        if points:
            getattr(self, kind)[side] += points
            self.bonuses.setdefault(len(self.plays), {})[kind] = points

    def _next_hands(self) -> None:
        """All hands are empty: deal new ones (R7) or end the deal (R19)."""
        rules = self.rules
        if self.stock:
            size = 4 * rules.seats
            deal_hands(self.hands, self.stock[:size], self.seat, rules.refill == "twos")
            del self.stock[:size]
            return
        self.over = True
        self.marker = None
        if self.last_capture is not None:
            self.captured[self.last_capture] += self.pile
