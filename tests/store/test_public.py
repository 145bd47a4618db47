"""When the seed of a game may be known while its tournament goes on."""

from __future__ import annotations

from pathlib import Path

from arena.schedule import pairing_text
from arena.store import Reader, annul, depart, store_games, writing
from arena.store.counting import MatchKey
from tests.store.games import begin, copies, items


def test_of_a_match_that_is_begun_once_it_will_never_be_played_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    first = copies(1)[0]
    record = first.record
    number = begin(path, [first])
    match = MatchKey(pairing_text(record.pairing), record.match, record.replay)
    seeds = []
    with writing(path) as db:
        store_games(db, number, items([first]))
        for change in (
            lambda: None,
            # By an organiser: other games of it may be going on.
            lambda: annul(db, number, [match], "a test"),
            # When all games have ended.
            lambda: depart(db, number, record.pairing[0], "set aside", "ten in a row"),
        ):
            with db.atomic():
                change()
            with Reader(path) as reader:
                seeds.append(reader.game(record.game).seed)
    assert seeds == ["", "", record.seed]
