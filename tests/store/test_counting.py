"""What counts in the summaries, after any mix of games, failures, annulments and departures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import Trouble
from arena.pairing import Pairing
from arena.play import FinishedGame
from arena.schedule import Chunk, GameKey, VoidMatch
from arena.store import (
    SUMMARIES,
    Database,
    MatchKey,
    Reader,
    annul,
    begin_round,
    depart,
    matches_with,
    note_decision,
    pairings_of,
    recount,
    store_games,
    undisturbed,
    writing,
)
from arena.store.counting import Counter
from arena.tournament.stage import load_stage
from protocol.records import GameRecord
from tests.store.games import COUNTS
from tests.store.games import recount as counted_by_hand
from tests.tournament.made_up import by_chance, entered, made_up

LABELS = ("a", "aa", "b", "c")
PAIRINGS = (("a", "b"), ("aa", "b"), ("b", "c"))
MATCHES = 2


class Played:
    """A tournament in the database, and any of its games."""

    def __init__(self, database: Path, **keys: Any) -> None:
        self.database = database
        entry = entered(database, *LABELS, matches=MATCHES, **keys)
        self.id = entry.stored.id
        with writing(database) as db:
            self._plan = entry.plan(load_stage(db, self.id))
        self._judge = by_chance(7, failing="c".__eq__)

    def game(self, pairing: tuple[str, ...], key: GameKey, round: int = 1) -> FinishedGame:
        """A game as it is given to the store."""
        chunk = Chunk(pairing, 0, (key,), round=round)
        return made_up(self._plan, chunk, key, self._judge(chunk, key))


def summaries(db: Database) -> dict[str, list[Any]]:
    """All summary tables, without lines that count nothing, and how many games there are."""
    found: dict[str, list[Any]] = {}
    numbers = {"totals": "games", "fault_kinds": "count"}
    for table in SUMMARIES:
        number = numbers.get(table, "matches")
        rows = [row for row in db.query(f"SELECT * FROM {table}") if row[number]]
        found[table] = sorted(rows, key=json.dumps)
    found["games"] = [row["games_played"] for row in db.query("SELECT * FROM tournaments")]
    return found


def assert_sound(database: Path, tournament_id: int) -> None:
    """The summaries are those of the games that count, counted in two other ways."""
    with writing(database) as db:
        kept = summaries(db)
        with db.atomic():
            recount(db, tournament_id)
        assert _rounded(summaries(db)) == _rounded(kept)
        voids = {(v["pairing"], v["match"], v["replay"]) for v in db.query("SELECT * FROM voids")}
        records = [record for record in _records(database) if _match(record) not in voids]
        rotations = next(db.query("SELECT rotations FROM tournaments"))["rotations"]
    assert kept["games"] == [len(records)]
    by_hand = counted_by_hand(records, rotations)
    assert {row["label"] for row in kept["totals"]} == set(by_hand)
    for row in kept["totals"]:
        assert {name: row[name] for name in COUNTS} == pytest.approx(by_hand[row["label"]])


def _rounded(tables: dict[str, list[Any]]) -> Any:
    """Points of several opponents are divided by their number, and so not exact."""
    return json.loads(json.dumps(tables), parse_float=lambda text: round(float(text), 6))


def _records(database: Path) -> list[GameRecord]:
    with Reader(database) as reader:
        [tournament] = reader.tournaments()
        return list(reader.records(tournament.id))


def _match(record: GameRecord) -> tuple[str, int, int]:
    return ",".join(record.pairing), record.match, record.replay


# Few enough for several things to happen to the same match.
MATCH = st.tuples(st.sampled_from(PAIRINGS), st.integers(1, MATCHES), st.integers(0, 1))
SOME_GAMES = st.lists(st.tuples(MATCH, st.integers(0, 1)), min_size=1, max_size=8)
WHOLE_MATCHES = st.lists(MATCH, min_size=1, max_size=5).map(
    lambda matches: [(match, rotation) for match in matches for rotation in (1, 0)]
)
GAMES = SOME_GAMES | WHOLE_MATCHES
EVENTS = st.one_of(
    st.tuples(st.just("games"), GAMES),
    st.tuples(st.just("void"), MATCH),
    st.tuples(st.just("annul"), MATCH),
    st.tuples(st.just("annul all"), st.sampled_from(LABELS)),
    st.tuples(st.just("forfeit the rest"), st.sampled_from(LABELS)),
)


def happens(db: Database, played: Played, event: tuple[str, Any]) -> None:
    what, about = event
    if what == "games":
        games = [
            played.game(pairing, GameKey(match, replay, rotation))
            for (pairing, match, replay), rotation in about
        ]
        store_games(db, played.id, [(game.record, game.logs) for game in games])
    elif what == "void":
        pairing, match, replay = about
        void = VoidMatch(pairing, GameKey(match, replay, 0), "the machine failed")
        store_games(db, played.id, [void])
    elif what == "annul":
        pairing, match, replay = about
        annul(db, played.id, [MatchKey(",".join(pairing), match, replay)], "a mistake")
    elif what == "annul all":
        annul(db, played.id, matches_with(db, played.id, about), "cheated")
        depart(db, played.id, about, "annulled", "cheated")
    else:
        depart(db, played.id, about, "forfeited", "left")


@settings(max_examples=40, deadline=None)
@given(st.lists(EVENTS, min_size=1, max_size=14))
def test_whatever_happens_the_summaries_are_those_of_the_games_that_count(
    tmp_path_factory: pytest.TempPathFactory, events: Sequence[tuple[str, Any]]
) -> None:
    played = Played(tmp_path_factory.mktemp("counting") / "games.db")
    with writing(played.database) as db:
        for event in events:
            happens(db, played, event)
            assert_sound(played.database, played.id)


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_games_of_three_sides_are_taken_away_again(
    tmp_path_factory: pytest.TempPathFactory, chance: Any
) -> None:
    played = Played(tmp_path_factory.mktemp("counting") / "games.db", rules="kseri-3")
    tables = [("a", "aa", "b"), ("a", "aa", "c"), ("a", "b", "c"), ("aa", "b", "c")]
    keys = [(table, GameKey(1, 0, rotation)) for table in tables for rotation in range(3)]
    chance.shuffle(keys)
    with writing(played.database) as db:
        for table, key in keys:
            happens(db, played, ("games", [((table, key.match, 0), key.rotation)]))
            if chance.random() < 0.2:
                happens(db, played, ("annul", (chance.choice(tables), 1, 0)))
        assert_sound(played.database, played.id)


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path / "games.db")


def matches_counted(played: Played) -> dict[str, int]:
    with Reader(played.database) as reader:
        return {row.label: row.matches for row in reader.totals(played.id) if row.matches}


WHOLE = [((("a", "b"), 1, 0), rotation) for rotation in range(2)]


def test_a_match_annulled_before_its_second_game_never_counts(played: Played) -> None:
    with writing(played.database) as db:
        happens(db, played, ("games", WHOLE[:1]))
        happens(db, played, ("annul", (("a", "b"), 1, 0)))
        happens(db, played, ("games", WHOLE[1:]))
    assert not matches_counted(played)
    with Reader(played.database) as reader:
        assert reader.tournament_row(played.id).games_played == 0
        assert len(list(reader.records(played.id))) == 2, "they stay stored"
        assert not list(reader.records(played.id, canonical=True))


def test_a_match_that_is_void_after_all_counts_no_longer(played: Played) -> None:
    with writing(played.database) as db:
        happens(db, played, ("games", WHOLE))
        assert matches_counted(played)
        happens(db, played, ("void", (("a", "b"), 1, 0)))
        happens(db, played, ("annul", (("a", "b"), 1, 0)))
    assert not matches_counted(played)
    assert_sound(played.database, played.id)


def test_a_game_that_ends_after_all_of_an_entrant_were_annulled_does_not_count(
    played: Played,
) -> None:
    with writing(played.database) as db:
        happens(db, played, ("annul all", "b"))
        happens(db, played, ("games", WHOLE))
    assert not matches_counted(played)
    with Reader(played.database) as reader:
        assert reader.tournament_row(played.id).games_played == 0
        assert not list(reader.records(played.id, canonical=True))


def test_what_a_leaver_has_played_counts_also_when_it_ends_later(played: Played) -> None:
    with writing(played.database) as db:
        happens(db, played, ("games", WHOLE[:1]))
        happens(db, played, ("forfeit the rest", "b"))
        happens(db, played, ("games", WHOLE[1:]))
    assert matches_counted(played) == {"a": 1, "b": 1}


def test_annulling_twice_takes_away_once_and_says_what_had_counted(played: Played) -> None:
    match = MatchKey("a,b", 1, 0)
    with writing(played.database) as db:
        happens(db, played, ("games", WHOLE))
        assert annul(db, played.id, [match], "once") == 1
        assert annul(db, played.id, [match], "twice") == 0
        assert [row["cause"] for row in db.query("SELECT cause FROM voids")] == ["once"]
    assert not matches_counted(played)
    assert_sound(played.database, played.id)


def test_annulling_what_was_never_played_takes_nothing_away(played: Played) -> None:
    with writing(played.database) as db:
        happens(db, played, ("games", [((("aa", "b"), 1, 0), rotation) for rotation in range(2)]))
        assert annul(db, played.id, [MatchKey("a,b", 1, 0)], "to be sure") == 0
    assert matches_counted(played) == {"aa": 1, "b": 1}
    assert_sound(played.database, played.id)


def test_a_recount_mends_tables_that_were_spoilt(played: Played) -> None:
    with writing(played.database) as db:
        happens(db, played, ("games", WHOLE))
        before = summaries(db)
        with db.atomic():
            db.execute("UPDATE totals SET wins = wins + 5")
            db.execute("DELETE FROM results")
            db.execute("UPDATE tournaments SET games_played = 99")
            recount(db, played.id)
        assert summaries(db) == before


@pytest.mark.parametrize(
    "damage",
    ["games SET ranks = '[]'", "games SET seats = '[]'", "points SET sums = '[]'"],
)
def test_what_is_damaged_is_said_and_nothing_changes(played: Played, damage: str) -> None:
    with writing(played.database) as db:
        happens(db, played, ("games", WHOLE))
        db.execute(f"UPDATE {damage}")
        with pytest.raises(Trouble, match="is damaged in the database"), undisturbed(db):
            happens(db, played, ("annul", (("a", "b"), 1, 0)))
    assert matches_counted(played) == {"a": 1, "b": 1}


def test_results_are_kept_by_pairing_where_the_same_two_meet_again(tmp_path: Path) -> None:
    played = Played(tmp_path / "games.db", kind="knockout")
    first, extra = Pairing(1, ("a", "b"), 1, 2), Pairing(1, ("a", "b"), 3, 1)
    later = Pairing(4, ("a", "b"), 4, 1)
    with writing(played.database) as db:
        with undisturbed(db):
            for pairing in (first, extra, later):
                begin_round(db, played.id, [pairing])
        assert pairings_of(db, played.id) == [first, extra, later]
        games = [((("a", "b"), match, 0), rotation) for match in range(1, 5) for rotation in (0, 1)]
        happens(db, played, ("games", games))
        rows = db.query("SELECT first, sum(matches) AS n FROM results GROUP BY first ORDER BY 1")
        assert [(row["first"], row["n"]) for row in rows] == [(1, 2), (3, 1), (4, 1)]
        assert [row["first"] for row in db.query("SELECT * FROM points ORDER BY first")] == [
            *(1, 3, 4)
        ]
    assert_sound(played.database, played.id)


def test_nobody_writes_between_what_is_read_and_what_is_counted(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else SQLite would refuse the games at once, as of a state that is no more."""
    monkeypatch.setattr("arena.store.schema.BUSY_SECONDS", 0.01)
    tried = []

    class Disturbed(Counter):
        def __init__(self, db: Database, tournament_id: int, waiting: Any) -> None:
            super().__init__(db, tournament_id, waiting)
            with writing(played.database) as other:
                tried.append(other)
                note_decision(other, tournament_id, "annul", "a", "a test")

    monkeypatch.setattr("arena.store.writer.Counter", Disturbed)
    with writing(played.database) as db:
        with pytest.raises(Trouble, match="locked by another program"):
            happens(db, played, ("games", WHOLE))
        assert tried
        monkeypatch.setattr("arena.store.writer.Counter", Counter)
        happens(db, played, ("games", WHOLE))
    assert_sound(played.database, played.id)
