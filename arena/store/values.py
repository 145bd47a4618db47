"""Rows as values: what the database holds is believed as far as it is what was written."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from arena.errors import Trouble

Row = dict[str, Any]
T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
Games = Annotated[int, msgspec.Meta(ge=1, le=2**31)]
"""How many games a match has."""
Matches = Annotated[int, msgspec.Meta(ge=1, le=2**31)]
"""How many matches are counted together; of more than can have been played no rating follows."""

_DAMAGE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    msgspec.MsgspecError,
    struct.error,
)


class Damaged(Trouble):
    """What stands in the database is not what was written there: what of it, and why."""

    def __init__(self, text: str, path: Path | None = None) -> None:
        super().__init__(text)
        self.path = path
        """The database, once its name is in the text."""

    def of(self, path: Path) -> Damaged:
        """The same with the name of the database."""
        return self if self.path else Damaged(f"{path}: {self}", path)


class _Reading:
    """See `undamaged`; a class, as a generator takes longer than what is read of many a row."""

    __slots__ = ("_what",)

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, _DAMAGE):
            why = repr(error) if isinstance(error, LookupError) else error
            text = f"{self._what} is damaged in the database: {why}"
            raise Damaged(text) from error


def undamaged(what: str) -> AbstractContextManager[None, None]:
    """Raise `Damaged` where what is read in the block is not as it was written."""
    return _Reading(what)


def value(kind: type[S], row: Mapping[str, Any], table: str, *lists: str, key: str = "id") -> S:
    """A row as a struct, whose columns it checks; those in `lists` hold JSON.

    `key`: the column that names the row. Raises `Damaged`.
    """
    with undamaged(f"row {row.get(key)!r} of {table}"):
        own = {name: row[name] for name in kind.__struct_fields__ if name in row}
        decoded = {name: json.loads(row[name]) for name in lists}
        # Not strictly: what is true or false is a number in SQLite.
        return msgspec.convert(own | decoded, kind, strict=False)


def tuples(kind: type[T], rows: Iterable[Any], table: str) -> list[T]:
    """All these rows of the type `tuple[…]`, which is checked. Raises `Damaged`."""
    with undamaged(f"a row of {table}"):
        return msgspec.convert(list(rows), list[kind])  # type: ignore[valid-type]


def only(kind: type[T], row: Any, table: str) -> T:
    """One row of the type `tuple[…]`, which is checked. Raises `Damaged`."""
    with undamaged(f"a row of {table}"):
        return msgspec.convert(row, kind)


def one(kind: type[T], row: Any, what: str) -> T:
    """The only column of a row that has to be there, checked. Raises `Damaged`."""
    with undamaged(what):
        if row is None:
            raise ValueError("it is missing")
        return msgspec.convert(row[0], kind)


def blob(data: object, what: str) -> bytes:
    """A column that holds bytes. Raises `Damaged`."""
    if not isinstance(data, bytes):
        raise Damaged(f"{what} is damaged in the database: expected bytes")
    return data
