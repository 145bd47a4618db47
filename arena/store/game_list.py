"""Which games a list shows: chosen by filters, page by page, in time that does not grow with them.

A row of games has all its plays and is a hundred times as large as its entry in an index. So what
an index knows is looked at first, and only of few games what stands in their rows.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import sqlite_utils

from arena.store.connection import LARGEST
from protocol.messages import FaultKind

Result = Literal["won", "lost", "drawn", "forfeit"]

ENTRIES = 100_000
"""How many games one page looks at in an index at most: some 20 ms."""
ROWS = 2_000
"""How many rows of games it reads at most: some 20 ms."""


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What games have in common; what is None or empty is left open."""

    tournament_id: int | None = None
    rules: str | None = None
    """A preset."""
    pairing: tuple[str, ...] = ()
    """Entrants that all met in the game."""
    bot: str | None = None
    """An entrant; then `result` and `fault` are its own."""
    result: Result | None = None
    """`won` and `lost` need a bot; `forfeit`: the game was ended by one."""
    fault: FaultKind | Literal["any"] | None = None


class Chosen(msgspec.Struct, frozen=True):
    """The games of one page of a list."""

    ids: list[int]
    """The latest first."""
    older: int | None
    """Games that were not looked at have smaller numbers than this; None: all were."""


def chosen_games(
    db: sqlite_utils.Database, wanted: GameFilter, before: int | None, limit: int
) -> Chosen:
    """The latest games with numbers below `before` that fit, `limit` of them or fewer.

    Fewer where there are no more, or where more would take too long to find: `older` says.
    """
    top = _newest(db) + 1 if before is None else min(before, LARGEST)
    if wanted.fault:
        candidates, end = _faulty(db, wanted, top)
    elif wanted.result:
        candidates, end = _met(db, wanted, top, ROWS)
    else:
        candidates, end = _met(db, wanted, top, limit + 1)
    ids = _fitting(db, wanted, candidates, limit + 1)
    if len(ids) > limit:
        return Chosen(ids[:limit], ids[limit - 1])
    return Chosen(ids, end if end > _oldest(db) else None)


def _newest(db: sqlite_utils.Database) -> int:
    return int(db.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()[0])


def _oldest(db: sqlite_utils.Database) -> int:
    return int(db.execute("SELECT coalesce(min(id), 1) FROM games").fetchone()[0])


def _met(
    db: sqlite_utils.Database, wanted: GameFilter, top: int, limit: int
) -> tuple[list[int], int]:
    """Games below `top` in which the right entrants met; and from where on none was looked at."""
    conditions, values = _of_entrants(wanted)
    floor = max(min(top, _newest(db) + 1) - ENTRIES, 0)
    query = (
        "SELECT id FROM games INDEXED BY games_by_entrants WHERE id < :top AND id >= :floor "
        f"{conditions} ORDER BY id DESC LIMIT :limit"
    )
    rows = db.execute(query, values | {"top": top, "floor": floor, "limit": limit})
    ids = [int(row[0]) for row in rows]
    return ids, ids[-1] if len(ids) == limit else floor


def _faulty(db: sqlite_utils.Database, wanted: GameFilter, top: int) -> tuple[list[int], int]:
    """The same of games with faults, which have an index of their own."""
    conditions, values = _of_tournament(wanted)
    query = (
        "SELECT id FROM games INDEXED BY faulty_games WHERE faults IS NOT NULL AND id < :top "
        f"{conditions} ORDER BY id DESC LIMIT :limit"
    )
    rows = db.execute(query, values | {"top": top, "limit": ROWS})
    ids = [int(row[0]) for row in rows]
    return ids, ids[-1] if len(ids) == ROWS else 0


def _of_tournament(wanted: GameFilter) -> tuple[str, dict[str, Any]]:
    if wanted.tournament_id is not None:
        of_rules = (
            ""
            if wanted.rules is None
            else " AND EXISTS (SELECT 1 FROM tournaments WHERE id = :tournament "
            "AND json_extract(rules, '$.preset') = :rules)"
        )
        values = {"tournament": min(wanted.tournament_id, LARGEST), "rules": wanted.rules}
        return f"AND tournament_id = :tournament{of_rules}", values
    if wanted.rules is not None:
        of_rules = "SELECT id FROM tournaments WHERE json_extract(rules, '$.preset') = :rules"
        return f"AND tournament_id IN ({of_rules})", {"rules": wanted.rules}
    return "", {}


def _of_entrants(wanted: GameFilter) -> tuple[str, dict[str, Any]]:
    text, values = _of_tournament(wanted)
    labels = dict.fromkeys([*wanted.pairing, *([wanted.bot] if wanted.bot else [])])
    for number, label in enumerate(labels):
        text += f" AND instr(',' || pairing || ',', :label{number})"
        values[f"label{number}"] = f",{label},"
    return text, values


_RESULTS = {
    "won": "winner IS NOT NULL AND {is_winner}",
    "lost": "winner IS NOT NULL AND NOT {is_winner}",
    "drawn": "winner IS NULL",
    "forfeit": "reason = 'forfeit'",
}
_IS_WINNER = (
    "EXISTS (SELECT 1 FROM json_each(seats) AS seat "
    "WHERE json_extract(seat.value, '$.bot') = :bot "
    "AND seat.key % json_array_length(scores) = winner)"
)
_HAS_FAULT = (
    "EXISTS (SELECT 1 FROM json_each(faults) AS fault WHERE "
    "(:fault = 'any' OR json_extract(fault.value, '$.kind') = :fault) AND (:bot IS NULL OR :bot = "
    "json_extract(seats, '$[' || json_extract(fault.value, '$.seat') || '].bot')))"
)


def _fitting(
    db: sqlite_utils.Database, wanted: GameFilter, candidates: list[int], limit: int
) -> list[int]:
    """Those candidates that fit in all, as far as only their rows tell."""
    conditions, values = _of_entrants(wanted) if wanted.fault else ("", {})
    if wanted.result:
        conditions += f" AND {_RESULTS[wanted.result].format(is_winner=_IS_WINNER)}"
    if wanted.fault:
        conditions += f" AND {_HAS_FAULT}"
    if not conditions:
        return candidates[:limit]
    values |= {"bot": wanted.bot, "fault": wanted.fault, "limit": limit}
    numbers = ",".join(map(str, candidates))
    query = (
        f"SELECT id FROM games WHERE id IN ({numbers}) {conditions} ORDER BY id DESC LIMIT :limit"
    )
    return [int(row[0]) for row in db.execute(query, values)]
