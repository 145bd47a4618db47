"""Pages of bots: the list, and each with what went wrong first."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from arena.store import Reader
from dashboard.address import number as number_asked
from dashboard.bot_pages import FAULTS, OPPONENTS, BotPage, bot_list, bot_page
from dashboard.curve_picture import Picture, picture_of
from dashboard.curves import curves
from dashboard.database import database
from dashboard.seating import playable

pages = Blueprint("bots", __name__)

_PAGE = 100


@pages.get("/bots/")
def bots() -> str:
    """All bots by name, or those that the address asks for by the beginning of their names."""
    after, begins = request.args.get("after", ""), request.args.get("begins", "").strip()
    with database() as reader:
        found = bot_list(reader, after=after, begins=begins, limit=_PAGE)
    return render_template("bots.html", found=found, begins=begins, is_first=not after)


@pages.get("/bots/<path:name>")
def bot(name: str) -> str:
    """A bot by name, with its latest entry in a tournament."""
    with database() as reader:
        page = bot_page(reader, name, before=_before())
    return _rendered(page, is_chosen=False)


@pages.get("/tournaments/<int:number>/bots/<path:label>")
def entrant(number: int, label: str) -> str:
    """The same with one entry, by its tournament and label."""
    with database() as reader:
        name, entry = reader.entry(number, label)
        page = bot_page(reader, name, entry, _before())
    return _rendered(page, is_chosen=True)


def _before() -> int | None:
    """The number of the entry before which the list of them begins."""
    return number_asked("before", None)


def _rendered(page: BotPage, is_chosen: bool) -> str:
    with database() as reader:
        can_play = page.name in playable(reader)
        picture = _picture(reader, page)
    return render_template(
        "bot.html",
        page=page,
        is_chosen=is_chosen,
        can_play=can_play,
        picture=picture,
        most_opponents=OPPONENTS,
        most_faults=FAULTS,
    )


def _picture(reader: Reader, page: BotPage) -> Picture | None:
    """How its rating came to be, in the tournament that is looked at; None where it has none."""
    if page.entry is None or page.standing is None or not page.standing.is_rated:
        return None
    return picture_of(curves(reader, page.entry.tournament_id, [page.entry.label]), online=False)
