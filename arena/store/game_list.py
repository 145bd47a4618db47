"""Which games a list shows: chosen by filters, page by page, in time that does not grow with them.

A row of games has all its plays and is a hundred times as large as its entry in an index. So what
an index knows is looked at first, and only of few games what stands in their rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

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


class _Places(msgspec.Struct, frozen=True):
    """Where the games may be: which tournaments, and from which game to which."""

    tournaments: list[int]
    newest: int
    oldest: int

    @property
    def condition(self) -> str:
        """It in SQL; the numbers are ours."""
        return f"tournament_id IN ({','.join(map(str, self.tournaments))})"


def chosen_games(
    db: sqlite_utils.Database, wanted: GameFilter, before: int | None, limit: int
) -> Chosen:
    """The latest games with numbers below `before` that fit, `limit` of them or fewer.

    Fewer where there are no more, or where more would take too long to find: `older` says.
    """
    places = _places(db, wanted)
    if places is None:
        return Chosen([], None)
    top = places.newest + 1 if before is None else min(before, places.newest + 1)
    if wanted.fault:
        candidates, end = _faulty(db, places, top)
    elif wanted.result:
        candidates, end = _met(db, wanted, places, top, ROWS)
    else:
        candidates, end = _met(db, wanted, places, top, limit + 1)
    ids = _fitting(db, wanted, candidates, limit + 1)
    if len(ids) > limit:
        return Chosen(ids[:limit], ids[limit - 1])
    return Chosen(ids, end if end > places.oldest else None)


def _places(db: sqlite_utils.Database, wanted: GameFilter) -> _Places | None:
    """None where nothing can fit."""
    labels = _labels(wanted)
    enter = "EXISTS (SELECT 1 FROM entrants WHERE tournament_id = t.id AND label = :{})"
    query = f"""
        SELECT id, (SELECT max(id) FROM games WHERE tournament_id = t.id) AS newest,
               (SELECT min(id) FROM games WHERE tournament_id = t.id) AS oldest
        FROM tournaments AS t
        WHERE newest IS NOT NULL AND (:number IS NULL OR id = :number)
          AND (:rules IS NULL OR json_extract(rules, '$.preset') = :rules)
          {" ".join(f"AND {enter.format(name)}" for name in labels)}
    """
    number = None if wanted.tournament_id is None else min(wanted.tournament_id, LARGEST)
    rows = db.execute(query, labels | {"number": number, "rules": wanted.rules}).fetchall()
    if not rows:
        return None
    ids, newest, oldest = zip(*rows, strict=True)
    return _Places(list(ids), max(newest), min(oldest))


def _labels(wanted: GameFilter) -> dict[str, str]:
    """The entrants that must have met, as parameters of a query."""
    labels = dict.fromkeys([*wanted.pairing, *([wanted.bot] if wanted.bot else [])])
    return {f"label{number}": label for number, label in enumerate(labels)}


def _met(
    db: sqlite_utils.Database, wanted: GameFilter, places: _Places, top: int, limit: int
) -> tuple[list[int], int]:
    """Games below `top` in which the right entrants met; and from where on none was looked at."""
    labels = _labels(wanted)
    floor = max(top - ENTRIES, 0)
    query = (
        "SELECT id FROM games INDEXED BY games_by_entrants WHERE id < :top AND id >= :floor "
        f"AND {places.condition} {_are_in_it(labels)} ORDER BY id DESC LIMIT :limit"
    )
    rows = db.execute(query, labels | {"top": top, "floor": floor, "limit": limit})
    ids = [int(row[0]) for row in rows]
    return ids, ids[-1] if len(ids) == limit else floor


def _are_in_it(labels: Iterable[str]) -> str:
    return " ".join(f"AND instr(',' || pairing || ',', ',' || :{name} || ',')" for name in labels)


def _faulty(db: sqlite_utils.Database, places: _Places, top: int) -> tuple[list[int], int]:
    """The same of games with faults, which have an index of their own."""
    query = (
        "SELECT id FROM games INDEXED BY faulty_games WHERE faults IS NOT NULL AND id < :top "
        f"AND {places.condition} ORDER BY id DESC LIMIT :limit"
    )
    ids = [int(row[0]) for row in db.execute(query, {"top": top, "limit": ROWS})]
    return ids, ids[-1] if len(ids) == ROWS else 0


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
    labels = _labels(wanted) if wanted.fault else {}
    conditions = _are_in_it(labels)
    if wanted.result:
        conditions += f" AND {_RESULTS[wanted.result].format(is_winner=_IS_WINNER)}"
    if wanted.fault:
        conditions += f" AND {_HAS_FAULT}"
    if not conditions:
        return candidates[:limit]
    values = labels | {"bot": wanted.bot, "fault": wanted.fault, "limit": limit}
    numbers = ",".join(map(str, candidates))
    query = (
        f"SELECT id FROM games WHERE id IN ({numbers}) {conditions} ORDER BY id DESC LIMIT :limit"
    )
    return [int(row[0]) for row in db.execute(query, values)]
