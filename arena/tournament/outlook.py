"""What a tournament file means before anything is played: how much, how long, how sure."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import msgspec

from arena.bots import BotFiles
from arena.game import Game
from arena.rating import planned_errors
from arena.schedule import (
    GameKey,
    Secret,
    fixed_pairings,
    limits_of,
    master_of_seed,
    rotations_of,
    rules_of,
    table_size,
)
from arena.store import NoDatabase, Reader, owners_of
from arena.tournament.settings import concurrency_of, games_at_least, is_in_rounds
from protocol.rules import RuleSet
from protocol.tournament import Tournament

_ASSUMED_US = 1_000
"""What a play is taken to need of a bot that has played nothing yet."""
_SAMPLE_GAMES = 20


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be expected of a tournament."""

    entrants: list[tuple[str, str, str]]
    """Label, version and hash, in the order of seeds."""
    same_files: list[list[str]]
    """Labels of entrants whose files are identical."""
    games: int
    """How many games; of a league without an end, in its first round."""
    is_least: bool
    """Whether there may be more."""
    games_a_bot: float
    plays_a_game: float
    """By random play."""
    expected_s: float
    """With the workers asked for, by what the bots needed for a play so far."""
    assumed: list[str]
    """Who has played nothing yet, and is taken to need 1 ms a play."""
    error: float
    """Half the width of the 95 % interval of a rating, in Elo, where all are about equal."""
    apart: float
    """How far two ratings must differ, in Elo, for that difference to be beyond chance."""


def outlook(
    tournament: Tournament, bots: Mapping[str, BotFiles], database: Path, workers: int
) -> Outlook:
    """What a tournament of these bots (by label) comes to; reads what they did before."""
    rules = rules_of(tournament)
    rotations = rotations_of(tournament, rules)
    games = _games(tournament, bots, rotations)
    plays = plays_a_game(rules)
    used_us, assumed = _thinking_us(bots, database)
    mean_us = sum(used_us) / len(used_us)
    games_a_bot = games * table_size(tournament, rules) / len(bots)
    error, apart = planned_errors(len(bots), _meetings(tournament, bots, games, rotations))
    at_once = _at_once(tournament, len(bots), games, workers)
    return Outlook(
        entrants=[(label, bot.manifest.version, bot.hash) for label, bot in bots.items()],
        same_files=_same_files(bots),
        games=games,
        is_least=tournament.kind.endswith("knockout")
        or (tournament.kind == "league" and tournament.rounds is None),
        games_a_bot=games_a_bot,
        plays_a_game=plays,
        expected_s=games * plays * max(mean_us, _least_us(tournament)) / 1e6 / at_once,
        assumed=assumed,
        error=error,
        apart=apart,
    )


@functools.cache
def plays_a_game(rules: RuleSet) -> float:
    """How many plays a game has by these rules, the mean of a few games of careless play."""
    secret = Secret(master_of_seed(0))
    plays = 0
    for number in range(1, _SAMPLE_GAMES + 1):
        game = Game(rules, secret.seed("outlook", GameKey(number, 0, 0)))
        while not game.reason:
            while not game.deal.over:
                options = game.deal.legal()
                game.deal.play(*options[plays * 7 % len(options)])
                plays += 1
            game.finish_deal()
    return plays / _SAMPLE_GAMES


def _games(tournament: Tournament, bots: Mapping[str, BotFiles], rotations: int) -> int:
    if tournament.kind == "league":
        in_all = (tournament.pairings or len(bots)) * (tournament.rounds or 1)
        return in_all * tournament.matches * rotations
    if is_in_rounds(tournament.kind):
        return games_at_least(tournament, len(bots), rotations)
    pairings = fixed_pairings(tournament, {label: owners_of(bot) for label, bot in bots.items()})
    return sum(pairing.matches for pairing in pairings) * rotations


def _thinking_us(bots: Mapping[str, BotFiles], database: Path) -> tuple[list[float], list[str]]:
    """What every bot needed for a play so far, and who has played nothing yet."""
    try:
        with Reader(database) as reader:
            known = {bot.hash: reader.thinking_us(bot.hash) for bot in bots.values()}
    except NoDatabase:
        known = {}
    assumed = [label for label, bot in bots.items() if known.get(bot.hash) is None]
    return [known.get(bot.hash) or _ASSUMED_US for bot in bots.values()], assumed


def _least_us(tournament: Tournament) -> float:
    """A pace of the table is waited for, whatever the bots need."""
    tick_ms = limits_of(tournament).tick_ms
    return 0.0 if tick_ms is msgspec.UNSET else tick_ms * 1000


def _at_once(tournament: Tournament, entrants: int, games: int, workers: int) -> int:
    """How many games go on at once: one a worker, or many where turns wait for a pace."""
    rules = rules_of(tournament)
    pairings = games // (tournament.matches * rotations_of(tournament, rules))
    if is_in_rounds(tournament.kind):
        pairings = min(pairings, max(1, entrants // table_size(tournament, rules)))
    chunks = pairings * math.ceil(tournament.matches / tournament.chunk_matches)
    each = concurrency_of(tournament) if _least_us(tournament) else 1
    return min(chunks, workers * each)


def _same_files(bots: Mapping[str, BotFiles]) -> list[list[str]]:
    by_hash: dict[str, list[str]] = {}
    for label, bot in bots.items():
        by_hash.setdefault(bot.hash, []).append(label)
    return [labels for labels in by_hash.values() if len(labels) > 1]


def _meetings(
    tournament: Tournament, bots: Mapping[str, BotFiles], games: int, rotations: int
) -> dict[tuple[int, int], float]:
    """Games of every two entrants; spread evenly where results decide who meets whom."""
    pairs = list(combinations(range(len(bots)), 2))
    at_a_table = math.comb(table_size(tournament, rules_of(tournament)), 2)
    if is_in_rounds(tournament.kind):
        return dict.fromkeys(pairs, games * at_a_table / len(pairs))
    place = {label: number for number, label in enumerate(bots)}
    found: Counter[tuple[int, int]] = Counter()
    for pairing in fixed_pairings(tournament, {each: owners_of(bot) for each, bot in bots.items()}):
        seated = sorted(place[label] for label in pairing.entrants)
        for pair in combinations(seated, 2):
            found[pair] += pairing.matches * rotations
    return dict(found)
