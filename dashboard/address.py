"""What the address of a page asks for; ends the request where it makes no sense."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from flask import abort, request

Default = TypeVar("Default")


def number(name: str, default: Default) -> int | Default:
    """A whole number, not negative; 404 where it is none."""
    text = word(name)
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        abort(404, f"{name}: expected a whole number in the address.")
    return int(text)


def word(name: str) -> str:
    """A word, without the blanks around it; empty where there is none."""
    return request.args.get(name, "").strip()


def one_of(name: str, known: Collection[str]) -> str | None:
    """One of these words, None where there is none; 404 for any other."""
    text = word(name)
    if text and text not in known:
        abort(404, f"{name}: expected one of {', '.join(known)} in the address.")
    return text or None
