"""Serves the dashboard with waitress until Ctrl-C or SIGTERM."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import waitress
from waitress import wasyncore
from waitress.server import BaseWSGIServer
from waitress.task import ThreadedTaskDispatcher

from arena.errors import Trouble
from dashboard.app import create_app
from dashboard.connections import SETTINGS, Channel, behind
from dashboard.live import MOST_STREAMS, Feed

_THREADS = 2 * MOST_STREAMS
"""A page that waits for the database holds one up, and a browser opens six at once."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
_PATIENCE_S = 1
"""How long requests that still run may take once the server is to stop."""


def run_server(
    database: Path,
    host: str,
    port: int,
    announce: Callable[[str], None],
    *,
    takes_in: bool = False,
    tables: int = 0,
    bot_logs: str = "unrated",
    proxy: str | None = None,
) -> None:
    """Serve the dashboard of `database`; returns after Ctrl-C or, in the main thread, SIGTERM.

    `port` 0 takes any free one. `announce` is called with the address, such as
    `http://127.0.0.1:8040/`, once it listens. `takes_in`: whether somebody takes in the bots that
    are submitted; `tables`: how many visitors may play at a time; `bot_logs`: see
    `dashboard.logs`; `proxy`: the address of a reverse proxy that is believed in what it says of
    visitors. Raises `Trouble` where it can't listen.
    """
    listener = _listener(host, port)
    sockets: dict[int, wasyncore.dispatcher] = {}
    app = create_app(database, takes_in=takes_in, tables=tables, bot_logs=bot_logs)
    feed: Feed = app.config["FEED"]
    if host in _LOOPBACK and not proxy:
        # A page elsewhere could have its own name lead here, and read what only we may.
        app.config["TRUSTED_HOSTS"] = list(_LOOPBACK)
    # That pages wait for a thread now and then is no news; errors still are.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    dispatcher = _Dispatcher(feed)
    dispatcher.set_thread_count(_THREADS)
    server: BaseWSGIServer = waitress.create_server(
        app,
        map=sockets,
        sockets=[listener],
        _dispatcher=dispatcher,
        ident=None,
        **SETTINGS,
        **(behind(proxy) if proxy else {}),
    )
    server.channel_class = Channel
    try:
        with _terminable(), suppress(KeyboardInterrupt):
            announce(_address(listener))
            server.run()
    finally:
        feed.stop()
        wasyncore.close_all(sockets, ignore_all=True)


class _Dispatcher(ThreadedTaskDispatcher):
    """Waitress's threads, which stop sooner: nothing here is lost with a page half written."""

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self._feed = feed

    def shutdown(self, cancel_pending: bool = True, timeout: float = _PATIENCE_S) -> bool:
        # First, for streams have no end of their own.
        self._feed.stop()
        return bool(super().shutdown(cancel_pending, timeout))


def _listener(host: str, port: int) -> socket.socket:
    """A socket bound to that address. Raises `Trouble`."""
    try:
        found = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (socket.gaierror, UnicodeError) as error:
        raise Trouble(f"--host {host}: no such address here ({error}); try 127.0.0.1") from None
    family, _, _, _, address = found[0]
    try:
        return socket.create_server(address, family=family)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise Trouble(
            f"{host} port {port}: {why}; choose another --port (0: any free one) or --host"
        ) from None


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM end the block like Ctrl-C; only the main thread may ask for that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt
