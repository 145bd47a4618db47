"""@name@, a bot for Kseri Arena: captures if it can, else lays its first card.

Your own idea goes into `choose`.
"""

import json
import sys


def choose(turn, rules):
    """The answer to a turn: one of `turn["legal"]`, a card with or without `capture`.

    Some of what there is to know (a card is "7H", "TC": rank, then suit):
    turn["hand"]    your cards
    turn["pile"]    what lies on the table, bottom to top
    turn["plays"]   all plays of this deal: {"seat": 1, "card": "7H", "took": 0}
    turn["hands"]   how many cards each seat holds; turn["stock"]: how many are to come
    turn["scores"]  by side, before this deal
    rules           as in `hello`: rules["capture"], rules["points"]["kseri"], ...
    """
    for answer in turn["legal"]:
        if captures(answer, turn["pile"], rules):
            return answer
    return turn["legal"][0]


def captures(answer, pile, rules):
    """Whether this answer takes the pile. Where it may do so or not, it says which."""
    if "capture" in answer:
        return answer["capture"]
    is_jack = answer["card"][0] == "J" and rules["jack_captures"]
    return bool(pile) and (is_jack or answer["card"][0] == pile[-1][0])


def main():
    """Answer every `turn`, remember the rules, read past everything else."""
    rules = {"jack_captures": True}
    for line in sys.stdin:
        if line.isspace():
            continue
        message = json.loads(line)
        if message["type"] == "hello":
            rules = message["rules"]
        elif message["type"] == "turn":
            answer = choose(message, rules)
            print(json.dumps({"type": "play", "turn": message["turn"], **answer}), flush=True)


if __name__ == "__main__":
    main()
