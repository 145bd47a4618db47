"""Kill the arena at random moments, fill its disk, lock its database; then let it go on.

Whatever happens to a tournament with 4 workers: when the same command is given again it comes to
the same games and standings as an undisturbed run, no game lost and none twice, the database is
sound in between, and nothing is left running.

Run from the root: python -m benchmarks.kills [--kills N] [--disk] [--locked]
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL

from arena.sandbox import settle_isolation
from benchmarks.cup import Cup, Rows, games_in, unsound
from benchmarks.trouble import full_disk, locked
from tests.tournament.processes import Running

_KILLS = (1, 1, 1, 2, 3)
"""How often a tournament is killed before it may end."""
_WITH_A_WORKER = 0.3
"""The share of runs in which a worker is killed before the arena."""


@dataclass
class Kill:
    """One kill of the arena."""

    seconds: float
    """After its start."""
    stored: int
    """Games in the database then."""
    worker: bool
    """Whether a worker was killed before."""
    wrong: str
    """What is wrong with the database, or left running; "" where nothing is."""

    def __str__(self) -> str:
        worker = "+worker" if self.worker else ""
        return f"{self.seconds:.2f} s{worker}: {self.stored}"


class Trial:
    """A tournament that is killed once or a few times in a row, and goes on to its end."""

    def __init__(self, cup: Cup, database: Path, seed: int) -> None:
        self._cup, self._database = cup, database
        self._chance = random.Random(seed)
        self._before: Rows = {}
        self.kills: list[Kill] = []

    def run(self) -> str:
        """Kill and go on; what is wrong in the end, "" where nothing is."""
        for _ in range(self._chance.choice(_KILLS)):
            if not self._kill():
                break
        wrong = next((kill.wrong for kill in self.kills if kill.wrong), "")
        return wrong or self._go_on()

    def _kill(self) -> bool:
        """Run and kill; False where it was over before."""
        left = 1 - len(self._before) / self._cup.games
        moment = self._chance.uniform(0, self._cup.seconds * max(0.3, left))
        worker_at = moment * self._chance.random()
        with self._cup.running(self._database) as running:
            worker = self._chance.random() < _WITH_A_WORKER
            worker = worker and _lasts(running, worker_at) and self._kill_worker(running)
            if not _lasts(running, moment - worker_at * worker):
                return False
            running.process.kill()
            running.ended()
            wrong = self._wrong(running)
        self.kills.append(Kill(moment, len(self._before), worker, wrong))
        return True

    def _kill_worker(self, running: Running) -> bool:
        workers = running.workers()
        if workers:
            with suppress(ProcessLookupError):
                os.kill(self._chance.choice(workers), SIGKILL)
        return bool(workers)

    def _wrong(self, running: Running) -> str:
        """What is wrong right after a kill."""
        running.wait_until_gone()
        now = games_in(self._database)
        if any(now.get(number) != row for number, row in self._before.items()):
            return "a stored game has changed"
        self._before = now
        return unsound(self._database)

    def _go_on(self) -> str:
        with self._cup.running(self._database) as running:
            status, said = running.ended()
            running.wait_until_gone()
        if status:
            return f"status {status}: {said}"
        return self._cup.verdict(self._database, self._before)


def _lasts(running: Running, seconds: float) -> bool:
    """Wait; whether it is still running then."""
    try:
        running.process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def kills(cup: Cup, folder: Path, count: int, seed: int) -> bool:
    """Kill so many tournaments, a line each; whether all came to the same."""
    print(f"\n{'no':>3}  {'result':<8} killed after: games stored of {cup.games}")
    wrong = 0
    done: list[Kill] = []
    for number in range(1, count + 1):
        database = folder / f"{number}.db"
        trial = Trial(cup, database, seed + number)
        found = trial.run()
        wrong += bool(found)
        done += trial.kills
        told = ", ".join(map(str, trial.kills)) or "over before"
        print(f"{number:>3}  {'WRONG' if found else 'the same':<8} {told} {found}", flush=True)
        for path in folder.glob(f"{number}.db*"):
            path.unlink()
    print(
        f"{len(done)} kills of the arena in {count} tournaments, {sum(k.worker for k in done)} "
        f"with a worker before; {wrong} wrong"
    )
    return not wrong


def main() -> None:
    """Play undisturbed, disturb, and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, help="tournaments to kill; default: 50, or none")
    parser.add_argument("--disk", action="store_true", help="fill the disk")
    parser.add_argument("--locked", action="store_true", help="lock the database for 30 s")
    parser.add_argument("--matches", type=int, default=25, help="of each of six pairings")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--isolation", help="default: the best that holds here")
    options = parser.parse_args()
    isolation = options.isolation or settle_isolation("auto", trusted=True)[0]
    count = options.kills if options.kills is not None else 50 * (not options.disk | options.locked)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        cup = Cup(folder, isolation, options.matches)
        print(f"{cup.games} games, isolation {isolation}, undisturbed {cup.seconds:.1f} s")
        good = [kills(cup, folder, count, options.seed)] if count else []
        good += [full_disk(cup, folder)] if options.disk else []
        good += [locked(cup, folder)] if options.locked else []
    print(f"\n{time.monotonic() - begin:.0f} s in all")
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
