"""`kseri rate`: ratings of results from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeVar

import click
from rich.table import Table

from arena.cli.options import lines_of
from arena.cli.scales import Scale
from arena.cli.tables import console
from arena.errors import UsageError
from arena.rating import (
    BadResults,
    MatchResult,
    NoFiniteRatings,
    fit,
    fit_points,
    match_results,
    tally_of,
)

MOST_LINE_BYTES = 64 * 1024
_FURTHEST_CENTER = 1e6

T = TypeVar("T")


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option(
    "--prior",
    type=float,
    default=1.0,
    show_default=True,
    help="Virtual half-won games of every bot against one at the mean; 0: none.",
)
@click.option(
    "--center", type=float, default=1500.0, show_default=True, help="The mean of all ratings."
)
@click.option(
    "--se",
    "errors",
    type=click.Choice(["clustered", "fisher"]),
    default="clustered",
    show_default=True,
    help="Errors by match, or as if all games were independent.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def rate(
    file: str,
    prior: float,
    center: float,
    errors: Literal["clustered", "fisher"],
    as_json: bool,
) -> None:
    """Rate bots by results from elsewhere.

    FILE (- for stdin) has a match a line, of one or two games:

    \b
    {"a": "A", "b": "B", "scores": [1, 0.5], "points": [3.5, -1]}

    "scores" are those of A: 1, 0.5 or 0. "points", which may be left out, are what A made more
    than B, one number a deal. It may be PGN as well: every game is a match then.
    """
    if not abs(center) <= _FURTHEST_CENTER:
        raise UsageError(f"--center {center:g}: expected at most {_FURTHEST_CENTER:g} either way")
    tally = read_results(file, tally_of)
    try:
        groups = fit(tally.results(), prior=prior, center=center, errors=errors)
    except NoFiniteRatings as error:
        raise UsageError(_needs_prior(error, tally.names)) from None
    except ValueError as error:
        raise UsageError(f"--prior: {error}") from None
    points = fit_points([tally.points()])
    scales = [Scale.of(tally.names, group, points) for group in groups]
    if as_json:
        table = {"groups": [scale.as_json() for scale in scales]}
        click.echo(json.dumps(table, allow_nan=False))
    else:
        _print(scales, errors)


def read_results(file: str, consume: Callable[[Iterable[tuple[int, MatchResult]]], T]) -> T:
    """What comes of the matches in a file (- for stdin), read line by line. Raises `UsageError`."""
    name = "standard input" if file == "-" else file
    try:
        opened = click.open_file(file, "rb")
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from None
    with opened as lines:
        try:
            return consume(match_results(lines_of(lines, name, MOST_LINE_BYTES)))
        except BadResults as error:
            raise UsageError(f"{name}, {error}") from None


def _needs_prior(error: NoFiniteRatings, names: Sequence[str]) -> str:
    shown = ", ".join(names[bot] for bot in error.bots[:5])
    others = f" and {len(error.bots) - 5} more" if len(error.bots) > 5 else ""
    return (
        f"--prior 0: no finite ratings: {shown}{others} took no point from the others; "
        "expected a prior, such as 1"
    )


def _print(scales: Sequence[Scale], errors: str) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Rank", justify="right", no_wrap=True)
    table.add_column("Bot", overflow="fold")
    for name in ("Elo", "±", "Matches", "Games", "Points/deal", "±"):
        table.add_column(name, justify="right", no_wrap=True)
    for number, scale in enumerate(scales, 1):
        for row in scale.rows(f" ({number})" if len(scales) > 1 else ""):
            table.add_row(*row)
    out = console()
    out.print(table)
    for line in _caption(scales, errors):
        out.print(line)


def _caption(scales: Sequence[Scale], errors: str) -> Iterator[str]:
    """What one has to know to read the table."""
    if not scales:
        yield "No match has a result."
        return
    by = "clustered by match" if errors == "clustered" else "as if all games were independent"
    yield f"± is a 95 % interval, {by}; prov. = fewer than 10 matches."
    if len(scales) > 1:
        yield "No chain of games connects bots with different numbers in brackets."
    if any(scale.disagreeing for scale in scales):
        yield "! = rating and points differ by more than 3 standard errors."
    for number, scale in enumerate(scales, 1):
        group = scale.group
        if group.p_value is not None:
            verdict = ": no single number describes who beats whom" if group.non_transitive else ""
            which = f" of ({number})" if len(scales) > 1 else ""
            fit_text = f"deviance {group.deviance:.1f} on {group.df} df, p = {group.p_value:.2g}"
            yield f"Fit{which}: {fit_text}{verdict}."
