"""`kseri rate`: results from elsewhere, as JSON and as a table."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from arena.rating import fit_points, match_results, tally_of
from tests.cli.conftest import Here
from tests.cli.program import HOSTILE, assert_harmless, complaint, environment, started

WINS = {  # of the row's bot against the column's
    "A": {"B": 12, "C": 14, "D": 18},
    "B": {"A": 8, "C": 11, "D": 15},
    "C": {"A": 6, "B": 9, "D": 13},
    "D": {"A": 2, "B": 5, "C": 7},
}
MATCH_SCORES = {
    ("A", "B"): [2, 1, 1, 2, 1, 0, 1, 2, 1, 1],
    ("A", "C"): [2, 2, 1, 1, 2, 1, 2, 1],
    ("B", "C"): [1, 1, 2, 0, 1, 1, 2, 1, 1, 2, 1, 0],
}
MARGINS = {("A", "B"): [3, -1.5, 0.5, 2], ("A", "C"): [4, 6.5, -2], ("B", "C"): [1, 2.5, -3, 5, 0]}


def lines(matches: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(match).encode() + b"\n" for match in matches)


def single(a: str, b: str, score: float, count: int = 1) -> list[dict[str, Any]]:
    return [{"a": a, "b": b, "scores": [score]}] * count


FOUR_BOTS = lines(m for a, row in WINS.items() for b, n in row.items() for m in single(a, b, 1, n))
TWO_GAMES = lines(
    {"a": a, "b": b, "scores": {0: [0, 0], 1: [1, 0], 2: [1, 1]}[score]}
    for (a, b), scores in MATCH_SCORES.items()
    for score in scores
)


def rated(here: Here, given: bytes, *options: object) -> Any:
    result = here("rate", "-", "--json", *options, given=given)
    assert (result.returncode, result.stderr) == (0, "")

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(result.stdout, parse_constant=refuse)["groups"]


def by_name(group: Any, field: str = "rating") -> dict[str, Any]:
    return {bot["name"]: bot[field] for bot in group["bots"]}


# --- numbers ---


def test_four_bots_have_the_published_ratings_and_errors(here: Here) -> None:
    (group,) = rated(here, FOUR_BOTS, "--prior", 0, "--center", 0, "--se", "fisher")
    assert by_name(group) == pytest.approx(
        {"A": 138.9687, "B": 39.0030, "C": -18.1316, "D": -159.8401}, abs=5e-5, rel=0
    )
    assert by_name(group, "se") == pytest.approx(
        {"A": 39.0402, "B": 36.0194, "C": 35.8566, "D": 40.3966}, abs=5e-5, rel=0
    )
    assert set(by_name(group, "games").values()) == {60}


def test_errors_are_clustered_by_match_unless_told_otherwise(here: Here) -> None:
    (group,) = rated(here, TWO_GAMES, "--prior", 0, "--center", 0)
    assert list(by_name(group).values()) == pytest.approx(
        [82.589956, -15.694415, -66.895541], abs=5e-7, rel=0
    )
    assert list(by_name(group, "se").values()) == pytest.approx(
        [34.774390, 32.442894, 33.341992], abs=5e-7, rel=0
    )
    (fisher,) = rated(here, TWO_GAMES, "--prior", 0, "--se", "fisher")
    assert by_name(fisher, "se")["A"] == pytest.approx(41.176598, abs=5e-7, rel=0)
    assert by_name(group, "matches") == {"A": 18, "B": 22, "C": 20}


def test_all_fields_of_a_group_are_in_the_order_of_its_bots(here: Here) -> None:
    (group,) = rated(here, TWO_GAMES)
    assert list(group) == ["bots", "deviance", "df", "p", "los", "points"]
    fields = ["name", "rating", "se", "low", "high", "rank_low", "rank_high", "games", "matches"]
    assert list(group["bots"][0]) == [*fields, "provisional"]
    assert [bot["name"] for bot in group["bots"]] == ["A", "B", "C"]
    assert sum(by_name(group).values()) / 3 == pytest.approx(1500)
    assert group["los"][0][2] > group["los"][0][1] > 0.9
    assert group["los"][2][0] == pytest.approx(1 - group["los"][0][2])
    assert (group["df"], group["points"]) == (1, None)
    assert 0 < group["p"] < 1
    for bot in group["bots"]:
        assert bot["low"] < bot["rating"] < bot["high"]
        assert bot["high"] - bot["low"] == pytest.approx(2 * 1.959964 * bot["se"])


def test_points_have_their_own_values_beside_the_ratings(here: Here) -> None:
    matches = [
        {"a": a, "b": b, "scores": [0.5], "points": [margin]}
        for (a, b), margins in MARGINS.items()
        for margin in margins
    ]
    (group,) = rated(here, lines(matches))
    value = {bot["name"]: bot["value"] for bot in group["points"]["bots"]}
    assert value["B"] - value["A"] == pytest.approx(-1.234043, abs=5e-7)
    assert value["C"] - value["A"] == pytest.approx(-2.521277, abs=5e-7)
    assert [bot["se"] for bot in group["points"]["bots"]] == [None] * 3, "fewer than ten matches"
    (often,) = rated(here, lines(matches * 3))
    (expected,) = fit_points([tally_of(match_results(lines(matches * 3).splitlines())).points()])
    for bot, rating in zip(often["points"]["bots"], expected.ratings, strict=True):
        assert bot["value"] == pytest.approx(rating.value)
        assert bot["se"] == pytest.approx(rating.se)
        assert (bot["low"], bot["high"]) == pytest.approx((rating.low, rating.high))
    assert often["points"]["los"] == expected.superiority.tolist()
    assert often["points"]["elo_per_point"] == [None], "equal scores leave no error of a rating"


def test_points_need_not_connect_all_that_games_connect(here: Here) -> None:
    matches = [
        {"a": "A", "b": "B", "scores": [1, 0], "points": [2, 1]},
        {"a": "B", "b": "C", "scores": [1, 0]},
        {"a": "C", "b": "D", "scores": [1, 0], "points": [0, 5]},
        {"a": "D", "b": "E", "scores": [1, 0], "points": []},
    ]
    (group,) = rated(here, lines(matches))
    points = group["points"]
    assert sorted((bot["name"], bot["scale"], bot["deals"]) for bot in points["bots"]) == [
        ("A", 0, 2),
        ("B", 0, 2),
        ("C", 1, 2),
        ("D", 1, 2),
    ]
    assert points["los"][0][2:] == [None, None]
    assert len(points["elo_per_point"]) == 2


def test_islands_are_two_groups(here: Here) -> None:
    matches = [*single("A1", "A2", 1, 6), *single("A1", "A2", 0, 4)]
    matches += [*single("B1", "B2", 1, 7), *single("B1", "B2", 0, 3)]
    groups = rated(here, lines(matches))
    assert [sorted(by_name(group)) for group in groups] == [["A1", "A2"], ["B1", "B2"]]
    assert [group["p"] for group in groups] == [None, None]


def test_who_won_everything_has_no_error_and_no_upper_end(here: Here) -> None:
    matches = [*single("Perfect", "Beta", 1, 10), *single("Perfect", "Gamma", 1, 10)]
    matches += [*single("Beta", "Gamma", 1, 6), *single("Beta", "Gamma", 0, 4)]
    (group,) = rated(here, lines(matches), "--center", 0)
    assert list(by_name(group).values()) == pytest.approx(
        [440.1245, -187.6366, -252.4879], abs=5e-5, rel=0
    )
    best = group["bots"][0]
    assert (best["name"], best["se"], best["high"]) == ("Perfect", None, None)
    assert 0 < best["low"] < best["rating"]
    complaint(
        here("rate", "-", "--prior", 0, given=lines(matches)),
        2,
        "--prior 0: no finite ratings: Beta, Gamma took no point from the others",
    )


def test_below_ten_matches_there_is_no_plus_or_minus(here: Here) -> None:
    matches = [{"a": "A", "b": "B", "scores": [1, 0]}] * 9
    (group,) = rated(here, lines(matches))
    assert [(b["se"], b["low"], b["high"], b["provisional"]) for b in group["bots"]] == [
        (None, None, None, True)
    ] * 2
    assert "prov." in here("rate", "-", given=lines(matches)).stdout


# --- files ---

PGN = b"""\
[Event "Cup"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 {a comment
[White "nobody"]} e5 ; { not opened
2. Nf3 1-0

[Event "Cup"] [White "B"] [Black "A"] [Result "1/2-1/2"]
1. d4 1/2-1/2
[White "A"]
[Black "B"]
[Result "*"]
[White "B"]
[Black "A"]
[Result "0-1"]
"""


def test_pgn_counts_finished_games_as_matches_of_one(here: Here) -> None:
    (pgn,) = rated(here, b"\n" + PGN)
    same = [*single("A", "B", 1, 2), *single("B", "A", 0.5)]
    assert [pgn] == rated(here, lines(same))
    assert by_name(pgn, "games") == {"A": 3, "B": 3}


def test_a_file_and_standard_input_are_the_same_and_blank_lines_are_nothing(
    here: Here, tmp_path: Path
) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_bytes(b"\xef\xbb\xbf\n" + TWO_GAMES.replace(b"\n", b"\r\n\r\n"))
    result = here("rate", file, "--json")
    assert json.loads(result.stdout)["groups"] == rated(here, TWO_GAMES)


@pytest.mark.skipif(sys.platform != "linux", reason="a file that opens but can't be read: Linux's")
def test_a_file_that_stops_being_readable_is_named(here: Here) -> None:
    result = here("rate", "/proc/self/mem")
    assert result.returncode == 1
    assert result.stderr == "kseri: /proc/self/mem, line 1: Input/output error\n"


def test_nothing_played_is_no_group(here: Here) -> None:
    assert rated(here, b"\n\n") == []
    assert rated(here, b'[White "A"]\n[Black "B"]\n[Result "*"]\n') == []
    assert "No match has a result." in here("rate", "-", given=b"").stdout


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (b"{", ["not a match"]),
        (b"[1]", ["not a match", "Expected `object`"]),
        (b"\xff", ["not a match"]),
        (b'{"a": "A", "scores": [1]}', ["missing required field `b`"]),
        (b'{"a": "A", "b": "A", "scores": [1]}', ["'A' can't be its own opponent"]),
        (b'{"a": "A", "b": "", "scores": [1]}', ["length >= 1", "$.b"]),
        (b'{"a": "A", "b": " ", "scores": [1]}', ["nothing but spaces"]),
        (b'{"a": "' + b"x" * 101 + b'", "b": "B", "scores": [1]}', ["length <= 100", "$.a"]),
        (b'{"a": "A", "b": "B", "scores": []}', ["length >= 1", "$.scores"]),
        (b'{"a": "A", "b": "B", "scores": [1, 1, 1]}', ["length <= 2", "$.scores"]),
        (b'{"a": "A", "b": "B", "scores": [0.25]}', ["a score of 0.25; expected 0, 0.5 or 1"]),
        (b'{"a": "A", "b": "B", "scores": [true]}', ["Expected `float`, got `bool`"]),
        (b'{"a": "A", "b": "B", "scores": [NaN]}', ["not a match"]),
        (b'{"a": "A", "b": "B", "scores": [1], "points": [1e7]}', ["1e+07 points"]),
        (b'{"a": "A", "b": "B", "scores": [1], "points": [1e999]}', []),
        (b"[" * 60_000, ["not a match"]),
        (b'{"a": "' + b"x" * 66_000, ["longer than 65536 bytes"]),
    ],
)
def test_a_wrong_line_is_named(here: Here, tmp_path: Path, line: bytes, parts: list[str]) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_bytes(b'{"a": "A", "b": "B", "scores": [1]}\n\n' + line + b"\n")
    complaint(here("rate", file), 2, f"{file}, line 3: ", *parts)


@pytest.mark.parametrize(
    ("game", "line", "part"),
    [
        (b'[White "A"]\n[Black "B"]\n\n1. e4', 1, "a game without [Result]"),
        (b'[White "A"]\n[Black "B"]\n[Result "1-1"]', 1, "a game whose result is '1-1'"),
        (b'[White "A"]\n[Black "A"]\n[Result "1-0"]', 1, "'A' can't be its own opponent"),
        (b'[White ""]\n[Black "A"]\n[Result "1-0"]', 1, "names have 1 to 100 characters"),
        (b'[{"a": "A"}]', 1, 'expected a tag such as [White "A"], or JSON Lines'),
        (PGN + b'\n1. e4\n[White "A"]\n[Result "1-0"]', 20, "a game without [Black]"),
    ],
)
def test_a_wrong_game_is_named(here: Here, game: bytes, line: int, part: str) -> None:
    complaint(here("rate", "-", given=game), 2, f"standard input, line {line}: {part}")


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--prior", "-1"], "the prior is 0 or at least"),
        (["--prior", "nan"], "the prior is 0 or at least"),
        (["--prior", "x"], "--prior"),
        (["--center", "inf"], "--center inf"),
        (["--se", "guess"], "--se"),
    ],
)
def test_a_wrong_option_is_named(here: Here, options: list[str], part: str) -> None:
    complaint(here("rate", "-", *options, given=TWO_GAMES), 2, part)
    complaint(here("rate", "nowhere.jsonl"), 2, "nowhere.jsonl")


def test_too_many_bots_are_refused_with_the_line(here: Here) -> None:
    given = lines(match for n in range(1001) for match in single(f"a{n}", f"b{n}", 1))
    complaint(here("rate", "-", given=given), 2, "line 1001: more than 2000 bots")


# --- the table ---


def test_the_table_has_eighty_columns_and_says_how_to_read_it(here: Here) -> None:
    longest = "n" * 100
    matches = [
        {"a": "A" if turn % 2 else longest, "b": "B", "scores": [turn % 3 / 2, 1], "points": [turn]}
        for turn in range(60)
    ]
    result = here("rate", "-", given=lines(matches))
    printed = result.stdout.splitlines()
    assert max(map(len, printed)) <= 80
    assert printed[0].split() == ["Rank", "Bot", "Elo", "±", "Matches", "Games", "Points/deal", "±"]
    assert result.stdout.count("n") > 100, "all of a long name, on several lines"
    assert "clustered by match" in result.stdout
    assert "deviance" not in result.stdout, "there is none on 0 df"


def test_the_table_tells_groups_bounds_and_cycles_apart(here: Here) -> None:
    cycle = [("A", "B"), ("B", "C"), ("C", "A")]
    matches = [m for a, b in cycle for m in [*single(a, b, 1, 70), *single(a, b, 0, 30)]]
    printed = here("rate", "-", given=lines(matches + single("X", "Y", 1, 12))).stdout
    assert "(2)" in printed
    assert "≥" in printed
    assert "≤" in printed
    assert "Fit of (1): deviance 49.4 on 1 df" in printed
    assert "no single number describes who beats whom" in " ".join(printed.split())


def test_a_bot_whose_points_tell_another_story_is_marked(here: Here) -> None:
    bots = "ABCDEF"
    matches = []
    for i, a in enumerate(bots):
        for j, b in enumerate(bots[:i]):
            for n in range(60):
                # The later letter wins more often, and makes more points unless it is F.
                won = 1 if (7 * n + i + j) % 20 < 10 + i - j else 0
                lead = (i if i < 5 else -5) - j
                luck = (13 * n + 5 * i + j) % 21 - 10
                matches.append({"a": a, "b": b, "scores": [won], "points": [lead + luck]})
    printed = here("rate", "-", given=lines(matches)).stdout
    (marked,) = [line for line in printed.splitlines() if " ! " in line and "=" not in line]
    assert marked.split()[1] == "F"
    assert "! = rating and points differ by more than 3 standard errors." in printed


def test_hostile_names_stay_what_they_are_in_json_and_harmless_everywhere(here: Here) -> None:
    given = lines(single(HOSTILE, "B", 1, 3) + single(HOSTILE, "B", 0, 3))
    (group,) = rated(here, given)
    assert HOSTILE in by_name(group)
    shown = [here("rate", "-", *options, given=given).stdout for options in ([], ["--json"])]
    refused = here("rate", "-", "--prior", 0, given=lines(single(HOSTILE, "B", 0)))
    complaint(refused, 2, "no finite ratings")
    assert_harmless([*shown, refused.stderr])


def test_a_stream_is_not_kept(tmp_path: Path) -> None:
    """Memory is the same for a hundred times as many matches."""
    measure = (
        "import itertools, resource, sys\n"
        "from arena.rating import match_results, tally_of\n"
        'line = b\'{"a": "A", "b": "B", "scores": [1, 0.5], "points": [1, 2]}\\n\'\n'
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "tally_of(match_results(itertools.repeat(line, 1000)))\n"
        "before = peak()\n"
        "tally = tally_of(match_results(itertools.repeat(line, 100_000)))\n"
        "assert tally.results().count.tolist() == [100_000]\n"
        "print(peak() - before)\n"
    )
    script = tmp_path / "measure.py"
    script.write_text(measure)
    result = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, env=environment()
    )
    assert int(result.stdout) < 2048  # KiB


def test_the_same_from_a_process() -> None:
    result = started("rate", "-", "--json", given=TWO_GAMES)
    assert json.loads(result.stdout)["groups"][0]["bots"][0]["name"] == "A"
    complaint(started("rate", "-", given=b"nonsense\n"), 2, "standard input, line 1: not a match")
