"""Ctrl-C while the end of a bot is noted: it reaches the program, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest
import trio

from arena.process import host
from arena.process.bot import BotProcess


def test_an_interrupt_while_an_exit_status_is_taken_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = os.wait4

    def interrupted(pid: int, options: int) -> object:
        signal.raise_signal(signal.SIGINT)
        return taken(pid, options)

    ended: list[int | None] = []

    async def main() -> None:
        with subprocess.Popen(["true"], stdin=-1, stdout=-1, stderr=-1) as started:
            process = BotProcess(started)
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(host._watch, process)
                    await trio.sleep_forever()
            finally:
                ended.append(process.returncode)

    monkeypatch.setattr(os, "wait4", interrupted)
    with pytest.raises(BaseExceptionGroup) as found:
        trio.run(main)
    assert found.group_contains(KeyboardInterrupt)
    assert ended == [0]
