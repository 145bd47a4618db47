"""How large a bot may be: in one place, with units; whatever refuses a bot names these."""

from __future__ import annotations

from arena import sandbox

MIB = 1024 * 1024

MAX_FILES = 2_000
"""Files of a bot, as handed in and as built."""
MAX_BYTES = 64 * MIB
"""All files of a bot together, as handed in."""
MAX_BUILT_BYTES = 256 * MIB
"""All files of a bot together, with what its build made."""
MAX_KEPT_COPIES = 200
"""Built copies that are kept for later games …"""
MAX_KEPT_BYTES = 2048 * MIB
"""… and how much disk all of them take."""
MAX_MANIFEST_BYTES = 64 * 1024
"""Its bot.toml."""
MAX_PATH_BYTES = 255
"""The path of one of its files, relative to its folder, as UTF-8."""

MAX_ARCHIVE_BYTES = 64 * MIB
"""A zip archive."""
MAX_ENTRIES = 4_000
"""Files and folders of a bot, as handed in and as built, but for what is nothing of the bot's."""
MAX_DEPTH = sandbox.MAX_DEPTH
"""How many folders may be in one another, the bot's own included."""
MAX_RATIO = 200
"""How many times larger than the archive what is in it may be …"""
RATIO_FROM_BYTES = MIB
"""… where that is more than so many bytes: a small file of zeros is no bomb."""


def mib(size: int) -> str:
    """A limit in bytes, as a message names it."""
    return f"{size // MIB} MiB"
