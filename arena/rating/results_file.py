"""Results from elsewhere, line by line: JSON Lines of matches, or the tags of PGN games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from arena.rating.match_result import MatchResult, json_results
from arena.rating.pgn import pgn_results

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def match_results(lines: Iterable[bytes]) -> Iterator[tuple[int, MatchResult]]:
    """The matches in these lines, each with the number of its line, in whichever format.

    PGN begins with `[`; each of its games is a match of one game, without points, and those
    without a result are left out. Raises BadResults.
    """
    numbered = _without_mark(lines)
    for number, line in numbered:
        if line.strip():
            rest = chain([(number, line)], numbered)
            read = pgn_results if line.lstrip().startswith(b"[") else json_results
            yield from read(rest)


def _without_mark(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1, without the mark that some editors put first."""
    for number, line in enumerate(lines, 1):
        yield number, line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
