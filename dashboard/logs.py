"""What bots wrote beside their plays, as far as it is for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec
from flask import current_app
from markupsafe import escape

from arena.store import Reader, TournamentRow
from arena.text import visible
from protocol.records import BotLog

SETTING = "BOT_LOGS"
"""In the application's configuration: in which tournaments that are over everybody reads what bots
wrote. `unrated`, the default; `finished`: rated or not; `none`. Set by `kseri serve --bot-logs`."""

_ROOM = 36_000
"""Bytes of a page for all that the bots of a game wrote."""
_MARKUP = 45
"""Bytes around every line of them."""


def public_logs(reader: Reader, tournament: TournamentRow, game: str) -> list[BotLog]:
    """The logs of a game where they are nobody's secret; none where they are."""
    if not are_public(tournament):
        return []
    return [log for log in reader.logs(game) if log.stderr or log.notes or log.logs]


def are_public(tournament: TournamentRow) -> bool:
    """Whether everybody may read what bots wrote beside their plays in a tournament.

    By default that of unrated games that are over: in rated tournaments it is for the bot's owner
    alone.
    """
    setting = current_app.config[SETTING]
    kinds = {"unrated": not tournament.rated, "finished": True, "none": False}
    return kinds[setting] and bool(tournament.finished)


def notes_by_turn(logs: Sequence[BotLog]) -> dict[int, str]:
    """Every note by the turn of the play that it was sent with."""
    return {int(turn): note for log in logs for turn, note in log.notes.items()}


def shortened(logs: Sequence[BotLog]) -> list[BotLog]:
    """Logs as long as a page can bear: the last of stderr, which says why a bot died, the first
    notes and lines.
    """
    texts = sum(bool(text) for log in logs for text in (log.stderr, log.notes, log.logs))
    room = _ROOM // max(texts, 1)
    return [
        msgspec.structs.replace(
            log,
            stderr=_end(log.stderr, room),
            notes=dict(_first(log.notes.items(), room)),
            logs=list(_first(log.logs, room)),
        )
        for log in logs
    ]


def _end(text: str, room: int) -> str:
    text = text[-room:]
    while (size := _size(text)) > room:
        text = text[-(len(text) * room // size) :]
    return text


Line = TypeVar("Line", str, tuple[str, str])


def _first(lines: Iterable[Line], room: int) -> Iterator[Line]:
    for line in lines:
        room -= _size("".join(line)) + _MARKUP
        if room < 0:
            return
        yield line


def _size(text: str) -> int:
    """How many bytes of a page the text takes."""
    return len(escape(visible(text)).encode())
