"""counter: counts the cards it has seen and plays the answer with the highest expected gain.

A turn shows every card that was ever in the open, so the number of hidden cards of each rank is
known, and with it how likely the next seat can capture what is left to it (`Table.holds`). A seat
that did not take a pile by its rank probably has no such card: that is counted too.

Every legal answer gets an expected gain in points, own side against the mean of the others:

* `capture_gain`: the cards and bonuses won, and a chance of a kseri on the card that the next
  seat must lay on the empty table, less the risk that it takes the marker of a kseri just made.
* `lay_gain`: the chance that the next seat captures, times what it would win by that, and what
  comes back to the partner or the own hand if it does not.
* A jack in the hand is worth `JACK` as long as other cards can be played.

With two seats and no stock left the other hand is known by counting. Then `Ending` tries all the
rest of the deal (alpha-beta) and there is nothing to estimate.

To start from it: play it against itself with one of the constants changed.
"""

import json
import sys

RANKS = "A23456789TJQK"
CARD = 0.12  # points: a captured card's share in the majority
JACK = 2.3  # points: what a jack in the hand is worth
GROWTH = 0.4  # points: what a laid card adds to the worth of a pile, with its share in the majority
SHY = 0.1  # chance that a seat holds a card it did not capture with, against one that never could
SHY_JACK = 0.5  # the same for a jack, which others save as well
LEADS = 0.6  # how often a rank is led, against its share of the hidden cards: leads are careful
PARTNER = 0.3  # chance that the partner captures a pile of which nothing else is known
OTHER = 0.35  # the same for an opponent
PARTNER_KSERI = 0.1  # chance that the partner captures the next single card by its rank
NEVER = -1e9


def point_cards(points):
    """The cards that count at the end of the deal and what each counts (R21)."""
    counts = {"A" + suit: points["ace"] for suit in "CDHS"}
    counts |= {"J" + suit: points["jack"] for suit in "CDHS"}
    return counts | {"TD": points["ten_of_diamonds"], "2C": points["two_of_clubs"]}


def only_jacks(pile):
    """Whether a jack on this pile is a jack on jacks (R14)."""
    return all(card[0] == "J" for card in pile)


class Table:
    """One turn, and what the open cards say about the hidden ones."""

    def __init__(self, rules, turn):
        self.rules, self.turn, self.points = rules, turn, rules["points"]
        self.seat, self.seats = turn["seat"], rules["seats"]
        self.next = (self.seat + 1) % self.seats
        self.against = 1 / (rules["sides"] - 1)
        self.last_round = turn["stock"] == 0
        self.plays_left = sum(turn["hands"]) + turn["stock"]
        self.counts = point_cards(self.points)
        # What a marker moves from the side that made it to the side that takes it (R15).
        self.marker_worth = self.points["double_kseri"]
        if rules["double_kseri"] == "takes":
            self.marker_worth += self.points["kseri"]
        self._count_hidden()
        self._read_plays()

    def _count_hidden(self):
        turn, deal = self.turn, self.turn["deal"]
        self.hidden = dict.fromkeys(RANKS, 4 * self.rules["decks"])
        for card in [*turn["hand"], *deal["centre"], *(turn["taken_centre"] or ())]:
            self.hidden[card[0]] -= 1
        for play in turn["plays"]:
            self.hidden[play["card"][0]] -= 1
        self.bottom_rank = self._bottom_rank()
        if self.bottom_rank:
            self.hidden[self.bottom_rank] -= 1
        if self.rules["deal_order"] == "hands-first" and len(turn["plays"]) < 4 * self.seats:
            # They went into the stock when the first hands were dealt already (R3, R5).
            self.hidden["J"] -= len(deal["buried"])
        self.hidden_cards = sum(self.hidden.values())

    def _bottom_rank(self):
        """Rank of the exposed bottom card while it is in the stock or another hand (R6)."""
        deal, bottom = self.turn["deal"], self.turn["deal"]["bottom"]
        own = self.last_round and deal["dealer"] == self.seat
        if not bottom or own or any(play["card"] == bottom for play in self.turn["plays"]):
            return None
        return bottom[0]

    def _read_plays(self):
        """Find the ranks that each seat, in its present hand, did not capture with."""
        plays, centre = self.turn["plays"], self.turn["deal"]["centre"]
        start = len(plays) - len(plays) % (4 * self.seats)
        self.shy = [{} for _ in range(self.seats)]
        top = centre[-1][0] if centre else None
        for number, play in enumerate(plays):
            if number >= start and top and not play["took"]:
                self.shy[play["seat"]][top] = SHY
                self.shy[play["seat"]].setdefault("J", SHY_JACK)
            top = None if play["took"] else play["card"][0]

    def holds(self, seat, rank):
        """Chance that this seat holds a card of this rank, 0 to 1."""
        if self.last_round and rank == self.bottom_rank and seat == self.turn["deal"]["dealer"]:
            return 1.0
        cards = self.turn["hands"][seat] or min(4, self.turn["stock"])
        others, missing = self.hidden_cards - self.hidden[rank], 1.0
        for i in range(min(cards, self.hidden_cards)):
            missing *= max(0, others - i) / (self.hidden_cards - i)
        return (1 - missing) * self.shy[seat].get(rank, 1.0)

    def matches(self, cards):
        """Share of the hidden cards that one of these captures by its rank, 0 to 1."""
        # In the hand's order: a set's order, and with it the rounding, would differ between runs.
        ranks = dict.fromkeys(card[0] for card in cards if not self.is_jack(card))
        return sum(self.hidden[rank] for rank in ranks) / max(1, self.hidden_cards)

    def worth(self, cards):
        """Points that these cards bring to the side that captures them."""
        return sum(CARD + self.counts.get(card, 0) for card in cards)

    def sign(self, seat):
        """What a point for this seat's side is worth to the own side."""
        return 1.0 if (seat - self.seat) % self.rules["sides"] == 0 else -self.against

    def is_jack(self, card):
        """Whether this card captures by a jack's power."""
        return card[0] == "J" and self.rules["jack_captures"]

    def captures(self, answer):
        """Whether this legal answer captures (R9, R10, R16)."""
        card, pile, marker = answer["card"], self.turn["pile"], self.turn["marker"]
        if answer.get("capture") is False:
            return False
        if pile:
            return card[0] == pile[-1][0] or self.is_jack(card)
        allowed = self.rules["last_play_kseri"] or self.plays_left > 1
        return bool(marker) and marker[0] == card[0] and allowed

    def counts_kseri(self, number):
        """Whether the play after `number` plays of the deal may earn R12 and R14 (R16)."""
        if number == 0:
            return self.rules["first_play_kseri"]
        last = number + 1 == len(self.turn["plays"]) + self.plays_left
        return self.rules["last_play_kseri"] or not last

    def bonus(self, card, pile, number):
        """Bonus for this capture by the play after `number` plays of the deal (R12 to R17)."""
        bonus = 0
        if self.counts_kseri(number):
            if self.is_jack(card):
                bonus = self.rules["jack_on_jack"] if only_jacks(pile) else 0
            elif len(pile) == 1:
                bonus = self.points["kseri"]
        if card[0] == "2" and pile[-1] == "2C":
            bonus += self.rules["two_of_clubs_match"]
        return bonus


def capture_gain(table, card, rest):
    """Expected gain of capturing with this card and keeping the rest of the hand."""
    pile, marker = table.turn["pile"], table.turn["marker"]
    if not pile:
        return table.marker_worth + table.worth([marker, card]) + empty_table(table, rest)
    bonus = table.bonus(card, pile, len(table.turn["plays"]))
    gain = bonus + table.worth(pile) + table.worth([card]) + empty_table(table, rest)
    if (
        bonus
        and len(pile) == 1
        and not table.is_jack(card)
        and table.rules["double_kseri"] != "none"
    ):
        gain -= table.against * table.holds(table.next, card[0]) * table.marker_worth
    return gain


def empty_table(table, rest):
    """Expected kseri points from the card that the next seat must lay on an empty table."""
    second = (table.seat + 2) % table.seats
    if not table.turn["hands"][table.next] or table.sign(second) < 0:
        return 0.0
    if second != table.seat:
        return PARTNER_KSERI * table.points["kseri"]
    return table.points["kseri"] * LEADS * table.matches(rest)


def lay_gain(table, card, rest):
    """Expected gain of laying this card and keeping the rest of the hand."""
    pile = [*table.turn["pile"], card]
    taken, loss = next_capture(table, pile, rest)
    going, gain, worth = 1 - taken, -table.against * loss, table.worth(pile) + GROWTH
    for step in range(2, table.seats):
        seat = (table.seat + step) % table.seats
        if not table.turn["hands"][seat]:
            break
        chance = PARTNER if table.sign(seat) > 0 else OTHER
        gain += going * chance * table.sign(seat) * worth
        going *= 1 - chance
        worth += GROWTH
    return gain + going * own_capture(table, worth, rest)


def next_capture(table, pile, rest):
    """Chance that the next seat captures this pile, and the points it may expect from that."""
    card, number = pile[-1], len(table.turn["plays"]) + 1
    match = table.holds(table.next, card[0])
    bonus = table.bonus(card, pile, number)
    if len(pile) == 1 and not table.is_jack(card) and table.rules["double_kseri"] != "none":
        bonus -= answers_kseri(table, card[0], rest) * table.marker_worth
    loss = match * (table.worth(pile) + CARD + bonus)
    if not table.rules["jack_captures"] or card[0] == "J":
        return match, loss
    jack = (1 - match) * table.holds(table.next, "J")
    return match + jack, loss + jack * (table.worth(pile) + CARD + table.points["jack"])


def answers_kseri(table, rank, rest):
    """Chance that the own side takes the marker of a kseri that the next seat makes."""
    second = (table.seat + 2) % table.seats
    if second == table.seat:
        return 1.0 if any(card[0] == rank for card in rest) else 0.0
    return table.holds(second, rank) if table.sign(second) > 0 else 0.0


def own_capture(table, worth, rest):
    """Expected points from a pile worth this much that is still there in the next turn."""
    match = table.matches(rest)
    gain = match * worth
    if any(table.is_jack(card) for card in rest):
        gain += (1 - match) * max(0.0, worth + table.points["jack"] - JACK)
    return gain


class Ending:
    """The last hands of two seats, when both are known: tried to the end of the deal."""

    def __init__(self, table):
        self.table, self.rules, self.points = table, table.rules, table.points
        self.counts = table.counts
        self.optional = self.rules["capture"] == "optional"
        self.number = len(table.turn["plays"]) + table.plays_left

    def best(self, mine, theirs, pile, marker, lead, last, low, high):
        """Points of the seat in turn less the other's, from here on, by best play.

        `lead`: its captured cards less the other's; `last`: 1 if it captured last, -1 if the
        other did, 2 and -2 by a jack's power, 0 if nobody; exact if between `low` and `high`.
        """
        if not mine:
            return self.end(pile, lead, last)
        state = (mine, theirs, pile, marker, lead, last)
        for card, takes in self.answers(mine, theirs, pile, marker):
            low = max(low, self.gain(card, takes, state, low, high))
            if low >= high:
                break
        return low

    def answers(self, mine, theirs, pile, marker):
        """Every card with every choice, captures first: good ones first cut more."""
        takes = [card for card in dict.fromkeys(mine) if self.takes(card, theirs, pile, marker)]
        lays = mine if self.optional else [card for card in mine if card not in takes]
        return [(card, True) for card in takes] + [(card, False) for card in dict.fromkeys(lays)]

    def takes(self, card, theirs, pile, marker):
        """Whether this card can capture (R9, R16)."""
        if pile:
            return card[0] == pile[-1][0] or self.table.is_jack(card)
        allowed = theirs or self.rules["last_play_kseri"]
        return bool(marker and marker[0] == card[0] and allowed)

    def gain(self, card, takes, state, low, high):
        """What `best` promises after this answer, for the seat that gives it."""
        mine, theirs, pile, marker, lead, last = state
        at = mine.index(card)
        rest = mine[:at] + mine[at + 1 :]
        if not takes:
            return -self.best(theirs, rest, (*pile, card), None, -lead, -last, -high, -low)
        if not pile:
            # The marker leaves the other side's cards for this side's: it counts twice.
            won = self.table.marker_worth + self.count([marker, marker, card])
            return won - self.best(theirs, rest, (), None, -lead - 3, -1, won - high, won - low)
        bonus = self.table.bonus(card, pile, self.number - len(mine) - len(theirs))
        won = bonus + self.count(pile) + self.count([card])
        jack = self.table.is_jack(card)
        marked = bonus and len(pile) == 1 and not jack and self.rules["double_kseri"] != "none"
        lead, mark = -lead - len(pile) - 1, pile[0] if marked else None
        return won - self.best(
            theirs, rest, (), mark, lead, -2 if jack else -1, won - high, won - low
        )

    def count(self, cards):
        """Points of these cards (R21)."""
        return sum(self.counts.get(card, 0) for card in cards)

    def end(self, pile, lead, last):
        """Points of one side less the other's when all cards are played (R18 to R21)."""
        side = (last > 0) - (last < 0)
        won = self.count(pile) + self.rules["last_capture_bonus"]
        if len(pile) == 1 and abs(last) == 1 and self.rules["sweep_kseri"]:
            won += self.points["kseri"]
        lead += side * len(pile)
        return side * won + self.points["majority"] * ((lead > 0) - (lead < 0))


def other_hand(table):
    """The other hand of two if it is known, else None: hidden-centre cards may be among them."""
    if table.seats != 2 or not table.last_round:
        return None
    turn = table.turn
    left = {rank + suit: table.rules["decks"] for suit in "CDHS" for rank in RANKS}
    seen = [*turn["hand"], *turn["deal"]["centre"], *(turn["taken_centre"] or ())]
    for card in seen + [play["card"] for play in turn["plays"]]:
        left[card] -= 1
    cards = [card for card, copies in left.items() for _ in range(copies)]
    return tuple(cards) if len(cards) == turn["hands"][table.next] else None


def last_capture(table):
    """Who captured last and how, as `Ending.best` wants it."""
    for play in reversed(table.turn["plays"]):
        if play["took"]:
            how = 2 if table.is_jack(play["card"]) else 1
            return how if play["seat"] == table.seat else -how
    return 0


def best_ending(table, theirs):
    """The answer with the best end of the deal, the other hand being known."""
    turn, captured = table.turn, table.turn["captured"]
    lead = captured[table.seat] - captured[table.next]
    pile, marker = tuple(turn["pile"]), turn["marker"]
    state = (tuple(turn["hand"]), theirs, pile, marker, lead, last_capture(table))
    ending, best, low = Ending(table), turn["legal"][0], NEVER
    for answer in turn["legal"]:
        value = ending.gain(answer["card"], table.captures(answer), state, low, -NEVER)
        if value > low:
            best, low = answer, value
    return best


def expected_gain(table, answer):
    """Expected gain of this answer in points, own side against the mean of the others."""
    card, rest = answer["card"], list(table.turn["hand"])
    rest.remove(card)
    gain = capture_gain if table.captures(answer) else lay_gain
    return gain(table, card, rest) - (JACK if rest and table.is_jack(card) else 0.0)


def choose(rules, hello, turn):
    """One of `turn["legal"]`."""
    if len(turn["legal"]) == 1:
        return turn["legal"][0]
    table = Table(rules, turn)
    theirs = other_hand(table)
    if theirs is not None:
        return best_ending(table, theirs)
    return max(turn["legal"], key=lambda answer: expected_gain(table, answer))


def answers(messages, hellos):
    """The answers to the turns among some messages; `hellos` remembers what every game began with.

    With `batch` in bot.toml a line may be a list of messages of different games, and then many
    turns are answered by one line: each names its game.
    """
    for message in messages:
        game = message.get("game")
        if message["type"] == "hello":
            hellos[game] = message
        elif message["type"] == "game_end":
            hellos.pop(game, None)
        elif message["type"] == "turn":
            hello = hellos.get(game, {"rules": {}})
            answer = choose(hello["rules"], hello, message)
            yield {"type": "play", "game": game, "turn": message["turn"], **answer}


def main():
    """Answer every `turn`, remember every `hello`, read past everything else."""
    print('{"type":"ready"}', flush=True)
    hellos = {}
    for line in sys.stdin:
        if line.isspace():
            continue
        read = json.loads(line)
        several = isinstance(read, list)
        plays = list(answers(read if several else [read], hellos))
        for said in [plays] if several and plays else plays:
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
