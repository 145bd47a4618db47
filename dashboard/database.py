"""The database, as a page sees it: open for one request, and trouble as one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from flask import abort, current_app, g

from arena.errors import ArenaError, UsageError
from arena.store import Reader


@contextmanager
def database() -> Iterator[Reader]:
    """Read-only access for the length of a `with` block.

    Ends the request with 503 where the file can't be read, and with 404 where it has not what
    is asked of it.
    """
    path: Path = current_app.config["DATABASE"]
    try:
        reader = Reader(path)
    except ArenaError as error:
        _abort(503, path, error)
    try:
        with reader:
            # Before anything is read for the page: what changes from now on it must be told.
            g.setdefault("since", reader.latest_event())
            yield reader
    except ArenaError as error:
        _abort(404 if isinstance(error, UsageError) else 503, path, error)


def _abort(code: int, path: Path, error: ArenaError) -> NoReturn:
    """Say why, without the folder that the database is in: visitors need not know it."""
    sentence = str(error).replace(str(path), path.name)
    abort(code, f"{sentence}.")
