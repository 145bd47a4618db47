"""From the command line to the page: games that were played, a server that serves and stops."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.e2e

# Whoever runs the tests may ignore interrupts, and its children would inherit that.
KSERI = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from arena.cli import main; main()",
]
PATIENCE_S = 60


def kseri(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KSERI, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "played.db"
    words = ["play", "greedy", "random", "--rules", "kseri-short", "--matches", "2"]
    ended = kseri(*words, "--isolation", "none", "--workers", "1", "--db", str(path))
    assert ended.returncode == 0, ended.stderr
    return path


@contextmanager
def serving(database: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of that database and its address; killed if it still runs at the end."""
    command = [*KSERI, "serve", "--db", str(database), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            match = re.fullmatch(r"Dashboard: (http://127\.0\.0\.1:\d+/)\n", line)
            assert match, line
            yield server, match[1]
        finally:
            server.kill()


def get(address: str) -> str:
    with urlopen(address, timeout=PATIENCE_S) as answer:
        return answer.read().decode()


def test_from_a_played_game_to_its_page_and_back(database: Path) -> None:
    with serving(database) as (_, address):
        home = get(address)
        assert "4 of 4" in home
        (tournament,) = set(re.findall(r'"/(tournaments/\d+/)"', home))
        assert "greedy" in get(address + tournament)
        games = list(dict.fromkeys(re.findall(r'"/(games/[0-9a-f]{16})"', home)))
        assert len(games) == 4
        assert "in stock" in get(f"{address}{games[0]}?deal=1&move=5")
        record = get(f"{address}{games[0]}.json")
        assert json.loads(record)["rules"]["preset"] == "kseri-short"
        script = get(address + "static/replay.js")
        assert "ArrowRight" in script
    export = database.with_name("game.jsonl")
    export.write_text(record)
    verified = kseri("verify", str(export))
    assert verified.returncode == 0, verified.stdout
    assert "1 sound" in verified.stdout


def test_many_at_once(database: Path) -> None:
    with serving(database) as (_, address), ThreadPoolExecutor(20) as readers:
        addresses = [address, address + "games/", address + "games/1?deal=1&move=9"] * 20
        pages = list(readers.map(get, addresses))
    assert len(set(pages)) == 3


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_when_told_with_a_connection_open(database: Path, stop: signal.Signals) -> None:
    with serving(database) as (server, address):
        port = int(address.rstrip("/").rpartition(":")[2])
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b"ok\n"
        server.send_signal(stop)
        out, err = server.communicate(timeout=PATIENCE_S)
        connection.close()
        assert server.returncode == 0
        assert out == ""
        assert err == ""


def test_a_port_in_use_is_one_line_with_the_way_out(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = kseri("serve", "--db", str(database), "--port", port)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr == (
        f"kseri: 127.0.0.1 port {port}: Address already in use; "
        "choose another --port (0: any free one) or --host\n"
    )


def test_a_database_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    ended = kseri("serve", "--db", str(tmp_path / "none.db"), "--port", "0")
    assert ended.returncode == 2
    assert "no such database" in ended.stderr
    assert ended.stderr.count("\n") == 1
