"""Zip archives made by hand: every field may say what it likes."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

MANIFEST = b'name = "mine"\nrun = ["python3", "bot.py"]\n'


@dataclass(frozen=True)
class Entry:
    """One entry; what is None says the truth."""

    name: bytes
    content: bytes = b"x"
    mode: int = 0o100644
    flags: int = 0
    method: int = 8
    packed: bytes | None = None
    size: int | None = None
    crc: int | None = None
    local_name: bytes | None = None
    offset: int | None = None
    packed_size: int | None = None


def deflated(content: bytes) -> bytes:
    """Compressed as in a zip."""
    stream = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return stream.compress(content) + stream.flush()


def made(
    *entries: Entry,
    count: int | None = None,
    comment: bytes = b"",
    disk: int = 0,
    gap: bytes = b"",
) -> bytes:
    """An archive of these entries."""
    body, directory = b"", b""
    for entry in entries:
        packed = entry.packed
        if packed is None:
            packed = deflated(entry.content) if entry.method == 8 else entry.content
        size = len(entry.content) if entry.size is None else entry.size
        crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
        packed_size = len(packed) if entry.packed_size is None else entry.packed_size
        common = (entry.flags, entry.method, 0, 0x21, crc, packed_size, size)
        name = entry.name if entry.local_name is None else entry.local_name
        offset = len(body) if entry.offset is None else entry.offset
        directory += struct.pack(
            "<4s6H3L5H2L",
            b"PK\1\2",
            (3 << 8) + 20,
            20,
            *common,
            len(entry.name),
            0,
            0,
            0,
            0,
            entry.mode << 16,
            offset,
        )
        directory += entry.name
        body += struct.pack("<4s5H3L2H", b"PK\3\4", 20, *common, len(name), 0) + name + packed
    number = len(entries) if count is None else count
    end = struct.pack(
        "<4s4H2LH",
        b"PK\5\6",
        disk,
        disk,
        number,
        number,
        len(directory),
        len(body) + len(gap),
        len(comment),
    )
    return body + gap + directory + end + comment


def bot_zip(*more: Entry, folder: bytes = b"") -> bytes:
    """The archive of a small bot, with further entries."""
    manifest, program = Entry(folder + b"bot.toml", MANIFEST), Entry(folder + b"bot.py", b"pass")
    return made(manifest, program, *more)
