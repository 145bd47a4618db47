"""Whatever is asked, as the description has it or not, is answered as the description says."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dashboard.api.openapi import description
from dashboard.security import MOST_BODY_BYTES
from tests.dashboard.conftest import World
from tests.dashboard.handing_in import Author

API: dict[str, Any] = json.loads(json.dumps(description()))
PATHS = sorted(path for path, item in API["paths"].items() if "get" in item)
ODD = st.one_of(
    st.text(max_size=40),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(
        ["", "null", "true", "-1", "0", "1e9", "9" * 400, "%", "a,b", "'", "\x00", "../"]
    ),
)
"""What a parameter might hold that was not meant for it."""


def fitting(schema: dict[str, Any], known: list[str]) -> st.SearchStrategy[str]:
    """Values that fit the schema of a parameter, those that the database knows among them."""
    if "enum" in schema:
        return st.sampled_from([str(value) for value in schema["enum"]])
    if schema["type"] == "integer":
        numbers = st.integers(schema.get("minimum"), schema.get("maximum"))
        return st.one_of(st.integers(1, 30), numbers).map(str)
    if schema["type"] == "boolean":
        return st.sampled_from(["true", "false"])
    least, most = schema.get("minLength", 0), schema.get("maxLength", 60)
    return st.one_of(st.sampled_from(known), st.text(min_size=least, max_size=most))


@st.composite
def requests(draw: st.DrawFn, path: str, known: list[str]) -> str:
    """An address of that path, with parameters that fit, that don't, or that are not there."""
    address, query = path, {}
    for parameter in API["paths"][path]["get"]["parameters"]:
        fits = fitting(parameter["schema"], known)
        value = draw(st.one_of(fits, fits, fits, ODD))
        if parameter["in"] == "path":
            address = address.replace(f"{{{parameter['name']}}}", quote(value, safe=""))
        elif parameter["required"] or draw(st.booleans()):
            query[parameter["name"]] = value
    if draw(st.integers(0, 9)) == 0:
        query[draw(st.text(max_size=12))] = draw(ODD)
    return f"{address}?{urlencode(query, errors='replace')}" if query else address


@cache
def judge(schema: str) -> Draft202012Validator:
    """What fits that schema, which may refer to the description's components."""
    return Draft202012Validator({**json.loads(schema), "components": API["components"]})


@pytest.mark.parametrize("path", PATHS)
def test_every_request_is_answered_as_described(
    client: FlaskClient, world: World, path: str
) -> None:
    known = [
        "kseri",
        "from-arena",
        "a",
        "b",
        "a,b",
        "bot-0",
        "bot-1",
        world.open_game.game,
        world.rated.game,
    ]

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(requests(path, known))
    def answered(address: str) -> None:
        answer = client.get(address)
        described = API["paths"][path]["get"]["responses"]
        status = str(answer.status_code)
        if status in ("308", "404") and status not in described:
            return  # What stands in the path made another address of it.
        assert status in described, (address, status, answer.text)
        content = described[status].get("content", {})
        assert answer.mimetype in content, address
        if answer.is_json:
            schema = json.dumps(content[answer.mimetype]["schema"])
            problems = list(judge(schema).iter_errors(answer.json))
            assert not problems, (address, problems[0].message, list(problems[0].path))

    answered()


def test_the_description_is_itself_as_openapi_wants_it() -> None:
    assert API["openapi"] == "3.1.0"
    for schema in API["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    found = [(path, each) for path, item in API["paths"].items() for each in item.values()]
    names = [each["operationId"] for _, each in found]
    assert len(set(names)) == len(names)
    for path, each in found:
        in_path = [one["name"] for one in each["parameters"] if one["in"] == "path"]
        assert [f"{{{name}}}" in path for name in in_path] == [True] * path.count("{")
        assert each["summary"].endswith(".")


def test_every_address_that_answers_with_json_is_described(app: Flask) -> None:
    """Of the API itself but the description; outside of it whatever is called so."""
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        if path.endswith(".json") and path != "/api/openapi.json":
            assert path in API["paths"], path


def test_what_is_handed_in_is_answered_as_described(tmp_path: Path) -> None:
    ada = Author(tmp_path / "arena.db", quota=1)
    described = API["paths"]["/submit"]["post"]
    assert described["security"] == [{"token": []}]
    seen = []
    for answer in (
        ada.by_curl(secret="wrong"),
        ada.by_curl(data=b""),
        ada.by_curl(),
        ada.by_curl(file="other.py"),
        ada.by_curl(data=bytes(MOST_BODY_BYTES + 1)),
    ):
        seen.append(answer.status_code)
        ((kind, content),) = described["responses"][str(answer.status_code)]["content"].items()
        assert answer.mimetype == kind
        judge(json.dumps(content["schema"])).validate(answer.json)
    assert seen == [401, 400, 202, 429, 413]
    fields = described["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert (list(fields["properties"]), fields["required"]) == (["bot", "version"], ["bot"])


def test_what_is_not_there_is_told_to_programs_as_a_problem(client: FlaskClient) -> None:
    for address in ("/submit/no.json", "/games/no.json", "/games.json?limit=x", "/nothing.json"):
        answer = client.get(address)
        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
        assert answer.json["detail"].endswith(".")


def test_every_reference_leads_somewhere() -> None:
    found = set(re.findall(r'"#/components/schemas/([^"]*)"', json.dumps(API)))
    assert found == set(API["components"]["schemas"])


def test_what_is_served_is_this_description(client: FlaskClient) -> None:
    assert client.get("/api/openapi.json").json == API
