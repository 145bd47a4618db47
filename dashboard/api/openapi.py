"""The description of the API: OpenAPI 3.1, made from the structs that it answers with."""

from __future__ import annotations

import inspect
import sys
from functools import cache
from typing import Any, get_args

import msgspec

from arena.version import VERSION
from dashboard.api.operation import OPERATIONS, Operation, parameters_of
from dashboard.api.problems import PROBLEM_TYPE, Problem
from dashboard.described import DESCRIBED, Described
from protocol.schema import describe, portable

_REF = "#/components/schemas/{name}"


@cache
def description() -> dict[str, Any]:
    """The whole description, as JSON."""
    results = [each.result for each in (*OPERATIONS, *DESCRIBED)]
    answers, components = msgspec.json.schema_components([*results, Problem], ref_template=_REF)
    describe(components, {sys.modules[struct.__module__] for struct in _structs(results)})
    paths: dict[str, Any] = {}
    beside = answers[len(OPERATIONS) :]
    for each, schema in zip(OPERATIONS, answers, strict=False):
        paths[f"/api{each.path}"] = {"get": _described(each, "application/json", schema)}
        if each.rows:
            table = _described(each, "text/csv", {"type": "string"})
            table["operationId"] += "_csv"
            table["summary"] = f"The same rows (`{each.rows}`) as a CSV file."
            paths[f"/api{each.path}.csv"] = {"get": table}
    for other, schema in zip(DESCRIBED, beside, strict=False):
        paths.setdefault(other.path, {})[other.method] = _beside(other, schema)
    found = {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "Kseri Arena",
            "version": VERSION,
            "summary": "Tournaments, standings, games and rules of one arena; bots handed in.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {_TOKEN: {"type": "http", "scheme": "bearer"}},
        },
    }
    described: dict[str, Any] = portable(found, False)
    return described


def _structs(types: list[Any]) -> set[type]:
    """All structs that values of these types are made of, as far as they are named in them."""
    found: set[type] = set()
    waiting = list(types)
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and issubclass(each, msgspec.Struct):
            if each not in found:
                found |= {parent for parent in inspect.getmro(each) if parent is not msgspec.Struct}
                waiting += [field.type for field in msgspec.structs.fields(each)]
        else:
            waiting += get_args(each)
    return {each for each in found if issubclass(each, msgspec.Struct)}


_TOKEN = "token"
_NO_DATABASE = "The database cannot be read now."
_HEADERS = {
    "ETag": {
        "description": "Of this answer; sent back in `If-None-Match` it asks for changes only.",
        "schema": {"type": "string"},
    }
}


def _described(operation: Operation, type_: str, schema: dict[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {
        "200": {
            "description": "What was asked for.",
            "headers": _HEADERS,
            "content": {type_: {"schema": schema}},
        },
        "304": {"description": "Nothing has changed since the answer with that ETag."},
        "400": _problem("A parameter is wrong, or there is none of that name."),
    }
    if operation.in_path:
        answers["404"] = _problem("There is nothing of that name or number.")
    if operation.needs_database:
        answers["503"] = _problem(_NO_DATABASE)
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": parameters_of(operation),
        "responses": answers,
    }


def _beside(described: Described, schema: dict[str, Any]) -> dict[str, Any]:
    """An address outside `/api`, whose answers have no ETag and whose parameters are not judged."""
    answers: dict[str, Any] = {
        str(described.status): {
            "description": "What was asked for.",
            "content": {"application/json": {"schema": schema}},
        }
    }
    whys = {503: _NO_DATABASE} | dict(described.problems)
    if described.method == "get" and described.parameters.__struct_fields__:
        whys[404] = "There is nothing of that name or number, or it can't be known yet."
    answers |= {str(status): _problem(why) for status, why in sorted(whys.items())}
    found = {
        "operationId": described.name,
        "summary": described.summary,
        "parameters": parameters_of(described),
        "responses": answers,
    }
    if described.form:
        found["requestBody"] = _form(described)
    if described.token:
        found["security"] = [{_TOKEN: []}, *([{}] if described.token == "may" else [])]
    return found


def _form(described: Described) -> dict[str, Any]:
    fields: dict[str, Any] = {
        name: {"type": "string", "description": what} for name, what in described.form.items()
    }
    file, *_ = fields
    # In OpenAPI 3.1 a file is a string of any media type.
    fields[file] = {"contentMediaType": "application/octet-stream"} | fields[file]
    schema = {"type": "object", "properties": fields, "required": [file]}
    return {"required": True, "content": {"multipart/form-data": {"schema": schema}}}


def _problem(what: str) -> dict[str, Any]:
    schema = {"$ref": _REF.format(name=Problem.__name__)}
    return {"description": what, "content": {PROBLEM_TYPE: {"schema": schema}}}
