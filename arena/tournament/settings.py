"""What a tournament file may ask for: what can be played, and how many games that makes."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arena.bots import BotFiles
from arena.errors import UsageError
from arena.pairing.swiss import most_rounds, usual_rounds
from arena.schedule import limits_of, rules_of, table_size
from protocol.rules import RuleSetError
from protocol.tournament import Tournament

_IN_ROUNDS = ("swiss", "knockout", "double-knockout", "league")
_OF_TWO = ("swiss", "knockout", "double-knockout")
_PACED_CONCURRENCY = 32


class WrongSetting(UsageError):
    """A tournament that can't be played, because of the value of one key."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        """As in the tournament file: `time.clock`."""
        super().__init__(f"{key}: {message}")


def check_tournament(tournament: Tournament, entrants: int) -> None:
    """Refuse what can't be played. Raises `WrongSetting` with the key that is wrong."""
    try:
        rules = rules_of(tournament)
    except RuleSetError as error:
        key = "rules" if error.field == "preset" else f"overrides.{error.field}"
        raise WrongSetting(key, error.args[0].partition(": ")[2]) from None
    kind = tournament.kind
    if tournament.partners == "drawn" and (rules.seats, rules.sides) != (4, 2):
        raise WrongSetting(
            "partners",
            f"drawn where two play against two; {rules.preset} has "
            f"{rules.seats} seats in {rules.sides} sides",
        )
    size = table_size(tournament, rules)
    if kind in _OF_TWO and size != 2:
        raise WrongSetting("kind", f"{kind} is for two at a table, here {size} sit at one")
    if entrants < size:
        raise WrongSetting("bots", f"{rules.preset} takes {size} at a table, got {entrants}")
    if (tournament.rotations or 1) > size:
        raise WrongSetting("rotations", f"at most {size} with these rules")
    _check_keys(tournament, entrants)


def _check_keys(tournament: Tournament, entrants: int) -> None:
    """Refuse keys that mean nothing to this kind, and numbers that it can't have."""
    kind = tournament.kind
    for key, is_set, kinds in (
        ("challengers", tournament.challengers != 1, ("gauntlet",)),
        ("rounds", tournament.rounds is not None, ("swiss", "league")),
        ("pairings", tournament.pairings is not None, ("league",)),
    ):
        if is_set and kind not in kinds:
            raise WrongSetting(key, f"means nothing to a {kind}; only to a {' or '.join(kinds)}")
    if kind == "gauntlet" and tournament.challengers >= entrants:
        raise WrongSetting("challengers", f"fewer than the {entrants} bots, to meet the others")
    if kind == "swiss" and (tournament.rounds or 1) > most_rounds(entrants):
        raise WrongSetting(
            "rounds",
            f"at most {most_rounds(entrants)} with {entrants} bots, so that nobody meets anybody "
            "twice; a round robin has everybody meet",
        )


def is_in_rounds(kind: str) -> bool:
    """Whether the pairings of this kind depend on earlier results."""
    return kind in _IN_ROUNDS


def sets_aside(kind: str) -> bool:
    """Whether a bot that forfeits many games in a row plays no more.

    Not in a test of two bots: it has no game without it, and lost games are what it counts.
    """
    return kind != "compare"


def check_load(tournament: Tournament, workers: int, cores: int) -> None:
    """Refuse more games at once than the machine has cores for, where real time is charged.

    Raises `WrongSetting`.
    """
    limits = limits_of(tournament)
    if limits.clock == "cpu" or limits.tick_ms is not msgspec.UNSET:
        return
    at_once = workers * concurrency_of(tournament)
    if at_once > cores:
        raise WrongSetting(
            "concurrency" if tournament.concurrency else "workers",
            f"{at_once} games at once on {cores} core(s) would charge bots for each other's "
            'time: at most one a core, or time.clock = "cpu"',
        )


def concurrency_of(tournament: Tournament) -> int:
    """How many chunks a worker plays at once: many where turns only wait for a pace."""
    paced = limits_of(tournament).tick_ms is not msgspec.UNSET
    return tournament.concurrency or (_PACED_CONCURRENCY if paced else 1)


def swiss_rounds(tournament: Tournament, entrants: int) -> int:
    """How many rounds a Swiss has."""
    return tournament.rounds or usual_rounds(entrants)


def games_at_least(tournament: Tournament, entrants: int, rotations: int) -> int:
    """How many games a tournament in rounds has at least; 0 where that is known otherwise."""
    ties = {
        "swiss": swiss_rounds(tournament, entrants) * (entrants // 2),
        "knockout": entrants - 1,
        "double-knockout": 2 * entrants - 2,
    }
    return ties.get(tournament.kind, 0) * tournament.matches * rotations


def refuse_unfit(bots: Mapping[str, BotFiles], tournament: Tournament) -> None:
    """Raise `UsageError` for a bot that says that it does not play these rules."""
    for bot in bots.values():
        manifest = bot.manifest
        if manifest.rules is not None and tournament.rules not in manifest.rules:
            raise UsageError(
                f"bot {manifest.name}: plays {', '.join(manifest.rules)}, not {tournament.rules}"
            )
