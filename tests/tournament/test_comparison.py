"""A test of two bots: what it rests on, how it goes on after a stop, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from arena.bots import BotFiles, find_bot
from arena.rating import EloHypotheses, PointsHypotheses
from arena.schedule import MOST_REPLAYS, Chunk, GameKey
from arena.store import Reader, writing
from arena.tournament import (
    MOST_ALIKE,
    MOST_WITHOUT_POINTS,
    Comparison,
    ComparisonPlan,
    Progress,
    RunningComparison,
    annul_game,
    enter_comparison,
    run,
)
from tests.tournament.made_up import Judge, MadeUp, Verdict, by_chance
from tests.tournament.memory import Stopped

A, B = "greedy", "random"
POINTS = PointsHypotheses(0.0, 5.0)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def plan(**changed: Any) -> ComparisonPlan:
    bots = find_bot(A), find_bot(B)
    settings: dict[str, Any] = {"bots": bots, "hypotheses": EloHypotheses(), "most": 400}
    return ComparisonPlan(**settings | changed)


def entered(database: Path, **changed: Any) -> RunningComparison:
    return enter_comparison(database, plan(**changed), "none")


def play(database: Path, running: RunningComparison, executor: MadeUp) -> RunningComparison:
    trio.run(run, database, running.entry, executor, Progress(), running)
    return running


def found(running: RunningComparison) -> tuple[Any, ...]:
    """All that a test has come to, but for the ids of games, which are by a secret."""
    test = running.comparison
    forfeits = {label: each.games for label, each in test.forfeits.items()}
    return test.end, test.matches, test.look, forfeits


def number_of(running: RunningComparison) -> int:
    return running.entry.stored.id


def better(key: GameKey) -> str | None:
    """The first bot wins most games: some 150 Elo, by the key alone."""
    return (A, A, B, A, None)[(key.match * 7 + key.rotation * 3) % 5]


def mostly(chunk: Chunk, key: GameKey) -> Verdict:
    return Verdict(better(key), 5 + key.match % 9)


def with_failure(label: str, in_matches: Callable[[int], bool] = lambda match: True) -> Judge:
    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        return Verdict(forfeits=label) if in_matches(key.match) else mostly(chunk, key)

    return judge


def voided(*matches: int, replays: int = MOST_REPLAYS + 1) -> Callable[..., bool]:
    """These matches the arena fails in their second game, so many times."""
    return lambda pairing, key: key.match in matches and key.rotation == 1 and key.replay < replays


# What it rests on


@pytest.mark.parametrize("order", range(2))
@pytest.mark.parametrize("hypotheses", [EloHypotheses(), POINTS], ids=["wins", "points"])
def test_whoever_is_faster_decides_nothing(database: Path, order: int, hypotheses: Any) -> None:
    judge = with_failure(B, lambda match: match % 4 == 0)
    results = []
    for at_once in (1, 2, 5):
        path = database.with_name(f"{at_once}.db")
        executor = MadeUp(judge, at_once=at_once, order=order, fails=voided(2, 7))
        results.append(found(play(path, entered(path, hypotheses=hypotheses), executor)))
    assert results[0] == results[1] == results[2]
    assert results[0][0] == "H1"


def test_what_is_played_beyond_the_deciding_match_changes_nothing(database: Path) -> None:
    running = play(database, entered(database), MadeUp(mostly, at_once=8))
    test = Comparison(A, 2, EloHypotheses())
    with Reader(database) as reader:
        records = list(reader.records(number_of(running), canonical=True))
    assert len(records) > 2 * running.comparison.matches
    for record in records:
        test.take(record)
    assert (test.end, test.look) == ("H1", running.comparison.look)


def test_a_match_that_the_arena_failed_is_played_again_before_later_ones(database: Path) -> None:
    executor = MadeUp(mostly, fails=voided(1, replays=1))
    running = play(database, entered(database), executor)
    assert running.comparison.end == "H1"
    # All 400 would have been played before the first one again.
    assert len(executor.played) < 2 * (running.comparison.matches + 10)


# Going on


@pytest.mark.parametrize("stop", [1, 12, 13, 31, 40])
def test_it_goes_on_as_if_it_had_not_been_stopped(database: Path, stop: int) -> None:
    """Also over a match that is played again and one that is never played."""

    def fails(pairing: tuple[str, ...], key: GameKey) -> bool:
        return voided(3)(pairing, key) or voided(5, replays=1)(pairing, key)

    whole = database.with_name("whole.db")
    expected = found(play(whole, entered(whole), MadeUp(mostly, fails=fails)))
    with pytest.raises(Stopped):
        play(database, entered(database), MadeUp(mostly, fails=fails, stops_after=stop))
    running = play(database, entered(database), MadeUp(mostly, fails=fails))
    assert found(running) == expected
    assert expected[0] == "H1"
    assert number_of(running) == 1
    with Reader(database) as reader:
        assert reader.unplayed(1) == 1
        assert reader.stored(1).finished


def test_annulled_matches_do_not_count_when_it_goes_on(database: Path) -> None:
    with pytest.raises(Stopped):
        play(database, entered(database), MadeUp(mostly, stops_after=30))
    with Reader(database) as reader:
        games = {record.match: record.game for record in reader.records(1)}
    annul_game(database, 1, games[2], "a mistake")
    running = play(database, entered(database), MadeUp(mostly))
    test = Comparison(A, 2, EloHypotheses())
    test.skip(2)
    with Reader(database) as reader:
        for record in reader.records(1):
            if record.match != 2:
                test.take(record)
    assert (test.end, test.look) == ("H1", running.comparison.look)


def test_a_match_that_is_annulled_while_it_is_played_is_taken_back(database: Path) -> None:
    async def meanwhile(played: int) -> None:
        if played == 20:
            await trio.to_thread.run_sync(annul_first)

    def annul_first() -> None:
        with Reader(database) as reader:
            # Until the writer has stored it.
            while not (games := [game.game for game in reader.records(1) if game.match == 1]):
                pass
        annul_game(database, 1, games[0], "a mistake")

    running = entered(database)
    # A void match after it ends the stage, so that the next begins by what the store has then.
    play(database, running, MadeUp(mostly, fails=voided(12, replays=1), meanwhile=meanwhile))
    with Reader(database) as reader:
        counted = {record.match for record in reader.records(1, canonical=True)}
    assert 1 not in counted
    assert running.comparison.end == "H1"
    last = sorted(counted)[running.comparison.matches - 1]
    assert last == running.comparison.matches + 1


def test_games_that_another_process_stored_in_between_are_taken(database: Path) -> None:
    waiting = entered(database)
    with pytest.raises(Stopped):
        play(database, entered(database), MadeUp(mostly, stops_after=33))
    executor = MadeUp(mostly)
    play(database, waiting, executor)
    whole = database.with_name("whole.db")
    assert found(waiting) == found(play(whole, entered(whole), MadeUp(mostly)))
    assert (("greedy", "random"), GameKey(1, 0, 0)) not in executor.played


def test_one_that_another_process_has_ended_is_told_as_it_ended(database: Path) -> None:
    waiting = entered(database)
    other = play(database, entered(database), MadeUp(mostly))
    executor = MadeUp(mostly)
    assert found(play(database, waiting, executor)) == found(other)
    assert executor.played == []


# Which test is the same


def edited(bot: BotFiles) -> BotFiles:
    return replace(bot, files={**bot.files, "more.txt": (False, b"more")})


OTHERS: dict[str, dict[str, Any]] = {
    "hypotheses": {"hypotheses": EloHypotheses(0.0, 20.5)},
    "statistic": {"hypotheses": PointsHypotheses(0.0, 20.0)},
    "first bot edited": {"bots": (edited(find_bot(A)), find_bot(B))},
    "second bot edited": {"bots": (find_bot(A), edited(find_bot(B)))},
    "turned round": {"bots": (find_bot(B), find_bot(A))},
    "rules": {"rules": "pisti-2"},
    "overrides": {"overrides": {"target": 51}},
    "fewer matches": {"most": 399},
}


@pytest.mark.parametrize("changed", OTHERS.values(), ids=OTHERS)
def test_another_question_is_another_test(database: Path, changed: dict[str, Any]) -> None:
    first = number_of(entered(database))
    other = number_of(entered(database, **changed))
    assert other != first
    assert number_of(entered(database)) == first
    assert number_of(entered(database, **changed)) == other


def test_the_same_may_be_asked_of_more_matches_until_it_is_answered(database: Path) -> None:
    first = number_of(entered(database))
    running = entered(database, most=500)
    assert number_of(running) == first
    assert running.entry.stored.definition.matches == 500
    assert play(database, running, MadeUp(mostly)).comparison.end == "H1"
    assert number_of(entered(database, most=500)) != first


def test_hypotheses_are_stored_and_told_however_long_the_names_are(database: Path) -> None:
    long = find_bot(A)
    manifest = msgspec.structs.replace(long.manifest, name="x" * 39, version="\x1b[2J" + "9" * 36)
    long = replace(long, manifest=manifest)
    running = entered(database, bots=(long, long), hypotheses=PointsHypotheses(-1.5, 2.25))
    with Reader(database) as reader:
        name = reader.stored(number_of(running)).name
    assert len(name) <= 80
    assert name.endswith("…, [-1.5, 2.25] points")
    with writing(database) as db:
        rows = list(db.execute("SELECT statistic, h0, h1 FROM comparisons"))
    assert rows == [("points", -1.5, 2.25)]


# A bot that fails, bots that are alike


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_bot_that_always_fails_loses_and_is_not_set_aside(database: Path, at_once: int) -> None:
    running = play(database, entered(database), MadeUp(with_failure(A), at_once=at_once))
    test = running.comparison
    assert test.end == "H0"
    assert test.forfeits[A].games == 2 * test.matches
    with Reader(database) as reader:
        assert not any(entrant.departure for entrant in reader.entrants(1))
        assert reader.audit(1) == []
        assert reader.game(test.forfeits[A].latest).match == test.matches


@pytest.mark.parametrize("at_once", [1, 3])
def test_ten_matches_in_a_row_without_points_end_a_test_of_points(
    database: Path, at_once: int
) -> None:
    judge = with_failure(B, lambda match: match not in (1, 9))
    running = entered(database, hypotheses=POINTS)
    play(database, running, MadeUp(judge, at_once=at_once))
    test = running.comparison
    assert (test.end, test.matches) == ("no points", 9 + MOST_WITHOUT_POINTS)
    assert test.look is not None
    assert test.look.matches == 2
    with Reader(database) as reader:
        assert reader.stored(1).finished


@pytest.mark.parametrize("by", [POINTS, EloHypotheses(-10.0, 10.0)], ids=["points", "wins"])
def test_matches_that_are_all_the_same_and_say_nothing_end_it(database: Path, by: Any) -> None:
    running = play(database, entered(database, hypotheses=by), MadeUp())
    assert (running.comparison.end, running.comparison.matches) == ("no variance", MOST_ALIKE)


def test_matches_that_are_all_the_same_may_decide(database: Path) -> None:
    assert play(database, entered(database), MadeUp()).comparison.end == "H0"


def test_it_ends_undecided_after_the_most_that_were_asked_for(database: Path) -> None:
    running = entered(database, hypotheses=EloHypotheses(0.0, 1.0), most=30)
    play(database, running, MadeUp(by_chance(1)))
    assert (running.comparison.end, running.comparison.matches) == (None, 30)
    with Reader(database) as reader:
        assert reader.stored(1).finished


def test_whoever_shows_it_is_told_of_every_change(database: Path) -> None:
    running, told = entered(database), list[int]()
    running.on_change = lambda: told.append(running.comparison.matches)
    play(database, running, MadeUp(mostly))
    assert told == sorted(told)
    assert set(told) == set(range(running.comparison.matches + 1))
