"""`kseri compare`: is A stronger than B? Matches until that is clear."""

from __future__ import annotations

import dataclasses
import math
import sys
import time
from pathlib import Path
from typing import Literal

import click
import msgspec

from arena.bots import BotFiles
from arena.cli.finding import find_player
from arena.cli.options import db_option, isolation_option, read_overrides
from arena.cli.running import executor_for, run_entry, settled_isolation
from arena.errors import UsageError
from arena.executor import cores
from arena.play import FinishedGame
from arena.rating import EloHypotheses, Look, PointsHypotheses
from arena.schedule import MOST_REPLAYS, VoidMatch, labels_of, rotations_of, rules_of
from arena.store import Reader
from arena.tournament import (
    Comparison,
    Progress,
    WrongSetting,
    check_load,
    check_tournament,
    enter,
)
from protocol.tournament import Tournament

_CHUNK_MATCHES = 5
"""Small, so that not much is played beyond the match that decides."""

Statistic = Literal["wins", "points"]


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--by", type=click.Choice(["wins", "points"]), default="wins", show_default=True)
@click.option("--elo0", type=float, help="By wins: what H0 says, in Elo; default 0.")
@click.option("--elo1", type=float, help="By wins: what H1 says; default 20.")
@click.option("--points0", type=float, help="By points: what H0 says, a match; default 0.")
@click.option("--points1", type=float, help="By points: what H1 says; default 5.")
@click.option(
    "--most", type=click.IntRange(20, 1_000_000), default=20_000, show_default=True,
    help="Matches after which it ends without a decision.",
)  # fmt: skip
@click.option("--rules", default="kseri", show_default=True, help="The preset of the rules.")
@click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE", help="Change a rule.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; default: one a core.")
@isolation_option
@db_option
def compare(
    first: str,
    second: str,
    by: Statistic,
    elo0: float | None,
    elo1: float | None,
    points0: float | None,
    points1: float | None,
    most: int,
    rules: str,
    settings: tuple[str, ...],
    as_json: bool,
    workers: int | None,
    isolation: str,
    database: Path,
) -> None:
    """Play until it is clear whether FIRST is stronger.

    A sequential test (GSPRT) of H1, FIRST is stronger by ELO1 at least, against H0, it is not
    stronger than by ELO0: whichever is true is found with at most 5 % of errors. It looks after
    every match from the 20th on. The same command goes on with a test that was stopped.
    """
    hypotheses = _hypotheses(by, elo0, elo1, points0, points1)
    bots = [find_player(name, database) for name in (first, second)]
    comparison, look = run_comparison(
        database,
        bots,
        hypotheses,
        most=most,
        rules=rules,
        overrides=read_overrides(settings),
        workers=workers,
        isolation=isolation,
    )
    if as_json:
        click.echo(msgspec.json.encode(_as_json(look)))
    else:
        tell_result(comparison, look, hypotheses)


def _hypotheses(
    by: Statistic,
    elo0: float | None,
    elo1: float | None,
    points0: float | None,
    points1: float | None,
) -> EloHypotheses | PointsHypotheses:
    """What is tested. Raises `UsageError`."""
    other = (points0, points1) if by == "wins" else (elo0, elo1)
    if any(value is not None for value in other):
        raise UsageError(f"--by {by} is not decided by {'points' if by == 'wins' else 'Elo'}")
    try:
        if by == "wins":
            return EloHypotheses(elo0 or 0.0, 20.0 if elo1 is None else elo1)
        return PointsHypotheses(points0 or 0.0, 5.0 if points1 is None else points1)
    except ValueError as error:
        raise UsageError(str(error)) from None


def run_comparison(
    database: Path,
    bots: list[BotFiles],
    hypotheses: EloHypotheses | PointsHypotheses,
    *,
    most: int,
    rules: str,
    overrides: dict[str, object],
    workers: int | None,
    isolation: str,
) -> tuple[str, Look | None]:
    """Play until there is a decision, or the end; the two labels as text, and the last look."""
    labels = labels_of([bot.manifest.name for bot in bots])
    names = " v ".join(
        f"{label} {bot.manifest.version}" for label, bot in zip(labels, bots, strict=True)
    )
    tournament = Tournament(
        name=f"{names}, {_told(hypotheses)}"[:80],
        bots=labels,
        rules=rules,
        overrides=overrides,
        matches=most,
        chunk_matches=_CHUNK_MATCHES,
    )
    try:
        check_tournament(tournament, len(bots))
        chosen = settled_isolation(isolation, bots)
        count = workers or len(cores())
        check_load(tournament, count, len(cores()))
    except WrongSetting as error:
        # Too few bots for a table are a matter of the rules here.
        option = f"--{error}" if error.key == "workers" else f"--rules {rules}: {error}"
        raise UsageError(option) from None
    rotations = rotations_of(tournament, rules_of(tournament))
    if rotations != 2:
        raise UsageError(f"--rules {rules}: a comparison is of two sides")
    entry = enter(
        database,
        tournament,
        dict(zip(labels, bots, strict=True)),
        kind="compare",
        master=None,
        isolation=chosen.isolation,
    )
    comparison = Comparison(labels[0], rotations, hypotheses)
    with Reader(database) as reader:
        for record in reader.records(entry.stored.id):
            comparison.take(record)
    progress = Progress(is_enough=comparison.is_decided)
    _LiveLine(comparison, progress, most)
    run_entry(database, entry, executor_for(chosen, count), chosen, progress=progress)
    return names, comparison.look


def _told(hypotheses: EloHypotheses | PointsHypotheses) -> str:
    if isinstance(hypotheses, EloHypotheses):
        return f"[{hypotheses.elo0:g}, {hypotheses.elo1:g}] Elo"
    return f"[{hypotheses.d0:g}, {hypotheses.d1:g}] points"


class _LiveLine:
    """Says after every look, at most once a second, how the test stands."""

    def __init__(self, comparison: Comparison, progress: Progress, most: int) -> None:
        self._comparison = comparison
        self._progress = progress
        self._most = most
        self._said = 0.0
        self._width = 0
        progress.on_game = self._on_game
        progress.on_void = self._on_void

    def _on_game(self, game: FinishedGame) -> None:
        self._comparison.take(game.record)
        self._progress.is_enough = self._comparison.is_decided
        self._say()

    def _on_void(self, match: VoidMatch) -> None:
        if match.key.replay >= MOST_REPLAYS:
            self._comparison.skip(match.key.match)
            self._progress.is_enough = self._comparison.is_decided

    def _say(self) -> None:
        look, now = self._comparison.look, time.monotonic()
        if look is None or (now - self._said < 1 and look.decision is None):
            return
        self._said = now
        line = live_line(look)
        if not sys.stderr.isatty():
            click.echo(line, err=True)
            return
        end = "\n" if look.decision else ""
        click.echo("\r" + line.ljust(self._width) + end, err=True, nl=False)
        self._width = len(line)


def live_line(look: Look) -> str:
    """How a test stands, in less than 80 columns."""
    return (
        f"{look.matches} matches: LLR {look.llr:.2f} ({look.lower:.2f}, {look.upper:.2f}), "
        f"{_signed(look.estimate)} [{_signed(look.low)}, {_signed(look.high)}]"
    )


def _signed(value: float | None) -> str:
    if value is None:
        return "?"
    return f"{value:+.1f}" if math.isfinite(value) else ("+inf" if value > 0 else "-inf")


def tell_result(
    names: str, look: Look | None, hypotheses: EloHypotheses | PointsHypotheses
) -> None:
    """Print what a test has come to."""
    unit = "Elo" if isinstance(hypotheses, EloHypotheses) else "points a match"
    if look is None:
        click.echo(f"{names}: no match was finished")
        return
    decided = {"H1": "H1 accepted", "H0": "H0 accepted", None: "no decision"}[look.decision]
    click.echo(f"{names}, {_told(hypotheses)}: {decided} after {look.matches} matches")
    click.echo(f"LLR {look.llr:.2f}, bounds {look.lower:.2f} and {look.upper:.2f}")
    if look.adjusted:
        low, high = _signed(look.adjusted.low), _signed(look.adjusted.high)
        click.echo(
            f"First is {_signed(look.adjusted.estimate)} {unit} stronger, 95 % {low} to {high}"
        )
        click.echo("(adjusted for the stop; an estimate as the matches stand would lean outwards)")
    else:
        error = "" if look.error is None else f" ± {look.error:.1f}"
        click.echo(f"First is {_signed(look.estimate)}{error} {unit} stronger as the matches stand")
    low, high = _signed(look.low), _signed(look.high)
    click.echo(f"At every look so far, 95 %: {low} to {high} {unit}")


def _as_json(look: Look | None) -> dict[str, object]:
    if look is None:
        return {"matches": 0, "decision": None}
    found: dict[str, object] = dataclasses.asdict(look)
    return {name: _finite(value) for name, value in found.items()}


def _finite(value: object) -> object:
    """Infinite numbers are no JSON."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
