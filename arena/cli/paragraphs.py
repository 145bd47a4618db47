"""Text wrapped to the width of the terminal, under what introduces it."""

from __future__ import annotations

import textwrap

from rich.console import Console
from rich.text import Text


def paragraph(out: Console, head: str, text: str, style: str = "") -> None:
    """Print `head` and a text; further lines stand two places further in than the first."""
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    lines = textwrap.wrap(
        text,
        out.width,
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in lines or [head]:
        as_it_stands(out, line, style)


def as_it_stands(out: Console, line: str, style: str = "") -> None:
    """Print a line that is not wrapped: a command to be pasted, or what a program wrote."""
    out.print(Text(line, style=style), soft_wrap=True)


def shortened(out: Console, line: str, style: str = "") -> None:
    """Print as much of a line as fits."""
    cut = line if len(line) <= out.width else line[: out.width - 1] + "…"
    as_it_stands(out, cut, style)
