"""Checks a recorded game against its seed, its commitment and the rules. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from arena.game import commitment
from arena.replay import ReplayError, bytes_of, rules_of_record, steps
from arena.schedule import SEED_BYTES, GameKey, Secret, pairing_text, seating
from protocol.records import GameRecord
from protocol.rules import RULES_VERSION, RuleSetError, SideScore


def problems(record: GameRecord) -> list[str]:
    """What is wrong with a record whose seed is known; empty for a sound one."""
    if record.rules.version != RULES_VERSION:
        return [f"rules: played by version {record.rules.version}; this arena has {RULES_VERSION}"]
    try:
        return list(_shape_problems(record)) or list(_problems(record))
    except (ReplayError, RuleSetError) as error:
        return [*_commitment_problems(record), str(error)]


def _shape_problems(record: GameRecord) -> Iterator[str]:
    """What makes a record one that cannot be played again at all."""
    rules = rules_of_record(record)
    if len(record.seed) != 2 * SEED_BYTES:
        yield f"seed: {len(record.seed)} hex digits, expected {2 * SEED_BYTES}"
    if len(record.pairing) not in (rules.sides, rules.seats):
        yield f"pairing: {len(record.pairing)} entrants, expected one a side or one a seat"
    elif len(record.seats) != rules.seats:
        yield f"seats: {len(record.seats)} of them, by the rules {rules.seats}"
    else:
        labels = seating(record.pairing, record.rotation, rules)
        for place, (seat, label) in enumerate(zip(record.seats, labels, strict=True)):
            if seat.bot != label:
                yield f"seat {place}: {seat.bot}, by pairing and rotation {label}"
            if seat.side != rules.side_of[place]:
                yield f"seat {place}: side {seat.side}, by the rules {rules.side_of[place]}"


def _problems(record: GameRecord) -> Iterator[str]:
    yield from _commitment_problems(record)
    finished = 0
    for step in steps(record):
        if step.sides:
            finished = step.deal.number
            yield from _score_problems(finished, record.deals[finished - 1].sides, step.sides)
    for deal in record.deals[finished:]:
        if deal.sides is not None:
            yield f"deal {deal.number}: has scores, but was not finished"


def _commitment_problems(record: GameRecord) -> Iterator[str]:
    try:
        by_seed = commitment(bytes_of(record.salt, "salt"), bytes_of(record.seed, "seed"))
    except ReplayError as error:
        yield str(error)
        return
    if by_seed != record.commitment:
        yield f"commitment: recorded {record.commitment}, by salt and seed {by_seed}"


def _score_problems(
    deal: int, claimed: Sequence[SideScore] | None, played: Sequence[SideScore]
) -> Iterator[str]:
    """Compare the recorded scores of a deal with those played."""
    if claimed is None or len(claimed) != len(played):
        yield f"deal {deal}: scores of {len(claimed or ())} sides, expected {len(played)}"
        return
    for side, (theirs, ours) in enumerate(zip(claimed, played, strict=True)):
        for field in ours.__struct_fields__:
            was, expected = getattr(theirs, field), getattr(ours, field)
            if was != expected:
                yield f"deal {deal}, side {side}: {field} is {was}, played {expected}"


def secret_problems(record: GameRecord, master: bytes) -> list[str]:
    """What of a game does not follow from the tournament's published master secret."""
    if hashlib.sha256(master).hexdigest() != record.master_commitment:
        return ["master_commitment: not that of the published secret"]
    secret, pairing = Secret(master), pairing_text(record.pairing)
    key = GameKey(record.match, record.replay, record.rotation)
    expected = {
        "seed": secret.seed(pairing, key).hex(),
        "salt": secret.salt(pairing, key).hex(),
        "game": secret.game_id(pairing, key),
    }
    found = [
        f"{name}: recorded {getattr(record, name)}, by the secret {value}"
        for name, value in expected.items()
        if getattr(record, name) != value
    ]
    for seat, bot in enumerate(record.seats):
        seed = secret.bot_seed(pairing, key, seat)
        if bot.bot_seed != seed:
            found.append(f"seat {seat}: bot_seed {bot.bot_seed}, by the secret {seed}")
    return found
