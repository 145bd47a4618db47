"""Pages of games: which address shows what."""

from __future__ import annotations

from flask import Blueprint

from dashboard import game_list, game_pages, other_bots_page, own_logs

pages = Blueprint("games", __name__)
pages.record_once(
    lambda state: state.app.config.update({other_bots_page.SETTING: other_bots_page.asks()})
)

for address, endpoint, view in (
    ("/games/", "games", game_list.games),
    ("/games.json", "as_json", game_list.as_json),
    ("/games.csv", "as_csv", game_list.as_csv),
    ("/games/<game>", "replay", game_pages.replay),
    ("/games/<game>.json", "record", game_pages.record),
    ("/games/<game>/position.json", "position", game_pages.position),
    ("/games/<game>/logs.json", "logs_json", own_logs.logs_json),
    ("/games/<game>/logs", "own_logs", own_logs.form),
    ("/games/<game>/what-if", "what_if", game_pages.what_if_page),
    ("/games/<game>/other-bots", "other_bots", other_bots_page.form),
    ("/games/<game>/other-bots/<key>", "went_on", other_bots_page.went_on),
    ("/games/<game>/other-bots/<key>.json", "went_on_json", other_bots_page.went_on_json),
):
    pages.add_url_rule(address, endpoint, view)
pages.add_url_rule("/games/<game>/logs", "show_logs", own_logs.show, methods=["POST"])
pages.add_url_rule("/games/<game>/other-bots", "ask", other_bots_page.ask, methods=["POST"])
