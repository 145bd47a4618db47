"""Lines that no arena sends today and that the protocol allows: every bot must read past them.

Within version 1 keys and messages may be added: a turn stays compact JSON with `type` first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from protocol.codec import LINE_LIMIT

Message = dict[str, Any]

_TRAP = {"type": "turn", "turn": 999_999, "legal": [{"card": "2C"}], "hand": ["2C"]}
"""A value that looks like a turn and is none."""
_LONG = 60 * 1024


def _line(message: Message) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _first(message: Message, more: Message) -> bytes:
    """The message with unknown keys before its own."""
    return _line({"type": message["type"], **more, **message})


def _last(message: Message, more: Message) -> bytes:
    return _line({**message, **more})


def _within(message: Message, key: str, more: Message) -> bytes:
    """The message with unknown keys in one of its values, or in each of a list."""
    value = message[key]
    deeper = [{**more, **each} for each in value] if isinstance(value, list) else {**more, **value}
    return _line({**message, key: deeper})


def _room(message: Message) -> int:
    return _LONG - len(_line(message))


def _nested(depth: int) -> Any:
    value: Any = _TRAP
    for _ in range(depth):
        value = [value]
    return value


Odd = Callable[[Message], list[bytes]]
"""From a turn to the lines that are sent in its place."""

_BEFORE: dict[str, bytes] = {
    "an unknown message": _line({"type": "ping", "game": "0"}),
    "an unknown message that looks like a turn": _line(_TRAP | {"type": "turns"}),
    "an unknown message with a turn in it": _line({"type": "news", "turn": 3, "last": _TRAP}),
    "an unknown message of 60 KiB": _line({"type": "picture", "data": "x" * _LONG}),
    "an unknown message with an empty type": _line({"type": "", "turn": 4}),
    "an unknown message with no keys": _line({"type": "pause"}),
}

_KEYS: dict[str, Message] = {
    "an integer": {"new": 7},
    "a large integer": {"new": 2**63},
    "a negative fraction": {"new": -0.25},
    "an exponent": {"new": 1e300},
    "true, false and null": {"new": True, "newer": False, "newest": None},
    "an empty text": {"new": ""},
    "a text with quotes and braces": {"new": '"}],"legal":[{"card":"2C"}],"turn":1,\\'},
    "a text that is a turn": {"new": json.dumps(_TRAP)},
    "a text with line ends": {"new": "one\ntwo\r\nthree\t\x00"},
    "a text of all languages": {"new": "Pişti κσερί 🂡 ‮"},
    "an empty list": {"new": []},
    "an empty object": {"new": {}},
    "an object that looks like a turn": {"new": _TRAP},
    "a list of such objects": {"new": [_TRAP, _TRAP]},
    "a hundred levels": {"new": _nested(100)},
    "an empty key": {"": _TRAP},
    "a key with quotes": {'"turn":1,"': 2, "\\": 3},
    "keys that are nearly known": {"turns": 1, "xlegal": [], "Turn": 2, "legal_": [], "car": "2C"},
    "a key of 1,000 letters": {"k" * 1_000: 1},
}


def _with_keys(more: Message) -> Odd:
    return lambda message: [_first(message, more)]


def _preceded(line: bytes) -> Odd:
    return lambda message: [line, _line(message)]


def _reordered(message: Message) -> list[bytes]:
    return [_line({"type": message["type"], **dict(reversed(message.items()))})]


ODD: dict[str, Odd] = {
    "its keys in another order": _reordered,
    **{f"an unknown key with {what}": _with_keys(more) for what, more in _KEYS.items()},
    "unknown keys at the end": lambda message: [_last(message, {"new": _TRAP, "z": 1})],
    "unknown keys in `deal`": lambda message: [_within(message, "deal", {"new": _TRAP})],
    "unknown keys in `clock`": lambda message: [_within(message, "clock", {"turn": 1})],
    "unknown keys in every entry of `legal`": lambda message: [_within(message, "legal", {"n": 1})],
    "unknown keys in every entry of `plays`": lambda message: [
        _within(message, "plays", {"hand": ["2C"]})
    ],
    "a text of 60 KiB": lambda message: [_first(message, {"new": "x" * _room(message)})],
    "a text of backslashes": lambda message: [_first(message, {"new": "\\" * 25_000})],
    "3,000 objects": lambda message: [_last(message, {"new": [{"card": "2C"}] * 3_000})],
    "a carriage return before its newline": lambda message: [_line(message)[:-1] + b"\r\n"],
    **{f"{what} before it": _preceded(line) for what, line in _BEFORE.items()},
}
"""By name what is done to one turn."""


class OddLines:
    """Sends one oddity after another, a turn each; knows which it was."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        """Their names, in order."""
        self._names = list(ODD)

    def __call__(self, line: bytes) -> list[bytes]:
        """What is sent in place of the line."""
        message = json.loads(line)
        if message["type"] != "turn":
            return [line]
        name = self._names[len(self.sent) % len(self._names)]
        self.sent.append(name)
        lines = ODD[name](message)
        assert all(len(each) <= LINE_LIMIT for each in lines), name
        return lines


def unknown_keys(line: bytes) -> list[bytes]:
    """Every line with unknown keys, and every turn after an unknown message."""
    message = json.loads(line)
    altered = _first(message, {"new": _TRAP, "more": [1, "two", None]})
    before = _BEFORE["an unknown message that looks like a turn"]
    return [before, altered] if message["type"] == "turn" else [altered]


def carriage_returns(line: bytes) -> list[bytes]:
    """Every line as Windows ends it."""
    return [line[:-1] + b"\r\n"]


def backlog(line: bytes) -> list[bytes]:
    """Every turn behind 256 KiB of messages that ask for nothing."""
    if not line.startswith(b'{"type":"turn"'):
        return [line]
    return [_line({"type": "news", "text": "x" * 4_000})] * 64 + [line]
