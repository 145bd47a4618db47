"""Visitors who send too much, too slowly, or nothing at all: others are still served."""

from __future__ import annotations

import json
import socket
import threading
from http.client import HTTPResponse
from pathlib import Path

import pytest

from dashboard.security import MOST_BODY_BYTES
from tests.dashboard.handing_in import Author
from tests.dashboard.server import Server, multipart, serving


@pytest.fixture
def ada(tmp_path: Path) -> Author:
    return Author(tmp_path / "arena.db")


def answer_to(connection: socket.socket) -> bytes:
    """What comes back until the server hangs up."""
    found = b""
    try:
        while data := connection.recv(65536):
            found += data
    except ConnectionResetError:
        return found
    return found


def send(connection: socket.socket, data: bytes) -> None:
    """Send as much as the server takes, or the test."""
    try:
        connection.sendall(data)
    except OSError:
        return


def head(path: str, length: int, method: str = "POST", **headers: str) -> bytes:
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n{more}\r\n"
    ).encode()


def assert_well(server: Server) -> None:
    assert server.ask("GET", "/healthz").read() == b"ok\n"


def test_a_body_that_is_announced_too_large_is_refused_before_it_is_sent(ada: Author) -> None:
    with serving(ada.path) as server:
        for path, length in (("/submit", 10**12), ("/submit", 3 * MOST_BODY_BYTES), ("/", 10**6)):
            for headers in ({}, {"Expect": "100-continue"}):
                connection = server.connect()
                send(connection, head(path, length, **headers))
                assert answer_to(connection).startswith(b"HTTP/1.1 413 ")
        assert_well(server)


def test_a_body_without_an_end_is_cut_off(ada: Author) -> None:
    chunk = b"10000\r\n" + bytes(0x10000) + b"\r\n"
    with serving(ada.path) as server:
        for path in ("/submit", "/games/"):
            connection = server.connect()
            request = f"POST {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            send(connection, request.encode())
            sender = threading.Thread(target=send, args=[connection, chunk * 1_000])
            sender.start()
            assert b"413" in answer_to(connection)[:40]
            connection.close()
            sender.join()
        assert_well(server)


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 50_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"\x00\x01\x02\r\n\r\n",
        b"POST /submit HTTP/1.1\r\nContent-Length: 1e9\r\n\r\n",
    ],
    ids=["address", "header", "headers", "negative", "no HTTP", "no number"],
)
def test_a_head_that_is_too_large_or_none_is_refused(ada: Author, request_: bytes) -> None:
    with serving(ada.path) as server:
        connection = server.connect()
        sender = threading.Thread(target=send, args=[connection, request_])
        sender.start()
        assert answer_to(connection)[9:10] in (b"4", b"5")
        sender.join()
        assert_well(server)


QUICK = "import dashboard.connections as c; c.HEAD_S = c.BODY_S = 0.3"


@pytest.mark.parametrize("start", [b"GET / HTTP/1.1\r\nX: ", head("/submit", 10_000)])
def test_who_sends_a_byte_now_and_then_is_hung_up_on(ada: Author, start: bytes) -> None:
    with serving(ada.path, QUICK) as server:
        connection, is_over = server.connect(), threading.Event()
        connection.sendall(start)

        def trickle() -> None:
            while not is_over.wait(0.05):
                send(connection, b"a")

        slow = threading.Thread(target=trickle)
        slow.start()
        assert answer_to(connection) == b""
        is_over.set()
        slow.join()
        assert_well(server)


def test_who_says_nothing_is_hung_up_on(ada: Author) -> None:
    quick = "from dashboard.connections import SETTINGS as s; s['channel_timeout'] = 0"
    quick += "; s['cleanup_interval'] = 0"
    with serving(ada.path, quick) as server:
        silent = server.connect()
        # Looked at whenever somebody else comes.
        while not _has_hung_up(silent):
            assert_well(server)


def _has_hung_up(connection: socket.socket) -> bool:
    connection.settimeout(0.05)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False


def test_only_so_many_uploads_arrive_at_a_time(ada: Author) -> None:
    with serving(ada.path, "import dashboard.connections as c; c.MOST_UPLOADS = 3") as server:
        slow = [server.connect() for _ in range(3)]
        for connection in slow:
            connection.sendall(head("/submit", 10_000) + b"begun")
        assert_well(server)
        body, kind = multipart({}, bot=("mine.py", b"x"))
        sent = {"Authorization": f"Bearer {ada.secret}", "Content_Type": kind}
        refused = server.ask("POST", "/submit", body, **sent)
        assert (refused.status, b"too many uploads" in refused.read()) == (503, True)
        slow[0].close()
        while (taken := server.ask("POST", "/submit", body, **sent)).status == 503:
            taken.read()
        assert taken.status == 202


def test_who_does_not_read_its_answer_holds_up_nobody(ada: Author) -> None:
    with serving(ada.path) as server:
        for _ in range(100):
            server.connect().sendall(
                b"GET /static/style.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2
            )
        assert_well(server)


def test_a_name_that_leads_here_from_elsewhere_is_not_answered(ada: Author) -> None:
    with serving(ada.path) as server:
        for path in ("/", "/submit", "/events.json"):
            assert server.ask("GET", path, Host="evil.example").status == 400


@pytest.mark.parametrize(
    ("proxy", "statuses", "address"),
    [
        # Whoever asks is the proxy.
        ("127.0.0.1", (429, 202), "https://arena.example/submit/"),
        # Somebody else is: this visitor has written these headers itself.
        ("203.0.113.9", (429, 429), ""),
    ],
)
def test_behind_a_proxy_every_visitor_has_an_allowance_of_its_own(
    ada: Author, proxy: str, statuses: tuple[int, int], address: str
) -> None:
    body, kind = multipart({}, bot=("mine.py", b"x"))

    def sent(visitor: str, token: str = "wrong") -> HTTPResponse:
        return server.ask(
            "POST",
            "/submit",
            body,
            Content_Type=kind,
            Authorization=f"Bearer {token}",
            X_Forwarded_For=f"6.6.6.6, {visitor}",
            X_Forwarded_Proto="https",
            X_Forwarded_Host="arena.example",
        )

    with serving(ada.path, proxy=proxy) as server:
        for _ in range(40):
            last = sent("198.51.100.1")
        other = sent("198.51.100.2", ada.secret)
        assert (last.status, other.status) == statuses
        if address:
            assert json.loads(other.read())["page"].startswith(address)
