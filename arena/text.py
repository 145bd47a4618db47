"""Text of bots and files made safe for a terminal, a page or a spreadsheet."""

from __future__ import annotations

import unicodedata

_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Control and format characters, lone surrogates, line separators: nothing that one can see."""


def visible(text: str) -> str:
    """The text with whatever could move a cursor, colour or turn other text around replaced.

    Line ends and tabs stay.
    """
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in _UNSAFE else "�"
        for char in text
    )


def one_line(text: str) -> str:
    """The text on one line, safe for a terminal."""
    return " ".join(visible(text).split())


def counted(number: int, what: str) -> str:
    """A number of things: `1 game`, `2 games`, `3 matches`."""
    ending = "" if number == 1 else "es" if what.endswith(("ch", "s")) else "s"
    return f"{number} {what}{ending}"


_FORMULAS = ("=", "+", "-", "@")


def csv_cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula; lists with blanks between their items."""
    if isinstance(value, list | tuple):
        value = " ".join(map(str, value))
    if isinstance(value, dict):
        value = " ".join(f"{key}={count}" for key, count in value.items())
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        value = one_line(value)
        return "'" + value if value.startswith(_FORMULAS) else value
    return value


class NotText(ValueError):
    """A file that should be text and is not UTF-8: says in which line. The writer's fault."""


def utf8(data: bytes) -> str:
    """The text of a file. Raises `NotText`."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotText(f"line {line}: not UTF-8 (byte {data[error.start]:#04x})") from None
