"""Finds bots that forfeit ten games in a row. Pure.

In a row by the schedule, not by the clock: who is set aside, and after which game, does not
depend on how many workers play or on which of them is faster.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

import msgspec

from arena.pairing import Pairing
from arena.schedule import GameKey, games_of, pairing_text
from arena.tournament.done import Done

MOST_IN_A_ROW = 10
"""So many forfeited games in a row set a bot aside."""
_LOOKED_AT = 1_000
"""How many games of the schedule are gone through for one that is forfeited: about 1 ms."""


class Place(msgspec.Struct, frozen=True, order=True):
    """Where a game stands in the schedule: earlier ones are less."""

    round: int
    chunk: int
    pairing: int
    rotation: int
    match: int


class Forfeits:
    """The games that entrants forfeited, and where their tournament ends therefore."""

    def __init__(
        self,
        pairings: Sequence[Pairing],
        chunk_matches: int,
        rotations: int,
        done: Done,
        gone: Collection[str],
    ) -> None:
        """`pairings`: of all rounds so far, in the schedule's order; `gone`: who plays no more."""
        self._pairings = pairings
        self._chunk_matches = chunk_matches
        self._rotations = rotations
        self._done, self._gone = done, frozenset(gone)
        self._forfeited: dict[str, set[tuple[str, GameKey]]] = {}
        """By label: pairing and game."""
        self._failed: dict[str, set[int]] = {}
        """By pairing: matches with such a game."""
        self._ends: dict[str, Place] = {}
        self._news = 0
        """Forfeits since these were found that may have changed them."""
        self._games_gone_through = 0
        """When they were found."""

    def note(self, label: str, pairing: str, key: GameKey) -> None:
        """Note that an entrant forfeited a game."""
        games = self._forfeited.setdefault(label, set())
        games.add((pairing, key))
        self._failed.setdefault(pairing, set()).add(key.match)
        if len(games) >= MOST_IN_A_ROW:
            self._news += 1

    @property
    def ends(self) -> Mapping[str, Place]:
        """The last game that counts of everybody who forfeited ten games in a row.

        Of all forfeits noted before this is asked for the first time. Of later ones the latest
        may be missing where the schedule is long: going through it after each would take longer
        than the games themselves.
        """
        if self._news and self._news * _LOOKED_AT >= self._games_gone_through:
            self._ends = self._find_ends()
            self._news = 0
        return self._ends

    def is_beyond(self, label: str, pairing: str, key: GameKey) -> bool:
        """Whether a game comes after the last one that counts of this entrant."""
        return label in self.ends and self._place(pairing, key) > self.ends[label]

    def _find_ends(self) -> dict[str, Place]:
        """Go through the schedule once, leaving out the games of those who are set aside.

        A game that is not played yet breaks a row, one that will never count does not.
        """
        suspects = {
            label for label, games in self._forfeited.items() if len(games) >= MOST_IN_A_ROW
        }
        row = dict.fromkeys(suspects, 0)
        ends: dict[str, Place] = {}
        self._games_gone_through = 0
        for pairing, games in self._chunks_of(suspects):
            self._games_gone_through += len(games)
            if ends.keys().isdisjoint(pairing.entrants):
                self._go_through(pairing, games, row, ends)
        return ends

    def _go_through(
        self, pairing: Pairing, games: list[GameKey], row: dict[str, int], ends: dict[str, Place]
    ) -> None:
        """Go through a chunk: how many games in a row its entrants have failed, and who ends."""
        text = pairing_text(pairing.entrants)
        counting: Iterator[GameKey] = (key for key in games if self._counts(pairing, text, key))
        if self._failed.get(text, set()).isdisjoint(key.match for key in games):
            # One game that counts breaks a row as well as all of them do.
            counting = islice(counting, 1)
        for key in counting:
            stored = self._done.stored(text, key)
            for label in row.keys() & set(pairing.entrants):
                forfeited = (text, stored) in self._forfeited[label]
                row[label] = row[label] + 1 if forfeited else 0
                if row[label] == MOST_IN_A_ROW:
                    ends[label] = self._place(text, key)
            if not ends.keys().isdisjoint(pairing.entrants):
                return

    def _counts(self, pairing: Pairing, text: str, key: GameKey) -> bool:
        """Whether a game is stored, or will be."""
        return self._done.stored(text, key) is not None or not self._is_never_played(
            pairing, text, key
        )

    def _is_never_played(self, pairing: Pairing, text: str, key: GameKey) -> bool:
        is_left = not self._gone.isdisjoint(pairing.entrants)
        return is_left or self._done.is_given_up(text, key.match)

    def _chunks_of(self, suspects: set[str]) -> Iterator[tuple[Pairing, list[GameKey]]]:
        """The games of all chunks of these entrants, in the schedule's order."""
        own = [each for each in self._pairings if not suspects.isdisjoint(each.entrants)]
        for number in dict.fromkeys(pairing.round for pairing in own):
            lines = [
                [(pairing, games) for games in self._chunks(pairing)]
                for pairing in own
                if pairing.round == number
            ]
            for chunks in zip_longest(*lines):
                yield from filter(None, chunks)

    def _chunks(self, pairing: Pairing) -> Iterator[list[GameKey]]:
        return games_of(pairing, self._chunk_matches, self._rotations)

    def _place(self, text: str, key: GameKey) -> Place:
        number, pairing = next(
            (number, pairing)
            for number, pairing in self._by_text[text]
            if pairing.first <= key.match < pairing.first + pairing.matches
        )
        chunk = (key.match - pairing.first) // self._chunk_matches
        return Place(pairing.round, chunk, number, key.rotation, key.match)

    @functools.cached_property
    def _by_text(self) -> dict[str, list[tuple[int, Pairing]]]:
        found: dict[str, list[tuple[int, Pairing]]] = {}
        for number, pairing in enumerate(self._pairings):
            found.setdefault(pairing_text(pairing.entrants), []).append((number, pairing))
        return found
