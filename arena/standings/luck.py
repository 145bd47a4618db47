"""Shares of wins adjusted for the luck of the cards; and what think times tell of hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from arena.luck import BASELINE, game_luck
from arena.rating import LuckSums, TimeSignal, WinShare, adjust, time_signal
from arena.signals import FEATURES, TimedHand, timed_hands
from arena.store import LuckRow, Reader, keep_win_shares, undamaged, writing
from protocol.records import GameRecord

MatchRow = tuple[int, int, int, float, float]


def missing_luck(reader: Reader, tournament_id: int) -> list[int]:
    """The numbers of the games whose luck has not been measured by this baseline."""
    return reader.without_luck(tournament_id, BASELINE)


def measured(record: GameRecord) -> list[float] | None:
    """The luck of a game by side; None while its seed is not to be known.

    Raises `Trouble` for a record that does not follow from its seed.
    """
    with undamaged(f"game {record.game}"):
        return game_luck(record) if record.seed else None


def win_shares(reader: Reader, tournament_id: int) -> dict[str, WinShare]:
    """Every entrant's share of wins, as it was and without luck, over games that are measured."""
    labels = [entrant.label for entrant in reader.entrants(tournament_id)]
    place = {label: number for number, label in enumerate(labels)}
    rows = list(_rows(reader.luck(tournament_id, BASELINE), place, reader.rotations(tournament_id)))
    if not rows:
        return {}
    return {labels[share.bot]: share for share in adjust(LuckSums.from_matches(rows)).bots()}


def keep_shares(database: Path, tournament_id: int, shares: dict[str, WinShare]) -> None:
    """Keep what `win_shares` has found, so that a page need not go through all games."""
    with writing(database, new=False) as db:
        keep_win_shares(db, tournament_id, msgspec.msgpack.encode(shares))


def kept_shares(reader: Reader, tournament_id: int) -> dict[str, WinShare]:
    """What `keep_shares` has kept last, over the games that were measured then; else nothing."""
    kept = reader.kept_win_shares(tournament_id)
    if kept is None:
        return {}
    try:
        return msgspec.msgpack.decode(kept, type=dict[str, WinShare])
    except msgspec.DecodeError:
        # Another version of the arena has kept them in another form.
        return {}


def _rows(games: Iterable[LuckRow], place: dict[str, int], rotations: int) -> Iterator[MatchRow]:
    """A line for every match and each of its entrants."""
    pairings: dict[tuple[str, ...], int] = {}
    for _, group in groupby(games, key=lambda row: (row.pairing, row.match, row.replay)):
        match = list(group)
        if len(match) == rotations:
            first = match[0]
            number = pairings.setdefault(tuple(first.pairing), len(pairings))
            what = f"a game of match {first.match} of {','.join(first.pairing)}, or its luck,"
            with undamaged(what):
                lines = [(place[label], *_of(label, match)) for label in first.pairing]
            for who, score, luck in lines:
                yield number, who, rotations, score, luck


def _of(label: str, match: Sequence[LuckRow]) -> tuple[float, float]:
    """What an entrant won of a match, draws shared, and the luck that its side had."""
    score = luck = 0.0
    for game in match:
        side = game.seats.index(label) % len(game.ranks)
        if game.ranks[side] == 1:
            score += 1 / game.ranks.count(1)
        luck += game.luck[side]
    return score, luck


def time_signals(records: Iterable[GameRecord]) -> dict[str, TimeSignal]:
    """Whether the time that an entrant thinks tells of its hand, by label.

    Raises `Trouble` for a record that does not follow from its seed.
    """
    hands: dict[str, list[TimedHand]] = {}
    for record in records:
        if record.seed and record.reason != "void":
            with undamaged(f"game {record.game}"):
                for hand in timed_hands(record):
                    hands.setdefault(record.seats[hand.seat].bot, []).append(hand)
    return {label: _signal(found) for label, found in hands.items()}


def _signal(hands: list[TimedHand]) -> TimeSignal:
    features = {name: [getattr(hand, name) for hand in hands] for name in FEATURES}
    return time_signal(
        [hand.elapsed_us for hand in hands], [hand.hand_size for hand in hands], features
    )
