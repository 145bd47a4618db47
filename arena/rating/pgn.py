"""Results in the tags of PGN files, the notation of games of chess; moves are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from arena.rating.match_result import MOST_NAME, BadResults, MatchResult, checked

SCORES = {"1-0": [1.0], "0-1": [0.0], "1/2-1/2": [0.5]}
"""What White scores by `Result`."""
_UNFINISHED = "*"
_WANTED = ("White", "Black", "Result")
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_ESCAPED = re.compile(r"\\(.)")


def pgn_results(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, MatchResult]]:
    """The finished games, each with the number of the line that it begins at.

    A game ends where tags follow its moves, or where one of the three that count comes again.
    Raises BadResults.
    """
    reader = _Reader()
    for number, line in lines:
        for begun, tags in reader.read(number, line):
            yield from _result(begun, tags)
    if reader.tags:
        yield from _result(reader.begun, reader.tags)


class _Reader:
    """The tags of the game that is being read."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.begun = 1
        self._has_ended = True
        self._in_comment = False

    def read(self, number: int, line: bytes) -> Iterator[tuple[int, dict[str, str]]]:
        """Take in a line; gives the games that are over with it."""
        text = line.strip()
        if not self._in_comment and text.startswith(b"["):
            for name, value in _tags(number, text):
                if self._has_ended or name in self.tags:
                    if self.tags:
                        yield self.begun, self.tags
                    self.tags, self.begun, self._has_ended = {}, number, False
                if name in _WANTED:
                    self.tags[name] = value
        elif text and not (line.startswith(b"%") or text.startswith(b";")):
            self._has_ended = True
            self._read_moves(text)

    def _read_moves(self, text: bytes) -> None:
        """Comments in braces may go over lines that look like tags, those after `;` may not."""
        while text:
            if self._in_comment:
                _, end, text = text.partition(b"}")
                self._in_comment = not end
            else:
                moves, brace, text = text.partition(b"{")
                self._in_comment = bool(brace) and b";" not in moves
                text = b"" if b";" in moves else text


def _tags(number: int, text: bytes) -> list[tuple[str, str]]:
    try:
        line = text.decode("utf-8")
    except UnicodeDecodeError:
        line = text.decode("latin-1")  # as the standard of 1994 has it
    found = [(tag[1], _ESCAPED.sub(r"\1", tag[2])) for tag in _TAG.finditer(line)]
    if not found:
        raise BadResults(f'line {number}: expected a tag such as [White "A"], or JSON Lines')
    return found


def _result(number: int, tags: dict[str, str]) -> Iterator[tuple[int, MatchResult]]:
    missing = [name for name in _WANTED if name not in tags]
    if missing:
        raise BadResults(f"line {number}: a game without [{missing[0]}]")
    white, black, result = (tags[name] for name in _WANTED)
    if result == _UNFINISHED:
        return
    if result not in SCORES:
        raise BadResults(f"line {number}: a game whose result is {result[:MOST_NAME]!r}")
    for name in (white, black):
        if not 1 <= len(name) <= MOST_NAME:
            raise BadResults(f"line {number}: names have 1 to {MOST_NAME} characters")
    yield number, checked(MatchResult(white, black, SCORES[result]), number)
