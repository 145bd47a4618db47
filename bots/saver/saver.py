"""saver: greedy that keeps its jacks for piles worth them.

A jack takes any pile, once. greedy throws it at the first card it sees; saver lays something else
until the pile holds `WORTH` or more: its card points, plus `PER_CARD` for each card, because
the majority counts (R21). A matching card still captures at once, best bonus first. Where nothing
is worth capturing it lays the card with the fewest points, a jack last of all.

For two it beats greedy, by little; at pisti with a partner, where a jack on jacks earns 20, it
does not.

To start from it: change `WORTH` and `PER_CARD` and see which values win.
"""

import json
import sys

WORTH = 1.5
PER_CARD = 0.25


def card_points(card, points):
    """What this card counts at the end of the deal (R21)."""
    named = {"TD": "ten_of_diamonds", "2C": "two_of_clubs"}.get(card)
    named = named or {"A": "ace", "J": "jack"}.get(card[0])
    return points[named] if named else 0


def pile_worth(pile, points):
    """Points the pile brings, the majority's share of its cards included."""
    return sum(PER_CARD + card_points(card, points) for card in pile)


def jack_worth(rules, turn):
    """Points that a jack played now would win, or None where it would be wasted (R9, R14)."""
    pile, points = turn["pile"], rules["points"]
    if not pile:
        return None
    bonus = rules["jack_on_jack"] if all(card[0] == "J" for card in pile) else 0
    gain = bonus + pile_worth(pile, points)
    return gain if gain >= WORTH else None


def match_worth(card, rules, turn):
    """Points that this card would win by its rank, or None if it does not match (R9 to R17)."""
    pile, points = turn["pile"], rules["points"]
    if not pile:
        taken = turn["marker"] and turn["marker"][0] == card[0]
        return points["double_kseri"] if taken else None
    if card[0] != pile[-1][0]:
        return None
    bonus = points["kseri"] if len(pile) == 1 else 0
    if card[0] == "2" and pile[-1] == "2C":
        bonus += rules["two_of_clubs_match"]
    return bonus + pile_worth([*pile, card], points)


def choose(rules, hello, turn):
    """One of `turn["legal"]`: the best capture worth its card, or else the cheapest lay."""

    def worth(answer):
        card = answer["card"]
        saved = card[0] == "J" and rules["jack_captures"]
        gain = jack_worth(rules, turn) if saved else match_worth(card, rules, turn)
        if gain is None or answer.get("capture") is False:
            return (False, not saved, -card_points(card, rules["points"]))
        return (True, not saved, gain)

    return max(turn["legal"], key=worth)


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
