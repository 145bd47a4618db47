"""A worker process: takes chunks on standard input, gives games on standard output.

It ends, with all its bots, when its input is closed: also when whoever started it is killed.
"""

from __future__ import annotations

import os
import signal
import sys

import trio

from arena.errors import ArenaError
from arena.executor.frames import Begin, Done, Failed, Frames, Work, result_of, to_worker
from arena.play import FinishedGame, keep_canary, play_chunk
from arena.process import Canary, Host, open_host
from arena.sandbox import hide_own_memory, select_backend
from arena.schedule import VoidMatch


async def work(frames: Frames) -> None:
    """Play what is sent until the input is closed."""
    data = await frames.receive()
    if data is None:
        return
    begin = to_worker.decode(data)
    assert isinstance(begin, Begin)
    if begin.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {begin.core})
    try:
        async with open_host(select_backend(begin.isolation)) as host:
            await _serve(host, begin, frames)
    except* ArenaError as errors:
        await frames.send(Failed(str(errors.exceptions[0])))


async def _serve(host: Host, begin: Begin, frames: Frames) -> None:
    canary = keep_canary(host, begin.plan)
    async with trio.open_nursery() as nursery:
        while (data := await frames.receive()) is not None:
            message = to_worker.decode(data)
            assert isinstance(message, Work)
            nursery.start_soon(_play, host, canary, begin, message, frames)
        nursery.cancel_scope.cancel()


async def _play(
    host: Host, canary: Canary | None, begin: Begin, message: Work, frames: Frames
) -> None:
    async def report(event: FinishedGame | VoidMatch) -> None:
        await frames.send(result_of(message.number, event))

    await play_chunk(host, begin.plan, message.chunk, report, canary=canary)
    await frames.send(Done(message.number))


async def main() -> None:
    """Serve on this process's standard input and output."""
    hide_own_memory()
    # Bots get pipes of their own; nothing else may write between the frames.
    output = os.dup(1)
    os.dup2(2, 1)
    frames = Frames(trio.lowlevel.FdStream(os.dup(0)), trio.lowlevel.FdStream(output))
    with trio.CancelScope() as scope, trio.open_signal_receiver(signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def stop() -> None:
                async for _ in signals:
                    scope.cancel()

            nursery.start_soon(stop)
            await work(frames)
            nursery.cancel_scope.cancel()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        trio.run(main)
    except* BrokenPipeError:
        sys.exit(1)
    except* trio.BrokenResourceError:
        sys.exit(1)
