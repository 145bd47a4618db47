"""Visitors at tables, as the database has them: who may sit down, and what is an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.errors import Trouble, UsageError
from arena.store import (
    Database,
    Reader,
    StaleAnswer,
    TooMany,
    add_sitting,
    answers,
    are_sittings_played,
    ask_sitting,
    end_sitting,
    playing_sittings,
    put_answer,
    take_sittings,
    void_sittings,
    writing,
)
from arena.store.sittings import MOST_A_DAY
from protocol.messages import Hello, Play, ToBot, Turn
from tests.referee.table import Table, setup_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    with writing(path) as found:
        yield found


def sent() -> tuple[list[ToBot], Turn]:
    """What the seat in turn is sent at the beginning of a game."""
    table = Table(setup_of())
    hello = msgspec.json.decode(table.sent[table.seat][0], type=Hello)
    turn = table.ask()
    return [hello, turn], turn


def asked(db: Database, visitor: str = "ada") -> tuple[int, Turn]:
    """A visitor who is asked for a first play."""
    number = add_sitting(db, visitor, ["greedy"], "kseri", 4)
    take_sittings(db)
    told, turn = sent()
    ask_sitting(db, number, told, turn.turn)
    return number, turn


def legal(turn: Turn) -> Play:
    return Play(card=turn.legal[0].card, capture=turn.legal[0].capture, turn=turn.turn)


def test_an_answer_goes_to_whoever_plays_the_game(db: Database, path: Path) -> None:
    number, turn = asked(db)
    put_answer(db, number, "ada", turn.turn, legal(turn))
    assert answers(db) == [(number, turn.turn, legal(turn))]
    with Reader(path) as reader:
        sitting = reader.sitting(number, "ada")
        assert (sitting.state, sitting.answer) == ("playing", legal(turn))
        assert sitting.told[-1] == turn


def test_giving_up_is_an_answer_too(db: Database) -> None:
    number, turn = asked(db)
    put_answer(db, number, "ada", turn.turn, None)
    assert answers(db) == [(number, turn.turn, None)]


@pytest.mark.parametrize("turn_by", [-1, 1])
def test_a_play_for_another_turn_changes_nothing(db: Database, turn_by: int) -> None:
    number, turn = asked(db)
    with pytest.raises(StaleAnswer, match="that turn is over"):
        put_answer(db, number, "ada", turn.turn + turn_by, legal(turn))
    assert answers(db) == []


@pytest.mark.parametrize("play", [Play(card="XX"), Play(card="", capture=True)])
def test_a_card_that_is_not_in_the_hand_changes_nothing(db: Database, play: Play) -> None:
    number, turn = asked(db)
    with pytest.raises(StaleAnswer, match="can't be played now"):
        put_answer(db, number, "ada", turn.turn, play)
    assert answers(db) == []


def test_a_choice_that_is_none_changes_nothing(db: Database) -> None:
    number, turn = asked(db)
    for capture in {None, True, False} - {each.capture for each in turn.legal}:
        with pytest.raises(StaleAnswer, match="can't be played now"):
            put_answer(db, number, "ada", turn.turn, Play(card=turn.hand[0], capture=capture))
    assert answers(db) == []


def test_nobody_answers_for_another_visitor(db: Database) -> None:
    number, turn = asked(db)
    with pytest.raises(StaleAnswer):
        put_answer(db, number, "eve", turn.turn, legal(turn))
    assert answers(db) == []


def test_a_turn_is_answered_once(db: Database) -> None:
    number, turn = asked(db)
    put_answer(db, number, "ada", turn.turn, legal(turn))
    with pytest.raises(StaleAnswer, match="that turn is over"):
        put_answer(db, number, "ada", turn.turn, None)


def test_a_visitor_sits_at_one_table_and_all_tables_can_be_taken(db: Database) -> None:
    first = add_sitting(db, "ada", ["greedy"], "kseri", 2)
    with pytest.raises(TooMany, match="you sit at a table"):
        add_sitting(db, "ada", ["greedy"], "kseri", 2)
    add_sitting(db, "ben", ["greedy"], "kseri", 2)
    with pytest.raises(TooMany, match="all 2 tables"):
        add_sitting(db, "cem", ["greedy"], "kseri", 2)
    end_sitting(db, first, "void")
    assert add_sitting(db, "cem", ["greedy"], "kseri", 2) == 3


def test_all_visitors_together_begin_so_many_games_a_day(db: Database) -> None:
    add_sitting(db, "ada", ["greedy"], "kseri", 9)
    db.execute("UPDATE sittings SET finished = created")
    columns = "visitor, bots, rules, state, created, finished"
    rows = f"SELECT {columns} FROM sittings WHERE id = 1"
    many = f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {MOST_A_DAY})"
    db.execute(f"INSERT INTO sittings ({columns}) {many} SELECT s.* FROM n, ({rows}) AS s")
    db.conn.commit()
    with pytest.raises(TooMany, match="in the last 24 hours"):
        add_sitting(db, "ben", ["greedy"], "kseri", 9)


def test_at_the_end_nothing_is_left_of_what_the_seat_was_told(db: Database, path: Path) -> None:
    number, turn = asked(db)
    put_answer(db, number, "ada", turn.turn, legal(turn))
    void_sittings(db, "stopped")
    with Reader(path) as reader:
        sitting = reader.sitting(number, "ada")
    assert (sitting.state, sitting.text, sitting.told, sitting.answer) == (
        "void",
        "stopped",
        [],
        None,
    )
    assert answers(db) == []
    with pytest.raises(StaleAnswer, match="game is over"):
        put_answer(db, number, "ada", turn.turn, legal(turn))


def test_one_who_waits_is_seated_by_the_next_arena(db: Database) -> None:
    number = add_sitting(db, "ada", ["greedy"], "kseri", 2)
    void_sittings(db, "stopped")
    assert [sitting.id for sitting in take_sittings(db)] == [number]


def test_everybody_sees_who_plays_and_nothing_that_a_seat_was_told(
    db: Database, path: Path
) -> None:
    number, turn = asked(db)
    put_answer(db, number, "ada", turn.turn, legal(turn))
    with Reader(path) as reader:
        (row,) = reader.tables()
        shown = msgspec.json.encode(row).decode()
        assert (row.id, row.bots, row.rules) == (number, ["greedy"], "kseri")
        assert not [card for card in turn.hand if f'"{card}"' in shown]
        with pytest.raises(UsageError, match="no seat of yours"):
            reader.sitting(number, "eve")
        assert {event.number for event in reader.events_since(0, 99) or []} == {0}


def test_one_process_plays_them(path: Path, db: Database) -> None:
    assert not are_sittings_played(path)
    with playing_sittings(path):
        assert are_sittings_played(path)
        with pytest.raises(Trouble, match="games of visitors"), playing_sittings(path):
            pass
    assert not are_sittings_played(path)
