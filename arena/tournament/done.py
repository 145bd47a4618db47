"""Which games of a tournament are stored: a byte a game, however many there are. Pure."""

from __future__ import annotations

from collections.abc import Callable

from arena.schedule import MOST_REPLAYS, GameKey

_NEVER = MOST_REPLAYS + 1
"""The replay of a match that is not played again: annulled, or failed too often."""


class Done:
    """The games of a tournament that are stored, and the replays that count."""

    def __init__(self, rotations: int) -> None:
        """`rotations`: games of a match."""
        self._rotations = rotations
        self._stored: dict[str, bytearray] = {}
        """By pairing and game: one more than the latest replay that is stored; 0 for none."""
        self._replays: dict[tuple[str, int], int] = {}
        """Which replay of a match counts, where that is not the first."""
        self.count = 0
        """How many games are stored in the replay that counts."""

    def add(self, pairing: str, key: GameKey) -> bool:
        """Note that a game is stored; False where that was known, or it counts no longer."""
        if key.replay < self._replays.get((pairing, key.match), 0):
            return False
        place = (key.match - 1) * self._rotations + key.rotation
        stored = self._stored.setdefault(pairing, bytearray())
        if len(stored) <= place:
            stored.extend(bytes(place + 1 - len(stored)))
        if stored[place] > key.replay:
            return False
        stored[place] = key.replay + 1
        self.count += 1
        return True

    def void(self, pairing: str, match: int, replay: int) -> int:
        """Note that this replay of a match does not count; how many of its games were stored."""
        lost = self.games(pairing, match, replay)
        self._replays[pairing, match] = replay + 1
        self.count -= lost
        return lost

    def annul(self, pairing: str, match: int) -> None:
        """Note that a match does not count and is never played again."""
        self.count -= self.games(pairing, match, self._replays.get((pairing, match), 0))
        self._replays[pairing, match] = _NEVER

    def games(self, pairing: str, match: int, replay: int) -> int:
        """How many games of this replay of a match are stored."""
        first = (match - 1) * self._rotations
        stored = self._stored.get(pairing, bytearray())[first : first + self._rotations]
        return stored.count(replay + 1)

    def stored(self, pairing: str, key: GameKey) -> GameKey | None:
        """A game in the replay that counts; None where that one is not stored."""
        replay = self._replays.get((pairing, key.match), 0)
        stored = self._stored.get(pairing, b"")
        place = (key.match - 1) * self._rotations + key.rotation
        is_stored = place < len(stored) and stored[place] == replay + 1
        return GameKey(key.match, replay, key.rotation) if is_stored else None

    def is_given_up(self, pairing: str, match: int) -> bool:
        """Whether a match is never played again."""
        return self._replays.get((pairing, match), 0) >= _NEVER

    def still_to_play(self, pairing: str) -> Callable[[GameKey], GameKey | None]:
        """What gives a game of a pairing in the replay that counts; None for one that is done."""
        stored = self._stored.get(pairing, bytearray())

        def look(key: GameKey) -> GameKey | None:
            replay = self._replays.get((pairing, key.match), 0)
            place = (key.match - 1) * self._rotations + key.rotation
            is_stored = place < len(stored) and stored[place] > replay
            if is_stored or replay >= _NEVER:
                return None
            return key if replay == key.replay else GameKey(key.match, replay, key.rotation)

        return look
