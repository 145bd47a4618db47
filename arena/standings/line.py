"""What standings say: one line an entrant, and how well one scale describes those on it."""

from __future__ import annotations

import msgspec


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant's line of the standings."""

    label: str
    version: str
    departure: str | None
    """How it left the tournament, if it did."""
    rank_low: int | None
    """The best rank that its interval allows; None where it is not rated."""
    rank_high: int | None
    rating: float | None
    """Elo, by Bradley-Terry; None without a complete match, or too slow for the table's pace."""
    error: float | None
    """Half the width of the 95 % interval; None while provisional, or where all was won or lost."""
    low: float | None
    """Of the interval; where all was won or lost only the bound that this gives."""
    high: float | None
    all_won: bool
    all_lost: bool
    provisional: bool
    """Fewer than ten matches."""
    group: int | None
    """Ratings of different groups, which never met even over others, can't be compared."""
    matches: int
    games: int
    wins: int
    draws: int
    losses: int
    walkovers: int
    """Games that an opponent forfeited by leaving; they were not played and are not rated."""
    points: float | None
    """Points a deal more than an opponent of mean strength would get; without forfeited games."""
    points_error: float | None
    """Half the width of its 95 % interval; None while provisional."""
    points_disagree: bool
    """Whether points and rating differ by more than three of their joint standard errors."""
    forfeits: int
    faults: int
    overruns: int
    """Answers that took longer than the pace of the table."""
    ms_a_play: float | None

    @property
    def is_rated(self) -> bool:
        """Whether ranks and rating mean anything."""
        return self.group is not None

    @property
    def rank_text(self) -> str:
        """The ranks that its interval allows, as in 2–4; a dash where it is not rated."""
        if self.rank_low is None:
            return "–"
        if self.rank_low == self.rank_high:
            return str(self.rank_low)
        return f"{self.rank_low}–{self.rank_high}"

    @property
    def elo_text(self) -> str:
        """The rating, or its bound where everything was won or lost, as in ≥ 1594."""
        if self.rating is None:
            return "–"
        if self.all_won:
            return f"≥ {self.low:.0f}"
        if self.all_lost:
            return f"≤ {self.high:.0f}"
        return f"{self.rating:.0f}"


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """Entrants on one scale, and how well it describes who beats whom."""

    labels: list[str]
    """Best first."""
    superiority: list[list[float]]
    """[i][j]: likelihood that entrant i is stronger than entrant j."""
    phantom: float
    """Elo of the opponent of every bot's virtual half-won game."""
    deviance: float
    df: int
    p_value: float | None
    non_transitive: bool
    """Whether one number an entrant does not describe who beats whom."""


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The standings of a tournament over its matches that count."""

    games_played: int
    """When so many games were stored."""
    revision: int
    """After so many decisions about the tournament."""
    voids: int
    """After so many matches had come to count no longer, by decisions or for the arena's fault."""
    lines: list[Standing]
    """The largest group first, in it the best first; then those who are not rated."""
    scales: list[Scale]
    """One for each group."""
