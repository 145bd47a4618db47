"""What a connection may cost: how long a request may take to arrive, and how much it may bring."""

from __future__ import annotations

import copy
import time
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import Error

from dashboard.security import MOST_BODY_BYTES

SETTINGS = {
    # Above what the application refuses with a sentence of its own.
    "max_request_body_size": 2 * MOST_BODY_BYTES,
    "max_request_header_size": 32 * 1024,
    "connection_limit": 512,
    "channel_timeout": 30,
    "cleanup_interval": 10,
    # Reads on while an answer is written, and so hears that nobody waits for it any more.
    "channel_request_lookahead": 1,
}
"""Of waitress: sizes in bytes, times in seconds without anything sent or received."""


def behind(proxy: str) -> dict[str, Any]:
    """Of waitress, too: who a visitor is, and which name it has asked for, says the proxy.

    Else all its visitors would share one allowance. From other addresses nothing of that is
    believed.
    """
    headers = {"x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"}
    return {"trusted_proxy": proxy, "trusted_proxy_headers": headers}


UPLOADS = "/submit"
MOST_UPLOADS = 16
"""Bodies for it that arrive at a time: each may fill so much of the disk."""
MOST_OTHER_BYTES = 64 * 1024
"""The body of any other request."""
HEAD_S = 20.0
"""How long the head of a request may take, whatever it trickles."""
BODY_S = 300.0
"""… and all of it."""


class Busy(Error):
    """Too many bodies arrive at the moment."""

    code = 503
    reason = "Service Unavailable"


class Channel(HTTPChannel):
    """One connection."""

    request: Request | None
    _began = 0.0

    def parser_class(self, adj: Adjustments) -> Request:
        """What takes the next request."""
        self._began = time.monotonic()
        return Request(adj, self.server)

    def received(self, data: bytes) -> bool:
        """Take what has arrived; hang up on who takes too long."""
        if self.request is not None:
            most = BODY_S if self.request.headers_finished else HEAD_S
            if time.monotonic() - self._began > most:
                self.will_close = True
        return bool(super().received(data))


class Request(HTTPRequestParser):
    """One request while it arrives."""

    adj: Adjustments

    def __init__(self, adj: Adjustments, server: Any) -> None:
        super().__init__(adj)
        self._server = server

    @property
    def is_upload(self) -> bool:
        """Whether a body for the form is arriving."""
        return self.body_rcv is not None and self.path == UPLOADS and not self.completed

    def parse_header(self, header_plus: bytes) -> None:
        """Judge a request by its head, before its body arrives."""
        super().parse_header(header_plus)
        if self.path != UPLOADS:
            self.adj = copy.copy(self.adj)
            self.adj.max_request_body_size = MOST_OTHER_BYTES
        elif self.is_upload and self._uploads() > MOST_UPLOADS:
            self.error = Busy("too many uploads at the moment; try again in a minute")
            self.completed = True
        if self.completed or self.content_length >= self.adj.max_request_body_size:
            # Else it would be told to go on, and be read to its end.
            self.expect_continue = False

    def _uploads(self) -> int:
        """How many there are, this one among them."""
        channels = self._server.active_channels.values()
        return sum(
            channel.request is not None and channel.request.is_upload for channel in channels
        )
