"""Plays deal scripts through the rules engine. Pure: lines in, outcomes out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

from arena.game import DECK, Deal, IllegalPlay, NeedsRedeal, is_jack, ownerless, side_scores
from protocol.deal_script import (
    DealOutcome,
    DealScript,
    PlayOutcome,
    ScriptFault,
    ScriptRefusal,
)
from protocol.rules import RuleSet, RuleSetError, make_rules

_decoder = msgspec.json.Decoder(DealScript)


class _Impossible(Exception):
    def __init__(self, rule: str | None, message: str, play: int | None = None) -> None:
        self.fault = ScriptFault(play=play, rule=rule, message=message)
        super().__init__(message)


def run_script(line: bytes) -> DealOutcome | ScriptRefusal:
    """Play one script, one JSON object; a refusal says which rule the first failure breaks."""
    try:
        return _outcome(_decoder.decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        fault = ScriptFault(play=None, rule=None, message=str(error))
        return ScriptRefusal(error=fault)
    except _Impossible as error:
        return ScriptRefusal(error=error.fault)


def _outcome(script: DealScript) -> DealOutcome:
    try:
        rules = make_rules(script.rules.preset, script.rules.overrides)
    except RuleSetError as error:
        raise _Impossible(error.rule, str(error)) from None
    deal = _set_up(script, rules)
    for number, play in enumerate(script.plays):
        try:
            deal.play(play.card, play.capture)
        except IllegalPlay as error:
            raise _Impossible(error.rule, str(error), number) from None
    return DealOutcome(
        plays=[_play_outcome(deal, number) for number in range(len(deal.plays))],
        sides=side_scores(deal),
        ownerless=ownerless(deal),
        complete=deal.over,
    )


def _set_up(script: DealScript, rules: RuleSet) -> Deal:
    if not 0 <= script.dealer < rules.seats:
        raise _Impossible("R2", f"dealer: expected a seat below {rules.seats}")
    if Counter(script.deck) != Counter(DECK * rules.decks):
        raise _Impossible("R1", f"deck: expected every card {rules.decks} time(s)")
    if rules.bottom_card == "exposed" and is_jack(script.deck[-1]):
        raise _Impossible("R6", f"deck: the exposed bottom card {script.deck[-1]} is a jack")
    bury = list(script.bury)
    try:
        deal = Deal(rules, script.dealer, script.deck, _scripted(bury))
    except NeedsRedeal:
        raise _Impossible("R5", "deck: every centre card is a jack") from None
    if bury:
        raise _Impossible("R28", f"bury: {len(bury)} more than there are jacks to bury")
    return deal


def _scripted(bury: list[int]) -> Callable[[int], int]:
    def place(length: int) -> int:
        if not bury:
            raise _Impossible("R28", "bury: a jack is to be buried, but no place is given")
        index = bury.pop(0)
        if not 1 <= index < length:
            raise _Impossible("R28", f"bury: expected 1 to {length - 1}, got {index}")
        return index

    return place


def _play_outcome(deal: Deal, number: int) -> PlayOutcome:
    return PlayOutcome(
        seat=deal.seat_of(number),
        card=deal.plays[number],
        captured=list(deal.taken[number]),
        bonus=deal.bonuses.get(number, {}),
    )
