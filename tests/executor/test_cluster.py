"""Tournaments on a real scheduler and its workers, which are killed: no game is lost or doubled."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arena.bots import read_bot
from arena.errors import UsageError
from tests.cli.program import (
    SECONDS,
    complaint,
    environment,
    exported,
    kseri,
    started,
    tournament_file,
)
from tests.executor.dask_processes import (
    Engine,
    Program,
    certified,
    isolates_by_bubblewrap,
    make_certificates,
)
from tests.tournament.processes import Running, cup, stored, undisturbed

pytest.importorskip("distributed", reason="needs the extra `cluster`")

import dask

from arena.executor.cluster import Cluster
from arena.executor.cluster.connection import check_address, open_client

__all__ = ["cup", "undisturbed"]

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A scheduler with two workers, which tests may kill and have started again."""
    engine = Engine(tmp_path_factory.mktemp("engine"))
    try:
        engine.start(workers=2)
        yield engine
    finally:
        engine.stop()


def words(file: Path, database: Path, engine: Engine, isolation: str = "none") -> list[object]:
    """The command that plays a tournament on the cluster, or goes on with it."""
    return [
        *("tournament", "run", file, "--db", database, "--seed", 42),
        *("--cluster", engine.address, "--isolation", isolation),
    ]


def with_certificate(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands of this test have the cluster's certificate."""
    for name, value in engine.variables.items():
        monkeypatch.setenv(name, value)


def games(database: Path) -> int:
    """How many games are stored by now."""
    if not database.exists():
        return 0
    with closing(sqlite3.connect(database, timeout=60)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
            return 0
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])


def wait_until(what: Callable[[], bool], running: Running | None = None) -> None:
    """Return when something is so; fails where that takes too long, or the command has ended."""
    until = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < until
        assert running is None or running.process.poll() is None, running.process.communicate()
        time.sleep(0.05)


def standings(database: Path) -> list[str]:
    """The table, without the times that bots took."""
    lines = b"".join(exported(database, "--standings")).decode().splitlines()
    chance = {lines[0].split(",").index(name) for name in ("ms_a_play", "overruns")}
    return [
        ",".join(cell for place, cell in enumerate(line.split(",")) if place not in chance)
        for line in lines
    ]


def test_worker_scheduler_and_coordinator_are_killed_and_the_result_is_that_of_one_process(
    engine: Engine,
    cup: Path,
    undisturbed: list[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_certificate(engine, monkeypatch)
    database = tmp_path / "games.db"
    command = words(cup, database, engine)
    with Running(command, cache=tmp_path / "cache") as running:
        wait_until(lambda: games(database) >= 4, running)
        killed = engine.kill_worker()
        wait_until(lambda: not killed.left(), running)  # its bots, too
        before = games(database)
        wait_until(lambda: games(database) >= before + 2, running)
        engine.kill_scheduler()
        before = games(database)
        engine.start(workers=2)
        wait_until(lambda: games(database) >= before + 2, running)
        running.process.kill()
        running.ended()
    assert stored(database) < len(undisturbed)
    result = started(*command)
    assert result.returncode == 0, result.stderr
    assert exported(database, "--canonical") == undisturbed
    assert standings(database) == standings(cup.parent / "games.db")
    checked = kseri("verify", "--tournament", "cup", "--db", database)
    assert checked.returncode == 0, checked.stdout
    for worker in engine.workers:
        assert list(worker.cache.glob("kseri-arena/bots/*")), "bots travelled to every worker"


@pytest.fixture
def unable(engine: Engine) -> Iterator[Program]:
    """A worker beside the others from which bubblewrap is hidden."""
    if not isolates_by_bubblewrap():
        pytest.skip("needs bubblewrap, to hide it")
    hide = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap"]
    worker = engine.start_worker(before=[*hide, "--die-with-parent", "--"])
    worker.wait_until_ready()
    yield worker
    engine.workers.remove(worker)
    worker.kill()


def test_a_worker_that_can_not_isolate_refuses_and_the_others_play(
    engine: Engine, unable: Program, tmp_path: Path
) -> None:
    file = tournament_file(tmp_path, "greedy", "random", matches=2, rules='"kseri-short"')
    database = tmp_path / "games.db"
    result = started(*words(file, database, engine, "bubblewrap"), **engine.variables)
    assert result.returncode == 0, result.stderr
    assert "1 worker(s) refused: this machine can't isolate bots" in result.stderr
    assert stored(database) == 4
    assert not list(unable.cache.glob("kseri-arena/bots/*")), "it was given nothing"


def test_whoever_has_a_certificate_of_another_authority_is_refused(
    engine: Engine, tmp_path: Path
) -> None:
    rogue = tmp_path / "rogue"
    rogue.mkdir()
    make_certificates(rogue)
    file = tournament_file(tmp_path, "greedy", "random")
    database = tmp_path / "games.db"
    variables = certified(rogue, authority=engine.certificates)
    result = started(*words(file, database, engine), **variables)
    complaint(result, 2, "no scheduler answers there, or not to this certificate")
    assert not database.exists()


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("tcp://192.0.2.1:8786", "tcp:// is for this machine only, use tls://"),
        ("tcp://example.org:8786", "tcp:// is for this machine only, use tls://"),
        ("tls://somewhere", "expected tls://HOST:PORT"),
        ("tls://host:99999999", "expected tls://HOST:PORT"),
        ("tls://host:8786/path", "expected tls://HOST:PORT"),
        ("http://host:8786", "expected tls://HOST:PORT"),
        ("8786", "expected tls://HOST:PORT"),
        ("tls://[::1", "expected tls://HOST:PORT"),
    ],
)
def test_addresses_that_are_none_or_open_to_all_are_refused(address: str, part: str) -> None:
    with pytest.raises(UsageError, match=part) as error:
        check_address(address)
    assert str(error.value).startswith(f"--cluster {address}: ")


@pytest.mark.parametrize(
    "address", ["tls://host:8786", "tls://[2001:db8::1]:8786", "tcp://localhost:1", "tcp://[::1]:1"]
)
def test_addresses_of_schedulers_are_taken(address: str) -> None:
    check_address(address)


def test_without_certificates_it_is_said_what_has_to_name_them() -> None:
    with pytest.raises(UsageError, match="no certificates") as error:
        open_client("tls://127.0.0.1:1", 1)
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in str(error.value)
    assert "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY" in str(error.value)


def test_certificates_that_are_none_are_told(tmp_path: Path) -> None:
    files = {"ca-file": "ca.pem", "client.cert": "cert.pem", "client.key": "key.pem"}
    names = {f"distributed.comm.tls.{key}": str(tmp_path / file) for key, file in files.items()}
    with dask.config.set(names):
        with pytest.raises(UsageError, match=r"ca-file: .*/ca.pem: no file that can be read"):
            open_client("tls://127.0.0.1:1", 1)
        for file in files.values():
            (tmp_path / file).write_text("no certificate")
        with pytest.raises(UsageError, match="no usable certificates"):
            open_client("tls://127.0.0.1:1", 1)


@pytest.fixture
def closing_port() -> Iterator[int]:
    """A port where every connection is taken, and closed at once."""
    server = socket.create_server(("127.0.0.1", 0))

    def close_all() -> None:
        with suppress(OSError):
            while True:
                server.accept()[0].close()

    thread = threading.Thread(target=close_all)
    thread.start()
    yield server.getsockname()[1]
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


def test_a_proxy_without_a_scheduler_behind_it_is_no_scheduler(
    engine: Engine, closing_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.executor.cluster.coordinator.ANSWER_S", 0.5)
    folder, begin = engine.certificates, "distributed.comm.tls"
    names = {f"{begin}.ca-file": str(folder / "ca.pem")}
    names |= {f"{begin}.client.{key}": str(folder / f"{key}.pem") for key in ("cert", "key")}
    address = f"tls://127.0.0.1:{closing_port}"
    with dask.config.set(names), pytest.raises(UsageError, match="no scheduler answers there"):
        Cluster(address, "none", files=lambda digest: read_bot(Path(digest))).check()


def test_a_scheduler_that_does_not_answer_is_waited_for_only_so_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.executor.cluster.coordinator.ANSWER_S", 0.2)
    with pytest.raises(UsageError, match="no scheduler answers there"):
        Cluster("tcp://127.0.0.1:1", "none", files=lambda digest: read_bot(Path(digest))).check()


def test_workers_of_ones_own_and_a_cluster_s_are_not_mixed(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, "greedy", "random")
    result = kseri("tournament", "run", file, "--workers", 2, "--cluster", "tls://127.0.0.1:1")
    complaint(result, 2, "--workers and --cluster: give one of them")


def test_without_the_extra_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, "greedy", "random")
    without = "import sys; sys.modules['distributed'] = None; from arena.cli import main"
    command = ["tournament", "run", str(file), "--cluster", "tls://127.0.0.1:1"]
    result = subprocess.run(
        [sys.executable, "-P", "-c", f"{without}; sys.exit(main())", *command],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    complaint(result, 2, f"{sys.executable} -m pip install 'distributed>=2025.1'")
