"""`kseri compare`: what it prints of a test, as text, on the way, and as JSON.

The games are made up but for those of one test; everything else is the real thing.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from arena.bots import find_bot
from arena.cli.comparison_story import live_line
from arena.rating import EloHypotheses, Look, PointsHypotheses
from arena.schedule import MOST_REPLAYS, Chunk, GameKey
from arena.store import Reader
from arena.tournament import ComparisonPlan, RunningComparison, enter_comparison
from tests.cli.conftest import Here
from tests.cli.program import complaint, kseri
from tests.tournament.made_up import MadeUp, Verdict, by_chance, by_order, drawn

COMPARE = ("compare", "greedy", "random", "--isolation", "none")


@pytest.fixture
def at(tmp_path: Path) -> list[object]:
    return ["--db", tmp_path / "games.db"]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets an executor that plays nothing stand in the place of worker processes."""

    def use(executor: MadeUp) -> MadeUp:
        monkeypatch.setattr("arena.cli.compare.executor_for", lambda chosen, count: executor)
        return executor

    return use


def no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def result_of(here: Here, *words: object) -> dict[str, Any]:
    result = here(*words, "--json")
    assert result.returncode == 0, result.stderr
    return dict(json.loads(result.stdout, parse_constant=no_constant))


def mostly_first(chunk: Chunk, key: GameKey) -> Verdict:
    return Verdict(("greedy", "greedy", "random", None)[(key.match * 3 + key.rotation) % 4])


def failing(label: str) -> Any:
    return lambda chunk, key: Verdict(forfeits=label)


def test_the_result_is_of_the_labels_and_says_how_much(
    here: Here, at: list[object], made_up: Any
) -> None:
    made_up(MadeUp(mostly_first))
    result = here(*COMPARE, *at)
    assert result.returncode == 0, result.stderr
    title, bounds, strength, adjusted, always = result.stdout.splitlines()
    assert re.fullmatch(
        r"greedy \S+ v random \S+, \[0, 20\] Elo: H1 accepted after \d+ matches", title
    )
    assert re.fullmatch(r"LLR \S+, bounds -2.94 and 2.94", bounds)
    assert re.fullmatch(
        r"greedy is \+[\d.]+ Elo stronger than random, 95 % \+[\d.]+ to \+[\d.]+", strength
    )
    assert adjusted.startswith("(adjusted for the stop")
    assert re.fullmatch(r"At every look so far, 95 %: \S+ to \S+ Elo", always)


def test_all_lost_is_said_in_words(here: Here, at: list[object], made_up: Any) -> None:
    made_up(MadeUp(by_order("random", "greedy")))
    text = here(*COMPARE, *at).stdout
    assert "H0 accepted" in text
    assert "greedy lost every game: no number says how much weaker than random it is" in text
    assert "?" not in text


def test_json_has_null_where_there_is_no_number(here: Here, at: list[object], made_up: Any) -> None:
    made_up(MadeUp(by_order("greedy", "random")))
    found = result_of(here, *COMPARE, *at)
    assert (found["first"], found["second"]) == ("greedy", "random")
    assert (found["by"], found["h0"], found["h1"]) == ("wins", 0, 20)
    assert found["end"] == found["decision"] == "H1"
    assert found["matches"] == found["played"] >= 20
    assert (found["estimate"], found["high"], found["adjusted"]) == (None, None, None)
    assert found["low"] > 0


def test_json_of_no_match_at_all(here: Here, at: list[object], made_up: Any) -> None:
    made_up(MadeUp(fails=lambda pairing, key: True))
    found = result_of(here, *COMPARE, "--most", 20, *at)
    assert (found["matches"], found["played"], found["end"], found["decision"]) == (
        0,
        0,
        None,
        None,
    )
    with Reader(Path(str(at[1]))) as reader:
        assert reader.unplayed(1) == 20


def test_a_bot_that_fails_is_named_with_the_command_that_says_why(
    here: Here, at: list[object], made_up: Any
) -> None:
    made_up(MadeUp(failing("greedy")))
    text = here(*COMPARE, *at).stdout
    found = re.search(
        r"greedy forfeited (\d+) of (\d+) games; the latest:\n  .* log (\w{16}) --db", text
    )
    assert found, text
    assert found[1] == found[2]
    told = here("log", found[3], *at)
    assert told.returncode == 0, told.stderr
    assert "crash" in told.stdout


def test_forfeits_without_points_end_a_test_of_points(
    here: Here, at: list[object], made_up: Any
) -> None:
    made_up(MadeUp(failing("random"), at_once=2))
    text = here(*COMPARE, "--by", "points", *at).stdout
    assert "[0, 5] points: no decision after 10 matches" in text
    assert "The last 10 have no points: their games were forfeited" in text
    assert "random forfeited 20 of 20 games" in text
    assert "Forfeited games have no points: they are left out" in text


def test_games_that_are_all_alike_end_it(here: Here, at: list[object], made_up: Any) -> None:
    made_up(MadeUp(drawn))
    text = here(*COMPARE, "--by", "points", *at).stdout
    assert "no decision after 100 matches" in text
    assert "All 100 were the same, and the same for H0 as for H1" in text


def test_a_bot_against_itself_is_warned_of(here: Here, at: list[object], made_up: Any) -> None:
    made_up(MadeUp(drawn))
    words = ["compare", "greedy", "greedy", "--isolation", "none", *at]
    first, *_ = here(*words).stderr.splitlines()
    assert first == "greedy and greedy-2 have the same files: only chance is tested"
    assert "same files" not in here(*COMPARE, *at).stderr


def test_what_was_asked_before_is_asked_anew_once_it_is_answered(
    here: Here, at: list[object], made_up: Any
) -> None:
    for _ in range(2):
        executor = made_up(MadeUp(mostly_first))
        assert result_of(here, *COMPARE, *at)["end"] == "H1"
        assert executor.played


def test_unplayed_matches_are_left_out_of_the_count(
    here: Here, at: list[object], made_up: Any
) -> None:
    def fails(pairing: tuple[str, ...], key: GameKey) -> bool:
        return key.match in (2, 3) and key.replay <= MOST_REPLAYS

    made_up(MadeUp(by_chance(1), fails=fails))
    found = result_of(here, *COMPARE, "--most", 20, "--elo1", 1, *at)
    assert (found["end"], found["matches"]) == (None, 18)


LOOKS = [
    Look(1_000_000, -1234.56, -2.944, 2.944, "H0", -1234.5, 0.1, -1234.5, -1234.5, None),
    Look(1_000_000, 0.0, -2.944, 2.944, None, None, None, 286.5, math.inf, None),
    Look(1_000_000, 0.0, -2.944, 2.944, None, None, None, -math.inf, -286.5, None),
]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("hypotheses", [EloHypotheses(), PointsHypotheses(0.0, 5.0)])
def test_the_line_on_the_way_fits_a_terminal(tmp_path: Path, look: Look, hypotheses: Any) -> None:
    bots = find_bot("greedy"), find_bot("random")
    plan = ComparisonPlan(bots=bots, hypotheses=hypotheses, most=20)
    running: RunningComparison = enter_comparison(tmp_path / "games.db", plan, "none")
    assert live_line(running) == ""
    running.comparison.look = look
    assert len(live_line(running)) < 80
    assert "?" not in live_line(running)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--elo0", 20, "--elo1", 20], ["--elo0, --elo1: elo0 is below elo1"]),
        (["--elo1", "nan"], ["--elo0, --elo1"]),
        (["--points1", 3], ["--by wins is not decided by points"]),
        (["--by", "points", "--elo1", 3], ["--by points is not decided by Elo"]),
        (["--by", "points", "--points1", "1e300"], ["expected -1000 to 1000"]),
        (["--by", "points", "--points1", "nan"], ["--points0, --points1"]),
        (["--rules", "kseri-3"], ["--rules kseri-3", "takes 3 at a table"]),
        (["--rules", "no"], ["--rules no"]),
        (["--workers", 1024], ["--workers", "games at once"]),
        (["--most", 19], ["--most"]),
    ],
)
def test_wrong_use_is_one_clear_line(
    here: Here, at: list[object], words: list[object], parts: list[str]
) -> None:
    complaint(here(*COMPARE, *words, *at), 2, *parts)
    assert not Path(str(at[1])).exists()


def test_real_games_of_a_bot_that_leaves(bots: Path, at: list[object]) -> None:
    words = ["compare", bots / "quitter", "greedy", "--by", "points", "--isolation", "none", *at]
    result = kseri(*words, "--workers", 1)
    assert result.returncode == 0, result.stderr
    assert "no decision after 10 matches" in result.stdout
    assert "quitter forfeited 20 of 20 games" in result.stdout
