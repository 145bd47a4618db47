"""Starts the bots of one arena, and sees that nothing of them survives it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import trio

from arena.errors import ArenaFault, BotCannotStart
from arena.process.asking import Asked
from arena.process.bot import BotProcess
from arena.process.canary import Canary
from arena.process.ends import wait_for_exit
from arena.sandbox import Backend, Launch, Prepared
from arena.sandbox import guardian as guardian_program
from arena.sandbox.orphans import adopt_orphans, kill_orphans, ours, reap
from arena.sandbox.status import SandboxStatus

GRACE_MS = 500
"""How long a process may take to end after its input is closed."""


_MEMORY_WATCH_S = 0.05


class Host:
    """Starts the bots of one arena and sees that nothing of them survives it."""

    def __init__(
        self, backend: Backend, nursery: trio.Nursery, guardian: subprocess.Popen[bytes]
    ) -> None:
        self.backend = backend
        self.games = 0
        """How many games are going on: one alone may wait in the kernel instead of in the loop."""
        self._nursery = nursery
        self._guardian = guardian
        self._processes: dict[int, BotProcess] = {}
        nursery.start_soon(self._watch_memory)

    async def _watch_memory(self) -> None:
        """End what grows beyond its memory where no control group does.

        No limit bounds what a process has written and then made read-only.
        """
        while True:
            await trio.sleep(_MEMORY_WATCH_S)
            for process in self._processes.values():
                process.check_memory()

    def keep_canary(self, move_ms: int) -> Canary:
        """Have a canary beside the bots as long as this host lives; see `arena.process.canary`.

        Where it can't be started, `open_host` raises `ArenaFault`.
        """
        canary = Canary(self._cpu_us, move_ms)
        self._nursery.start_soon(canary.sing)
        return canary

    def _cpu_us(self) -> dict[int, int]:
        return {pid: process.cpu_us() for pid, process in self._processes.items()}

    def start(self, launch: Launch) -> BotProcess:
        """Start one bot. Raises `BotCannotStart` and `ArenaFault`.

        Forks on the calling thread, which must be one that does not end before the bot does:
        parent-death signals belong to threads.
        """
        if not launch.folder.is_dir():
            raise ArenaFault(f"the folder of a bot is gone: {launch.folder}")
        prepared = self.backend.prepare(launch)
        try:
            popen = subprocess.Popen(
                prepared.argv,
                bufsize=0,
                cwd=prepared.folder,
                env=prepared.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=prepared.pass_fds,
                start_new_session=True,
            )
        except OSError as error:
            _let_go(prepared)
            raise self._start_error(error, launch) from error
        finally:
            for fd in prepared.pass_fds:
                os.close(fd)
        sandbox = _status(prepared) if prepared.status_fd is not None else None
        process = self._take(popen, launch, sandbox, prepared.begun_fd)
        if prepared.cgroup is None and self.backend.name != "none":
            process.memory_limit_kb = launch.memory_mb * 1024
        return process

    def _start_error(self, error: OSError, launch: Launch) -> Exception:
        """Tell a machine without room, or without its sandbox, from a command that isn't one."""
        if error.errno in (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE):
            return ArenaFault(f"no process could be started: {error.strerror}")
        if self.backend.name != "none" and error.errno != errno.E2BIG:
            return ArenaFault(f"{self.backend.name} could not be started: {error.strerror}")
        return BotCannotStart(f"{launch.command[0]}: {error.strerror}")

    def _take(
        self,
        popen: subprocess.Popen[bytes],
        launch: Launch,
        sandbox: SandboxStatus | None,
        begun_fd: int | None,
    ) -> BotProcess:
        """See that the new process is limited, watched, and ended with the arena."""
        try:
            self._tell_guardian(b"+%d\n" % popen.pid)
            self.backend.started(popen.pid, launch)
            process = BotProcess(popen, sandbox, begun_fd)
        except OSError as error:
            if sandbox:
                sandbox.close()
            if begun_fd is not None:
                os.close(begun_fd)
            _undo(popen)
            raise ArenaFault(f"a bot could not be secured: {error.strerror}") from error
        self._processes[process.pid] = process
        ours.add(process.pid)
        self._nursery.start_soon(_watch, process)
        self._nursery.start_soon(process.errors.drain)
        self._nursery.start_soon(process.settle)
        return process

    async def end(self, process: Asked) -> None:
        """Close the bot's input; kill it and what it started if it does not end in time."""
        with trio.CancelScope(shield=True):
            await process.end(GRACE_MS)
            await self._forget(process)

    async def _forget(self, process: Asked) -> None:
        self._processes.pop(process.pid, None)
        ours.discard(process.pid)
        # A guardian that is gone has nothing left to remember.
        with suppress(BrokenPipeError):
            self._tell_guardian(b"-%d\n" % process.pid)
        await self._end_orphans()

    async def _end_orphans(self) -> None:
        """End what bots left behind, without holding up the games that go on."""
        immortal: set[int] = set()
        while True:
            killed = kill_orphans(immortal)
            if not killed:
                return
            for pid, dies in killed.items():
                if not dies:
                    immortal.add(pid)
                elif not reap(pid):
                    await wait_for_exit(pid)
                    reap(pid)

    def _tell_guardian(self, line: bytes) -> None:
        assert self._guardian.stdin is not None
        self._guardian.stdin.write(line)

    async def end_all(self) -> None:
        """Kill whatever is left."""
        with trio.CancelScope(shield=True):
            for process in list(self._processes.values()):
                process.kill()
                await process.end(GRACE_MS)
                await self._forget(process)


@trio.lowlevel.enable_ki_protection
async def _watch(process: BotProcess) -> None:
    # Not a method of the process: what is compiled has no frame that trio could find protected.
    await process.watch()


def _status(prepared: Prepared) -> SandboxStatus:
    assert prepared.status_fd is not None
    return SandboxStatus(prepared.status_fd, prepared.hold_fd, prepared.cgroup, prepared.limits)


def _let_go(prepared: Prepared) -> None:
    """Close what was kept for a process that did not come to be."""
    if prepared.status_fd is not None:
        _status(prepared).close()
    if prepared.begun_fd is not None:
        os.close(prepared.begun_fd)


def _undo(popen: subprocess.Popen[bytes]) -> None:
    """Take back a process that has only just been started."""
    popen.kill()
    for pipe in (popen.stdin, popen.stdout, popen.stderr):
        assert pipe is not None
        pipe.close()
    popen.wait()


@asynccontextmanager
async def open_host(backend: Backend) -> AsyncIterator[Host]:
    """A host for as long as the block runs; at its end every bot is gone.

    Takes every child of this program that is in another session for an orphan of its bots, but
    for those in `arena.sandbox.orphans.ours`. Raises `ArenaFault`.
    """
    adopt_orphans()
    guardian = _start_guardian(backend.leftovers)
    assert guardian.stdin is not None
    ours.add(guardian.pid)
    try:
        async with trio.open_nursery() as nursery:
            host = Host(backend, nursery, guardian)
            try:
                yield host
            finally:
                await host.end_all()
                nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        # A nursery wraps even the only exception; its name is what callers catch it by.
        raise group if len(group.exceptions) > 1 else group.exceptions[0] from None
    finally:
        # A guardian that is gone has nothing left to do.
        with suppress(BrokenPipeError):
            guardian.stdin.write(b".\n")
        guardian.stdin.close()
        guardian.wait()
        ours.discard(guardian.pid)


def _start_guardian(leftovers: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", guardian_program.__file__, *leftovers],
            bufsize=0,
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise ArenaFault(f"the bots' guardian could not be started: {error.strerror}") from error
