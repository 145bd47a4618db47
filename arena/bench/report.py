"""All that is measured, in one run."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from arena.bench.batches import Batches, measure_batches
from arena.bench.decisions import Decisions, measure_decisions
from arena.bench.engine import EngineSpeed, measure_engine
from arena.bench.pool import Pool, Storing, measure_pool
from arena.bench.starts import Starts, measure_starts
from arena.referee import game as referee
from arena.sandbox import settle_isolation
from arena.version import VERSION

_STARTS = 12
"""For every run: one takes some ms."""
_PRESETS = ("kseri", "pisti", "faro-6")


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """How fast an arena is on one machine; every figure the median of several runs."""

    arena: str
    compiled: bool
    """Whether what happens in every turn of a game is: see hatch_build.py."""
    machine: str
    python: str
    cores: int
    isolation: str
    """The best that holds here."""
    starts: list[Starts]
    decisions: list[Decisions]
    batches: list[Batches]
    pools: list[Pool]
    storing: Storing
    engine: list[EngineSpeed]

    def decision(self, bot: str, isolation: str) -> Decisions:
        """What was measured of one bot with one isolation."""
        return next(
            each for each in self.decisions if (each.bot, each.isolation) == (bot, isolation)
        )

    def batch(self, bot: str, games: int) -> Batches:
        """What was measured of one bot with so many games at once."""
        return next(each for each in self.batches if (each.bot, each.batch) == (bot, games))


def measure(runs: int, say: Callable[[str], None] = lambda what: None) -> Report:
    """Measure everything; `say` is told what comes next. Raises `UsageError` without a compiler."""
    best, _ = settle_isolation("auto", trusted=True)
    isolations = list(dict.fromkeys(("none", best)))
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        say("1/5 starts of bots")
        starts = measure_starts(folder, isolations, _STARTS * runs)
        say("2/5 decisions, one game at a time")
        decisions = measure_decisions(folder, isolations, runs)
        say("3/5 decisions, many games at once")
        batches = measure_batches(folder, isolations[0], runs)
        say("4/5 tournaments")
        counts = list(dict.fromkeys((1, min(2, cores), cores)))
        pools, storing = measure_pool(folder, best, counts, runs)
    say("5/5 rules engine")
    return Report(
        arena=VERSION,
        compiled=not referee.__file__.endswith(".py"),
        machine=f"{platform.system()} {platform.release()}, {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        cores=cores,
        isolation=best,
        starts=starts,
        decisions=decisions,
        batches=batches,
        pools=pools,
        storing=storing,
        engine=[measure_engine(preset, runs) for preset in _PRESETS],
    )
