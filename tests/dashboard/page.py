"""A page as a test reads it: elements with their attributes and text."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

Attributes = dict[str, str | None]


class Page(HTMLParser):
    """All elements of a page, and its text without scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.words += data.split()

    def all(self, attribute: str) -> Iterator[str]:
        """Every value of that attribute, in order; an attribute without one is empty."""
        for _, attributes in self.elements:
            if attribute in attributes:
                yield attributes[attribute] or ""

    def one(self, attribute: str) -> str:
        """The only value of that attribute."""
        (value,) = self.all(attribute)
        return value

    def links(self) -> list[str]:
        """Where the page leads to, and what it loads."""
        return [*self.all("href"), *self.all("src"), *self.all("action")]

    @property
    def text(self) -> str:
        """The text, its words one space apart."""
        return " ".join(self.words)
