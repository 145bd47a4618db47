"""Addresses for programs that stand beside pages, outside `/api`: what they take and answer.

A view is marked here, where it stands; the OpenAPI description tells it with all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Described:
    """One such address."""

    name: str
    """Of the view, and its id in the description."""
    path: str
    """With parameters in braces, as in `/submit/{key}.json`."""
    summary: str
    parameters: type[msgspec.Struct]
    """What is in the path and in the query, by name."""
    result: Any
    """The type of the answer."""
    method: Literal["get", "post"] = "get"
    status: int = 200
    """Of the answer."""
    problems: Mapping[int, str] = field(default_factory=dict)
    """Why there may be no answer, by status; 404 and 503 need not be named."""
    form: Mapping[str, str] = field(default_factory=dict)
    """What is sent as multipart/form-data: what each field holds. The first must be there."""
    token: Literal["", "may", "must"] = ""
    """Whether a token is sent in the header `Authorization`."""


DESCRIBED: list[Described] = []
"""In the order in which their modules are read."""


class OneGame(msgspec.Struct, frozen=True):
    """A game by its id."""

    game: Annotated[str, Meta(description="The id of a game, its beginning, or its number.")]


class OneKey(msgspec.Struct, frozen=True):
    """What was handed in, by its key."""

    key: Annotated[str, Meta(description="From the answer to what was handed in.")]


def described(
    path: str, parameters: type[msgspec.Struct], result: Any, **more: Any
) -> Callable[[View], View]:
    """Mark a view as answering programs at `path`; `more` are fields of `Described`.

    The summary is the view's docstring.
    """

    def mark(view: View) -> View:
        assert view.__doc__
        DESCRIBED.append(
            Described(
                name=view.__name__,
                path=path,
                summary=" ".join(view.__doc__.split()),
                parameters=parameters,
                result=result,
                **more,
            )
        )
        return view

    return mark
