"""`kseri sprt`: counts, or a stream of matches, and what they decide."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import Here
from tests.cli.program import complaint, started


def sprt_of(here: Here, *words: object, given: bytes = b"") -> Any:
    result = here("sprt", *words, given=given)
    assert (result.returncode, result.stderr) == (0, "")
    return json.loads(result.stdout)


def test_pentanomial_counts_have_the_published_strength(here: Here) -> None:
    found = sprt_of(here, "--penta", "34,54,63,64,75")
    assert list(found) == [
        *("llr", "lower", "upper", "elo", "elo_error", "nelo", "nelo_error", "los")
    ]
    expected = {"elo": 55.5798, "elo_error": 27.6534, "nelo": 57.9356, "nelo_error": 28.2754}
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, abs=5e-5, rel=0)
    assert found["los"] == pytest.approx(0.999970, abs=5e-7, rel=0)
    assert (found["lower"], found["upper"]) == pytest.approx((-2.944439, 2.944439), abs=5e-7)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ("10789,19328,33806,19402,10543", -3, 1, 2.131068),
        ("13,37,50,25,3", 0, 2.716, -0.537767),
        ("6, 0, 20, 0, 14", 0, 20, 0.796654),
    ],
)
def test_published_ratios(here: Here, counts: str, elo0: float, elo1: float, llr: float) -> None:
    found = sprt_of(here, "--penta", counts, "--elo0", elo0, "--elo1", elo1)
    assert found["llr"] == pytest.approx(llr, abs=5e-7, rel=0)


def test_single_games_are_counted_from_wins_to_losses(here: Here) -> None:
    found = sprt_of(here, "--wdl", "70,20,30")
    assert found["elo"] == pytest.approx(120.4, abs=0.1)
    turned = sprt_of(here, "--wdl", "30,20,70", "--elo0", -20, "--elo1", 0)
    assert turned["llr"] == pytest.approx(-found["llr"])


def test_normalized_elo_is_another_hypothesis(here: Here) -> None:
    counts = ["--penta", "39,2226,31451,2412,40", "--elo0", 0.764, "--elo1", 3.439]
    logistic, normalized = (
        sprt_of(here, *counts, "--model", m) for m in ("logistic", "normalized")
    )
    assert logistic["elo"] == normalized["elo"]
    assert logistic["llr"] < -5
    assert normalized["llr"] == pytest.approx(2.16, abs=0.01)


def test_what_the_counts_do_not_tell_is_null(here: Here) -> None:
    found = sprt_of(here, "--penta", "0,0,0,0,30")
    assert [found[key] for key in ("elo", "elo_error", "nelo", "nelo_error", "los")] == [None] * 5
    assert 0 < found["llr"] < 10


MATCHES = [("A", "B", [1, 1]), ("B", "A", [0.5, 1]), ("A", "C", [1]), ("A", "B", [1, 0])]


def stream(*matches: tuple[str, str, list[float]]) -> bytes:
    rows = [{"a": a, "b": b, "scores": scores} for a, b, scores in matches]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def test_a_stream_of_matches_is_counted_for_its_first_bot(here: Here) -> None:
    found = sprt_of(here, "-", "A", "B", given=stream(*MATCHES * 9))
    assert found == sprt_of(here, "--penta", "0,9,9,0,9")
    other = sprt_of(here, "-", "B", "A", given=stream(*MATCHES * 9))
    assert other["elo"] == pytest.approx(-found["elo"])
    single = sprt_of(here, "-", "C", "A", given=stream(*MATCHES * 9))
    assert single == sprt_of(here, "--wdl", "0,0,9")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ([], ["give one of --penta, --wdl, and FILE A B"]),
        (["--penta", "1,1,1,1,1", "--wdl", "1,1,1"], ["give one of"]),
        (["--penta", "1,2,3"], ["--penta 1,2,3: expected 5 counts, LL,LD,DD,DW,WW"]),
        (["--wdl", "1,2,x"], ["--wdl 1,2,x: expected 3 counts, W,D,L"]),
        (["--wdl=-1,2,3"], ["expected 3 counts"]),
        (["--wdl", "٣,1,1"], ["expected 3 counts"]),
        (["--wdl", "1,2," + 13 * "9"], ["expected 3 counts"]),
        (["--wdl", "0,0,0"], ["at least one match"]),
        (["--wdl", "1,1,1", "--elo0", "20", "--elo1", "20"], ["elo0 is below elo1"]),
        (["--wdl", "1,1,1", "--elo1", "inf"], ["from -500 to 500"]),
        (["--wdl", "1,1,1", "--model", "guess"], ["--model"]),
        (["-", "A"], ["give the names of both bots"]),
        (["-", "A", "D"], ["at least one match"]),
        (["nowhere", "A", "D"], ["nowhere"]),
    ],
)
def test_wrong_use_is_one_clear_line(here: Here, words: list[str], parts: list[str]) -> None:
    complaint(here("sprt", *words, given=stream(*MATCHES)), 2, *parts)


def test_matches_of_one_game_among_others_are_refused_with_the_line(here: Here) -> None:
    given = stream(*MATCHES, ("A", "B", [1]))
    complaint(
        here("sprt", "-", "A", "B", given=given), 2, "standard input, line 5: a match of 1 game"
    )
    complaint(here("sprt", "-", "A", "B", given=b"{"), 2, "standard input, line 1: not a match")


def test_the_same_from_a_process() -> None:
    result = started("sprt", "-", "A", "B", given=stream(*MATCHES))
    assert json.loads(result.stdout)["los"] is not None
