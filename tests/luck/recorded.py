"""Records of games between functions in this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.game import Game, Option
from arena.train import Position, play_game, play_messages
from arena.train.local import MessageBot, Policy
from protocol.messages import Limits
from protocol.records import DealRecord, Fault, GameRecord, PlayedRules, SeatRecord
from protocol.rules import RULES_VERSION, RuleSet, make_rules


def captures(position: Position) -> Option:
    """The first card that can capture, else the first."""
    pile = position.pile
    able = [option for option in position.legal if pile and option[0][0] in (pile[-1][0], "J")]
    return able[0] if able else position.legal[0]


def wastes(position: Position) -> Option:
    """Leaves every pile that it may leave, and lays its best cards first."""
    left = [option for option in position.legal if option[1] is False]
    return (left or position.legal)[0]


def record_of(rules: RuleSet, seed: bytes, policies: Sequence[Policy]) -> GameRecord:
    """The record of a game between these functions, one a seat."""
    local = play_game(rules, seed, policies)
    return _record(local.game, local.deals(), [])


def record_between(rules: RuleSet, seed: bytes, bots: Sequence[MessageBot]) -> GameRecord:
    """The record of a game between functions of messages, one a seat; any may forfeit it."""
    referee = play_messages(rules, seed, bots)
    return _record(referee.game, list(referee.deals()), list(referee.faults))


def forfeited(seed: bytes, turns: int) -> GameRecord:
    """A game in which the seat in turn errs after so many turns."""

    def errs_late(turn: dict[str, Any]) -> dict[str, Any]:
        return turn["legal"][0] if turn["turn"] <= turns else {"card": "no card"}

    return record_between(make_rules("kseri"), seed, [errs_late, errs_late])


def without_sides(record: GameRecord) -> GameRecord:
    """The record as a store keeps it: scores of deals are left out."""
    deals = [msgspec.structs.replace(deal, sides=None) for deal in record.deals]
    return msgspec.structs.replace(record, deals=deals)


def _record(game: Game, deals: list[DealRecord], faults: list[Fault]) -> GameRecord:
    rules = game.rules
    assert game.reason is not None
    return GameRecord(
        game="0" * 16,
        tournament=None,
        pairing=["a", "b"],
        match=1,
        rotation=0,
        replay=0,
        names_hidden=True,
        rated=False,
        master_commitment="",
        rules=PlayedRules(preset=rules.preset, overrides=_overrides(rules), version=RULES_VERSION),
        seats=[_seat(seat, side) for seat, side in enumerate(rules.side_of)],
        seed=game.seed.hex(),
        commitment="",
        deals=deals,
        scores=game.scores,
        winner=game.winner,
        ranks=game.ranks(),
        reason=game.reason,
        faults=faults,
        limits=Limits(),
        isolation="none",
        practice=True,
        started="2026-01-01T12:00:00Z",
        elapsed_ms=0,
        arena="test",
    )


def _overrides(rules: RuleSet) -> dict[str, Any]:
    base = msgspec.to_builtins(make_rules(rules.preset))
    fields = msgspec.to_builtins(rules)
    return {name: value for name, value in fields.items() if value != base[name]}


def _seat(seat: int, side: int) -> SeatRecord:
    return SeatRecord(
        bot=f"bot{seat}", version="1", hash="", side=side, bot_seed=0, process="p", nth=1
    )
