"""Bots as files: found by name or path, read, hashed, built, made ready to start.

`archive` and `names` are pure: they judge a stranger's zip before anything of it is written.
"""

from arena.bots.archive import ArchiveError, read_archive
from arena.bots.build import (
    CannotBuild,
    Copy,
    built_copy,
    command_missing,
    prepare,
    prepare_known,
    toolchain_missing,
)
from arena.bots.files import MANIFEST, BotFiles, Unreadable, read_bot, read_upload
from arena.bots.find import (
    PERSON,
    VERSION,
    CannotFind,
    Lookup,
    NotEntered,
    as_path,
    find_bot,
    shipped_bots,
    shipped_names,
    split_reference,
    why_name_is_taken,
)
from arena.bots.kept import cache_folder
from arena.bots.names import spelled
from arena.bots.single import SINGLE_FILES

__all__ = [
    "MANIFEST",
    "PERSON",
    "SINGLE_FILES",
    "VERSION",
    "ArchiveError",
    "BotFiles",
    "CannotBuild",
    "CannotFind",
    "Copy",
    "Lookup",
    "NotEntered",
    "Unreadable",
    "as_path",
    "built_copy",
    "cache_folder",
    "command_missing",
    "find_bot",
    "prepare",
    "prepare_known",
    "read_archive",
    "read_bot",
    "read_upload",
    "shipped_bots",
    "shipped_names",
    "spelled",
    "split_reference",
    "toolchain_missing",
    "why_name_is_taken",
]
