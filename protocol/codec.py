"""One encoder, one decoder a direction, the line limit; foreign errors become `ProtocolError`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from protocol.complaints import complaint, without_indices
from protocol.manifest import Manifest
from protocol.messages import FromBot, Log, Play, Ready
from protocol.tournament import Tournament

LINE_LIMIT = 64 * 1024
"""The longest line either way, in bytes, its end included."""
QUOTED_CHARS = 200
"""How much of a bot's line is kept with a fault."""

_encoder = msgspec.json.Encoder()
_bot_decoder: msgspec.json.Decoder[Ready | Play | Log] = msgspec.json.Decoder(FromBot)
_bot_array_decoder: msgspec.json.Decoder[list[Ready | Play | Log]] = msgspec.json.Decoder(
    list[FromBot]
)
_raw_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
_array_decoder = msgspec.json.Decoder(list[msgspec.Raw])
_KNOWN: dict[str, type[Ready | Play | Log]] = {"ready": Ready, "play": Play, "log": Log}

_HEADER = re.compile(r"\s*\[{1,2}([^\[\]]+)\]{1,2}\s*(?:#.*)?$")
_SETTING = re.compile(r"""((?:"[^"]*"|'[^']*'|[^="'#])+)=""")

File = TypeVar("File", Manifest, Tournament)


class ProtocolError(ValueError):
    """Text that is not what it should be. The fault of whoever wrote it."""


class FileError(ProtocolError):
    """A manifest or tournament file that cannot be used: the line, the key, what was expected."""


def encode_line(message: msgspec.Struct) -> bytes:
    """One message as a line: compact ASCII JSON and a newline."""
    line = _encoder.encode(message)
    if not line.isascii():
        line = json.dumps(json.loads(line), separators=(",", ":")).encode("ascii")
    return line + b"\n"


def join_lines(lines: Sequence[bytes], limit: int) -> list[bytes]:
    """Lines of messages as few lines of at most `limit` bytes: an array where there are several."""
    joined: list[bytes] = []
    first, size = 0, 2
    for number, line in enumerate(lines):
        if number > first and size + len(line) > limit:
            joined.append(_joined(lines[first:number]))
            first, size = number, 2
        size += len(line)
    if lines:
        joined.append(_joined(lines[first:]))
    return joined


def _joined(lines: Sequence[bytes]) -> bytes:
    if len(lines) == 1:
        return lines[0]
    return b"[%s]\n" % b",".join(lines).replace(b"\n", b"")


def split_line(line: bytes, most: int) -> list[bytes]:
    """The messages of a bot's line, each as a line: an array's, or the only one.

    Raises `ProtocolError` for an array that can't be taken apart, or has more than `most`.
    """
    if not line.lstrip().startswith(b"["):
        return [line]
    try:
        messages = _array_decoder.decode(line)
    except msgspec.DecodeError as error:
        raise ProtocolError(f"not an array of messages: {error}") from None
    except RecursionError:
        raise ProtocolError("nested too deeply") from None
    if len(messages) > most:
        raise ProtocolError(f"an array of more than {most} messages")
    return [bytes(each) for each in messages]


def decode_bot_array(line: bytes, limit: int) -> list[tuple[bytes, FromBot]] | None:
    """The messages of an array, each with its line, read at once.

    None where it has to be taken apart first (`split_line`): it is no array, has `limit` bytes or
    more, or one of its messages is nothing that `decode_bot_line` reads at first sight.
    """
    if line[:1] != b"[" or len(line) >= limit or b"\\" in line or not line.isascii():
        return None
    try:
        messages = _bot_array_decoder.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    if not len(messages) == line.count(b'"type"') == line.count(b"}"):
        # A repeated `type`, or what looks like the end of a message and is none.
        return None
    lines = line.strip()[1:-1].replace(b"}, {", b"},{").replace(b"},{", b"}\n{").split(b"\n")
    if len(lines) != len(messages):
        return None
    return list(zip(lines, messages, strict=True))


def game_named_in(line: bytes) -> str | None:
    """The game that an unreadable message names, if so much of it can be read."""
    try:
        game = msgspec.json.decode(_raw_decoder.decode(line)["game"])
    except (msgspec.DecodeError, KeyError, RecursionError, UnicodeDecodeError):
        return None
    return game if isinstance(game, str) else None


def quoted(line: bytes) -> str:
    """A line as a fault quotes it: its first `QUOTED_CHARS` characters."""
    return line[: 4 * QUOTED_CHARS].decode("utf-8", "replace")[:QUOTED_CHARS]


def decode_bot_line(line: bytes) -> FromBot:
    """Read one line of a bot (without its end, or with it).

    Unknown keys are passed over, the last of duplicate keys counts, null is an absent key.
    Raises `ProtocolError` for anything malformed, a repeated `type` included.
    """
    if b"\\" not in line and line.count(b'"type"') == 1 and line.isascii():
        try:
            return _bot_decoder.decode(line)
        except (msgspec.DecodeError, RecursionError):
            # Judged again: the wrong value may be one of duplicate keys, and not the last.
            return _decode_slowly(line)
    return _decode_slowly(line)


def _decode_slowly(line: bytes) -> FromBot:
    """Decode key by key, so that only the last of duplicate keys is looked into."""
    try:
        keys = _raw_decoder.decode(line)
        _refuse_repeated_type(line)
        return _message_of(keys)
    except msgspec.DecodeError as error:
        raise ProtocolError(str(error)) from None
    except RecursionError:
        raise ProtocolError("nested too deeply") from None
    except UnicodeDecodeError:
        raise ProtocolError("a key or value is not UTF-8") from None


def _message_of(keys: dict[str, msgspec.Raw]) -> FromBot:
    kind = msgspec.json.decode(keys.get("type", b"null"))
    message = _KNOWN.get(kind) if isinstance(kind, str) else None
    if message is None:
        raise ProtocolError(f"`type` is none of {', '.join(_KNOWN)}")
    read = {
        name: msgspec.json.decode(keys[name])
        for name in message.__struct_fields__
        if name in keys and keys[name] != b"null"
    }
    return msgspec.convert(read, message)


def _refuse_repeated_type(line: bytes) -> None:
    repeated = False

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        # The outermost object is finished last, so its verdict is the one that stays.
        repeated = sum(key == "type" for key, _ in items) > 1
        return {}

    # Numbers stay text: Python refuses to convert those of thousands of digits.
    text = line.decode("utf-8", "replace")
    json.loads(text, object_pairs_hook=pairs, parse_int=str, parse_float=str)
    if repeated:
        raise ProtocolError("`type` is repeated")


def decode_file(text: str, file: type[File]) -> File:
    """Read a manifest or a tournament file; `FileError` names line, key and what was expected."""
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise FileError("not TOML: nested too deeply") from None
    except ValueError as error:
        if "integer string conversion" in str(error):
            raise FileError(f"not TOML: a number of too many digits{_where_digits(text)}") from None
        raise FileError(f"not TOML: {error}{_toml_hint(str(error))}") from None
    try:
        read: File = msgspec.convert(table, file)
    except msgspec.ValidationError as error:
        path, what = complaint(error, file)
        line = line_of(text, path)
        raise FileError(f"line {line}, {path}: {what}" if line else f"{path}: {what}") from None
    return read


def _where_digits(text: str) -> str:
    """Where a number stands that has more digits than Python converts."""
    found = re.search(r"[0-9_]{4301,}", text)
    return f" (line {text.count(chr(10), 0, found.start()) + 1})" if found else ""


def _toml_hint(trouble: str) -> str:
    """What is most often wrong where TOML's reader says this."""
    if trouble.startswith("Invalid value"):
        return '; texts need quotes, as in run = ["python3", "bot.py"]'
    return "; a key is set twice" if trouble.startswith("Cannot overwrite") else ""


def line_of(text: str, path: str) -> int | None:
    """The line, from 1, where a TOML text sets the key `path`, as in `time.move_ms`."""
    wanted, table = _keys(without_indices(path)), []
    for number, line in enumerate(text.split("\n"), 1):
        header, setting = _HEADER.match(line), _SETTING.match(line)
        if header:
            table = _keys(header[1])
            if table[: len(wanted)] == wanted:
                return number
        elif setting:
            keys = table + _keys(setting[1])
            # `time = {move_ms = 0}` sets `time.move_ms`, and `x.y = 0` the unknown key `x`.
            if keys[: len(wanted)] == wanted[: len(keys)]:
                return number
    return None


def _keys(dotted: str) -> list[str]:
    return [key.strip().strip("\"'") for key in dotted.split(".")]
