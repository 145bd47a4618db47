"""A bot that fails ten games in a row is set aside: after which game is the schedule's to say.

Neither the number of workers, nor the order in which games end, nor stops on the way change it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.pairing import Pairing
from arena.schedule import Chunk, GameKey, games_of
from arena.standings import standings
from arena.store import Reader, writing
from arena.tournament import annul_game
from arena.tournament.done import Done
from arena.tournament.forfeits import MOST_IN_A_ROW, Forfeits
from tests.store.test_counting import assert_sound
from tests.tournament.made_up import Judge, MadeUp, Verdict, by_order, entered, played
from tests.tournament.memory import Stopped

LABELS = ("a", "b", "c", "d")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def failing(*labels: str, in_games: Callable[[GameKey], bool] = lambda key: True) -> Judge:
    """These fail, the first of them where two meet; else whoever comes first in the order wins."""

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        for label in labels:
            if label in chunk.pairing and in_games(key):
                return Verdict(forfeits=label)
        return by_order(*LABELS)(chunk, key)

    return judge


def departures(database: Path) -> dict[str, str]:
    with Reader(database) as reader:
        return {e.label: e.departure for e in reader.entrants(1) if e.departure}


def counted(database: Path) -> dict[str, int]:
    """How many games of everybody count."""
    with Reader(database) as reader:
        return {row.label: row.games for row in reader.totals(1)}


def test_later_games_are_annulled_and_the_rest_goes_on(database: Path) -> None:
    # The schedule is a–b, a–c, …: of d's games a–d's come first.
    executor = MadeUp(failing("d"))
    progress = played(database, entered(database, *LABELS, matches=4), executor)
    assert departures(database) == {"d": "set aside"}
    # All eight of a–d; of b–d's eight the first two make ten, but none of its matches is whole.
    assert counted(database) == {"a": 24, "b": 16, "c": 16, "d": 8}
    assert progress.done == progress.planned == 3 * 8 + 8
    with Reader(database) as reader:
        assert reader.stored(1).finished
        [decision] = reader.audit(1)
        lines = {line.label: line for line in standings(reader, 1).lines}
    assert (decision.action, decision.subject) == ("set aside", "d")
    assert decision.reason == "forfeited 10 games in a row"
    assert (lines["d"].departure, lines["d"].forfeits) == ("set aside", 8)
    assert_sound(database, 1)


def seeds(database: Path, label: str) -> list[str]:
    with Reader(database) as reader:
        return [record.seed for record in reader.records(1) if label in record.pairing]


def test_what_an_organiser_annuls_while_it_is_played_stays_secret(database: Path) -> None:
    seen: list[list[str]] = []

    async def annul(count: int) -> None:
        if count == 1:
            while not (own := await trio.to_thread.run_sync(seeds, database, "a")):
                await trio.sleep(0)
            with Reader(database) as reader:
                game = reader.games()[0].game
            annul_game(database, 1, game, "a test")
            seen.extend([own, seeds(database, "a")])

    played(database, entered(database, "a", "b", matches=3), MadeUp(meanwhile=annul))
    assert seen == [[""], [""]]


def test_nine_in_a_row_are_not_ten(database: Path) -> None:
    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        is_tenth = chunk.pairing == ("b", "d") and key == GameKey(2, 0, 0)
        return failing("a" if is_tenth else "d")(chunk, key)

    # After nine games d wins one; then six more are left in b–d, and c–d's are annulled.
    played(database, entered(database, *LABELS, matches=4), MadeUp(judge))
    assert departures(database) == {"d": "set aside"}
    assert counted(database)["d"] == 16


def test_whoever_fails_now_and_then_stays(database: Path) -> None:
    judge = failing("d", in_games=lambda key: key.match != 2)
    played(database, entered(database, *LABELS, matches=5), MadeUp(judge))
    assert not departures(database)
    assert counted(database)["d"] == 30


def test_two_that_fail_and_meet_are_both_set_aside(database: Path) -> None:
    played(database, entered(database, *LABELS, matches=6), MadeUp(failing("c", "d")))
    assert departures(database) == {"c": "set aside", "d": "set aside"}
    # Of the twelve games of a–c and of a–d ten; of these the first four matches are whole. Their
    # games against each other come after the end of both.
    assert counted(database) == {"a": 12 + 8 + 8, "b": 12, "c": 8, "d": 8}
    assert_sound(database, 1)


def test_of_two_that_fail_one_ends_the_games_in_which_the_other_would_have_failed(
    database: Path,
) -> None:
    """Whoever is set aside later is so by the games that are left when the first has gone."""

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        if chunk.pairing == ("a", "b"):
            return Verdict(forfeits="a")
        if "b" in chunk.pairing:
            return Verdict(forfeits="b")
        return by_order(*LABELS)(chunk, key)

    # a is set aside in a–b, so that its games against c and d are not played.
    played(database, entered(database, *LABELS, matches=5), MadeUp(judge))
    assert departures(database) == {"a": "set aside", "b": "set aside"}
    assert counted(database) == {"a": 10, "b": 20, "c": 20, "d": 10}


def summary(database: Path) -> Any:
    """All that must not depend on who was faster."""
    with Reader(database) as reader:
        return (
            list(reader.records(1, canonical=True)),
            standings(reader, 1).lines,
            reader.entrants(1),
            [(d.action, d.subject, d.reason) for d in reader.audit(1)],
            reader.pairings(1),
        )


def whole(folder: Path, judge: Judge, chance: random.Random | None, **keys: Any) -> Any:
    """Play a tournament, in any order and with stops where there is chance; its summary."""
    database = folder / "games.db"
    stops = chance.randint(0, 3) if chance else 0
    for stop in [*range(stops), None]:
        executor = MadeUp(judge)
        if chance:
            executor = MadeUp(
                judge,
                at_once=chance.randint(1, 6),
                order=chance.randint(0, 99),
                stops_after=chance.randint(0, 60) if stop is not None else 10**9,
            )
        try:
            played(database, entered(database, *LABELS, "e", **keys), executor)
        except Stopped:
            continue
    assert_sound(database, 1)
    return summary(database)


def by_share(seed: int, shares: dict[str, float]) -> Judge:
    """Everybody fails in a share of its games, chosen by chance."""

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        chance = random.Random(f"{seed} {chunk.pairing} {key}")
        for label in chunk.pairing:
            if chance.random() < shares.get(label, 0):
                return Verdict(forfeits=label)
        return Verdict(chance.choice(chunk.pairing), chance.randint(1, 9))

    return judge


SHARES = st.dictionaries(st.sampled_from(LABELS), st.sampled_from([0.5, 0.9, 1.0]), max_size=3)


@pytest.mark.parametrize(
    "kind", ["round-robin", "gauntlet", "swiss", "knockout", "double-knockout"]
)
@settings(max_examples=5, deadline=None)
@given(SHARES, st.integers(1, 9), st.integers(1, 5), st.integers(0, 2**32))
@example({"a": 1.0, "b": 1.0}, 7, 2, 1)
@example({"b": 1.0, "c": 0.9, "d": 1.0}, 9, 3, 5)
def test_what_is_played_at_once_and_where_it_stops_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    kind: str,
    shares: dict[str, float],
    matches: int,
    chunk_matches: int,
    seed: int,
) -> None:
    keys = {"kind": kind, "matches": matches, "chunk_matches": chunk_matches}
    judge = by_share(seed, shares)
    expected = whole(tmp_path_factory.mktemp("in order"), judge, None, **keys)
    for number in range(2):
        chance = random.Random(seed + number)
        assert whole(tmp_path_factory.mktemp("by chance"), judge, chance, **keys) == expected


def ends(pairings: Collection[Pairing], forfeited: Collection[tuple[str, str, GameKey]]) -> Any:
    """Where everybody ends, with all games stored."""
    done = Done(2)
    for pairing in pairings:
        for match in range(pairing.first, pairing.first + pairing.matches):
            for rotation in range(2):
                done.add(",".join(pairing.entrants), GameKey(match, 0, rotation))
    forfeits = Forfeits(list(pairings), 25, 2, done, ())
    for label, text, key in forfeited:
        forfeits.note(label, text, key)
    return {
        label: (end.round, end.pairing, end.match, end.rotation)
        for label, end in forfeits.ends.items()
    }


def test_a_row_goes_on_over_pairings_and_rounds() -> None:
    first, second = Pairing(1, ("a", "b"), 1, 3), Pairing(2, ("a", "c"), 1, 3)
    lost = [
        ("a", ",".join(pairing.entrants), GameKey(match, 0, rotation))
        for pairing in (first, second)
        for match in (1, 2, 3)
        for rotation in (0, 1)
    ]
    # Six of the first round; of the second the first rotation's three and one of the second's.
    assert ends([first, second], lost) == {"a": (2, 1, 1, 1)}
    assert ends([first, second], lost[1:]) == {"a": (2, 1, 2, 1)}
    assert not ends([first, second], [game for game in lost if game[2].match != 2])
    assert len(lost) == MOST_IN_A_ROW + 2


def test_in_a_long_schedule_who_fails_is_found_a_few_games_later_and_on_going_on_at_once() -> None:
    pairing = Pairing(1, ("a", "b"), 1, 3_000)
    keys = list(chain(*games_of(pairing, 25, 2)))
    done = Done(2)
    forfeits, fresh = (Forfeits([pairing], 25, 2, done, ()) for _ in range(2))
    # Now and then at first, so that the schedule has been gone through before; then always.
    failed = [key for number, key in enumerate(keys) if number % 100 == 0 or number >= 2_000]
    tenth = failed.index(keys[2_009])
    for key in keys[:2_000]:
        done.add("a,b", key)
    for number, key in enumerate(failed):
        done.add("a,b", key)
        if number <= tenth:
            fresh.note("a", "a,b", key)
        forfeits.note("a", "a,b", key)
        if forfeits.ends:
            break
    assert fresh.ends == forfeits.ends
    assert fresh.ends["a"].match == keys[2_009].match
    assert tenth <= number <= tenth + len(keys) / 1_000


def test_failures_in_a_match_that_the_arena_failed_do_not_count(database: Path) -> None:
    """Whether a game of it had ended before the machine failed is chance."""
    failed_by_arena, again = GameKey(1, 0, 1), GameKey(1, 1, 0)

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        return failing("a" if key == again else "d")(chunk, key)

    # d fails ten games in a row, but the first of them is played again, and a fails in it.
    executor = MadeUp(judge, fails=lambda pairing, key: key == failed_by_arena)
    played(database, entered(database, "a", "d", matches=5, chunk_matches=1), executor)
    assert [key for _, key in executor.played[:3]] == [GameKey(1, 0, 0), *_games(2)]
    assert not departures(database)
    assert counted(database)["d"] == 10


def _games(match: int) -> list[GameKey]:
    return [GameKey(match, 0, rotation) for rotation in range(2)]


def test_games_that_are_annulled_are_not_in_the_row(database: Path) -> None:
    entry = entered(database, "a", "d", matches=6, chunk_matches=1)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(failing("d"), stops_after=6))
    with Reader(database) as reader:
        games = reader.games(limit=2)
    annul_game(database, 1, games[0].game, "the lamp fell on the machine")
    played(database, entered(database, "a", "d", matches=6, chunk_matches=1), MadeUp(failing("d")))
    assert counted(database)["d"] == 10
    assert departures(database) == {"d": "set aside"}, "five matches in a row, but for the third"


@pytest.mark.parametrize("kind", ["swiss", "knockout", "double-knockout"])
def test_in_a_round_that_is_played_on_the_opponent_wins_the_rest(database: Path, kind: str) -> None:
    """Ahead by nine games to one it is set aside, and loses the other games of its match."""

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        if "a" in chunk.pairing and key.rotation == 0 and key.match < 10:
            return Verdict("a")
        return failing("a")(chunk, key)

    # Matches 1 to 9 of the first rotation are a's; then it fails.
    played(database, entered(database, *LABELS, kind=kind, matches=12), MadeUp(judge, at_once=3))
    assert departures(database) == {"a": "set aside"}
    with Reader(database) as reader:
        first = next(met for met in reader.met(1) if "a" in met.pairing.entrants)
        own = [pairing for pairing in reader.pairings(1) if "a" in pairing.entrants]
        records = [r for r in reader.records(1, canonical=True) if "a" in r.pairing]
    assert len(own) == 1, "it is paired no more"
    assert first.games == 24
    # The tenth failure is that of match 7's second game: seven matches are whole.
    assert {record.match for record in records} == set(range(1, 8))
    assert first.pairing.entrants[0] == "a"
    assert first.score == 7, "all other games are its opponent's"
    assert_sound(database, 1)


def test_a_league_plays_on_without_it(database: Path) -> None:
    entry = entered(database, *LABELS, kind="league", rounds=4, matches=2, seed=None)
    played(database, entry, MadeUp(failing("b"), at_once=2))
    assert departures(database) == {"b": "set aside"}
    with writing(database) as db:
        [row] = db.query("SELECT count(*) AS n FROM rounds")
    assert row["n"] == 4
    with Reader(database) as reader:
        last = [set(p.entrants) for p in reader.pairings(1) if p.round == 4]
    assert last
    assert not any("b" in entrants for entrants in last)
    assert_sound(database, 1)
