"""The API: what the pages show, as JSON, described by OpenAPI.

It is only read. Nothing lets pages of other sites read it (CORS).
"""

from dashboard.api.problems import problem
from dashboard.api.views import pages

__all__ = ["pages", "problem"]
