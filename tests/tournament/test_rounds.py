"""Tournaments in rounds: drawn once, played in order, to their end, wherever they are stopped."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.bots import find_bot
from arena.errors import UsageError
from arena.pairing import Bracket, Met, swiss
from arena.schedule import Chunk, GameKey, Secret
from arena.standings import knockout_bracket
from arena.store import Reader, find_tournament, writing
from arena.tournament import add_bot, annul_game, withdraw
from arena.verify import problems, secret_problems
from tests.store.test_counting import assert_sound
from tests.tournament.made_up import (
    MadeUp,
    Verdict,
    by_chance,
    by_order,
    drawn,
    entered,
    played,
)
from tests.tournament.memory import InMemory, Stopped
from tests.tournament.memory import entered as entered_in_memory
from tests.tournament.memory import played as played_in_memory

LABELS = ("a", "b", "c", "d", "e")
IN_ROUNDS = ("swiss", "knockout", "double-knockout", "league")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def keys_of(kind: str, **keys: Any) -> dict[str, Any]:
    """What a tournament of this kind needs to come to an end."""
    return {"kind": kind} | ({"rounds": 4, "seed": None} if kind == "league" else {}) | keys


def met(database: Path) -> list[Met]:
    with Reader(database) as reader:
        return reader.met(1)


def bracket(database: Path) -> Bracket:
    """A knockout as it stands."""
    with Reader(database) as reader:
        return knockout_bracket(reader, reader.stored(1))


def tie(database: Path, number: int, *labels: str) -> Any:
    """The tie of two in a round of a knockout, as it stands."""
    [one] = [
        tie
        for tie in bracket(database).ties
        if tie.slot.round == number and {side.label for side in tie.sides} == set(labels)
    ]
    return one


def rounds(database: Path) -> list[list[str]]:
    """Who meets whom in every round, `a-b`; a bye as `a`."""
    with Reader(database) as reader:
        found: dict[int, list[str]] = {}
        for pairing in reader.pairings(1):
            found.setdefault(pairing.round, []).append("-".join(pairing.entrants))
    return list(found.values())


@pytest.mark.parametrize("kind", IN_ROUNDS)
def test_rounds_are_drawn_once_and_nothing_is_played_twice_wherever_it_stops(
    tmp_path: Path, kind: str
) -> None:
    judge = by_chance(3)
    whole = tmp_path / "whole.db"
    executor = MadeUp(judge)
    progress = played(whole, entered(whole, *LABELS, **keys_of(kind)), executor)
    count = len(executor.played)
    assert progress.done == progress.planned == count
    assert len(set(executor.played)) == count
    for stop in range(count + 1):
        database = tmp_path / f"stopped after {stop}.db"
        first, second = MadeUp(judge, stops_after=stop), MadeUp(judge)
        try:
            played(database, entered(database, *LABELS, **keys_of(kind)), first)
            assert stop == count
        except Stopped:
            played(database, entered(database, *LABELS, **keys_of(kind)), second)
        assert len(first.played + second.played) == count
        if kind != "league":
            # A league's results are by chance here, since its cards are.
            assert set(first.played + second.played) == set(executor.played)
            assert rounds(database) == rounds(whole)
    assert_sound(database, 1)


@pytest.mark.parametrize("kind", IN_ROUNDS)
def test_a_round_begins_when_the_one_before_is_over(database: Path, kind: str) -> None:
    executor = MadeUp(by_chance(5), at_once=4, order=1)
    played(database, entered(database, *LABELS, **keys_of(kind, matches=3)), executor)
    numbers = [chunk.round for chunk in executor.chunks]
    assert numbers == sorted(numbers)
    with Reader(database) as reader:
        found = reader.rounds(1)
        stored = reader.stored(1)
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    assert all(each.finished for each in found)
    assert bool(stored.finished) == (kind != "league"), "a league may go on"


def test_a_swiss_has_no_rematch_and_one_bye_a_bot_at_most(database: Path) -> None:
    entry = entered(database, *LABELS, "f", "g", kind="swiss", rounds=4, matches=2)
    played(database, entry, MadeUp(by_chance(1)))
    pairs = Counter(one.pairing.entrants for one in met(database))
    assert set(pairs.values()) == {1}
    assert sum(one.pairing.is_bye for one in met(database)) == 4
    assert len(rounds(database)) == 4
    table = swiss.table([*LABELS, "f", "g"], met(database), 4)
    assert sum(line.score for line in table) == 4 * 4 * 4, "a bye is a pairing won"


def test_a_swiss_ends_early_where_those_who_are_left_have_all_met(database: Path) -> None:
    entry = entered(database, *LABELS[:4], "f", "g", kind="swiss", rounds=3)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(stops_after=5))
    assert rounds(database) == [["a-d", "b-f", "c-g"]]
    for label in "bfcg":
        withdraw(database, 1, label, "a test")
    executor = MadeUp()
    progress = played(database, entry, executor)
    assert not executor.played
    assert progress.done == progress.planned == 5
    assert len(rounds(database)) == 1
    with Reader(database) as reader:
        assert reader.stored(1).finished


def test_a_swiss_of_whom_all_but_one_have_left_is_over(database: Path) -> None:
    entry = entered(database, *LABELS[:3], kind="swiss")
    for label in ("a", "b"):
        withdraw(database, 1, label, "a test")
    executor = MadeUp()
    played(database, entry, executor)
    assert not executor.played
    with Reader(database) as reader:
        assert reader.stored(1).finished


def test_the_best_seed_of_a_knockout_meets_the_worst_and_byes_go_to_the_best(
    database: Path,
) -> None:
    played(database, entered(database, *LABELS, kind="knockout"), MadeUp(by_order(*LABELS)))
    assert rounds(database) == [["d-e", "a", "b", "c"], ["a-d", "b-c"], ["a-b"]]


def test_a_drawn_tie_gets_a_match_more_at_a_time(database: Path) -> None:
    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        return Verdict("b") if key.match == 5 else Verdict()

    executor = MadeUp(judge)
    played(database, entered(database, "a", "b", kind="knockout", matches=2), executor)
    with Reader(database) as reader:
        found = [(pairing.first, pairing.matches) for pairing in reader.pairings(1)]
        assert [each.number for each in reader.rounds(1)] == [1]
    assert found == [(1, 2), (3, 1), (4, 1), (5, 1)]
    assert [key.match for _, key in executor.played] == [1, 2, 1, 2, 3, 3, 4, 4, 5, 5]
    assert (tie(database, 1, "a", "b").winner, tie(database, 1, "a", "b").decided) == ("b", "score")


@pytest.mark.parametrize("ahead", [0, 7])
def test_after_ten_more_matches_points_decide_and_then_the_seed(database: Path, ahead: int) -> None:
    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        winner = chunk.pairing[key.rotation]
        return Verdict(winner, 10 + ahead * (winner == "b"))

    executor = MadeUp(judge)
    played(database, entered(database, "a", "b", kind="knockout", matches=2), executor)
    assert len(executor.played) == 2 * (2 + 10)
    found = tie(database, 1, "a", "b")
    assert (found.winner, found.decided) == (("b", "points") if ahead else ("a", "seed"))


def test_a_double_knockout_goes_to_a_second_final_when_the_first_is_lost(database: Path) -> None:
    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        # b loses once to a, and wins everything else.
        if chunk.pairing == ("a", "b") and chunk.round == 2:
            return Verdict("a")
        return by_order("b", "a", "c", "d")(chunk, key)

    executor = MadeUp(judge)
    played(database, entered(database, *LABELS[:4], kind="double-knockout"), executor)
    finals = [pairing for pairing in rounds(database) if pairing == ["a-b"]]
    assert rounds(database)[-2:] == [["a-b"], ["a-b"]] == finals
    with Reader(database) as reader:
        assert [p.first for p in reader.pairings(1) if p.entrants == ("a", "b")] == [1, 2, 3]
    assert tie(database, 5, "a", "b").winner == "b"
    assert len(executor.played) == 2 * (2 * 4 - 1)


def test_whoever_withdraws_in_a_tie_has_lost_the_rest_of_it(database: Path) -> None:
    entry = entered(database, *LABELS[:4], kind="knockout", matches=3, chunk_matches=1)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(by_order(*LABELS), stops_after=4))
    # One match of a–d and one of b–c are played, all won by the first.
    assert "what it has played stands, the rest is forfeited" in withdraw(database, 1, "a", "ill")
    executor = MadeUp(by_order(*LABELS))
    played(database, entry, executor)
    assert not any("a" in pairing for pairing, _ in executor.played)
    first = tie(database, 1, "a", "d")
    assert (first.winner, [side.score for side in first.sides]) == ("d", [2.0, 4.0])
    assert rounds(database) == [["a-d", "b-c"], ["b-d"]]
    assert_sound(database, 1)


def test_whoever_is_so_far_ahead_that_it_has_won_goes_on_to_lose_the_next_tie(
    database: Path,
) -> None:
    entry = entered(database, *LABELS[:4], kind="knockout", matches=3, chunk_matches=1)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(by_order(*LABELS), stops_after=8))
    withdraw(database, 1, "a", "ill")
    played(database, entry, MadeUp(by_order(*LABELS)))
    assert tie(database, 1, "a", "d").winner == "a"
    final = tie(database, 2, "a", "b")
    assert (final.winner, final.decided) == ("b", "withdrawn")
    assert rounds(database) == [["a-d", "b-c"]]


def test_an_opponent_that_leaves_later_changes_nothing_of_earlier_rounds(database: Path) -> None:
    """A match that was annulled in the first round is not won by anybody in the second."""
    entry = entered(database, *LABELS[:4], kind="knockout", matches=2, chunk_matches=1)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(by_order(*LABELS), stops_after=8))
    with Reader(database) as reader:
        game = next(row.game for row in reader.games(limit=99) if row.pairing == ["a", "d"])
    annul_game(database, 1, game, "a mistake")
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(by_order(*LABELS), stops_after=1))
    assert rounds(database)[1] == ["a-b"]
    withdraw(database, 1, "a", "ill")
    played(database, entry, MadeUp(by_order(*LABELS)))
    assert tie(database, 1, "a", "d").winner == "a"
    assert tie(database, 2, "a", "b").winner == "b"
    assert rounds(database) == [["a-d", "b-c"], ["a-b"]]


def test_a_tie_is_open_again_when_the_games_that_decided_it_are_annulled(database: Path) -> None:
    entry = entered(database, *LABELS[:4], kind="knockout", seed=None)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(by_order(*LABELS), stops_after=5))
    assert rounds(database) == [["a-d", "b-c"], ["a-b"]]
    with Reader(database) as reader:
        game = next(row.game for row in reader.games(limit=99) if row.pairing == ["a", "d"])
    annul_game(database, 1, game, "a mistake")
    executor = MadeUp(by_order("d", "b", "a", "c"))
    played(database, entry, executor)
    # The rest of a–b, a match more of a–d, which d wins, and then the final of d and b.
    assert [pairing for pairing, _ in executor.played] == [
        ("a", "b"),
        *[("a", "d")] * 2,
        *[("b", "d")] * 2,
    ]
    assert tie(database, 2, "b", "d").winner == "d"
    with Reader(database) as reader:
        assert reader.stored(1).finished
    assert_sound(database, 1)


def test_whoever_lost_to_a_bot_that_is_annulled_takes_its_place(database: Path) -> None:
    entry = entered(database, *LABELS[:4], kind="knockout")
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(by_order(*LABELS), stops_after=5))
    annul_game(database, 1, "a", "it had read the cards")
    executor = MadeUp(by_order("d", "b", "c"))
    played(database, entry, executor)
    assert [pairing for pairing, _ in executor.played] == [("b", "d")] * 2
    assert tie(database, 2, "b", "d").winner == "d"
    with Reader(database) as reader:
        assert not any(row.matches for row in reader.totals(1) if row.label == "a")
    assert_sound(database, 1)


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_decided_on_the_way_a_knockout_comes_to_an_end(
    database: Path, seed: int, double: bool
) -> None:
    chance = random.Random(seed)
    kind = "double-knockout" if double else "knockout"
    entry = entered(database, *LABELS, "f", "g", kind=kind, matches=2, chunk_matches=1)
    for _ in range(6):
        executor = MadeUp(by_chance(seed), stops_after=chance.randint(0, 12), order=seed)
        try:
            played(database, entry, executor)
            break
        except Stopped:
            _decide(database, chance)
    else:
        played(database, entry, MadeUp(by_chance(seed)))
    with Reader(database) as reader:
        assert reader.stored(1).finished
    assert bracket(database).winner in {*LABELS, "f", "g"}
    assert_sound(database, 1)


def _decide(database: Path, chance: random.Random) -> None:
    with Reader(database) as reader:
        staying = [e.label for e in reader.entrants(1) if not e.departure]
        games = [row.game for row in reader.games(limit=99)]
    what = chance.choice(["withdraw", "annul", "annul a game", "annul a game"])
    if what == "withdraw" and len(staying) > 2:
        withdraw(database, 1, chance.choice(staying), "a test")
    elif what == "annul" and len(staying) > 2:
        annul_game(database, 1, chance.choice(staying), "a test")
    elif games:
        annul_game(database, 1, chance.choice(games), "a test")


def test_nobody_enters_a_knockout_that_has_begun(database: Path) -> None:
    entry = entered(database, *LABELS[:4], kind="knockout")
    assert add_bot(database, 1, find_bot("saver")) == "saver"
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(by_order(*LABELS, "saver"), stops_after=1))
    assert rounds(database)[0][0] == "d-saver"
    with pytest.raises(UsageError, match="nobody can enter a knockout that has begun"):
        add_bot(database, 1, find_bot("random"))


def league(database: Path, **keys: Any) -> Any:
    return entered_in_memory(
        database, "greedy", "random", "saver", kind="league", seed=None, **keys
    )


def test_every_round_of_a_league_has_a_secret_of_its_own(database: Path) -> None:
    keys = {"matches": 1, "rules": "kseri-short", "overrides": {"target": 11}}
    played_in_memory(database, league(database, rounds=3, **keys), InMemory())
    with Reader(database) as reader:
        found = reader.rounds(1)
        records = list(reader.records(1))
        own = reader.stored(1).master_commitment
    assert len({each.master for each in found} | {own}) == 4
    assert len(records) == 3 * 3 * 2
    for record in records:
        of_round = found[record.round - 1]
        assert record.master_commitment == of_round.master_commitment
        assert of_round.master is not None
        master = bytes.fromhex(of_round.master)
        assert Secret(master).commitment == hashlib.sha256(master).hexdigest()
        assert not problems(record) + secret_problems(record, master)
    assert len({record.seed for record in records}) == len(records) / 2


def test_the_secret_of_a_round_is_not_published_while_it_goes_on(database: Path) -> None:
    entry = entered(database, *LABELS, kind="league", seed=None, rounds=3)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(stops_after=17))
    with Reader(database) as reader:
        assert [bool(each.finished) for each in reader.rounds(1)] == [True, False]


def test_decks_that_are_never_played_again_are_known_after_their_round(database: Path) -> None:
    entry = entered(database, *LABELS, kind="league", seed=None, rounds=2)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(stops_after=3))
    with Reader(database) as reader:
        [half] = [record for record in reader.records(1) if not record.seed]
    withdraw(database, 1, half.pairing[0], "a test")
    played(database, entry, MadeUp())
    with Reader(database) as reader:
        assert all(record.seed for record in reader.records(1))


def test_whoever_was_added_late_and_stays_longer_has_left_later(database: Path) -> None:
    entry = entered(database, *LABELS[:3], kind="knockout")
    add_bot(database, 1, find_bot("saver"))
    for label in ("a", "b", "saver"):
        withdraw(database, 1, label, "a test")
    played(database, entry, MadeUp())
    with Reader(database) as reader:
        assert reader.departed(1) == ["a", "b", "saver"]
    assert tie(database, 1, "a", "saver").winner == "saver"


def test_a_league_goes_on_round_after_round_with_those_who_come_and_go(database: Path) -> None:
    keys = {"kind": "league", "seed": None, "matches": 2}
    played(database, entered(database, *LABELS, rounds=2, **keys), MadeUp(by_chance(1)))
    new = add_bot(database, 1, find_bot("saver"))
    assert "what it has played stands" in withdraw(database, 1, "c", "replaced by saver")
    played(database, entered(database, *LABELS, rounds=4, **keys), MadeUp(by_chance(1)))
    annul_game(database, 1, "d", "it had read the cards")
    last = entered(database, *LABELS, rounds=5, **keys)
    played(database, last, MadeUp(by_chance(1)))
    with Reader(database) as reader:
        pairings = reader.pairings(1)
        joined = {entrant.label: entrant.joined for entrant in reader.entrants(1)}
        totals = {row.label: row.matches for row in reader.totals(1)}
        commitments = {each.number: each.master_commitment for each in reader.rounds(1)}
        records = list(reader.records(1))
    by_round = {n: {x for p in pairings if p.round == n for x in p.entrants} for n in range(1, 6)}
    assert joined[new] == 3
    assert [new in by_round[number] for number in range(1, 6)] == [False, False, True, True, True]
    assert ["c" in by_round[number] for number in (2, 3)] == [True, False]
    assert ["d" in by_round[number] for number in (4, 5)] == [True, False]
    assert totals["d"] == 0
    others_of_c = [p for p in pairings if "c" in p.entrants and "d" not in p.entrants]
    assert totals["c"] == sum(pairing.matches for pairing in others_of_c)
    assert {record.master_commitment for record in records} == set(commitments.values())
    for record in records:
        assert record.master_commitment == commitments[record.round]
    numbers = Counter((tuple(r.pairing), r.match, r.rotation) for r in records)
    assert set(numbers.values()) == {1}, "matches of the same two are numbered on"
    assert_sound(database, 1)


def test_a_league_takes_no_secret_that_somebody_knows(database: Path) -> None:
    with pytest.raises(UsageError, match="a new secret for every round"):
        entered(database, *LABELS, kind="league", seed=3)


def test_more_rounds_of_a_league_that_stood_still(database: Path) -> None:
    entry = entered(database, *LABELS, kind="league", seed=None, rounds=1)
    played(database, entry, MadeUp())
    with writing(database) as db:
        stored = find_tournament(db, id=1)
    assert stored
    assert (stored.finished, stored.games_planned) == (None, stored.games_played)
    with Reader(database) as reader:
        assert reader.rounds(1)[-1].finished
        assert reader.tournament_row(1).rounds_played == reader.rounds(1)[-1].finished
        assert not reader.unfinished(9), "nobody is to wait for it"
    entered(database, *LABELS, kind="league", seed=None, rounds=2)
    with Reader(database) as reader:
        assert reader.tournament_row(1).rounds_played is None
        assert [row.id for row in reader.unfinished(9)] == [1]
    again = MadeUp()
    played(database, entered(database, *LABELS, kind="league", seed=None, rounds=2), again)
    assert {chunk.round for chunk in again.chunks} == {2}


def test_every_game_drawn_every_kind_comes_to_an_end(tmp_path: Path) -> None:
    for kind in IN_ROUNDS:
        database = tmp_path / f"{kind}.db"
        played(database, entered(database, *LABELS, **keys_of(kind)), MadeUp(drawn))
        assert_sound(database, 1)
