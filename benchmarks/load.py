"""Many games at once on a machine that is full, and what is left after many hostile ones.

Without an option: instant bots with 50 ms of CPU time an answer, four times as many games at once
as there are cores; no answer may run out of time. With --leftovers: games of bots that fork,
detach themselves and mind no signal, then an arena that is killed in the middle of such games;
whatever is found afterwards is printed, and makes the exit status 1.

Run from the root: python -m benchmarks.load [--games N] [--isolation NAME] [--leftovers]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import trio

from arena.bench.programs import build
from arena.executor import cores
from arena.play import Bot, FinishedGame, play_chunk
from arena.process import open_host
from arena.sandbox import select_backend, settle_isolation
from arena.schedule import VoidMatch
from protocol.messages import Limits
from tests.e2e.isolated import PATIENT, followed, ground
from tests.e2e.isolated_arena import Table, groups_of
from tests.e2e.playing import chunk_of, plan_of

_AT_ONCE = 4
"""Games for every core."""
_LIMITS = Limits(move_ms=50, bank_ms=0, clock="cpu")
_CHUNK = 25
_HOSTILE = ("forks", "detaches", "outlives", "spins")


class Load:
    """Games of instant bots, many at once."""

    def __init__(self, isolation: str, games: int) -> None:
        self.games = 0
        self.faults: Counter[str] = Counter()
        self.void = 0
        self.slowest_us = 0
        self._isolation = isolation
        self._left = games

    async def play(self, folder: Path) -> None:
        """Play all games."""
        bots = [
            Bot(name=name, version="1", hash="", folder=str(folder), run=("./instant",))
            for name in ("one", "two")
        ]
        plan = plan_of(bots, _LIMITS, "kseri")
        async with open_host(select_backend(self._isolation)) as host:

            async def play_on() -> None:
                while self._left > 0:
                    games = min(_CHUNK, self._left)
                    self._left -= games
                    await play_chunk(host, plan, chunk_of(bots, games), self._report)

            async with trio.open_nursery() as nursery:
                for _ in range(_AT_ONCE * len(cores())):
                    nursery.start_soon(play_on)

    async def _report(self, event: FinishedGame | VoidMatch) -> None:
        if isinstance(event, VoidMatch):
            self.void += 1
            return
        self.games += 1
        self.faults.update(fault.kind for fault in event.record.faults)
        plays = [play for deal in event.record.deals for play in deal.plays]
        self.slowest_us = max(self.slowest_us, *(play.elapsed_us for play in plays))


def load(isolation: str, games: int) -> bool:
    """Play, and print the figures; whether nothing ran out of time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        build("instant", folder)
        done, before = Load(isolation, games), time.monotonic()
        trio.run(done.play, folder)
    seconds = time.monotonic() - before
    print(
        f"{isolation}: {done.games} games, {_AT_ONCE * len(cores())} at once, {seconds:.0f} s, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    print(f"faults: {dict(done.faults) or 'none'}; void: {done.void}")
    print(f"most CPU time of an answer: {done.slowest_us / 1000:.1f} ms of {_LIMITS.move_ms}")
    return not done.faults and not done.void


def leftovers(isolation: str, games: int) -> bool:
    """Play hostile games, kill an arena in the middle; whether nothing is left of either."""
    with ground() as place:
        bots = [place.python("deeds", word, name=word, reuse=False) for word in _HOSTILE]
        share = max(1, games // len(bots))
        tables = [Table([bot, place.quick(reuse=False)], PATIENT, share) for bot in bots]
        told = place.play(isolation, "as it is", tables)
        played = sum(map(len, told.games))
        faults = Counter(kind for table in told.games for game in table for _, kind in game.faults)
        print(f"{isolation}: {played} games, faults {dict(faults) or 'none'}, void {told.void}")
        print(f"left of them: {told.left or 'nothing'}")
        endless = [Table([bot, place.quick(reuse=False)], PATIENT, 10**6) for bot in bots]
        with place.arena(isolation, "as it is", endless, turns=True) as (run, order):
            assert run.stdin is not None
            assert run.stdout is not None
            run.stdin.write(order)
            run.stdin.close()
            run.stdout.read(5_000)
            with followed(run.pid) as all_end:
                run.kill()
                all_end()
            groups = groups_of(run.pid)
        print(f"left of an arena that was killed: {groups or 'nothing'}")
    return not told.left and not groups


def main() -> None:
    """Play, print and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, help="default: 2,000, or 1,000 with --leftovers")
    parser.add_argument("--isolation", help="default: the best that holds here")
    parser.add_argument("--leftovers", action="store_true")
    options = parser.parse_args()
    isolation = options.isolation or settle_isolation("auto", trusted=True)[0]
    work, games = (leftovers, 1_000) if options.leftovers else (load, 2_000)
    sys.exit(0 if work(isolation, options.games or games) else 1)


if __name__ == "__main__":
    main()
