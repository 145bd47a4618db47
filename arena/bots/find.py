"""Finds a bot by the name it is entered by, or by its path."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bots.files import MANIFEST, BotFiles, read_bot
from arena.errors import UsageError


@dataclass(frozen=True)
class NotEntered:
    """Why a submitted bot can't be entered, though there is one of that name."""

    why: str
    retired: str | None = None
    """NAME@VERSION of the one that could be, were it not retired."""


Lookup = Callable[[str, "str | None"], BotFiles | NotEntered | None]
"""Finds a submitted bot by its name and version (None: the newest); None where there is none."""

VERSION = r"[0-9A-Za-z][0-9A-Za-z.+_-]{0,39}"
"""What a submitted bot's version looks like, so that NAME@VERSION can name it."""

PERSON = "me"
"""Stands for the person at the table, and is no bot's name."""

_REFERENCE = re.compile(rf"([a-z0-9][a-z0-9-]{{0,38}})(?:@({VERSION}))?")


class CannotFind(UsageError):
    """A name that is neither a bot's nor a path of one."""


def shipped_bots() -> Path:
    """The folder of the bots that come with the arena."""
    package = Path(__file__).parent.parent
    installed = package / "_shipped" / "bots"
    return installed if installed.is_dir() else package.parent / "bots"


def shipped_names() -> list[str]:
    """The names of the bots that come with the arena."""
    return sorted(folder.parent.name for folder in shipped_bots().glob(f"*/{MANIFEST}"))


def why_name_is_taken(name: str) -> str | None:
    """Why nobody's bot may have a name; None where it may."""
    if name in shipped_names():
        return f"{name!r} is a bot that comes with the arena; choose another name"
    if name == PERSON:
        return f"{name!r} stands for the person at the table; choose another name"
    return None


def split_reference(text: str) -> tuple[str, str | None] | None:
    """NAME or NAME@VERSION as name and version; None for what can be neither."""
    match = _REFERENCE.fullmatch(text)
    return (match[1], match[2]) if match else None


def find_bot(name: str, beside: Path = Path(), submitted: Lookup | None = None) -> BotFiles:
    """The bot called `name` (or NAME@VERSION), or the one whose folder, file or zip has that path.

    A shipped bot's name wins over a submitted one's, and that over a path. Paths are taken from
    the folder `beside`. Raises `UsageError` with what was looked for.
    """
    path = beside / name
    try:
        found = _named(name, submitted)
        if isinstance(found, BotFiles):
            return found
        if path.exists():
            return _no_person(read_bot(path), name)
    except OSError as error:
        raise CannotFind(f"{error.filename or path}: {error.strerror}") from None
    if found is not None:
        raise CannotFind(f"bot {name!r}: {found.why}")
    raise CannotFind(
        f"bot {name!r}: neither a bot that comes with the arena ({', '.join(shipped_names())}) "
        f"nor one submitted, nor a folder or file"
    )


def _no_person(bot: BotFiles, where: str) -> BotFiles:
    if bot.manifest.name == PERSON:
        raise CannotFind(f"bot {where!r}: {why_name_is_taken(PERSON)}")
    return bot


def _named(text: str, submitted: Lookup | None) -> BotFiles | NotEntered | None:
    reference = split_reference(text)
    if reference is None:
        return None
    name, version = reference
    shipped = shipped_bots() / name
    if version is None and (shipped / MANIFEST).is_file():
        return replace(read_bot(shipped), is_shipped=True)
    return submitted(name, version) if submitted else None


def as_path(path: Path) -> str:
    """A path so that it is no bot's name: what is given as ./mybot must stay that."""
    is_plain = not path.is_absolute() and path.parts[:1] not in ((), ("..",))
    return f"./{path}" if is_plain else str(path)
