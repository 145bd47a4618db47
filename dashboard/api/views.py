"""The addresses of the API: parameters read, answers written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args, get_type_hints

import msgspec
from flask import Blueprint, Response, render_template, request

from dashboard.api.openapi import description
from dashboard.api.operation import Operation
from dashboard.api.page import explained
from dashboard.api.parameters import read_parameters
from dashboard.api.resources import OPERATIONS
from dashboard.csv_table import csv_answer
from dashboard.described import DESCRIBED

pages = Blueprint("api", __name__, url_prefix="/api")

View = Callable[..., Response]


def _json_view(operation: Operation) -> View:
    def view(**path: str) -> Response:
        found = operation.answer(read_parameters(operation, path, request.args))
        return _json(found)

    return view


def _csv_view(operation: Operation) -> View:
    (struct,) = get_args(get_type_hints(operation.result)[operation.rows])

    def view(**path: str) -> Response:
        found = operation.answer(read_parameters(operation, path, request.args))
        rows: Sequence[msgspec.Struct] = getattr(found, operation.rows)
        return _checked(csv_answer(rows, struct, operation.name))

    return view


def _json(found: object) -> Response:
    older = getattr(found, "older", None)
    answer = Response(msgspec.json.encode(found) + b"\n", mimetype="application/json")
    if older:
        answer.headers["Link"] = f'<{request.path}{older}>; rel="next"'
    return _checked(answer)


def _checked(answer: Response) -> Response:
    """With a tag, so that whoever asks again is not sent again what it has."""
    answer.add_etag()
    answer.headers["Cache-Control"] = "no-cache"
    answer.make_conditional(request)
    return answer


@pages.get("/")
def page() -> str:
    """What can be asked, for people; `show` names what an answer is shown of."""
    shown = request.args.get("show", OPERATIONS[0].name)
    return render_template(
        "docs/api.html", operations=explained(OPERATIONS, shown), beside=DESCRIBED
    )


@pages.get("/openapi.json")
def openapi() -> Response:
    """The description of all of it."""
    return _json(description())


_ANY_TEXT = ("bot", "label")
"""Parameters in which a slash may stand."""


def _route(operation: Operation) -> None:
    address = operation.path.replace("{", "<").replace("}", ">")
    for name in _ANY_TEXT:
        address = address.replace(f"<{name}>", f"<path:{name}>")
    pages.add_url_rule(address, operation.name, _json_view(operation), methods=["GET"])
    if operation.rows:
        name = f"{operation.name}_csv"
        pages.add_url_rule(f"{address}.csv", name, _csv_view(operation), methods=["GET"])


for _each in OPERATIONS:
    _route(_each)
