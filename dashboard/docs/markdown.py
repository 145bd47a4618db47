"""The arena's own Markdown files as parts of pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup


@cache
def markdown_page(package: str, name: str) -> Markup:
    """A Markdown file of a package as HTML that needs neither script nor inline style.

    Headings have ids, and so has every rule that is told in bold, such as R12.
    """
    tokens = _tokens(package, name)
    for token in tokens:
        _without_style(token)
        for strong, rules in _bold_rules(token.children or []):
            strong.attrSet("id", rules[0])
    for heading, inline in _headings(tokens):
        heading.attrSet("id", slug(inline.content))
    text = _PARSER.renderer.render(tokens, _PARSER.options, {})
    # A table that is too wide scrolls by itself, by keyboard too.
    text = text.replace("<table>", '<div class="wide" tabindex="0"><table>')
    return Markup(text.replace("</table>", "</table></div>"))


_PARSER = MarkdownIt("js-default")


def _tokens(package: str, name: str) -> list[Token]:
    return _PARSER.parse(files(package).joinpath(name).read_text("utf-8"))


def slug(heading: str) -> str:
    """A heading as an id."""
    return "-".join(re.findall(r"[a-z0-9]+", heading.lower()))


@cache
def rule_ids() -> Mapping[str, str]:
    """By rule, as in R7: the id of the place on the page of the rules that tells it."""
    return {
        rule: rules[0]
        for token in _tokens("protocol", "RULES.md")
        for _, rules in _bold_rules(token.children or [])
        for rule in rules
    }


def linked(text: str, pattern: str, address: Callable[[str], str | None]) -> Markup:
    """The text with every match of a pattern as a link, where it has an address.

    What stands between backticks is code.
    """
    found = Markup()
    for part in re.split(f"(`[^`]*`|{pattern})", text):
        to = address(part) if re.fullmatch(pattern, part) else None
        if to:
            found += Markup('<a href="{}">{}</a>').format(to, part)
        elif re.fullmatch("`[^`]+`", part):
            found += Markup("<code>{}</code>").format(part[1:-1])
        else:
            found += part
    return found


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            yield token, following


def _without_style(token: Token) -> None:
    """How a column is aligned is for the stylesheet."""
    style = str(token.attrs.pop("style", ""))
    if "right" in style:
        token.attrSet("class", "num")


def _bold_rules(tokens: Sequence[Token]) -> Iterator[tuple[Token, list[str]]]:
    """What begins bold text, and the rules that it names, such as R3 and R7."""
    for token, following in pairwise(tokens):
        rules = re.findall(r"R\d+", following.content)
        if token.type == "strong_open" and rules:
            yield token, rules
