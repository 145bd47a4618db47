"""A scheduler and workers of Dask as processes of their own on this machine, with certificates."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.program import SECONDS, environment
from tests.tournament.processes import _processes

_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
_OUT = ["-CAcreateserial", "-out", "cert.pem"]


def make_certificates(folder: Path) -> None:
    """An authority, and one certificate of it for all who talk to each other."""
    if not shutil.which("openssl"):
        pytest.skip("needs the program openssl")
    for words in (
        ["req", "-x509", *_KEY, "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem"],
        ["req", *_KEY, "-subj", "/CN=kseri", "-keyout", "key.pem", "-out", "request.pem"],
        ["x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", *_OUT],
    ):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def certified(folder: Path, authority: Path | None = None) -> dict[str, str]:
    """The environment of who has the certificate in `folder`, and trusts its authority."""
    begin = "DASK_DISTRIBUTED__COMM__TLS__"
    found = {f"{begin}CA_FILE": str((authority or folder) / "ca.pem")}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        found[f"{begin}{role}__CERT"] = str(folder / "cert.pem")
        found[f"{begin}{role}__KEY"] = str(folder / "key.pem")
    return found


class Program:
    """One process of Dask, ready when it has said so."""

    def __init__(self, words: Sequence[str], ready: str, cache: Path, **variables: str) -> None:
        self.cache = cache
        """Where a worker keeps its copies of bots: nobody else's."""
        self.cache.mkdir(exist_ok=True)
        self._mark = f"kseri-{uuid.uuid4()}"
        self._ready_text = ready
        self._ready = threading.Event()
        self.said: list[str] = []
        self.process = subprocess.Popen(
            words,
            cwd=cache,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env=environment(
                XDG_CACHE_HOME=str(cache),
                KSERI_TEST_MARK=self._mark,
                DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED="False",
                **variables,
            ),
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.said.append(line)
            if self._ready_text in line:
                self._ready.set()

    def wait_until_ready(self) -> None:
        """Return when it has said that it is ready."""
        assert self._ready.wait(SECONDS), "".join(self.said)

    def left(self) -> dict[int, str]:
        """What is running of it, bots and guardians included."""
        return _processes(self._mark, self.cache)

    def kill(self) -> None:
        """End it at once, and wait until it is gone."""
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self._reader.join(SECONDS)
        assert self.process.stdout
        self.process.stdout.close()


class Engine:
    """A scheduler that always has the same port, and its workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.certificates = folder / "certificates"
        self.certificates.mkdir()
        make_certificates(self.certificates)
        self.variables = certified(self.certificates)
        with socket.create_server(("127.0.0.1", 0)) as server:
            self._port = server.getsockname()[1]
        self.address = f"tls://127.0.0.1:{self._port}"
        self.scheduler: Program | None = None
        self.workers: list[Program] = []
        self._started = 0

    def start(self, workers: int) -> None:
        """Start what is not there; all of it is ready then."""
        if self.scheduler is None:
            words = ["scheduler", "--host", "127.0.0.1", "--port", str(self._port)]
            words += ["--protocol", "tls", "--no-dashboard"]
            self.scheduler = self._program(words, "Scheduler at:")
            self.scheduler.wait_until_ready()
        new = [self.start_worker() for _ in range(workers - len(self.workers))]
        for worker in new:
            worker.wait_until_ready()

    def start_worker(self, before: Sequence[str] = (), threads: int = 1) -> Program:
        """Start one more worker, by the command `before`."""
        words = ["worker", self.address, "--host", "127.0.0.1", "--nthreads", str(threads)]
        words += ["--no-nanny", "--no-dashboard"]
        worker = self._program(words, "Registered to:", before)
        self.workers.append(worker)
        return worker

    def _program(self, words: list[str], ready: str, before: Sequence[str] = ()) -> Program:
        self._started += 1
        cache = self._folder / f"cache-{self._started}"
        return Program(
            [*before, sys.executable, "-P", "-m", "dask", *words], ready, cache, **self.variables
        )

    def kill_worker(self) -> Program:
        """Kill the worker that was started first; returns what it was."""
        worker = self.workers.pop(0)
        worker.kill()
        return worker

    def kill_scheduler(self) -> None:
        """Kill the scheduler; its workers end by themselves."""
        assert self.scheduler
        self.scheduler.kill()
        self.scheduler = None
        for worker in self.workers:
            worker.process.wait(SECONDS)
            worker.kill()
        self.workers = []

    def stop(self) -> None:
        """Kill all of it."""
        for program in [*self.workers, *([self.scheduler] if self.scheduler else [])]:
            program.kill()


def isolates_by_bubblewrap() -> bool:
    """Whether a program can be hidden from a worker here."""
    return os.access("/usr/bin/bwrap", os.X_OK)
