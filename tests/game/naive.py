"""The rules page once more, as literally as Python allows, to hold the engine against.

It shares no code with the engine, works on lists alone, keeps no running scores (they are counted
from the list of plays whenever they are asked for) and cares for clearness only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count

from protocol.rules import RuleSet


def ordered_deck(rules: RuleSet) -> list[str]:
    """R27: per deck, suits C D H S, within a suit A to K."""
    return [r + s for _ in range(rules.decks) for s in "CDHS" for r in "A23456789TJQK"]


@dataclass
class Words:
    """R26: the stream of one deal and attempt, read as 32-bit big-endian words."""

    seed: bytes
    deal: int
    attempt: int
    read: int = 0

    def next(self) -> int:
        """One word: eight stand in every block."""
        block, place = divmod(self.read, 8)
        numbers = b"".join(n.to_bytes(4, "big") for n in (self.deal, self.attempt, block))
        digest = sha256(self.seed + numbers).digest()
        self.read += 1
        return int.from_bytes(digest[4 * place : 4 * place + 4], "big")

    def uniform(self, k: int) -> int:
        """R26: read words until one is below floor(2^32 / k) times k."""
        while (word := self.next()) >= 2**32 // k * k:
            pass
        return word % k

    def burying_place(self, length: int) -> int:
        """R28: where in a stock of this length."""
        return 1 + self.uniform(length - 1)


def shuffled(words: Words, rules: RuleSet) -> list[str]:
    """R27 and the cuts of R6."""
    deck = ordered_deck(rules)
    for i in reversed(range(1, len(deck))):
        j = words.uniform(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    while rules.bottom_card == "exposed":
        p = 1 + words.uniform(len(deck) - 1)
        deck = deck[p:] + deck[:p]
        if deck[-1][0] != "J":
            break
    return deck


def centre_size(rules: RuleSet) -> int:
    """R8."""
    return {(1, 2): 4, (1, 3): 4, (1, 4): 4, (2, 4): 8, (2, 5): 4, (2, 6): 8}[
        rules.decks, rules.seats
    ]


def take_passes(stock: list, hands: list[list], dealer: int, passes: int, cards: int) -> None:
    """R3, R7: so many passes of so many cards, each from the leader to the dealer."""
    seats = len(hands)
    for _ in range(passes):
        for turn in range(seats):
            for _ in range(cards):
                hands[(dealer + 1 + turn) % seats].append(stock.pop(0))


def first_cards(stock: list, rules: RuleSet, dealer: int) -> tuple[list[list], list]:
    """R3: the first hands and the centre, taken from the head of the stock."""
    hands: list[list] = [[] for _ in range(rules.seats)]
    if rules.deal_order == "hands-first":
        take_passes(stock, hands, dealer, 2, 2)
    centre = [stock.pop(0) for _ in range(centre_size(rules))]
    if rules.deal_order == "table-first":
        take_passes(stock, hands, dealer, 1, 4)
    return hands, centre


def refill(stock: list, hands: list[list], rules: RuleSet, dealer: int) -> None:
    """R7."""
    if rules.refill == "twos":
        take_passes(stock, hands, dealer, 2, 2)
    else:
        take_passes(stock, hands, dealer, 1, 4)


class EveryCentreCardIsAJack(Exception):
    """R5: the deal is made again."""


@dataclass
class Play:
    """What one play was."""

    seat: int
    card: str
    captured: list[str] = field(default_factory=list)
    events: set[str] = field(default_factory=set)
    """Of kseri, double_kseri, jack_on_jack, two_of_clubs_match, whether worth anything or not."""


class Table:
    """One deal."""

    def __init__(
        self, rules: RuleSet, dealer: int, deck: list[str], bury_at: Callable[[int], int]
    ) -> None:
        self.rules, self.dealer = rules, dealer
        self.stock = list(deck)
        self.hands, centre = first_cards(self.stock, rules, dealer)
        self.buried: list[tuple[int, str]] = []
        """The places in the centre and the jacks that lay there, in order (R5)."""
        if rules.opening_jack == "bury":
            while jacks := [place for place in range(len(centre)) if centre[place][0] == "J"]:
                jack = centre[jacks[0]]
                self.buried.append((jacks[0], jack))
                centre[jacks[0]] = self.stock.pop(0)
                self.stock.insert(bury_at(len(self.stock)), jack)
        self.pile: list[str] = []
        self.hidden: list[str] = []
        if rules.centre == "open":
            self.pile = centre
        else:
            self.hidden = centre
            self.pile = [self.hidden.pop()]
            while rules.opening_jack == "cover" and self.pile[-1][0] == "J":
                if not self.hidden:
                    raise EveryCentreCardIsAJack
                self.pile.append(self.hidden.pop())
        self.total_plays = len(deck) - centre_size(rules)
        self.plays: list[Play] = []

    @property
    def over(self) -> bool:
        """All cards are played."""
        return len(self.plays) == self.total_plays

    @property
    def seat(self) -> int:
        """R2: the seat after the dealer plays first, and play passes to the next seat."""
        return (self.dealer + 1 + len(self.plays)) % self.rules.seats

    def side(self, seat: int) -> int:
        """Seat s belongs to side s mod k."""
        return seat % self.rules.sides

    def marker(self) -> tuple[str, int] | None:
        """R15: the marker and its side, if the play before was a kseri."""
        if self.rules.double_kseri == "none" or not self.plays or self.over:
            return None
        before = self.plays[-1]
        return (before.captured[-2], self.side(before.seat)) if "kseri" in before.events else None

    def is_last(self) -> bool:
        """Whether the play now to be made is the deal's last."""
        return len(self.plays) == self.total_plays - 1

    def can_capture(self, card: str) -> bool:
        """R9."""
        if self.pile:
            return card[0] == self.pile[-1][0] or (card[0] == "J" and self.rules.jack_captures)
        marker = self.marker()
        if marker is None or (self.is_last() and not self.rules.last_play_kseri):
            return False
        return card[0] == marker[0][0] and self.side(self.seat) != marker[1]

    def answers(self) -> list[tuple[str, bool]]:
        """R9, R10: every card with every `capture` that has a different outcome."""
        result = []
        for card in self.hands[self.seat]:
            can = self.can_capture(card)
            if can:
                result.append((card, True))
            if not can or self.rules.capture == "optional":
                result.append((card, False))
        return list(dict.fromkeys(result))

    def play(self, card: str, capture: bool | None) -> None:
        """R9 to R17. The play must be legal."""
        if capture is None:
            capture = self.can_capture(card)
        play = Play(self.seat, card)
        self.hands[self.seat].remove(card)
        if not capture:
            self.pile.append(card)
        elif self.pile:
            play.captured = [*self.hidden, *self.pile, card]
            play.events = self.events(card)
            self.hidden, self.pile = [], []
        else:
            marker = self.marker()
            assert marker is not None
            play.captured = [marker[0], card]
            play.events = {"double_kseri"}
        self.plays.append(play)
        if not any(self.hands) and self.stock:
            refill(self.stock, self.hands, self.rules, self.dealer)

    def events(self, card: str) -> set[str]:
        """R12, R13, R14, R16, R17 for a capture of the pile."""
        rules, events = self.rules, set()
        if card[0] == "J" and rules.jack_captures:
            if all(below[0] == "J" for below in self.pile):
                events.add("jack_on_jack")
        elif len(self.pile) == 1:
            events.add("kseri")
        if (not self.plays and not rules.first_play_kseri) or (
            self.is_last() and not rules.last_play_kseri
        ):
            events = set()
        if card[0] == "2" and self.pile[-1] == "2C":
            events.add("two_of_clubs_match")
        return events

    def worth(self, event: str) -> int:
        """What an event is worth."""
        rules = self.rules
        return {
            "kseri": rules.points.kseri,
            "double_kseri": rules.points.double_kseri,
            "jack_on_jack": rules.jack_on_jack,
            "two_of_clubs_match": rules.two_of_clubs_match,
        }[event]

    def last_capturer(self) -> Play | None:
        """The last play that captured."""
        return next((play for play in reversed(self.plays) if play.captured), None)

    def captured(self) -> list[Counter[str]]:
        """The cards of every side: R11, R15, R19."""
        cards: list[Counter[str]] = [Counter() for _ in range(self.rules.sides)]
        for number, play in enumerate(self.plays):
            cards[self.side(play.seat)].update(play.captured)
            if "double_kseri" in play.events:
                first = self.side(self.plays[number - 1].seat)
                cards[first] -= Counter([play.captured[0]])
        last = self.last_capturer()
        if self.over and last:
            cards[self.side(last.seat)].update(self.pile)
        return cards

    def scores(self) -> list[dict[str, int]]:
        """R12 to R21, by side, in the words of the deal scripts."""
        rules, captured, last = self.rules, self.captured(), self.last_capturer()
        most = max(cards.total() for cards in captured)
        scores = []
        for side, cards in enumerate(captured):
            ended_with = self.over and last is not None and self.side(last.seat) == side
            mine = Counter(
                event
                for play in self.plays
                for event in play.events
                if self.side(play.seat) == side
            )
            taken_back = sum(
                "double_kseri" in play.events and self.side(before.seat) == side
                for before, play in zip(self.plays, self.plays[1:], strict=False)
            )
            kseri = mine["kseri"] - taken_back * (rules.double_kseri == "takes")
            if ended_with and rules.sweep_kseri and len(self.pile) == 1:
                kseri += not (last.card[0] == "J" and rules.jack_captures)
            alone = sum(other.total() == most for other in captured) == 1
            majority = self.over and cards.total() == most and alone
            score = {
                "aces": rules.points.ace * sum(cards["A" + suit] for suit in "CDHS"),
                "jacks": rules.points.jack * sum(cards["J" + suit] for suit in "CDHS"),
                "ten_of_diamonds": rules.points.ten_of_diamonds * cards["TD"],
                "two_of_clubs": rules.points.two_of_clubs * cards["2C"],
                "majority": rules.points.majority * majority,
                "kseri": rules.points.kseri * kseri,
                "double_kseri": rules.points.double_kseri * mine["double_kseri"],
                "jack_on_jack": rules.jack_on_jack * mine["jack_on_jack"],
                "two_of_clubs_match": rules.two_of_clubs_match * mine["two_of_clubs_match"],
                "last_capture": rules.last_capture_bonus * ended_with,
            }
            scores.append({"cards": cards.total()} | score | {"total": sum(score.values())})
        return scores

    def outcome(self) -> dict[str, object]:
        """The answer to the deal script."""
        return {
            "plays": [
                {
                    "seat": play.seat,
                    "card": play.card,
                    "captured": play.captured,
                    "bonus": {e: self.worth(e) for e in play.events if self.worth(e)},
                }
                for play in self.plays
            ],
            "sides": self.scores(),
            "ownerless": [*self.hidden, *self.pile]
            if self.over and not self.last_capturer()
            else [],
            "complete": self.over,
        }


def make_table(rules: RuleSet, seed: bytes, number: int, dealer: int) -> tuple[Table, int]:
    """Deal `number` of a game by R26 to R28, and which attempt it is (R5)."""
    for attempt in count():
        words = Words(seed, number, attempt)
        deck = shuffled(words, rules)
        with suppress(EveryCentreCardIsAJack):
            return Table(rules, dealer, deck, words.burying_place), attempt
    raise AssertionError
