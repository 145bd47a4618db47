"""Pages that explain say what the code says."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import get_args

import pytest
from flask.testing import FlaskClient

from arena.reference import example_messages
from dashboard import create_app
from dashboard.api.operation import OPERATIONS, Operation
from dashboard.api.page import CUT, shortened
from dashboard.docs.markdown import markdown_page, rule_ids
from protocol.messages import FromBot, ToBot
from protocol.rules import PRESETS, RuleSet
from protocol.schema import SCHEMAS, schema_text
from tests.dashboard.page import Page

ROOT = Path(__file__).parent.parent.parent
PAGES = ("/rules/", "/protocol/", "/numbers/", "/api/")


@pytest.mark.parametrize("address", PAGES)
def test_links_within_a_page_lead_to_something_on_it(client: FlaskClient, address: str) -> None:
    page = Page(client.get(address).text)
    ids = set(page.all("id"))
    for link in page.links():
        if link.startswith("#"):
            assert link[1:] in ids, link


def test_the_rules_are_those_of_the_file(client: FlaskClient) -> None:
    page = Page(client.get("/rules/").text)
    text = (ROOT / "protocol" / "RULES.md").read_text("utf-8")
    for words in re.findall(r"\*\*([^*]+)\*\*", text):
        assert " ".join(words.split()) in page.text
    assert {f"R{number}" for number in range(1, 32)} - set(rule_ids()) == {"R27"}


def test_every_preset_and_every_field_of_a_rule_set_is_there(client: FlaskClient) -> None:
    text = Page(client.get("/rules/").text).text
    for preset in PRESETS:
        assert f" {preset} " in text
    for field in RuleSet.__struct_fields__:
        assert f" {field} " in text


def test_rule_numbers_lead_to_the_rule(client: FlaskClient) -> None:
    rules = Page(client.get("/rules/").text)
    ids = set(rules.all("id"))
    found = re.findall(r'href="/rules/#([^"]*)"', client.get("/protocol/").text)
    assert "R30" in found
    assert set(found) <= ids


def test_what_the_numbers_mean_is_told_without_inline_style(client: FlaskClient) -> None:
    page = Page(client.get("/numbers/").text)
    assert "What the numbers mean" in page.text
    assert "Likelihood of superiority" in page.text
    assert not list(page.all("style"))


def test_markup_in_our_own_files_is_text_and_columns_are_aligned_by_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.md").write_text(
        "# A <b>\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n<script>x</script>\n"
    )
    monkeypatch.setattr("dashboard.docs.markdown.files", lambda _: tmp_path)
    text = markdown_page("made", "x.md")
    assert "<script>" not in text
    assert "style=" not in text
    assert '<td class="num">2</td>' in text
    assert '<div class="wide" tabindex="0"><table>' in text


def test_every_message_is_shown_by_its_example(client: FlaskClient) -> None:
    text = client.get("/protocol/").text
    page = Page(text)
    for struct in (*get_args(ToBot), *get_args(FromBot)):
        type_ = struct.__struct_config__.tag
        assert type_ in set(page.all("id"))
        assert re.split(r"[:(`]", struct.__doc__)[0].strip() in page.text
    for message in example_messages().values():
        assert f"&#34;type&#34;: &#34;{message['type']}&#34;" in text


def test_the_bot_on_the_page_is_the_one_of_the_readme(client: FlaskClient) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    bot = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert bot
    assert " ".join(bot[1].split()) in Page(client.get("/protocol/").text).text


def test_schemas_can_be_downloaded_as_they_are_in_the_repository(client: FlaskClient) -> None:
    page = Page(client.get("/protocol/").text)
    links = [link for link in page.links() if link.startswith("/api/schemas/")]
    assert len(links) == len(SCHEMAS)
    for link in links:
        name = link.rpartition("/")[2]
        assert client.get(link).json == json.loads(schema_text(name))
    assert sorted(page.all("download")) == sorted(f"{name}.json" for name in SCHEMAS)


def test_every_operation_is_explained(client: FlaskClient) -> None:
    page = Page(client.get("/api/").text)
    for operation in OPERATIONS:
        assert operation.name in set(page.all("id"))
        assert f"GET /api{operation.path}" in page.text
    for field in ("before", "limit", "preset"):
        assert f" {field} " in page.text
    assert "POST /submit" in page.text
    assert "GET /events.json" in page.text


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_an_example_is_what_is_answered_there(client: FlaskClient, operation: Operation) -> None:
    text = html.unescape(client.get(f"/api/?show={operation.name}").text)
    addresses = re.findall(r'class="ask" href="([^"]*)"', text)
    if not addresses:
        # The latest tournament is not played in rounds.
        assert operation.name == "one_round"
        return
    (address,) = addresses
    (shown,) = re.findall(r"<pre [^>]*><code>(.*?)</code></pre>", text, re.DOTALL)
    answer = client.get(address)
    assert answer.status_code == 200
    assert json.loads(shown) == shortened(answer.json)


def test_without_a_database_the_api_is_explained_all_the_same(tmp_path: Path) -> None:
    answer = create_app(tmp_path / "later.db").test_client().get("/api/")
    assert answer.status_code == 200
    assert "GET /api/tournaments/{tournament}/standings" in Page(answer.text).text


def test_examples_leave_out_what_is_long() -> None:
    found = shortened({"a": [1, 2, 3], "b": "x" * 100, "c": [[0] * 9]})
    assert found == {"a": [1, 2, CUT], "b": "x" * 48 + CUT, "c": [[0, 0, CUT]]}
