"""The rows of the standings, with all that the store can tell beside them, in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.rating import WinShare
from arena.standings import Standing, Standings, kept_shares
from arena.store import Reader


class StandingRow(Standing, frozen=True, kw_only=True):
    """One entrant's row of the standings, as page, JSON and CSV have it."""

    win_percent: float | None
    """Games won, draws counting one half."""
    luck_percent: float | None
    """The same without the luck of the cards, over games where it has been measured."""
    luck_error: float | None
    """Half the width of its 95 % interval; None below ten such matches."""
    kseris: float | None
    """A deal, in games that nobody forfeited."""
    fault_kinds: dict[str, int]
    """How many faults of which kind, the most frequent first."""


def standing_rows(reader: Reader, found: Standings, tournament_id: int) -> list[StandingRow]:
    """The lines of the standings, in their order, with the columns that the store has beside."""
    shares = kept_shares(reader, tournament_id)
    kseris = reader.kseris(tournament_id)
    faults = reader.fault_kinds(tournament_id)
    return [
        _row(line, shares.get(line.label), kseris.get(line.label), faults.get(line.label, {}))
        for line in found.lines
    ]


_FIELDS = Standing.__struct_fields__


def _row(
    line: Standing, share: WinShare | None, kseris: float | None, faults: dict[str, int]
) -> StandingRow:
    error = share.adjusted_error if share else None
    return StandingRow(
        **{name: getattr(line, name) for name in _FIELDS},
        win_percent=100 * (line.wins + line.draws / 2) / line.games if line.games else None,
        luck_percent=None if share is None else 100 * min(max(share.adjusted, 0), 1),
        luck_error=None if error is None else 100 * error,
        kseris=kseris,
        fault_kinds=faults,
    )


Value = Callable[[StandingRow], float | None]

ORDERS: dict[str, Value] = {
    "rank": lambda row: None if row.rating is None else -row.rating,
    "won": lambda row: -row.wins,
    "win": lambda row: None if row.win_percent is None else -row.win_percent,
    "points": lambda row: None if row.points is None else -row.points,
    "luck": lambda row: None if row.luck_percent is None else -row.luck_percent,
    "kseris": lambda row: None if row.kseris is None else -row.kseris,
    "faults": lambda row: -row.faults,
    "time": lambda row: row.ms_a_play,
}
"""What rows can be sorted by, beside their names: the least value first."""
BY_NAME = "bot"


def in_order(rows: Sequence[StandingRow], order: str, reverse: bool) -> list[StandingRow]:
    """The rows of each group in that order; those without a value last, whichever way."""
    groups = {row.group: place for place, row in reversed([*enumerate(rows)])}
    if order == BY_NAME:
        named = sorted(rows, key=lambda row: row.label.casefold(), reverse=reverse)
        return sorted(named, key=lambda row: groups[row.group])
    value = ORDERS[order]

    def key(row: StandingRow) -> tuple[int, bool, float]:
        found = value(row)
        return groups[row.group], found is None, (-1 if reverse else 1) * (found or 0.0)

    return sorted(rows, key=key)
