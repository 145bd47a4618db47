"""Plays a recorded game through the rules engine again. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from arena.faults import judged_faults
from arena.game import Deal, Game, IllegalPlay
from protocol.records import DealRecord, Fault, GameRecord, PlayRecord
from protocol.rules import RuleSet, RuleSetError, SideScore, make_rules


class ReplayError(ValueError):
    """A record that does not follow from its seed: where, and why."""


@dataclass(frozen=True)
class Step:
    """The state right after one recorded play."""

    game: Game
    deal: Deal
    play: PlayRecord
    number: int
    """Of the play in its deal, from 0."""
    sides: list[SideScore] | None
    """The deal's scores, after its last play."""


def rules_of_record(record: GameRecord) -> RuleSet:
    """The rule set that a game was played by. Raises `protocol.rules.RuleSetError`."""
    return make_rules(record.rules.preset, record.rules.overrides)


def bytes_of(digits: str, name: str) -> bytes:
    """What a record has in hex. Raises `ReplayError` where it is none."""
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise ReplayError(f"{name}: {digits[:80]!r}, expected hexadecimal digits") from None


def steps(record: GameRecord) -> Iterator[Step]:
    """Play the record card by card; needs its seed. Raises `ReplayError` where it is wrong."""
    try:
        rules = rules_of_record(record)
    except RuleSetError as error:
        raise ReplayError(f"rules: {error}") from None
    game = Game(rules, bytes_of(record.seed, "seed"))
    faults = _by_turn(record)
    turn = 1
    for deal_record in record.deals:
        if game.reason:
            raise ReplayError(f"deal {deal_record.number}: the game was over")
        deal = game.deal
        _check_deal(deal, deal_record)
        for number, play in enumerate(deal_record.plays):
            _apply(game, faults.pop(turn, []))
            _check_play(game, deal, play, number)
            turn += 1
            sides = game.finish_deal() if deal.over else None
            yield Step(game, deal, play, number, sides)
    _apply(game, faults.pop(turn, []))
    if faults:
        raise ReplayError(f"faults: one at turn {min(faults)}, but the turns end at {turn}")
    _check_end(game, record)


Judged = tuple[Fault, bool]
"""A fault, and whether it forfeited the game."""


def _by_turn(record: GameRecord) -> dict[int, list[Judged]]:
    found: dict[int, list[Judged]] = {}
    for fault, fatal in judged_faults(record):
        found.setdefault(fault.turn, []).append((fault, fatal))
    return found


def _apply(game: Game, faults: list[Judged]) -> None:
    """Let the faults of a turn have their effect: only the seat in turn can commit any."""
    for fault, fatal in faults:
        where = f"fault at turn {fault.turn}"
        if game.reason or fault.deal != game.deal.number:
            raise ReplayError(f"{where}: not in a turn of deal {fault.deal}")
        if fault.seat != game.deal.seat:
            raise ReplayError(
                f"{where}: of seat {fault.seat}, but seat {game.deal.seat} was in turn"
            )
        side = game.rules.side_of[fault.seat]
        if side in game.forfeited:
            raise ReplayError(f"{where}: side {side} had forfeited before")
        if fatal:
            game.forfeit(side)


def _check_deal(deal: Deal, record: DealRecord) -> None:
    for name, expected in (
        ("number", deal.number),
        ("attempt", deal.attempt),
        ("dealer", deal.dealer),
    ):
        if getattr(record, name) != expected:
            raise ReplayError(
                f"deal {record.number}: {name} is {getattr(record, name)}, by the seed {expected}"
            )


def _check_play(game: Game, deal: Deal, play: PlayRecord, number: int) -> None:
    where = f"deal {deal.number}, play {number + 1}"
    if game.reason or deal.over:
        raise ReplayError(f"{where}: the deal or the game was over")
    if play.seat != deal.seat:
        raise ReplayError(f"{where}: by seat {play.seat}, but seat {deal.seat} was in turn")
    try:
        deal.play(play.card, play.capture)
    except IllegalPlay as error:
        raise ReplayError(f"{where}: {error} ({error.rule})") from None


def _check_end(game: Game, record: GameRecord) -> None:
    if game.reason is None:
        raise ReplayError(f"after {len(record.deals)} deal(s): the game is not over")
    for name, expected in (
        ("reason", game.reason),
        ("scores", game.scores),
        ("winner", game.winner),
        ("ranks", game.ranks()),
    ):
        if getattr(record, name) != expected:
            raise ReplayError(f"{name}: recorded {getattr(record, name)}, played {expected}")


def with_sides(record: GameRecord) -> GameRecord:
    """The record with the scores of every finished deal, which the store does not keep."""
    sides = {step.deal.number: step.sides for step in steps(record) if step.sides}
    deals = [msgspec.structs.replace(deal, sides=sides.get(deal.number)) for deal in record.deals]
    return msgspec.structs.replace(record, deals=deals)
