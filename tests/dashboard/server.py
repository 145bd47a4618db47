"""The dashboard as a process of its own, for tests that ask it over a socket."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

from tests.cli.program import environment

PATIENCE_S = 60
_START = """\
import signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
from dashboard import run_server
proxy = sys.argv[2] if len(sys.argv) > 2 else None
run_server(
    Path(sys.argv[1]), "127.0.0.1", 0, lambda address: print(address, flush=True), proxy=proxy
)
"""


@dataclass(frozen=True)
class Server:
    """A running server."""

    process: subprocess.Popen[str]
    port: int
    opened: ExitStack
    """Closes what was opened to ask it."""

    @property
    def address(self) -> str:
        """Of its home page."""
        return f"http://127.0.0.1:{self.port}/"

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> HTTPResponse:
        """Send one request, on a connection of its own; its answer is still to be read."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        self.opened.callback(connection.close)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, names)
        return self.opened.enter_context(connection.getresponse())

    def connect(self) -> socket.socket:
        """A connection on which nothing was sent yet."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)
        return self.opened.enter_context(made)


@contextmanager
def serving(database: Path, before: str = "", proxy: str | None = None) -> Iterator[Server]:
    """A server of that database; `before`: what it runs before anything else."""
    start = _START.format(before=before)
    command = [sys.executable, "-c", start, str(database), *([proxy] if proxy else [])]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        try:
            assert process.stdout is not None
            match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", process.stdout.readline())
            assert match, process.stderr and process.stderr.read()
            with ExitStack() as opened:
                yield Server(process, int(match[1]), opened)
        finally:
            process.kill()


class Stream:
    """An open stream of events, as a browser reads it."""

    def __init__(self, server: Server, query: str = "", **headers: str) -> None:
        self.answer = server.ask("GET", f"/events{query}", **headers)
        self._lines = iter(self.answer.readline, b"")

    def next(self) -> dict[str, str]:
        """The next event, its fields by name; none at the end of the stream. Waits for it."""
        found: dict[str, str] = {}
        for line in self._lines:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if not name and "data" in found:
                return found
            found[name] = value
        return {}

    def topics(self, count: int) -> list[str]:
        """The topics of the next so many events."""
        return [json.loads(self.next()["data"])["topic"] for _ in range(count)]

    def close(self) -> None:
        """Hang up."""
        fd = self.answer.fileno()
        with socket.socket(fileno=os.dup(fd)) as connection:
            connection.shutdown(socket.SHUT_RDWR)


def multipart(fields: dict[str, str], **files: tuple[str, bytes]) -> tuple[bytes, str]:
    """A form with files by the name of their field, as body and content type."""
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for name, (file, data) in files.items():
        head = f'--x\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    return b"".join([*parts, b"--x--\r\n"]), "multipart/form-data; boundary=x"
