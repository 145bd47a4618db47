"""Pages of tournaments: which address shows what."""

from __future__ import annotations

from flask import Blueprint

from dashboard.brackets import DECIDED, source_text
from dashboard.crosstable_page import crosstable_page
from dashboard.curves_page import curves_page
from dashboard.explain_page import explain_page
from dashboard.head_to_head_page import by_number, head_to_head_page
from dashboard.home import home
from dashboard.live_page import live_page
from dashboard.rounds_page import rounds_page
from dashboard.standings_page import tournament

pages = Blueprint("tournaments", __name__)

for address, endpoint, view in (
    ("/", "home", home),
    ("/tournaments/<int:number>/", "tournament", tournament),
    ("/tournaments/<int:number>/curves", "curves", curves_page),
    ("/tournaments/<int:number>/crosstable", "crosstable", crosstable_page),
    ("/tournaments/<int:number>/head-to-head", "head_to_head", head_to_head_page),
    ("/tournaments/<int:number>/<int:a>-<int:b>", "by_number", by_number),
    ("/tournaments/<int:number>/rounds", "rounds", rounds_page),
    ("/tournaments/<int:number>/explain", "explain", explain_page),
    ("/tournaments/<int:number>/live", "live", live_page),
):
    pages.add_url_rule(address, endpoint, view)

pages.add_app_template_global(source_text)
pages.add_app_template_global(DECIDED.get, "decided_text")
