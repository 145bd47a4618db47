"""What the writer stores: every game once, and summaries that a recount comes to as well."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import sqlite_utils
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.play import FinishedGame
from arena.schedule import GameKey, VoidMatch
from arena.store import Reader, open_writer, store_games, writing
from arena.store.rows import to_record
from protocol.records import BotLog, Fault, GameRecord
from tests.store.games import COUNTS, begin, copies, items, played, recount, rows, shuffled

TABLES = [("kseri", 0), ("kseri", 5), ("kseri-3", 0), ("faro-5", 1), ("kseri-partners", 0)]


def assert_summaries_equal_recount(database: Path, tournament_id: int) -> None:
    with Reader(database) as reader:
        records = list(reader.records(tournament_id))
        totals = {row.label: row for row in reader.totals(tournament_id)}
        counted = recount(records, reader.rotations(tournament_id))
        matches = sum(row.matches for row in reader.results(tournament_id))
    assert matches == sum(total["matches"] for total in counted.values()) / len(records[0].pairing)
    for label, row in totals.items():
        expected = counted.get(label, dict.fromkeys(COUNTS, 0))
        assert {name: getattr(row, name) for name in COUNTS} == pytest.approx(expected)


@pytest.mark.parametrize(("preset", "allowed"), TABLES)
def test_a_game_comes_back_as_it_was_stored(tmp_path: Path, preset: str, allowed: int) -> None:
    database, games = tmp_path / "games.db", played(preset, allowed)
    tournament_id = begin(database, games)
    with writing(database) as db:
        store_games(db, tournament_id, items(games))
    with Reader(database) as reader:
        for game, back in zip(games, reader.records(tournament_id), strict=True):
            assert back == as_entered(game.record, back)
            assert reader.logs(back.game) == game.logs


def as_entered(record, back):  # type: ignore[no-untyped-def]
    """The record with what its tournament, not the game, says: files' hashes, the commitment."""
    seats = [
        msgspec.structs.replace(seat, hash=stored.hash, version=stored.version)
        for seat, stored in zip(record.seats, back.seats, strict=True)
    ]
    return msgspec.structs.replace(record, seats=seats, master_commitment=back.master_commitment)


@pytest.mark.parametrize(("preset", "allowed"), TABLES)
def test_summaries_equal_a_recount(tmp_path: Path, preset: str, allowed: int) -> None:
    database, games = tmp_path / "games.db", played(preset, allowed)
    assert any(game.record.faults for game in games)
    tournament_id = begin(database, games)
    with writing(database) as db:
        store_games(db, tournament_id, items(games))
    assert_summaries_equal_recount(database, tournament_id)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    cuts=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    kept=st.integers(0, 6),
)
def test_order_batches_and_repetitions_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, seed: int, cuts: list[int], kept: int
) -> None:
    """Nor does it whether games wait in memory or are read again."""
    database, games = tmp_path_factory.mktemp("store") / "games.db", copies(6)
    tournament_id = begin(database, games)
    delivered = shuffled(items(games) + items(games[::2]), seed)
    waiting: dict[str, GameRecord] = {}
    with writing(database) as db:
        while delivered:
            size = cuts[len(delivered) % len(cuts)]
            store_games(db, tournament_id, delivered[:size], waiting)
            delivered = delivered[size:]
            assert_summaries_equal_recount(database, tournament_id)
            for game in [*waiting][: max(0, len(waiting) - kept)]:
                del waiting[game]
    assert not waiting
    assert len(rows(database, "games")) == len(games)


def test_an_incomplete_match_counts_only_when_it_is_complete(tmp_path: Path) -> None:
    database, games = tmp_path / "games.db", copies(1)
    tournament_id = begin(database, games)
    with writing(database) as db:
        store_games(db, tournament_id, items(games[:1]))
        assert not rows(database, "results")
        assert not rows(database, "totals")
        store_games(db, tournament_id, items(games[1:]))
    assert [row["matches"] for row in rows(database, "totals")] == [1, 1]


def test_no_game_is_read_again_that_the_writer_has_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless more wait than it keeps."""
    read = []

    def noting(row, *more):  # type: ignore[no-untyped-def]
        read.append(row["game"])
        return to_record(row, *more)

    monkeypatch.setattr("arena.store.counting.to_record", noting)
    monkeypatch.setattr("arena.store.writer.BATCH_GAMES", 1)
    # First all first games of the matches, as a chunk is played.
    games = sorted(copies(6), key=lambda game: game.record.rotation)
    database = tmp_path / "games.db"
    tournament_id = begin(database, games)
    trio.run(_write_in_order, database, tournament_id, items(games))
    assert_summaries_equal_recount(database, tournament_id)
    assert not read

    monkeypatch.setattr("arena.store.writer._MOST_WAITING", 4)
    database = tmp_path / "few.db"
    trio.run(_write_in_order, database, begin(database, games), items(games))
    assert read == [game.record.game for game in games[:2]]


async def _write_in_order(database: Path, tournament_id: int, things: list) -> None:  # type: ignore[type-arg]
    async with open_writer(database, tournament_id) as writer:
        await _put_all(writer, things)


def test_a_batch_is_stored_whole_or_not_at_all(tmp_path: Path) -> None:
    database, games = tmp_path / "games.db", copies(4)
    tournament_id = begin(database, games)
    with writing(database) as db:
        store_games(db, tournament_id, items(games[:2]))
        before = rows(database, "totals")
        db.execute(
            "CREATE TRIGGER no BEFORE INSERT ON games WHEN new.game = 'no' "
            "BEGIN SELECT raise(ABORT, 'no'); END"
        )
        broken = msgspec.structs.replace(games[-1].record, game="no")
        void = VoidMatch(tuple(broken.pairing), GameKey(9, 0, 0), "x")
        with pytest.raises(Exception, match="no"):
            store_games(db, tournament_id, [*items(games[2:-1]), void, (broken, [])])
    assert len(rows(database, "games")) == 2
    assert rows(database, "totals") == before
    assert not rows(database, "voids")


async def _write(database: Path, tournament_id: int, things: list) -> int:  # type: ignore[type-arg]
    async with open_writer(database, tournament_id) as writer, trio.open_nursery() as nursery:
        for start in range(4):
            nursery.start_soon(_put_all, writer, things[start::4])
    return writer.stored


async def _put_all(writer, things) -> None:  # type: ignore[no-untyped-def]
    for thing in things:
        await writer.put(thing)


def test_many_hand_over_more_than_the_queue_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.writer.BATCH_GAMES", 3)
    monkeypatch.setattr("arena.store.writer.BATCH_SECONDS", 0.0)
    database, games = tmp_path / "games.db", copies(60)
    tournament_id = begin(database, games)
    assert trio.run(_write, database, tournament_id, items(games)) == len(games)
    assert len(rows(database, "games")) == len(games)
    assert_summaries_equal_recount(database, tournament_id)


def test_a_writer_that_fails_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.writer.BATCH_GAMES", 2)
    database, games = tmp_path / "games.db", copies(30)
    tournament_id = begin(database, games)
    with sqlite_utils.Database(str(database)) as db:
        db.execute("DROP TABLE totals")
    with pytest.raises(BaseExceptionGroup) as error:
        trio.run(_write, database, tournament_id, items(games))
    assert "no such table: totals" in str(error.value.exceptions[0])


def test_what_bots_write_is_kept_up_to_a_budget_and_then_what_explains_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.bot_logs.BUDGET_BYTES", 25_000)
    games = [_talkative(game, failed=game.record.match == 5) for game in copies(5)]
    database = tmp_path / "games.db"
    tournament_id = begin(database, games)
    with writing(database) as db:
        for some in (games[:3], games[3:]):
            store_games(db, tournament_id, items(some))
    with Reader(database) as reader:
        for game in games:
            kept = [(len(log.stderr), log.notes) for log in reader.logs(game.record.game)]
            if game.record.match <= 2:
                assert kept == [(10_000, {"1": "five"})]
            else:
                assert kept == [(4_096, {})] * (game.record.match == 5)


def _talkative(game: FinishedGame, failed: bool) -> FinishedGame:
    """The same game, whose first seat wrote much, and failed or not."""
    fault = Fault(seat=0, deal=1, turn=1, kind="malformed", detail="no JSON", got="")
    record = msgspec.structs.replace(game.record, faults=[fault] if failed else [])
    log = BotLog(game=record.game, seat=0, stderr="x" * 10_000, notes={"1": "five"}, logs=[])
    return FinishedGame(record, [log])
