"""What msgspec says of a wrong value, taken apart: where it stands, and what was expected."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import msgspec

_EXAMPLES = {
    "run": 'run = ["python3", "bot.py"]',
    "build": 'build = ["cc", "-O2", "-o", "bot", "bot.c"]',
    "authors": 'authors = ["Ann"]',
    "bots": 'bots = ["greedy", "./mybot"]',
    "name": 'name = "mybot"',
    "version": 'version = "1.0"',
    "time": "[time] with move_ms = 500 below it",
    "overrides": "[overrides] with target = 51 below it",
}
"""How a key is written, where its bare type would not tell."""
_IN_WORDS = {
    "[a-z0-9]": "small letters, digits and hyphens, a letter or digit first, at most 39",
    r"[^\\x00]": "text without NUL characters",
    "[^": "one line of text without control characters",
}
"""What a regular expression that begins so asks for."""
_PRESETS = 'rules = ["kseri", "pisti"]'
"""Of a manifest; a tournament has one preset."""


def complaint(error: msgspec.ValidationError, struct: type[msgspec.Struct]) -> tuple[str, str]:
    """The field that is wrong in a `struct`, as in `points.kseri`, and what is wrong with it.

    The field is empty where the whole is not an object at all.
    """
    text = str(error)
    place = re.search(r" - at `\$\.?([^`]*)`$", text)
    path, what = (place[1], text[: place.start()]) if place else ("", text)
    key = re.search(r"(unknown|required) field `([^`]*)`", what)
    if key:
        known = _fields(struct, path)
        path = f"{path}.{key[2]}" if path else key[2]
        if key[1] == "unknown":
            return path, f"no such key{_meant(key[2], known)}"
        return path, f"this key is required{_as_in(path, struct)}"
    wrong = re.match(r"Invalid enum value (.*)", what, re.DOTALL)
    if wrong:
        return path, f"Expected {_choices(struct, path)}, got {wrong[1]}"
    return path, _without_regex(what) + _as_in(path, struct)


def _without_regex(what: str) -> str:
    """The complaint with a regular expression told in words, where there are any for it."""
    regex = re.search(r"`str` matching regex '\^(.*)'$", what)
    for beginning, words in _IN_WORDS.items():
        if regex and regex[1].startswith(beginning):
            return what.replace(regex[0], words)
    return what


def _meant(key: str, known: list[str]) -> str:
    """The key that was probably meant, else those that there are."""
    close = get_close_matches(key, known, 1)
    return f"; did you mean `{close[0]}`?" if close else f"; there are {', '.join(known)}"


def _as_in(path: str, struct: type[msgspec.Struct]) -> str:
    """An example of the key, where there is one."""
    key = without_indices(path)
    example = _EXAMPLES.get(key)
    if key == "rules" and "run" in struct.__struct_fields__:
        example = _PRESETS
    return f", as in {example}" if example and key in struct.__struct_fields__ else ""


def without_indices(path: str) -> str:
    """`bots[1].name` as `bots.name`."""
    return re.sub(r"\[[^\]]*\]", "", path)


def _fields(struct: type[msgspec.Struct], path: str) -> list[str]:
    """The keys that the object at a path may have."""
    return [field.encode_name for field in _type_at(struct, path).fields]


def _choices(struct: type[msgspec.Struct], path: str) -> str:
    """The values that a field with a fixed choice can have."""
    return " or ".join(repr(value) for value in _type_at(struct, path).values)


def _type_at(struct: type[msgspec.Struct], path: str) -> Any:
    """What msgspec knows of the type of the value at a path."""
    info: Any = msgspec.inspect.type_info(struct)
    for name in filter(None, without_indices(path).split(".")):
        info = next(field.type for field in info.fields if field.name == name)
        while isinstance(info, msgspec.inspect.Metadata):
            info = info.type
    return info
