"""The pages of one game: replay, record, what if."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response, abort, render_template
from msgspec import Meta

from arena.luck import REPLAYS
from arena.replay import ReplayError
from arena.store import GameRow, TournamentRow
from dashboard.address import number, word
from dashboard.commands import at_database, commands
from dashboard.database import database
from dashboard.described import OneGame, described
from dashboard.logs import are_public, notes_by_turn, public_logs, shortened
from dashboard.programs import program
from dashboard.ratings import ratings_told
from dashboard.replay import Beside, NoSuchPosition, PositionPage, position_instead, position_page
from dashboard.summary import (
    deals_near,
    listed_faults,
    published,
    score_sources,
    seat_lines,
)
from dashboard.telling import telling
from dashboard.whatif import NoSuchOption, WhatIf, option_text, what_if
from protocol.records import BotLog, GameRecord
from protocol.rules import RuleSetError


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What the database has of a game, as far as it may be known."""

    game: GameRecord
    row: GameRow
    tournament: TournamentRow
    ratings: dict[str, str]
    """Of its bots, in words."""
    logs: list[BotLog]
    """Of its bots, as far as they are for everybody."""
    legs: list[GameRow]
    """The games on its decks that are over, itself among them."""
    over: int
    """How many they are."""
    games: int
    """Of how many."""

    @property
    def shown_logs(self) -> list[BotLog] | None:
        """What its bots wrote; None where that is for their owners."""
        return self.logs if are_public(self.tournament) else None


def find(game: str) -> Found:
    """A game by what its address calls it; ends the request where there is none."""
    with database() as reader:
        row = reader.game_row(game)
        tournament = reader.tournament_row(row.tournament_id)
        legs = reader.games_on_its_decks(game)
        over, games = reader.on_its_decks(game)
        return Found(
            game=reader.game(game),
            row=row,
            tournament=tournament,
            ratings=ratings_told(reader, row.tournament_id),
            logs=public_logs(reader, tournament, game),
            legs=legs,
            over=over,
            games=games,
        )


@described("/games/{game}.json", OneGame, GameRecord)
def record(game: str) -> Response:
    """The record of a game; of one on decks still in play, what may be known of it."""
    with database() as reader:
        return _as_json(published(reader.game(game)))


class OnePosition(OneGame, frozen=True):
    """A position of a game."""

    deal: Annotated[int, Meta(ge=1, description="Which deal, from 1.")] = 1
    move: Annotated[int, Meta(ge=0, description="After how many plays of it.")] = 0
    seat: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="Only what this seat knew.")
    ] = None


@described("/games/{game}/position.json", OnePosition, PositionPage)
def position(game: str) -> Response:
    """A position of a game, as its page shows it; with `seat` as that seat knew it."""
    found = find(game)
    page, why_not = position_asked(found)
    if page is None:
        abort(404, why_not)
    return _as_json(page)


def _as_json(value: object) -> Response:
    return Response(msgspec.json.encode(value) + b"\n", mimetype="application/json")


def replay(game: str) -> str:
    """A game play by play: the position that the address asks for, as a whole page or a part.

    `deal` and `move` choose the position, `seat` shows only what that seat knew, `part` leaves out
    what is the same for all positions; the part `state` is why there is none.
    """
    found = find(game)
    page, why_not = position_asked(found)
    if word("part") == "state":
        return render_template("_state.html", **shown(found, page), why_not=why_not)
    if page and word("part") == "1":
        return render_template("_position.html", **shown(found, page))
    if page and page.seat is not None:
        return render_template("seen.html", **shown(found, page))
    public = published(found.game)
    return render_template(
        "game.html",
        **shown(found, page),
        why_not=why_not,
        seats=seat_lines(public),
        deals=deals_near(public, page.deal if page else 1),
        faults=list(listed_faults(public, found.shown_logs, program, at_database())),
        logs=shortened(found.logs),
        commands=commands(found.game),
    )


def shown(found: Found, page: PositionPage | None) -> dict[str, object]:
    """What every template of a game is given."""
    return {
        "page": page,
        "game": published(found.game),
        "row": found.row,
        "legs": found.legs,
        "to_come": found.games - found.over,
        "tournament": found.tournament,
        "has_logs": bool(found.logs),
        "sources": score_sources(page.scores or []) if page else [],
        "said": telling(page) if page else "",
        "options": list(map(_option, page.position.legal)) if page and page.seat is None else [],
    }


def _option(option: tuple[str, bool | None]) -> tuple[str, str, bool | None]:
    return option_text(option), *option


def position_asked(
    found: Found, deal: int | None = None, move: int | None = None
) -> tuple[PositionPage | None, str]:
    """The position that is given, or that the address asks for; or why none can be shown.

    That is a sentence. Ends the request where the game has no such position.
    """
    game = found.game
    if not game.seed:
        return None, not_yet(found)
    seat = number("seat", None)
    deal = number("deal", 1) if deal is None else deal
    move = number("move", 0) if move is None else move
    try:
        return position_page(game, deal, move, seat, _beside(found)), ""
    except NoSuchPosition as error:
        abort(404, str(error))
    except (ReplayError, RuleSetError) as error:
        return None, f"This record can't be played again: {error}."


def _beside(found: Found) -> Beside:
    return Beside(notes=notes_by_turn(found.logs), ratings=found.ratings)


def not_yet(found: Found) -> str:
    """Why a game's cards are not shown, and from when on they are."""
    return (
        "Its cards are shown once every game on the same decks is over: until then they would "
        f"tell what the others are dealt. {found.over} of {found.games} "
        f"{'is' if found.over == 1 else 'are'} over."
    )


def what_if_page(game: str) -> str:
    """Another card in one turn, and what the baseline player makes of the deal from there."""
    found = find(game)
    before, why_not = position_asked(found)
    if before is None or before.seat is not None:
        abort(404, why_not or "What a seat does not know it can't ask for.")
    seen = _what_if(found.game, before)
    page = position_instead(found.game, seen.deal, seen.play, seen.after, _beside(found))
    return render_template(
        "what_if.html",
        **shown(found, page),
        answers=list(map(_option, before.position.legal)),
        before=before,
        replays=REPLAYS,
        seen=seen,
        rows=score_sources([*seen.sources, *(seen.in_the_game or [])]),
    )


def _what_if(record: GameRecord, before: PositionPage) -> WhatIf:
    try:
        return what_if(record, before.deal, before.move, word("play"))
    except NoSuchOption as error:
        abort(404, str(error))
