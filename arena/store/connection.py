"""A connection that only reads, and what all queries need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

from arena.store.schema import DATABASE_ERRORS, open_for_reading, translated
from arena.store.values import Damaged

_Found = TypeVar("_Found")

LARGEST = 2**63 - 1
"""The largest integer that SQLite takes."""


class Connection:
    """Read-only access to a database; raises like `open_for_reading`.

    As a context manager it turns SQLite's errors inside the block into ours.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = open_for_reading(path)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextmanager
    def unchanging(self) -> Iterator[None]:
        """All that is read in the block is of one moment, whatever is stored meanwhile."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    def if_sound(self, find: Callable[[], _Found]) -> _Found | None:
        """What `find` reads here; None where that is damaged."""
        try:
            return find()
        except DATABASE_ERRORS as error:
            if isinstance(translated(error, self.path), Damaged):
                return None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.close()
        if isinstance(error, DATABASE_ERRORS):
            raise translated(error, self.path) from error


def is_number(text: str) -> bool:
    """Whether the text can be a row's number."""
    return text.isdecimal() and len(text) < len(str(LARGEST))
