"""What can be asked about visitors who play: what everybody may know."""

from __future__ import annotations

from arena.store import Reader, TableRow
from dashboard.api.operation import operation
from dashboard.api.parameters import Nothing
from dashboard.seating import going_on


@operation("/tables")
def tables(asked: Nothing, reader: Reader) -> list[TableRow]:
    """Games of visitors that are not over; a game itself is among `/games` once it is."""
    return going_on(reader)
