"""The API: what the pages show, as JSON, described by OpenAPI.

It is only read. Nothing lets pages of other sites read it (CORS). Addresses for programs that stand
beside pages, `/submit` among them, are described with it (`dashboard.described`).
"""

from dashboard.api.problems import problem
from dashboard.api.views import pages

__all__ = ["pages", "problem"]
