"""Every page, for every rule set: it is there, it is safe, it stays on this host."""

from __future__ import annotations

import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from protocol.rules import PRESETS
from tests.dashboard.conftest import Answer, World
from tests.dashboard.every_kind import DATA, FORMS, KINDS, OWN
from tests.dashboard.made import MARKUP, TURNED


def test_no_kind_of_page_is_forgotten(app: Flask) -> None:
    """Those of `KINDS` are looked at in a browser."""
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    of_api = {name for name in endpoints if name.startswith("api.")} - {"api.page"}
    assert endpoints == {*KINDS, *FORMS, *DATA, *OWN, *of_api}


def test_every_page_that_a_link_leads_to_is_there(every_page: dict[str, Answer]) -> None:
    assert len(every_page) > 60
    assert {address: answer.status for address, answer in every_page.items()} == dict.fromkeys(
        every_page, 200
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_pages_of_every_rule_set(client: FlaskClient, world: World, preset: str) -> None:
    record = world.by_preset[preset]
    last = len(record.deals)
    for query in ("", f"?deal={last}", f"?deal={last}&move={len(record.deals[-1].plays)}"):
        answer = client.get(f"/games/{record.game}{query}")
        assert answer.status_code == 200
        assert preset in answer.text
    assert client.get(f"/games/{record.game}.json").json["game"] == record.game


def test_every_answer_carries_the_headers(client: FlaskClient, world: World) -> None:
    for address in ("/", "/games/", "/healthz", "/nowhere", "/static/style.css", "/games/0.json"):
        with client.get(address) as answer:
            headers = answer.headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_no_page_has_inline_script_or_style_or_leads_elsewhere(
    every_page: dict[str, Answer],
) -> None:
    for address, answer in every_page.items():
        if answer.type != "text/html":
            continue
        page = answer.page
        for tag, attributes in page.elements:
            assert tag != "style", address
            assert tag != "script" or attributes.get("src"), address
            assert "style" not in attributes, (address, tag)
            assert not [name for name in attributes if name.startswith("on")], (address, tag)
        for link in page.links():
            assert re.match(r"/(?!/)|\?|#", link), (address, link)


def test_what_bots_say_is_text(every_page: dict[str, Answer], world: World) -> None:
    for address, answer in every_page.items():
        if answer.type == "text/html":
            assert "<script>" not in answer.text, address
            assert "\u202e" not in answer.text, address
            assert "\x1b" not in answer.text, address
    text = every_page[f"/games/{world.hostile.game}"].page.text
    assert f"detail {MARKUP}" in text
    assert f"got {MARKUP} �gnp.exe�[31m" in text
    assert f"stderr {MARKUP} �gnp.exe�[31m" in text


def test_a_record_says_what_was_said(client: FlaskClient, world: World) -> None:
    answer = client.get(f"/games/{world.hostile.game}.json")
    assert answer.mimetype == "application/json"
    (fault,) = json.loads(answer.data)["faults"]
    assert fault["got"] == f"got {MARKUP} {TURNED}"


def test_pages_can_only_be_looked_at(client: FlaskClient) -> None:
    answer = client.post("/games/")
    assert answer.status_code == 405
    assert "only be looked at" in answer.text


def test_healthz(client: FlaskClient) -> None:
    assert client.get("/healthz").text == "ok\n"
