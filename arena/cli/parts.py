"""Starts the processes of `kseri serve` beside its pages, and ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import Self

from arena.errors import Trouble

_END_S = 15.0
"""How long they may take to end what they have begun before they are killed."""


class Parts:
    """Processes that live for as long as the block runs.

    Where one of them fails, this process is told to stop, by SIGTERM.
    """

    def __init__(self) -> None:
        self.failed = 0
        """The exit status of the first that failed; 0 while none has."""
        self._running: list[subprocess.Popen[bytes]] = []
        self._are_to_end = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._are_to_end = True
        for process in self._running:
            assert process.stdin
            process.stdin.close()
        for process in self._running:
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def start(self, *words: str) -> None:
        """Start one; `words` are the arguments of `arena.cli.part`. Raises `Trouble`."""
        try:
            process = subprocess.Popen(
                # -P: a file of the folder it is started in must not stand in for a module.
                [sys.executable, "-P", "-m", "arena.cli.part", *words],
                stdin=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                # Ctrl-C is for this process, which ends the others.
                process_group=0,
            )
        except OSError as error:
            raise Trouble(f"no process could be started: {error.strerror}") from error
        self._running.append(process)
        threading.Thread(target=self._watch, args=[process], daemon=True).start()

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        status = process.wait()
        if status and not self._are_to_end and not self.failed:
            self.failed = status
            os.kill(os.getpid(), signal.SIGTERM)
