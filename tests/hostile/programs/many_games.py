"""Plays many games at once: its first words say how it answers, and what it does once."""

import json
import sys

from talk import say


def plays(messages):
    """An answer to every turn among the messages."""
    for message in messages:
        if message["type"] == "turn":
            game = {"game": message["game"], "turn": message["turn"]}
            yield {"type": "play", **game, **message["legal"][0]}


def as_array(answers):
    """All answers in one line, the last first."""
    return json.dumps(answers[::-1]) + "\n"


def as_lines(answers):
    """A line each."""
    return "".join(json.dumps(answer) + "\n" for answer in answers)


def main(how, doing):
    """Answer for ever; do the other thing in the third array of several turns."""
    arrays = 0
    for line in sys.stdin:
        read = json.loads(line)
        answers = list(plays(read if isinstance(read, list) else [read]))
        arrays += len(answers) > 1
        if arrays == 3 and doing:
            doing, answers = None, doing(answers)
        if isinstance(read, dict):
            say(as_lines(answers))
        elif answers:
            say(how(answers))


def garbage(answers):
    """Half an array."""
    say(as_array(answers)[:-20] + "\n")
    return []


def crash(answers):
    """End in the middle of it."""
    say(as_lines(answers[:1]))
    sys.exit(7)


def flood(answers):
    """More than a mebibyte for every game."""
    for _ in range(8 * 20):
        say(json.dumps({"type": "log", "text": "x" * 60_000}) + "\n")
    return answers


def twice(answers):
    """Answer one turn two times."""
    return [*answers, answers[0]]


def elsewhere(answers):
    """Answer a game that there is not."""
    return [{**answers[0], "game": "0" * 16}, *answers]


ONCE = {
    "garbage": garbage,
    "crash": crash,
    "flood": flood,
    "twice": twice,
    "elsewhere": elsewhere,
    "forget": lambda answers: answers[1:],
    "illegal": lambda answers: [{**answers[0], "card": "XX"}, *answers[1:]],
}

if __name__ == "__main__":
    main({"array": as_array, "lines": as_lines}[sys.argv[1]], ONCE.get(sys.argv[2]))
