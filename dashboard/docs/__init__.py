"""Pages that explain: the rules, the protocol, what the numbers mean, the API.

All are made from what the arena itself runs by, so that they can't tell anything else.
"""

from dashboard.docs.views import pages

__all__ = ["pages"]
