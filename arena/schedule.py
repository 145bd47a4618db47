"""From a tournament to its games. Pure: the same tournament and secret give the same schedule.

Everything random of a game comes from the master secret by HMAC, so that a game played again,
on whatever machine, is dealt the same cards.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec
from msgspec import UNSET

from arena.pairing import Pairing, gauntlet, round_robin, with_partners
from protocol.messages import Limits
from protocol.rules import RuleSet, make_rules
from protocol.tournament import Tournament

MASTER_BYTES = 32
OF_THEIR_OWN = ("play", "person")
"""Kinds whose games are no tournament: of commands, and of visitors of the dashboard."""
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


class Drawn(msgspec.Struct, frozen=True):
    """All that is random in one game."""

    key: GameKey
    game: str
    """Its id, 16 hex digits."""
    seed: bytes
    salt: bytes
    bot_seeds: tuple[int, ...]
    """By seat."""


class Chunk(msgspec.Struct, frozen=True):
    """Games of one pairing that one set of processes after another plays in a row."""

    pairing: tuple[str, ...]
    """The entrants' labels, in the order of seats of rotation 0."""
    number: int
    """Which chunk of its pairing in this round, from 0."""
    games: tuple[GameKey, ...]
    """What is to be played, by rotation, then match."""
    last: frozenset[GameKey] = frozenset()
    """Those after which no game on their decks is still to end."""
    round: int = 1
    drawn: tuple[Drawn, ...] = ()
    """What is random in its games, for those who play it without the master secret."""


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

    def drawn(self, pairing: str, key: GameKey, seats: int) -> Drawn:
        """All that is random in a game of so many seats."""
        return Drawn(
            key,
            self.game_id(pairing, key),
            self.seed(pairing, key),
            self.salt(pairing, key),
            tuple(self.bot_seed(pairing, key, seat) for seat in range(seats)),
        )


def _game(pairing: str, key: GameKey) -> tuple[object, ...]:
    return pairing, key.match, key.replay, key.rotation


def drawn_for(master: bytes, chunk: Chunk, key: GameKey, seats: int) -> Drawn:
    """What is random in a game of a chunk: as the chunk says, else from the master secret."""
    for drawn in chunk.drawn:
        if drawn.key == key:
            return drawn
    # Decks that come from no secret could be foretold by anybody.
    assert master, "neither what was drawn for a game nor the master secret is known"
    return Secret(master).drawn(pairing_text(chunk.pairing), key, seats)


def with_drawn(master: bytes, chunk: Chunk, seats: int) -> Chunk:
    """The chunk for those who are to play it without the master secret."""
    drawn = tuple(drawn_for(master, chunk, key, seats) for key in chunk.games)
    return msgspec.structs.replace(chunk, drawn=drawn)


def master_of_seed(number: int) -> bytes:
    """The master secret of `--seed N`: games that anybody can repeat."""
    return hashlib.sha256(str(number).encode("ascii")).digest()


def labels_of(names: Sequence[str]) -> list[str]:
    """A label for every entrant: its name, with -2, -3 … where it is entered again."""
    labels: dict[str, None] = {}
    numbers: dict[str, int] = {}
    for name in names:
        label, number = name, numbers.get(name, 1)
        while label in labels:
            number += 1
            label = f"{name}-{number}"
        labels[label], numbers[name] = None, number
    return list(labels)


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


def fixed_pairings(tournament: Tournament, owners: Mapping[str, Collection[str]]) -> list[Pairing]:
    """Who meets whom in a round robin or a gauntlet.

    `owners`: who stands behind every entrant, by label, in the order of entry.
    """
    rules = rules_of(tournament)
    size = table_size(tournament, rules)
    behind = {label: frozenset(names) for label, names in owners.items()}
    if not tournament.one_per_owner:
        behind = {}
    if tournament.kind == "gauntlet":
        challengers = tournament.challengers
        found = gauntlet(list(owners), challengers, size, tournament.matches, behind)
    else:
        found = round_robin(list(owners), size, tournament.matches, behind)
    return with_partners(found, rules.sides) if tournament.partners == "drawn" else found


def pairing_text(pairing: Sequence[str]) -> str:
    """The pairing as it goes into seeds and into the database."""
    return ",".join(pairing)


def seating(pairing: Sequence[str], rotation: int, rules: RuleSet) -> list[str]:
    """Who sits where: rotation r moves every bot on by r seats."""
    seats = rules.seats
    return [pairing[(seat - rotation) % seats % len(pairing)] for seat in range(seats)]


def games_of(pairing: Pairing, chunk_matches: int, rotations: int) -> Iterator[list[GameKey]]:
    """All games of a pairing, chunk by chunk, each by rotation, then match; as if none was void."""
    end = pairing.first + pairing.matches
    for first in range(pairing.first, end, chunk_matches):
        matches = range(first, min(first + chunk_matches, end))
        yield [GameKey(match, 0, rotation) for rotation in range(rotations) for match in matches]


def chunks(
    tournament: Tournament, pairing: Pairing, still_to_play: Callable[[GameKey], GameKey | None]
) -> Iterator[Chunk]:
    """The chunks of one pairing, less the games that need not be played.

    `still_to_play` gives a game as it is to be played, in the replay that counts, or None where
    it is done. Chunks are cut by the schedule alone, so that what a process has played before
    does not depend on how many games were already done or on who plays them.
    """
    rotations = rotations_of(tournament, rules_of(tournament))
    for number, keys in enumerate(games_of(pairing, tournament.chunk_matches, rotations)):
        games = tuple(key for key in map(still_to_play, keys) if key is not None)
        if games:
            last = {key.match: key for key in games}
            ends = frozenset(last.values())
            yield Chunk(pairing.entrants, number, games, ends, pairing.round)
