"""Plays a recorded game through the rules engine again. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from arena.faults import fatal_faults
from arena.game import Deal, Game, IllegalPlay
from protocol.records import DealRecord, GameRecord, PlayRecord
from protocol.rules import RuleSet, SideScore, make_rules


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


def steps(record: GameRecord) -> Iterator[Step]:
    """Play the record card by card; needs its seed. Raises `ReplayError` where it is wrong."""
    game = Game(rules_of_record(record), bytes.fromhex(record.seed))
    forfeits = _forfeits(record)
    turn = 1
    for deal_record in record.deals:
        deal = game.deal
        _check_deal(deal, deal_record)
        for number, play in enumerate(deal_record.plays):
            _forfeit(game, forfeits, turn)
            _check_play(deal, play, number)
            turn += 1
            sides = game.finish_deal() if deal.over else None
            yield Step(game, deal, play, number, sides)
    _forfeit(game, forfeits, turn)
    _check_end(game, record)


def _forfeits(record: GameRecord) -> dict[int, list[int]]:
    """The seats that forfeited, by the turn in which they did."""
    found: dict[int, list[int]] = {}
    for fault in fatal_faults(record):
        found.setdefault(fault.turn, []).append(fault.seat)
    return found


def _forfeit(game: Game, forfeits: dict[int, list[int]], turn: int) -> None:
    for seat in forfeits.pop(turn, []):
        game.forfeit(game.rules.side_of[seat])


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


def _check_play(deal: Deal, play: PlayRecord, number: int) -> None:
    where = f"deal {deal.number}, play {number + 1}"
    if deal.over:
        raise ReplayError(f"{where}: the deal was over")
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
