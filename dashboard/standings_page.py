"""The page of the standings: who is how strong, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from flask import render_template

from arena.standings import Scale as RatedTogether
from arena.store import Reader
from dashboard.address import number, one_of, word
from dashboard.commands import command
from dashboard.database import database
from dashboard.ratings import shown_standings
from dashboard.standing_rows import BY_NAME, ORDERS, StandingRow, in_order, standing_rows
from dashboard.tournament_head import head_of
from dashboard.whiskers import Scale, scale_of

PAGE = 64
"""Rows at once: more weigh too much, and nobody compares them on one screen."""

DEPARTURES = {
    "annulled": "It has withdrawn before half of its games, or cheated: none of its games counts.",
    "forfeited": "It has withdrawn: what it played counts, and its opponents win the rest.",
    "set aside": "It forfeited too many games in a row: those after them are annulled.",
    "replaced": "A newer version plays in its place.",
}
"""What it means that an entrant has left, by how it did."""


@dataclass(frozen=True)
class Section:
    """Rows of one group that stand on this page."""

    title: str
    is_alone: bool
    """Whether all who are rated are in this group."""
    rows: list[StandingRow]
    scale: Scale


@dataclass(frozen=True)
class Table:
    """The standings as one page shows them."""

    sections: list[Section]
    order: str
    reverse: bool
    found: str
    """What was looked for in the names; empty: everybody is shown."""
    page: int
    pages: int
    games_played: int
    """Of so many games they are."""
    misfits: list[RatedTogether]
    """Groups that one number an entrant does not describe."""
    has_luck: bool
    has_walkovers: bool
    departures: dict[str, str]
    """What the departures in these rows mean."""


def tournament(number: int) -> str:
    """The standings as a page."""
    with database() as reader:
        head = head_of(reader, number, "tournament")
        table = standings_table(reader, number)
        unplayed = reader.unplayed(number)
    return render_template(
        "tournament.html",
        head=head,
        table=table,
        unplayed=unplayed,
        measure=command("standings", "--luck", "--tournament", str(number)),
        is_searchable=head.row.entrants > PAGE,
    )


def standings_table(reader: Reader, tournament_id: int) -> Table:
    """The standings sorted, searched and paged as the address asks for."""
    found = shown_standings(reader, tournament_id)
    everybody = standing_rows(reader, found, tournament_id)
    order = one_of("sort", [BY_NAME, *ORDERS]) or "rank"
    reverse, looked_for = word("reverse") == "1", word("find")[:80]
    rows = in_order(everybody, order, reverse)
    if looked_for:
        rows = [row for row in rows if looked_for.casefold() in row.label.casefold()]
    pages = max(1, -(-len(rows) // PAGE))
    page = min(max(number("page", 1), 1), pages)
    shown = rows[(page - 1) * PAGE : page * PAGE]
    return Table(
        sections=_sections(everybody, shown),
        order=order,
        reverse=reverse,
        found=looked_for,
        page=page,
        pages=pages,
        games_played=found.games_played,
        misfits=[scale for scale in found.scales if scale.non_transitive],
        has_luck=any(row.luck_percent is not None for row in everybody),
        has_walkovers=any(row.walkovers for row in everybody),
        departures=_departures(shown),
    )


def _sections(everybody: Sequence[StandingRow], shown: Sequence[StandingRow]) -> list[Section]:
    """The rows that are shown, group by group, each with the scale of its whiskers."""
    groups = {row.group for row in everybody if row.group is not None}
    scales = {group: scale_of([row for row in everybody if row.group == group]) for group in groups}
    found = []
    for group, members in groupby(shown, key=lambda row: row.group):
        rows = list(members)
        title = _title(group, len(groups), rows)
        scale = scale_of(rows) if group is None else scales[group]
        found.append(Section(title, group is None or len(groups) == 1, rows, scale))
    return found


def _title(group: int | None, groups: int, rows: Sequence[StandingRow]) -> str:
    if group is None:
        return "Not rated" if any(row.matches for row in rows) else "Without a complete match"
    return "Standings" if groups == 1 else f"Group {group + 1}"


def _departures(rows: Sequence[StandingRow]) -> dict[str, str]:
    left = {row.departure for row in rows}
    return {how: what for how, what in DEPARTURES.items() if how in left}
