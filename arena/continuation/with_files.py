"""Bots as files go on with a deal: made ready, played, and gone again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from arena.bots import BotFiles, prepare
from arena.continuation.deal import SECONDS, continued
from arena.process import open_host
from arena.sandbox import select_backend
from protocol.records import GameRecord, Isolation
from protocol.what_if import TIMES, Continued


def go_on(
    record: GameRecord,
    deal: int,
    move: int,
    bots: Sequence[BotFiles],
    isolation: Isolation,
    *,
    times: int = TIMES,
    seconds: float = SECONDS,
    report: Callable[[Continued], None] = lambda way: None,
) -> list[Continued]:
    """Let these bots, one a seat, go on; see `continued`, and `prepare` for what it raises.

    Building them is not part of `seconds`.
    """
    ready = {bot.hash: prepare(bot, isolation) for bot in bots}

    async def work() -> list[Continued]:
        async with open_host(select_backend(isolation)) as host:
            return await continued(
                host,
                record,
                deal,
                move,
                [ready[bot.hash] for bot in bots],
                times=times,
                seconds=seconds,
                report=report,
            )

    return trio.run(work)
