"""Reads a stranger's zip archive into memory. Pure: bytes in, files out, nothing is written.

Nothing that the archive says of itself is believed: sizes, counts and paths are checked before
and while a file is decompressed, and no path of it is ever used to write. Only what the central
directory lists is in an archive; what stands between its entries is nobody's.
"""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.bots.limits import (
    MAX_BYTES,
    MAX_ENTRIES,
    MAX_FILES,
    MAX_RATIO,
    RATIO_FROM_BYTES,
    mib,
)
from arena.bots.names import BadName, check_path, check_together, is_ignored

_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_MOST_COMMENT = 0xFFFF
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
"""Flags: an encrypted entry, a strongly encrypted one, an encrypted directory."""
_STORED, _DEFLATED = 0, 8

File = tuple[bool, bytes]
"""Whether it is executable, and what it holds."""


class ArchiveError(ValueError):
    """An archive that is none, is damaged, or has what no bot may have. The writer's fault."""


class _Entry(NamedTuple):
    name: str
    """As in the archive, but for the slash that ends a folder's."""
    path: str
    """Below the bot's folder."""
    is_folder: bool
    flags: int
    mode: int
    """As in Unix, 0 where the archive was made elsewhere."""
    method: int
    crc: int
    packed: int
    """Size in the archive, in bytes."""
    size: int
    """Size of the file, in bytes, as the archive says."""
    offset: int


def read_archive(
    archive: bytes,
    max_ratio: float = MAX_RATIO,
    pass_over: Callable[[str], None] = lambda path: None,
) -> dict[str, File]:
    """Every file of a zip archive by its path, but for what is nothing of a bot's.

    A folder around everything is taken away. `pass_over` is told the path of everything that is
    nothing of the bot's; whatever that is, it is neither looked at nor counted. Raises
    `ArchiveError` with the first reason why the archive can't be a bot's, for whatever bytes.
    """
    data = memoryview(archive)
    try:
        entries = list(_of_bot(_entries(data), pass_over))
        check_together(
            [entry.path for entry in entries if not entry.is_folder],
            [entry.path for entry in entries if entry.is_folder],
        )
        files = [entry for entry in entries if not entry.is_folder]
        _check_sizes(files, len(archive), max_ratio)
        return {entry.path: _content(data, entry) for entry in files}
    except BadName as error:
        raise ArchiveError(str(error)) from None
    except (struct.error, zlib.error):
        raise ArchiveError("damaged") from None


def _of_bot(entries: Iterable[_Entry], pass_over: Callable[[str], None]) -> Iterator[_Entry]:
    """What of an archive is the bot's, by its paths without a folder around everything.

    Judged by these paths alone: they are what is kept, and is judged again when it is read back.
    """
    taken = 0
    for entry in _unwrapped(entries, pass_over):
        if is_ignored(entry.path):
            pass_over(entry.path)
            continue
        _check_kind(entry)
        taken += 1
        if taken > MAX_ENTRIES:
            raise ArchiveError(f"more than {MAX_ENTRIES:,} entries")
        yield entry


def _unwrapped(entries: Iterable[_Entry], pass_over: Callable[[str], None]) -> Iterator[_Entry]:
    """The entries by their paths below the folder that all are in, where bot.toml is in it too."""
    kept = []
    for entry in entries:
        if is_ignored(entry.path):
            pass_over(entry.path)
        else:
            kept.append(entry)
    folder = _wrapping(kept)
    for entry in kept:
        if entry.path + "/" != folder:
            yield entry._replace(path=entry.path.removeprefix(folder))


def _wrapping(entries: Sequence[_Entry]) -> str:
    """The folder around everything, with its slash; empty where there is none."""
    name = entries[0].path.partition("/")[0] if entries else ""
    folder = name + "/"
    try:
        check_path(name)
    except (BadName, UnicodeEncodeError):
        # Then the paths are bad ones with it, and refused.
        return ""
    has_manifest = any(entry.path == folder + "bot.toml" for entry in entries)
    is_around_all = all(
        entry.path.startswith(folder) or (entry.is_folder and entry.path == name)
        for entry in entries
    )
    return folder if has_manifest and is_around_all else ""


def _entries(data: memoryview) -> Iterator[_Entry]:
    """What the central directory lists."""
    end = _find_end(data)
    _, disk, first_disk, here, count, size, start, _ = _END.unpack_from(data, end)
    if count == 0xFFFF or 0xFFFFFFFF in (size, start):
        raise ArchiveError("of the kind for large archives (ZIP64); expected a plain one")
    if disk or first_disk or here != count:
        raise ArchiveError("one part of several")
    if start + size != end:
        raise ArchiveError("damaged: its directory is not where it should be")
    at = start
    for _ in range(count):
        entry, at = _entry(data, at)
        yield entry
    if at != end:
        raise ArchiveError("damaged: its directory has another size than it says")


def _find_end(data: memoryview) -> int:
    """Where the record stands that ends an archive and tells where its directory is."""
    first = max(0, len(data) - _END.size - _MOST_COMMENT)
    tail = bytes(data[first:])
    at = tail.rfind(b"PK\5\6")
    while at >= 0:
        if at + _END.size + int.from_bytes(tail[at + 20 : at + 22], "little") == len(tail):
            return first + at
        at = tail.rfind(b"PK\5\6", 0, at)
    raise ArchiveError("not a zip archive, or cut off")


def _entry(data: memoryview, at: int) -> tuple[_Entry, int]:
    """The entry of the directory that stands at `at`, and where the next one does."""
    (magic, _, _, flags, method, _, _, crc, packed, size, *lengths, _, _, external, offset) = (
        _ENTRY.unpack_from(data, at)
    )
    if magic != b"PK\1\2":
        raise ArchiveError("damaged: its directory breaks off")
    begin = at + _ENTRY.size
    text = _text(data[begin : begin + lengths[0]])
    name = text.removesuffix("/")
    entry = _Entry(
        name,
        name,
        text.endswith("/"),
        flags,
        external >> 16,
        method,
        crc,
        packed,
        size,
        offset,
    )
    return entry, begin + sum(lengths)


def _text(name: memoryview) -> str:
    """A path, in which bytes that are not UTF-8 stand as lone surrogates."""
    return bytes(name).decode("utf-8", "surrogateescape")


def _check_kind(entry: _Entry) -> None:
    check_path(entry.path)
    kind = stat.S_IFMT(entry.mode)
    if kind == stat.S_IFLNK:
        raise ArchiveError(f"{entry.path}: a link; a bot's files must be files")
    if kind not in (0, stat.S_IFDIR if entry.is_folder else stat.S_IFREG):
        raise ArchiveError(f"{entry.path}: neither file nor folder")
    if entry.flags & _ENCRYPTED:
        raise ArchiveError(f"{entry.path}: encrypted")
    if entry.method not in (_STORED, _DEFLATED):
        raise ArchiveError(
            f"{entry.path}: compressed by method {entry.method}; expected deflated or stored"
        )
    if 0xFFFFFFFF in (entry.packed, entry.size, entry.offset):
        raise ArchiveError(f"{entry.path}: of the kind for large files (ZIP64)")


def _check_sizes(files: Sequence[_Entry], archive_bytes: int, max_ratio: float) -> None:
    """Refuse bombs by what they say of themselves; what lies is found while it is read."""
    size = sum(entry.size for entry in files)
    if len(files) > MAX_FILES:
        raise ArchiveError(f"{len(files):,} files; at most {MAX_FILES:,}")
    if size > MAX_BYTES:
        raise ArchiveError(f"{size:,} bytes of files; at most {mib(MAX_BYTES)}")
    if size > RATIO_FROM_BYTES and size > max_ratio * archive_bytes:
        raise ArchiveError(
            f"{size:,} bytes of files in an archive of {archive_bytes:,}; at most "
            f"{max_ratio:g} times as much"
        )
    end = 0
    for entry in sorted(files, key=lambda entry: entry.offset):
        if entry.offset < end:
            raise ArchiveError(f"{entry.path}: shares bytes of the archive with another file")
        end = entry.offset + _LOCAL.size + entry.packed


def _content(data: memoryview, entry: _Entry) -> File:
    """One file, never more of it than the archive says that it has."""
    magic, *_, name_bytes, extra_bytes = _LOCAL.unpack_from(data, entry.offset)
    name_at = entry.offset + _LOCAL.size
    begin = name_at + name_bytes + extra_bytes
    packed = data[begin : begin + entry.packed]
    if magic != b"PK\3\4" or bytes(data[name_at : name_at + name_bytes]) != entry.name.encode():
        raise ArchiveError(f"{entry.path}: damaged: the archive names it otherwise where it stands")
    content = bytes(packed) if entry.method == _STORED else _inflated(packed, entry)
    if len(content) != entry.size or zlib.crc32(content) != entry.crc:
        raise ArchiveError(f"{entry.path}: damaged: not what its size and checksum say")
    return _is_executable(entry.mode, content), content


def _inflated(packed: memoryview, entry: _Entry) -> bytes:
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = stream.decompress(packed, entry.size + 1)
    except zlib.error:
        raise ArchiveError(f"{entry.path}: damaged: can't be decompressed") from None
    if not stream.eof and len(content) <= entry.size:
        raise ArchiveError(f"{entry.path}: damaged: breaks off")
    return content


def _is_executable(mode: int, content: bytes) -> bool:
    """Where the archive's maker knows no modes, by what the file begins with."""
    return bool(mode & 0o111) if mode else is_program(content)


def is_program(content: bytes) -> bool:
    """Whether a file wants to be executable, whatever its mode says."""
    return content.startswith((b"\x7fELF", b"#!"))
