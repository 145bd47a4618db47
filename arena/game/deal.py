"""One deal: from the ordered deck to the last play (R3 to R19). The cards only, no scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.game.cards import DECK, is_jack
from protocol.rules import RuleSet

Option = tuple[str, bool | None]
"""A legal answer: a card, and whether it captures where both are allowed (else None)."""

_PLAIN: dict[str, Option] = {card: (card, None) for card in DECK}
_TAKE: dict[str, Option] = {card: (card, True) for card in DECK}
_LAY: dict[str, Option] = {card: (card, False) for card in DECK}
_NOTHING: Sequence[str] = ()


class IllegalPlay(ValueError):
    """A play that the rules forbid. The fault of the seat that made it."""

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        """The rule that forbids it: `R9` or `R10`."""
        super().__init__(message)


class NeedsRedeal(Exception):
    """Every centre card is a jack and `opening_jack = cover`: the deal is made again (R5)."""


class Deal:
    """One deal in progress, with everything in it, hidden or not.

    What one seat may know of it is in `arena.game.view`. The state may be read by anyone above;
    `play` alone changes it.
    """

    __slots__ = (
        "rules",
        "number",
        "attempt",
        "dealer",
        "centre",
        "hidden_centre",
        "buried",
        "bottom",
        "stock",
        "hands",
        "pile",
        "seat",
        "plays",
        "taken",
        "bonuses",
        "captured",
        "kseri",
        "double_kseri",
        "jack_on_jack",
        "two_of_clubs_match",
        "last_capture",
        "last_by_jack",
        "centre_taker",
        "taken_centre",
        "marker",
        "marker_side",
        "over",
        "_left",
        "_side_of",
        "_wild",
        "_optional",
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
        centre, self.hands, self.stock = _dealt(rules, dealer, deck)
        self.buried: list[str] = []
        """Jacks put back into the stock, in order (R5)."""
        if rules.opening_jack == "bury":
            self._bury(centre, bury_at)
        self.hidden_centre: list[str] = []
        """Centre cards face down, in dealt order."""
        self.pile = self._open_pile(centre)
        """Open cards that a capture takes, bottom to top."""
        self.centre = tuple(self.pile)
        """The pile when play began."""
        self.bottom = deck[-1] if rules.bottom_card == "exposed" else None
        """The bottom card where all may see it (R6)."""
        self.seat = (dealer + 1) % rules.seats
        """The seat that plays next."""
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
        self._left = 4 * rules.seats
        self._side_of = rules.side_of
        self._wild = "J" if rules.jack_captures else ""
        self._optional = rules.capture == "optional"

    def _bury(self, centre: list[str], bury_at: Callable[[int], int]) -> None:
        """Replace each jack of the centre and put it into the stock (R5, R28)."""
        for place in range(len(centre)):
            while is_jack(centre[place]):
                jack, centre[place] = centre[place], self.stock.pop(0)
                self.stock.insert(bury_at(len(self.stock)), jack)
                self.buried.append(jack)

    def _open_pile(self, centre: list[str]) -> list[str]:
        """Turn up what R4 and R5 turn up; the rest of a hidden centre stays face down."""
        if self.rules.centre == "open":
            return centre
        pile = [centre.pop()]
        if self.rules.opening_jack == "cover":
            while is_jack(pile[-1]):
                if not centre:
                    raise NeedsRedeal
                pile.append(centre.pop())
        self.hidden_centre = centre
        return pile

    def seat_of(self, play: int) -> int:
        """The seat that made play number `play` of this deal, counted from 0."""
        return (self.dealer + 1 + play) % self.rules.seats

    @property
    def leader(self) -> int:
        """The seat that plays first (R2)."""
        return (self.dealer + 1) % self.rules.seats

    def _can_take_marker(self, card: str, seat: int) -> bool:
        """Whether R15 and R16 let this seat take the marker with this card."""
        marker = self.marker
        return (
            marker is not None
            and card[0] == marker[0]
            and self._side_of[seat] != self.marker_side
            and (self.rules.last_play_kseri or not self._is_last_play())
        )

    def _is_last_play(self) -> bool:
        return self._left == 1 and not self.stock

    def can_capture(self, card: str) -> bool:
        """Whether the seat in turn could capture with this card (R9)."""
        pile = self.pile
        if pile:
            return card[0] == pile[-1][0] or card[0] == self._wild
        return self._can_take_marker(card, self.seat)

    def legal(self) -> list[Option]:
        """Every legal answer of the seat in turn, in the hand's order, identical cards once.

        The first is what is played for a seat that does not answer. Empty when the deal is over.
        """
        hand = self.hands[self.seat]
        if self.rules.decks == 2:
            hand = list(dict.fromkeys(hand))
        if not self._optional or (not self.pile and self.marker is None):
            return [_PLAIN[card] for card in hand]
        options: list[Option] = []
        for card in hand:
            if self.can_capture(card):
                options.append(_TAKE[card])
                options.append(_LAY[card])
            else:
                options.append(_PLAIN[card])
        return options

    def play(self, card: str, capture: bool | None = None) -> None:
        """Put down `card` for the seat in turn; `capture` None: it captures if it can (R10).

        Raises `IllegalPlay` (R9: not in the hand, or the deal is over; R10: a wrong `capture`)
        and then changes nothing.
        """
        seat = self.seat
        hand = self.hands[seat]
        if card not in hand:
            raise IllegalPlay("R9", self._not_in_hand(card))
        can = self.can_capture(card)
        if capture is None:
            capture = can
        elif capture is not can:
            self._check_choice(card, capture)
        hand.remove(card)
        self.plays.append(card)
        if capture:
            self._capture(card, self._side_of[seat])
        else:
            self.pile.append(card)
            self.taken.append(_NOTHING)
            self.marker = None
        self.seat = (seat + 1) % self.rules.seats
        self._left -= 1
        if not self._left:
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
        pile = self.pile
        taken = [*self.hidden_centre, *pile, card] if pile else self._take_marker(card)
        self.last_by_jack = card[0] == self._wild
        if pile:
            if len(pile) == 1 or self.last_by_jack:
                self._score_capture(card, side)
            if card[0] == "2" and pile[-1] == "2C" and self.rules.two_of_clubs_match:
                self._earn("two_of_clubs_match", side, self.rules.two_of_clubs_match)
            if self.hidden_centre:
                self.centre_taker, self.taken_centre = side, tuple(self.hidden_centre)
                self.hidden_centre = []
            self.pile = []
        self.taken.append(taken)
        self.captured[side] += taken
        self.last_capture = side

    def _score_capture(self, card: str, side: int) -> None:
        """Bonuses and marker of a capture of one card, or by a jack (R12 to R16)."""
        rules, pile = self.rules, self.pile
        if not rules.first_play_kseri and len(self.plays) == 1:
            return
        if not rules.last_play_kseri and self._is_last_play():
            return
        if self.last_by_jack:
            if rules.jack_on_jack and all(below[0] == "J" for below in pile):
                self._earn("jack_on_jack", side, rules.jack_on_jack)
            return
        self._earn("kseri", side, rules.points.kseri)
        if rules.double_kseri != "none":
            self.marker, self.marker_side = pile[0], side

    def _take_marker(self, card: str) -> list[str]:
        """Take the marker from the side that made the kseri before (R15)."""
        marker, first = self.marker, self.marker_side
        assert marker is not None
        side = self._side_of[self.seat]
        # The last of identical cards is the marker, or as good as the marker (R1).
        theirs = self.captured[first]
        del theirs[len(theirs) - 1 - theirs[::-1].index(marker)]
        if self.rules.double_kseri == "takes":
            self.kseri[first] -= self.rules.points.kseri
        self._earn("double_kseri", side, self.rules.points.double_kseri)
        self.marker = None
        return [marker, card]

    def _earn(self, kind: str, side: int, points: int) -> None:
        if points:
            getattr(self, kind)[side] += points
            self.bonuses.setdefault(len(self.plays) - 1, {})[kind] = points

    def _next_hands(self) -> None:
        """All hands are empty: deal new ones (R7) or end the deal (R19)."""
        rules = self.rules
        if self.stock:
            size = 4 * rules.seats
            _deal_hands(self.hands, self.stock[:size], self.leader, rules.refill == "twos")
            del self.stock[:size]
            self._left = size
            return
        self.over = True
        self.marker = None
        if self.last_capture is not None:
            self.captured[self.last_capture] += self.pile


def _dealt(
    rules: RuleSet, dealer: int, deck: Sequence[str]
) -> tuple[list[str], list[list[str]], list[str]]:
    """The centre in dealt order, the hands by seat, and the stock (R3, R4)."""
    table, held = rules.centre_cards, 4 * rules.seats
    hands: list[list[str]] = [[] for _ in range(rules.seats)]
    leader = (dealer + 1) % rules.seats
    if rules.deal_order == "hands-first":
        _deal_hands(hands, deck[:held], leader, True)
        centre = list(deck[held : held + table])
    else:
        centre = list(deck[:table])
        _deal_hands(hands, deck[table : table + held], leader, False)
    return centre, hands, list(deck[table + held :])


def _deal_hands(hands: list[list[str]], cards: Sequence[str], leader: int, by_twos: bool) -> None:
    """Four cards to every seat from the leader on: in two passes of two, or in one of four."""
    seats = len(hands)
    for place in range(seats):
        hand = hands[(leader + place) % seats]
        if by_twos:
            first, second = 2 * place, 2 * (seats + place)
            hand += cards[first : first + 2]
            hand += cards[second : second + 2]
        else:
            hand += cards[4 * place : 4 * place + 4]
