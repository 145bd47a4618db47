"""How long the luck of a game takes, and what it explains: python -m benchmarks.luck.

Processor time on one core, so that other programs on the machine hardly matter. The records lack
the scores of their deals, as in a store, so a game is played once more for these. The games are
those of a shipped bot with itself, where nothing but cards and seats can decide: the coefficient
that the fit finds, and how much of the variance of single results luck takes away.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from arena.luck import deal_luck, game_luck
from arena.rating.luck import LuckSums, adjust
from arena.train.local import MessageBot
from protocol.records import GameRecord
from protocol.rules import RuleSet, make_rules
from tests.luck.recorded import record_between, without_sides

PRESETS = ("kseri", "kseri-plain", "pisti", "faro-4")
BOTS = Path(__file__).parent.parent / "bots"


def shipped(name: str, rules: RuleSet) -> MessageBot:
    """A shipped Python bot as a function of messages."""
    spec = importlib.util.spec_from_file_location(name, BOTS / name / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    hello = {"rules": msgspec.to_builtins(rules)}

    def answer(turn: dict[str, Any]) -> Mapping[str, Any]:
        found: Mapping[str, Any] = module.choose(hello["rules"], hello, turn)
        return found

    return answer


def records(rules: RuleSet, bot: str, games: int) -> list[GameRecord]:
    """Games of a bot with itself, as the store has them."""
    seeds, bots = random.Random(1), [shipped(bot, rules)] * rules.seats
    return [without_sides(record_between(rules, seeds.randbytes(32), bots)) for _ in range(games)]


def build_s(rules: RuleSet) -> float:
    """Seconds until the first deal has its luck: the baseline's own deals and its chances."""
    begin = time.process_time()
    deal_luck(rules, bytes(32), 1, 0, [0] * rules.sides)
    return time.process_time() - begin


def explained(played: Sequence[GameRecord], luck: Sequence[float]) -> tuple[float, float]:
    """The coefficient, and the share of the variance of side 0's results that luck takes away."""
    score = [float(record.winner == 0) for record in played]
    rows = [(0, 0, 1, won, lucky) for won, lucky in zip(score, luck, strict=True)]
    return adjust(LuckSums.from_matches(rows)).coefficient, np.corrcoef(score, luck)[0, 1] ** 2


def main() -> None:
    """Print a line for every preset."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="of every preset")
    parser.add_argument("--bot", default="saver", help="a shipped Python bot")
    parser.add_argument("presets", nargs="*", default=PRESETS)
    options = parser.parse_args()
    print(f"{'':<16}{'build s':>8}{'game ms':>9}{'deals':>7}{'coefficient':>13}{'variance':>10}")
    for preset in options.presets:
        rules = make_rules(preset)
        built, played = build_s(rules), records(rules, options.bot, options.games)
        begin = time.process_time()
        luck = [game_luck(record)[0] for record in played]
        game_ms = (time.process_time() - begin) / len(played) * 1000
        deals = sum(len(record.deals) for record in played) / len(played)
        coefficient, share = explained(played, luck)
        print(f"{preset:<16}{built:>8.2f}{game_ms:>9.1f}{deals:>7.1f}", end="")
        print(f"{coefficient:>13.2f}{-share:>10.0%}")


if __name__ == "__main__":
    main()
