"""`kseri sprt`: whether one bot is stronger than another, from counts or a stream of matches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import click

from arena.cli.rate import read_results
from arena.errors import UsageError
from arena.rating import BadResults, Bounds, EloHypotheses, MatchResult, Model, strength
from arena.text import one_line

_COUNT = re.compile(r"\s*(\d{1,12})\s*", re.ASCII)
_PENTA, _WDL = ("LL", "LD", "DD", "DW", "WW"), ("W", "D", "L")


@click.command()
@click.argument("file", metavar="[FILE|-", required=False)
@click.argument("a", metavar="A", required=False)
@click.argument("b", metavar="B]", required=False)
@click.option("--penta", metavar=",".join(_PENTA), help="Counts of matches of two games.")
@click.option("--wdl", metavar=",".join(_WDL), help="Counts of single games.")
@click.option("--elo0", type=float, default=0.0, show_default=True, help="H0: so much stronger.")
@click.option("--elo1", type=float, default=20.0, show_default=True, help="H1: so much stronger.")
@click.option(
    "--model",
    type=click.Choice(["logistic", "normalized"]),
    default="logistic",
    show_default=True,
    help="The kind of Elo of both.",
)
def sprt(
    file: str | None,
    a: str | None,
    b: str | None,
    penta: str | None,
    wdl: str | None,
    elo0: float,
    elo1: float,
    model: Model,
) -> None:
    """Test whether a bot is stronger by elo1 or elo0.

    Prints JSON: the log-likelihood ratio, the bounds at which it decides (alpha = beta = 0.05, not
    before 20 matches), the strength with 95 % errors, and the likelihood of superiority. DD has
    the matches of a win and a loss too. Instead of counts, FILE (- for stdin) may have matches as
    for `kseri rate`: those of A against B count.
    """
    if sum(given is not None for given in (file, penta, wdl)) != 1:
        raise UsageError("sprt: give one of --penta, --wdl, and FILE A B")
    hypotheses = _hypotheses(elo0, elo1, model)
    counts = _given(penta, wdl) if file is None else _read(file, a, b)
    if not any(counts):
        raise UsageError("sprt: expected at least one match")
    bounds, found = Bounds(), strength(counts)
    table = {
        "llr": _llr(hypotheses, counts),
        "lower": bounds.lower,
        "upper": bounds.upper,
        "elo": found.elo,
        "elo_error": found.elo_error,
        "nelo": found.nelo,
        "nelo_error": found.nelo_error,
        "los": found.los,
    }
    click.echo(json.dumps(table, allow_nan=False))


def _hypotheses(elo0: float, elo1: float, model: Model) -> EloHypotheses:
    try:
        return EloHypotheses(elo0, elo1, model)
    except ValueError as error:
        raise UsageError(f"--elo0 {elo0:g} --elo1 {elo1:g}: {error}") from None


def _llr(hypotheses: EloHypotheses, counts: list[int]) -> float:
    try:
        return hypotheses.llr(counts)
    except ValueError as error:
        raise UsageError(f"--elo0, --elo1: {error}") from None


def _given(penta: str | None, wdl: str | None) -> list[int]:
    """Counts from the worst outcome to the best."""
    if penta is not None:
        return _counts("--penta", penta, _PENTA)
    return _counts("--wdl", wdl or "", _WDL)[::-1]


def _counts(option: str, text: str, names: tuple[str, ...]) -> list[int]:
    found = [_COUNT.fullmatch(part) for part in text.split(",")]
    counts = [int(match[1]) for match in found if match]
    if len(counts) != len(found) or len(counts) != len(names):
        raise UsageError(
            f"{option} {one_line(text)}: expected {len(names)} counts, {','.join(names)}"
        )
    return counts


def _read(file: str, a: str | None, b: str | None) -> list[int]:
    if a is None or b is None:
        raise UsageError("sprt: with FILE, give the names of both bots")

    def count(results: Iterable[tuple[int, MatchResult]]) -> list[int]:
        return _count(results, a, b)

    return read_results(file, count)


def _count(results: Iterable[tuple[int, MatchResult]], a: str, b: str) -> list[int]:
    """Counts of A's match scores against B; all matches must have as many games."""
    counts: list[int] = []
    for number, result in results:
        if {result.a, result.b} != {a, b}:
            continue
        games = len(result.scores)
        counts = counts or [0] * (2 * games + 1)
        if len(counts) != 2 * games + 1:
            raise BadResults(f"line {number}: a match of {games} game(s) among longer or shorter")
        score = sum(result.scores)
        counts[int(2 * (score if result.a == a else games - score))] += 1
    return counts
