"""greedy: captures whenever it can, and never looks ahead.

If several cards can capture it plays the one that scores most at once: bonuses first, then the
points of the card itself, which goes to its own side too. If none can, it lays the card with the
fewest points, the first of them in its hand.

To start from it: `capture_points` says what a card is worth now, `choose` picks the best.
"""

import json
import sys


def card_points(card, points):
    """What this card counts at the end of the deal (R21)."""
    named = {"TD": "ten_of_diamonds", "2C": "two_of_clubs"}.get(card)
    named = named or {"A": "ace", "J": "jack"}.get(card[0])
    return points[named] if named else 0


def capture_points(card, rules, turn):
    """What playing this card scores at once, or None if it cannot capture (R9, R12 to R17)."""
    pile, points = turn["pile"], rules["points"]
    if not pile:
        taken = turn["marker"] and turn["marker"][0] == card[0]
        return points["double_kseri"] if taken else None
    is_jack = card[0] == "J" and rules["jack_captures"]
    if card[0] != pile[-1][0] and not is_jack:
        return None
    bonus = 0
    if is_jack:
        bonus = rules["jack_on_jack"] if all(c[0] == "J" for c in pile) else 0
    elif len(pile) == 1:
        bonus = points["kseri"]
    if card[0] == "2" and pile[-1] == "2C":
        bonus += rules["two_of_clubs_match"]
    return bonus + card_points(card, points)


def choose(rules, hello, turn):
    """One of `turn["legal"]`: the best capture, or else the cheapest lay."""

    def worth(answer):
        gain = capture_points(answer["card"], rules, turn)
        if gain is None or answer.get("capture") is False:
            return (False, -card_points(answer["card"], rules["points"]))
        return (True, gain)

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
