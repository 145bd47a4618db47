"""What msgspec says of a wrong value, taken apart: where it stands, and what was expected."""

from __future__ import annotations

import re
from typing import Any

import msgspec


def complaint(error: msgspec.ValidationError, struct: type[msgspec.Struct]) -> tuple[str, str]:
    """The field that is wrong in a `struct`, as in `points.kseri`, and what is wrong with it.

    The field is empty where the whole is not an object at all.
    """
    text = str(error)
    place = re.search(r" - at `\$\.?([^`]*)`$", text)
    path, what = (place[1], text[: place.start()]) if place else ("", text)
    key = re.search(r"(unknown|required) field `([^`]*)`", what)
    if key:
        path = f"{path}.{key[2]}" if path else key[2]
        what = "no such key" if key[1] == "unknown" else "this key is required"
    wrong = re.match(r"Invalid enum value (.*)", what, re.DOTALL)
    if wrong:
        what = f"Expected {_choices(struct, path)}, got {wrong[1]}"
    return path, what


def without_indices(path: str) -> str:
    """`bots[1].name` as `bots.name`."""
    return re.sub(r"\[[^\]]*\]", "", path)


def _choices(struct: type[msgspec.Struct], path: str) -> str:
    """The values that a field with a fixed choice can have."""
    info: Any = msgspec.inspect.type_info(struct)
    for name in without_indices(path).split("."):
        info = next(field.type for field in info.fields if field.name == name)
        while isinstance(info, msgspec.inspect.Metadata):
            info = info.type
    return " or ".join(repr(value) for value in info.values)
