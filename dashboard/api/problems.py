"""What went wrong, as JSON: problem details (RFC 9457)."""

from __future__ import annotations

import msgspec
from flask import Response


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no answer."""

    type: str = "about:blank"
    """The status says all there is to say of its kind."""
    title: str
    """The status in words."""
    status: int
    detail: str
    """What was wrong, in a sentence."""


PROBLEM_TYPE = "application/problem+json"


def problem(status: int, title: str, detail: str) -> Response:
    """The answer to a request that has none."""
    body = msgspec.json.encode(Problem(title=title, status=status, detail=detail))
    return Response(body + b"\n", status, mimetype=PROBLEM_TYPE)
