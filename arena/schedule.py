"""From a tournament to its games. Pure: the same tournament and secret give the same schedule.

Everything random of a game comes from the master secret by HMAC, so that a game played again,
on whatever machine, is dealt the same cards.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

import msgspec
from msgspec import UNSET

from protocol.messages import Limits
from protocol.rules import RuleSet, make_rules
from protocol.tournament import Tournament

MASTER_BYTES = 32
SEED_BYTES = 32
MOST_REPLAYS = 3
"""How often a match that the arena failed is played again, on fresh decks each time."""


class GameKey(msgspec.Struct, frozen=True, order=True):
    """Which game of a pairing; with the pairing it names every game of a tournament once."""

    match: int
    """From 1."""
    replay: int
    """How often the match was played again after a fault of the arena."""
    rotation: int
    """How far the seats are moved on, from 0."""


class Chunk(msgspec.Struct, frozen=True):
    """Games of one pairing that one set of processes after another plays in a row."""

    pairing: tuple[str, ...]
    """The entrants' labels, in the order of seats of rotation 0."""
    number: int
    """Which chunk of its pairing, from 0."""
    games: tuple[GameKey, ...]
    """What is to be played, by rotation, then match."""
    last: frozenset[GameKey] = frozenset()
    """Those after which no game on their decks is still to end."""


class VoidMatch(msgspec.Struct, frozen=True):
    """A match that the arena failed: none of its games count."""

    pairing: tuple[str, ...]
    key: GameKey
    """The game in which it was found."""
    cause: str


class Secret:
    """A tournament's master secret and all that is derived from it."""

    def __init__(self, master: bytes) -> None:
        self._master = master

    def _derive(self, *parts: object) -> bytes:
        text = "|".join(map(str, parts)).encode("ascii")
        return hmac.digest(self._master, text, "sha256")

    @property
    def commitment(self) -> str:
        """What is published before the first game, in hex."""
        return hashlib.sha256(self._master).hexdigest()

    def seed(self, pairing: str, key: GameKey) -> bytes:
        """The 32 bytes that decide the cards: the same for all rotations of a match."""
        return self._derive("deck", pairing, key.match, key.replay)

    def salt(self, pairing: str, key: GameKey) -> bytes:
        """The 16 bytes that make the game's commitment unlike that of its other rotations."""
        return self._derive("salt", *_game(pairing, key))[:16]

    def game_id(self, pairing: str, key: GameKey) -> str:
        """The game's id, 16 hex digits."""
        return self._derive("id", *_game(pairing, key))[:8].hex()

    def bot_seed(self, pairing: str, key: GameKey, seat: int) -> int:
        """What the bot on this seat may draw its own choices from, below 2^31."""
        digest = self._derive("bot", *_game(pairing, key), seat)
        return int.from_bytes(digest, "big") % 2**31


def _game(pairing: str, key: GameKey) -> tuple[object, ...]:
    return pairing, key.match, key.replay, key.rotation


def master_of_seed(number: int) -> bytes:
    """The master secret of `--seed N`: games that anybody can repeat."""
    return hashlib.sha256(str(number).encode("ascii")).digest()


def labels_of(names: Sequence[str]) -> list[str]:
    """A label for every entrant: its name, with -2, -3 … where it is entered again."""
    labels: list[str] = []
    for name in names:
        label, number = name, 1
        while label in labels:
            number += 1
            label = f"{name}-{number}"
        labels.append(label)
    return labels


def rules_of(tournament: Tournament) -> RuleSet:
    """The tournament's rule set. Raises `protocol.rules.RuleSetError`."""
    return make_rules(tournament.rules, tournament.overrides)


TICK_MS = 50
"""The pace of rated games with partners, where the tournament sets none."""


def limits_of(tournament: Tournament) -> Limits:
    """What its bots may use."""
    time, rules = tournament.time, rules_of(tournament)
    tick_ms = time.tick_ms
    if tick_ms is UNSET and tournament.rated and rules.seats > rules.sides:
        tick_ms = TICK_MS
    return Limits(
        boot_ms=time.boot_ms,
        move_ms=time.move_ms,
        bank_ms=time.bank_ms,
        clock=time.clock,
        faults_allowed=tournament.faults_allowed,
        tick_ms=tick_ms,
    )


def table_size(tournament: Tournament, rules: RuleSet) -> int:
    """How many entrants meet in one game: one a side, or one a seat where pairs are drawn."""
    return rules.seats if tournament.partners == "drawn" else rules.sides


def rotations_of(tournament: Tournament, rules: RuleSet) -> int:
    """How many games a match has."""
    return tournament.rotations or table_size(tournament, rules)


def pairings(labels: Sequence[str], tournament: Tournament) -> list[tuple[str, ...]]:
    """Who meets whom in a round robin: every set of as many entrants as a table takes.

    Two bots meet in the order of their labels, so that a pairing does not depend on the order in
    which they were entered.
    """
    rules = rules_of(tournament)
    size = table_size(tournament, rules)
    return list(combinations(sorted(labels) if size == 2 else labels, size))


def pairing_text(pairing: Sequence[str]) -> str:
    """The pairing as it goes into seeds and into the database."""
    return ",".join(pairing)


def seating(pairing: Sequence[str], rotation: int, rules: RuleSet) -> list[str]:
    """Who sits where: rotation r moves every bot on by r seats."""
    seats = rules.seats
    return [pairing[(seat - rotation) % seats % len(pairing)] for seat in range(seats)]


def chunks(
    tournament: Tournament,
    pairing: tuple[str, ...],
    done: Collection[GameKey] = (),
    replays: Mapping[int, int] | None = None,
) -> Iterator[Chunk]:
    """The chunks of one pairing, less the games in `done`.

    `replays` says which replay of a match counts, where that is not the first. Chunks are cut
    by the schedule alone, so that what a process has played before does not depend on how many
    games were already done or on who plays them.
    """
    rules = rules_of(tournament)
    size = tournament.chunk_matches
    for number, first in enumerate(range(1, tournament.matches + 1, size)):
        matches = range(first, min(first + size, tournament.matches + 1))
        games = tuple(
            key
            for rotation in range(rotations_of(tournament, rules))
            for match in matches
            if (key := GameKey(match, (replays or {}).get(match, 0), rotation)) not in done
            and key.replay <= MOST_REPLAYS
        )
        if games:
            last = {key.match: key for key in games}
            yield Chunk(pairing, number, games, frozenset(last.values()))
