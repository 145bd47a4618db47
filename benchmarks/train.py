"""How fast games are played for training, in one process on one core: python -m benchmarks.train.

Processor time is measured, so that other programs on the machine hardly matter. `view` functions
draw an answer from `Position.legal`; `counting` ones look at hand, pile and all cards played as
well; `message` functions read and write messages through the referee; `env` draws actions of the
PettingZoo environment from the mask of what was observed (where the extra `train` is there).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from arena.game import Option
from arena.train import Position, play_game, play_messages
from protocol.rules import RuleSet, make_rules

PRESETS = ("kseri", "pisti", "faro-6")
_uniform = random.Random(1).random


def view(position: Position) -> Option:
    """Any legal answer."""
    legal = position.legal
    return legal[int(_uniform() * len(legal))]


def counting(position: Position) -> Option:
    """Captures what it can, else lays the rank of which most were seen."""
    legal, pile = position.legal, position.pile
    top = pile[-1][0] if pile else ""
    for option in legal:
        if option[0][0] == top and option[1] is not False:
            return option
    seen = "".join(position.played) + "".join(position.hand)
    return max(legal, key=lambda option: seen.count(option[0][0]))


def message(turn: dict[str, Any]) -> Mapping[str, Any]:
    """Any legal answer."""
    legal: list[dict[str, Any]] = turn["legal"]
    return legal[int(_uniform() * len(legal))]


def games_of(policy: Callable[[Position], Option]) -> Callable[[RuleSet, bytes], int]:
    """Plays a game with this policy on every seat; returns how many plays it had."""

    def play(rules: RuleSet, seed: bytes) -> int:
        local = play_game(rules, seed, [policy] * rules.seats)
        return sum(len(played.deal.plays) for played in local.played)

    return play


def message_games(rules: RuleSet, seed: bytes) -> int:
    """Plays a game through the referee."""
    return play_messages(rules, seed, [message] * rules.seats).turn_number - 1


def env_games(rules: RuleSet, seed: bytes) -> int:
    """Plays a game in the environment."""
    from arena.train.env import KseriEnv

    made = KseriEnv(rules.preset)
    made.reset(options={"seed": seed})
    plays = 0
    for _ in made.agent_iter():
        observation, _, over, _, _ = made.last()
        if over:
            made.step(None)
            continue
        actions = np.flatnonzero(observation["action_mask"])
        made.step(int(actions[int(_uniform() * len(actions))]))
        plays += 1
    return plays


def measure(play: Callable[[RuleSet, bytes], int], preset: str, seconds: float) -> float:
    """Plays for one second of processor time: the median of five runs of `seconds`."""
    rules, seeds, speeds = make_rules(preset), random.Random(2), []
    for _ in range(5):
        begin, plays = time.process_time(), 0
        while time.process_time() - begin < seconds:
            plays += play(rules, seeds.randbytes(32))
        speeds.append(plays / (time.process_time() - begin))
    return statistics.median(speeds)


def main() -> None:
    """Print plays a second for every way to play and some rule sets."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="of every run")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    ways = {"view": games_of(view), "counting": games_of(counting), "message": message_games}
    if importlib.util.find_spec("pettingzoo"):
        ways["env"] = env_games
    table = {
        name: {preset: round(measure(play, preset, options.seconds)) for preset in PRESETS}
        for name, play in ways.items()
    }
    if options.json:
        print(json.dumps(table))
        return
    print(f"{'plays a second':<16}" + "".join(f"{preset:>12}" for preset in PRESETS))
    for name, row in table.items():
        print(f"{name:<16}" + "".join(f"{value:>12,}" for value in row.values()))


if __name__ == "__main__":
    main()
