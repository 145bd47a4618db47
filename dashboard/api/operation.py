"""One thing that can be asked: its address, what may stand in it, and what it answers.

The routes, the OpenAPI description and the page that explains it are all made from these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_type_hints

import msgspec

from dashboard.database import database
from dashboard.described import Described


@dataclass(frozen=True)
class Operation:
    """One address of the API."""

    name: str
    """Of the function that answers, and its id in the description."""
    path: str
    """Below `/api`, with parameters in braces, as in `/games/{game}`."""
    summary: str
    """What it answers, in a sentence."""
    parameters: type[msgspec.Struct]
    """What is in the path and in the query, by name."""
    result: Any
    """The type of the answer."""
    rows: str
    """The field of the answer whose items are the lines of its CSV file; empty: there is none."""
    function: Callable[..., Any]
    needs_database: bool

    @property
    def in_path(self) -> set[str]:
        """The parameters that are in the path."""
        return in_path(self)

    def answer(self, asked: msgspec.Struct) -> Any:
        """What it answers to these parameters; ends the request where there is no answer."""
        if not self.needs_database:
            return self.function(asked)
        with database() as reader:
            return self.function(asked, reader)


OPERATIONS: list[Operation] = []
"""Everything that can be asked, in the order in which it is explained."""

Function = Callable[..., Any]


def operation(path: str, *, rows: str = "") -> Callable[[Function], Function]:
    """Let a function answer at an address.

    Its first argument has the parameters; a second one, `reader`, is the database.
    """

    def register(function: Function) -> Function:
        hints = get_type_hints(function)
        assert function.__doc__
        OPERATIONS.append(
            Operation(
                name=function.__name__,
                path=path,
                summary=" ".join(function.__doc__.split()),
                parameters=hints["asked"],
                result=hints["return"],
                rows=rows,
                function=function,
                needs_database="reader" in hints,
            )
        )
        return function

    return register


def in_path(operation: Operation | Described) -> set[str]:
    """The parameters that are in the path of an operation."""
    names = operation.parameters.__struct_fields__
    return {name for name in names if f"{{{name}}}" in operation.path}


def parameters_of(operation: Operation | Described) -> list[dict[str, Any]]:
    """The parameters of an operation, each as OpenAPI describes one."""
    schema = msgspec.json.schema(operation.parameters)["$defs"][operation.parameters.__name__]
    required = schema.get("required", ())
    return [
        _parameter(operation, name, dict(field), name in required)
        for name, field in schema["properties"].items()
    ]


def _parameter(
    operation: Operation | Described, name: str, field: dict[str, Any], required: bool
) -> dict[str, Any]:
    where = "path" if name in in_path(operation) else "query"
    found = {"name": name, "in": where, "required": required}
    if "description" in field:
        found["description"] = field.pop("description")
    if "anyOf" in field:
        # That it may be left out is said by `required`; an address cannot say null.
        field = {**next(each for each in field["anyOf"] if each != {"type": "null"})}
    if field.get("default", "") is None:
        del field["default"]
    return {**found, "schema": field}
