"""Who plays in a tournament: entered and gone, and what was decided about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots import find_bot
from arena.schedule import GameKey
from arena.store import (
    MatchKey,
    Reader,
    add_entrant,
    audit_of,
    depart,
    departed,
    entrants_of,
    matches_with,
    note_decision,
    store_games,
    writing,
)
from arena.tournament import enter
from protocol.tournament import Tournament
from tests.cli.program import bot
from tests.store.test_counting import LABELS, Played


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path / "games.db")


def test_entrants_come_in_the_order_of_entering(played: Played) -> None:
    with writing(played.database) as db:
        add_entrant(db, played.id, "0", find_bot("saver"), joined=3)
        found = entrants_of(db, played.id)
    assert [entrant.label for entrant in found] == [*LABELS, "0"]
    assert [entrant.joined for entrant in found] == [1, 1, 1, 1, 3]
    assert (found[-1].name, found[0].name) == ("saver", "greedy")
    assert not any(entrant.departure for entrant in found)


def test_authors_own_their_bots_and_nobody_owns_those_of_the_arena(tmp_path: Path) -> None:
    own = find_bot(str(bot(tmp_path, "own", authors='["Ada", "Blaise"]')))
    names = {"greedy": find_bot("greedy"), "own": own}
    entry = enter(
        tmp_path / "games.db",
        Tournament(name="t", bots=list(names)),
        names,
        kind="round-robin",
        master=None,
        isolation="none",
    )
    with Reader(tmp_path / "games.db") as reader:
        owners = {each.label: each.owners for each in reader.entrants(entry.stored.id)}
    assert owners == {"greedy": [], "own": ["Ada", "Blaise"]}


def test_matches_are_found_by_whole_labels_and_once(played: Played) -> None:
    keys = [GameKey(1, 0, 0), GameKey(1, 0, 1), GameKey(1, 1, 0), GameKey(2, 0, 0)]
    games = [played.game(("a", "b"), key) for key in keys]
    games.append(played.game(("aa", "b"), keys[0]))
    with writing(played.database) as db:
        store_games(db, played.id, [(game.record, game.logs) for game in games])
        assert matches_with(db, played.id, "a") == [
            MatchKey("a,b", 1, 0),
            MatchKey("a,b", 1, 1),
            MatchKey("a,b", 2, 0),
        ]
        assert matches_with(db, played.id, "aa") == [MatchKey("aa,b", 1, 0)]
        assert not matches_with(db, played.id, "c")


def test_who_has_left_comes_in_the_order_of_leaving(played: Played) -> None:
    with writing(played.database) as db:
        note_decision(db, played.id, "add", "c", "version 1")
        for label in ("b", "c", "a"):
            depart(db, played.id, label, "forfeited", "a test")
            note_decision(db, played.id, "withdraw", label, "a test")
        note_decision(db, played.id, "annul", "b", "once more")
        note_decision(db, played.id, "annul", "0123456789abcdef", "a game")
        assert departed(db, played.id) == ["b", "c", "a"]


def test_every_decision_is_in_the_log_and_tells_whoever_plays(played: Played) -> None:
    with writing(played.database) as db:
        note_decision(db, played.id, "add", "c", "version 1")
        note_decision(db, played.id, "annul", "b", "cheated", matches=4)
        first, second = audit_of(db, played.id)
    assert (first.action, first.subject, first.reason, first.matches) == (
        "add",
        "c",
        "version 1",
        0,
    )
    assert (second.action, second.matches) == ("annul", 4)
    assert first.time <= second.time
    with Reader(played.database) as reader:
        assert reader.stored(played.id).revision == 2
