"""random: any legal answer, each as likely as the others.

The weakest bot that never breaks a rule, and the shortest place to start from: `choose` gets
everything a bot is told and returns one entry of `turn["legal"]`; `main` does the talking.

Its choices come from the `bot_seed` of `hello` and the number of the turn, so that the same game
can be played again. The generator is five lines of its own: it starts faster than a module.
"""

import json
import sys

MASK = (1 << 64) - 1


def mixed(seed, turn):
    """A number below 2^64 that looks random, the same for the same seed and turn (splitmix64)."""
    x = ((seed << 32) + turn + 1) * 0x9E3779B97F4A7C15 & MASK
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def choose(rules, hello, turn):
    """One of `turn["legal"]`."""
    legal = turn["legal"]
    return legal[mixed(hello.get("bot_seed", 0), turn["turn"]) % len(legal)]


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
