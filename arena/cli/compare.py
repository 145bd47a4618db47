"""`kseri compare`: is A stronger than B? Matches until that is clear."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from arena.cli.comparison_story import LiveLine, as_json, tell_result
from arena.cli.finding import find_player
from arena.cli.options import db_option, isolation_option, read_overrides
from arena.cli.running import executor_for, run_entry, settled_isolation
from arena.errors import UsageError
from arena.executor import cores
from arena.rating import EloHypotheses, PointsHypotheses
from arena.store import Statistic
from arena.tournament import (
    ComparisonPlan,
    Hypotheses,
    RunningComparison,
    WrongSetting,
    check_load,
    enter_comparison,
)

_FURTHEST_POINTS = 1_000.0
"""Nobody makes more points a match."""


@click.command()
@click.argument("first")
@click.argument("second")
@click.option(
    "--by",
    type=click.Choice(["wins", "points"]),
    default="wins",
    show_default=True,
    help="What is tested; points need fewer matches.",
)
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
@click.option("--json", "is_json", is_flag=True, help="The result as JSON.")
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
    is_json: bool,
    workers: int | None,
    isolation: str,
    database: Path,
) -> None:
    """Play until it is clear whether FIRST is stronger.

    A sequential test (GSPRT) of H1, FIRST is stronger by ELO1 at least, against H0, it is not
    stronger than by ELO0: whichever is true is found with at most 5 % of errors. It looks after
    every match from the 20th on. A forfeited game is lost, however many there are; by points it
    is left out. The same command goes on with a test that was stopped; with other files of a bot,
    other rules or hypotheses, or a smaller --most, another test begins.
    """
    elo, points = {"0": elo0, "1": elo1}, {"0": points0, "1": points1}
    plan = ComparisonPlan(
        bots=(find_player(first, database), find_player(second, database)),
        hypotheses=_hypotheses(by, elo, points),
        most=most,
        rules=rules,
        overrides=read_overrides(settings),
    )
    running = run_comparison(database, plan, workers=workers, isolation=isolation)
    if is_json:
        click.echo(as_json(running))
    else:
        tell_result(running, database)


def _hypotheses(
    by: Statistic, elo: Mapping[str, float | None], points: Mapping[str, float | None]
) -> Hypotheses:
    """What is tested, from the options that end in 0 and in 1. Raises `UsageError`."""
    other = points if by == "wins" else elo
    if any(value is not None for value in other.values()):
        raise UsageError(f"--by {by} is not decided by {'points' if by == 'wins' else 'Elo'}")
    given, usual = (elo, 20.0) if by == "wins" else (points, 5.0)
    h0 = 0.0 if given["0"] is None else given["0"]
    h1 = usual if given["1"] is None else given["1"]
    try:
        if by == "wins":
            return EloHypotheses(h0, h1)
        if max(abs(h0), abs(h1)) > _FURTHEST_POINTS:
            most = f"{_FURTHEST_POINTS:g}"
            raise UsageError(f"--points0, --points1: expected -{most} to {most}")
        return PointsHypotheses(h0, h1)
    except ValueError as error:
        options = "--elo0, --elo1" if by == "wins" else "--points0, --points1"
        raise UsageError(f"{options}: {error}") from None


def run_comparison(
    database: Path, plan: ComparisonPlan, *, workers: int | None, isolation: str
) -> RunningComparison:
    """Play until a test ends, telling on the way how it stands. Raises `UsageError`."""
    count = workers or len(cores())
    try:
        check_load(plan.tournament(), count, len(cores()))
    except WrongSetting as error:
        # Too few bots for a table are a matter of the rules here.
        option = "--workers" if error.key == "workers" else f"--rules {plan.rules}"
        raise UsageError(f"{option}: {error}") from None
    if plan.are_same:
        first, second = plan.labels
        click.echo(f"{first} and {second} have the same files: only chance is tested", err=True)
    chosen = settled_isolation(isolation, plan.bots)
    running = enter_comparison(database, plan, chosen.isolation)
    executor = executor_for(chosen, count)
    run_entry(database, running.entry, executor, chosen, until=running, shown=LiveLine(running))
    return running
