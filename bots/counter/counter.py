"""counter: counts cards, and plays the answer with the highest expected gain."""

import json
import sys

RANKS = "A23456789TJQK"
CARD = 0.12  # a captured card's share in the majority, in points
JACK = 2.0  # what a jack in the hand is worth while other cards are left to play
SHY = 0.15  # how likely somebody who did not take a card of this rank holds one all the same
SHYJ = 0.5
LEAD = 0.8  # how far a lead is as likely as its rank is frequent
LATER = -0.1  # own share of a pile that two plays leave lying
JWANT = 1.0
PARTNER = 0.3
OTHER = 0.35
SAFE = 0.0
EXACT = True


def card_points(card, points):
    """What this card counts at the end of the deal (R21)."""
    named = {"TD": "ten_of_diamonds", "2C": "two_of_clubs"}.get(card)
    named = named or {"A": "ace", "J": "jack"}.get(card[0])
    return points[named] if named else 0


class View:
    """What the open cards say about the hidden ones."""

    def __init__(self, rules, turn):
        self.rules, self.points, self.turn = rules, rules["points"], turn
        self.seats = rules["seats"]
        self.seat = turn["seat"]
        self.sides = rules["sides"]
        self.jacks = rules["jack_captures"]
        self.hands = turn["hands"]
        self.left = sum(self.hands) + turn["stock"]
        self.last_round = turn["stock"] == 0
        self.values = {}
        self._count()

    def _count(self):
        turn, rules = self.turn, self.rules
        deal = turn["deal"]
        left = dict.fromkeys(RANKS, 4 * rules["decks"])
        for card in turn["hand"]:
            left[card[0]] -= 1
        for card in deal["centre"]:
            left[card[0]] -= 1
        for card in turn["taken_centre"] or ():
            left[card[0]] -= 1
        plays = turn["plays"]
        start = len(plays) - len(plays) % (4 * self.seats)
        lacks = [{} for _ in range(self.seats)]
        top = deal["centre"][-1][0] if deal["centre"] else None
        number = 0
        for play in plays:
            rank = play["card"][0]
            left[rank] -= 1
            if play["took"]:
                top = None
            else:
                if top and number >= start:
                    lacks[play["seat"]][top] = SHY
                    lacks[play["seat"]].setdefault("J", SHYJ)
                top = rank
            number += 1
        self.known = None
        bottom = deal["bottom"]
        if bottom and deal["dealer"] != self.seat or bottom and not self.last_round:
            if not any(play["card"] == bottom for play in plays):
                left[bottom[0]] -= 1
                if self.last_round:
                    self.known = (deal["dealer"], bottom[0])
        if not start and rules["deal_order"] == "hands-first":
            left["J"] -= len(deal["buried"])
        self.left_by_rank = left
        self.total = sum(left.values())
        self.lacks = lacks
        self.chances = {}

    def hold(self, seat, rank):
        """How likely this seat holds a card of this rank."""
        if self.known == (seat, rank):
            return 1.0
        cards = self.hands[seat]
        copies = self.left_by_rank[rank]
        key = (cards, copies)
        chance = self.chances.get(key)
        if chance is None:
            missing, total = 1.0, self.total
            for i in range(min(cards, total)):
                missing *= max(0, total - copies - i) / (total - i)
            chance = self.chances[key] = 1.0 - missing
        return chance * self.lacks[seat].get(rank, 1.0)

    def value(self, cards):
        points = self.points
        return sum(CARD + card_points(card, points) for card in cards)

    def lead(self, rank):
        return self.left_by_rank[rank] / self.total if self.total else 0.0


def jack_wish(worth):
    """How likely a holder of a jack plays it on a pile worth this much."""
    return min(1.0, worth / JWANT)


def capture_bonus(view, card, pile, last):
    rules, points = view.rules, view.points
    bonus = 0
    if not (last and not rules["last_play_kseri"]):
        if card[0] == "J" and view.jacks:
            bonus = rules["jack_on_jack"] if all(c[0] == "J" for c in pile) else 0
        elif len(pile) == 1:
            bonus = points["kseri"]
            if not view.turn["plays"] and not rules["first_play_kseri"]:
                bonus = 0
    if card[0] == "2" and pile[-1] == "2C":
        bonus += rules["two_of_clubs_match"]
    return bonus


def after_capture(view, card, rest, kseri):
    """Value of an empty table."""
    seat, seats, points = view.seat, view.seats, view.points
    nxt = (seat + 1) % seats
    value = 0.0
    if kseri and view.rules["double_kseri"] != "none":
        back = points["double_kseri"] + (points["kseri"] if view.rules["double_kseri"] == "takes" else 0)
        value -= view.hold(nxt, card[0]) * back
    if view.hands[nxt]:
        if seats == 2:
            match = 0.0
            for rank in {c[0] for c in rest}:
                if rank != "J" or not view.jacks:
                    match += view.lead(rank)
            value += LEAD * match * points["kseri"]
        else:
            far = (seat + 2) % seats
            sign = 1 if (far - seat) % view.sides == 0 else -1 / (view.sides - 1)
            value += sign * 0.1 * points["kseri"]
    return value


def lay(view, card, pile, rest):
    """Expected gain of laying this card on this pile."""
    seat, seats, rules, points = view.seat, view.seats, view.rules, view.points
    nxt = (seat + 1) % seats
    against = 1 / (view.sides - 1)
    after = [*pile, card]
    worth = view.value(after)
    rank = card[0]
    match = view.hold(nxt, rank)
    bonus = 0
    if rank == "J" and view.jacks:
        if all(c[0] == "J" for c in after):
            bonus = rules["jack_on_jack"]
    elif not pile:
        bonus = points["kseri"]
        if rules["double_kseri"] != "none":
            back = points["double_kseri"] + (points["kseri"] if rules["double_kseri"] == "takes" else 0)
            if seats == 2:
                have = 1.0 if any(c[0] == rank for c in rest) else 0.0
            else:
                have = 0.0
            bonus -= have * back
    if card == "2C":
        bonus += rules["two_of_clubs_match"]
    loss = match * (worth + bonus + CARD)
    taken = match
    if view.jacks and rank != "J":
        jack = (1 - match) * view.hold(nxt, "J") * jack_wish(worth)
        loss += jack * (worth + 1 + CARD)
        taken += jack
    gain = -against * loss
    going = 1 - taken
    worth += CARD + 0.25
    for step in range(2, seats):
        far = (seat + step) % seats
        if not view.hands[far]:
            break
        if step % view.sides == 0:
            gain += going * PARTNER * worth
            going *= 1 - PARTNER
        else:
            gain -= going * OTHER * worth * against
            going *= 1 - OTHER
        worth += CARD + 0.25
    if rest:
        mine = 0.0
        jack = False
        for r in {c[0] for c in rest}:
            if r == "J" and view.jacks:
                jack = True
            else:
                mine += view.lead(r)
        gain += going * mine * worth
        if jack:
            gain += going * (1 - mine) * max(0.0, worth + 1 - JACK)
        else:
            gain += going * (1 - mine) * LATER * worth
    return gain


def expected(view, answer, captures):
    """Expected gain of this answer."""
    turn = view.turn
    card, pile = answer["card"], turn["pile"]
    rest = list(turn["hand"])
    rest.remove(card)
    last = view.left == 1
    keep = -JACK if card[0] == "J" and view.jacks and rest else 0.0
    if captures and not pile:
        points = view.points
        double = points["double_kseri"]
        if view.rules["double_kseri"] == "takes":
            double += points["kseri"]
        return double + view.value([turn["marker"], card]) + after_capture(view, card, rest, False)
    if captures:
        bonus = capture_bonus(view, card, pile, last)
        kseri = len(pile) == 1 and bonus >= view.points["kseri"] and not (card[0] == "J" and view.jacks)
        gain = bonus + view.value(pile) + view.value([card])
        return gain + keep + after_capture(view, card, rest, kseri)
    gain = lay(view, card, pile, rest)
    return gain + keep + SAFE * view.lead(card[0])


def can_capture(view, card):
    turn = view.turn
    pile = turn["pile"]
    if pile:
        return card[0] == pile[-1][0] or (card[0] == "J" and view.jacks)
    if not turn["marker"] or turn["marker"][0] != card[0]:
        return False
    return view.rules["last_play_kseri"] or view.left > 1


def choose(rules, hello, turn):
    """One of `turn["legal"]`."""
    legal = turn["legal"]
    if len(legal) == 1:
        return legal[0]
    view = View(rules, turn)
    best, best_gain = legal[0], -1e9
    for answer in legal:
        captures = answer.get("capture", True) and can_capture(view, answer["card"])
        gain = expected(view, answer, captures)
        if gain > best_gain:
            best, best_gain = answer, gain
    return best


def main():
    """Answer every `turn`, remember the last `hello`, read past everything else."""
    print('{"type":"ready"}', flush=True)
    hello = {"rules": {}}
    for line in sys.stdin:
        if line.isspace():
            continue
        message = json.loads(line)
        if message["type"] == "hello":
            hello = message
        elif message["type"] == "turn":
            answer = choose(hello["rules"], hello, message)
            print(json.dumps({"type": "play", "turn": message["turn"], **answer}), flush=True)


if __name__ == "__main__":
    main()
