"""What every way of pairing gives, and what the later rounds are made from."""

from __future__ import annotations

import msgspec


class Pairing(msgspec.Struct, frozen=True):
    """Who meets whom in one round of a tournament, in which matches."""

    round: int
    """From 1; kinds that don't play in rounds have one."""
    entrants: tuple[str, ...]
    """Labels in the order of seats of rotation 0; a single one has a bye."""
    first: int
    """The number of its first match: 1 unless the same entrants have met before."""
    matches: int
    """How many matches they play; 0 for a bye."""

    @property
    def is_bye(self) -> bool:
        """Whether the only entrant rests in this round."""
        return len(self.entrants) == 1


class Met(msgspec.Struct, frozen=True):
    """What came of a pairing of two, over those of its matches that count."""

    pairing: Pairing
    games: int
    """How many games; fewer than were planned where matches were annulled or stay unplayed."""
    score: float
    """Games won by the first of the pairing's entrants, draws counting one half."""
    margin: float
    """Points of the first less points of the second, over games that nobody forfeited."""


def two(round: int, a: str, b: str, first: int, matches: int) -> Pairing:
    """A pairing of two, by label, so that the order in which they were entered is nothing to it."""
    return Pairing(round, (min(a, b), max(a, b)), first, matches)


def bye(round: int, label: str) -> Pairing:
    """The pairing of a bot that rests in this round."""
    return Pairing(round, (label,), 1, 0)
