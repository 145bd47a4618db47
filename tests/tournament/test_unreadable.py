"""A stored bot whose files can't be read any more leaves its tournament; the others play on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bots import BotFiles, find_bot, prepare
from arena.errors import Trouble, UsageError
from arena.store import Reader, add_entrant, keep_submission, submitted_in, writing
from arena.tournament import Entry, Progress, bots_added, enter, withdraw
from protocol.manifest import Manifest
from protocol.tournament import Tournament
from tests.submission.archives import Entry as Zipped
from tests.submission.archives import bot_zip
from tests.tournament.made_up import MadeUp, played
from tests.tournament.memory import Stopped

LABELS = ("a", "b", "c", "d")
DAMAGE: list[tuple[bytes, str]] = [
    (bot_zip(Zipped(b"C:x")), "C:x: an absolute path"),
    (bot_zip(Zipped(b"d/" * 100 + b"x")), "more than 100 folders in one another"),
    (b"", "not a zip archive, or cut off"),
    (bot_zip(), "not the files that were stored"),
]
REASONS = [reason for _, reason in DAMAGE]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def own(name: str) -> BotFiles:
    """A bot of that name."""
    greedy = find_bot("greedy")
    files = {**greedy.files, "bot.toml": (False, f'name = "{name}"\nrun = ["x"]\n'.encode())}
    return BotFiles(Manifest(name=name, run=["x"]), files)


BOTS = {label: own(label) for label in LABELS}


def begun(database: Path, entrants: dict[str, BotFiles] = BOTS, **settings: Any) -> Entry:
    definition = Tournament(**{"name": "t", "bots": list(LABELS), "matches": 1, **settings})
    return enter(
        database,
        definition,
        entrants,
        kind=definition.kind,
        master=None,
        isolation="none",
    )


def damage(database: Path, name: str, files: bytes) -> None:
    with writing(database) as db, db.atomic():
        db.execute("UPDATE bots SET files = ? WHERE name = ?", [files, name])


def left(database: Path) -> dict[str, str | None]:
    with Reader(database) as reader:
        return {one.label: one.reason for one in reader.entrants(1) if one.departure}


def games(database: Path) -> dict[str, int]:
    with Reader(database) as reader:
        return {row.label: row.games for row in reader.totals(1)}


@pytest.mark.parametrize(("files", "reason"), DAMAGE, ids=REASONS)
@pytest.mark.parametrize("kind", ["league", "round-robin", "swiss", "knockout"])
def test_it_is_withdrawn_with_the_reason_and_the_others_play(
    database: Path, kind: str, files: bytes, reason: str
) -> None:
    settings: dict[str, Any] = {"kind": kind}
    if kind in ("league", "swiss"):
        settings["rounds"] = 2
    begun(database, **settings)
    damage(database, "c", files)
    entry = begun(database, **settings)
    assert list(entry.withdrawn) == ["c"]
    assert entry.withdrawn["c"].startswith("bot c@1.0 in the database: ")
    assert reason in entry.withdrawn["c"]
    assert left(database) == entry.withdrawn
    played(database, entry, MadeUp())
    with Reader(database) as reader:
        assert reader.stored(1).finished or kind == "league"
        [decision] = reader.audit(1)
    assert (decision.action, decision.subject) == ("withdraw", "c")
    assert all(count for label, count in games(database).items() if label != "c")
    assert not begun(database, **settings).withdrawn, "it has left before"


def test_whoever_is_found_unreadable_while_it_is_played_leaves_too(database: Path) -> None:
    entry = begun(database, {label: BOTS[label] for label in "ab"}, bots=["a", "b"], matches=3)

    async def add(count: int) -> None:
        if count == 1:
            with writing(database) as db, db.atomic():
                add_entrant(db, 1, "c", BOTS["c"], 1)
                db.execute("UPDATE tournaments SET revision = revision + 1")
            damage(database, "c", b"")

    told: list[tuple[str, str]] = []
    progress = Progress(on_withdrawal=lambda label, why: told.append((label, why)))
    played(database, entry, MadeUp(meanwhile=add), progress)
    assert told == [*left(database).items()]
    assert [label for label, _ in told] == ["c"]
    assert games(database)["a"] == 6
    with Reader(database) as reader:
        [decision] = reader.audit(1)
    assert (decision.action, decision.subject, decision.reason) == ("withdraw", *told[0])


def test_what_it_has_played_counts_also_before_half_of_its_games(database: Path) -> None:
    entry = begun(database)
    # a–b and a–c: two of c's six games.
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(stops_after=4))
    before = games(database)
    assert before["c"] == 2
    damage(database, "c", b"")
    entry = begun(database)
    assert list(entry.withdrawn) == ["c"]
    assert games(database) == before
    played(database, entry, MadeUp())
    assert games(database) == {"a": 6, "b": 4, "c": 2, "d": 4}
    with Reader(database) as reader:
        [decision] = reader.audit(1)
        departures = {one.label: one.departure for one in reader.entrants(1)}
        assert reader.voids(1) == 0
    assert decision.matches == 0
    assert departures == {"a": None, "b": None, "c": "forfeited", "d": None}


def test_it_can_be_withdrawn_by_hand(database: Path) -> None:
    begun(database, kind="league")
    damage(database, "c", b"")
    assert "c withdrew" in withdraw(database, 1, "c", "broken")
    assert not begun(database, kind="league").withdrawn
    assert left(database) == {"c": "broken"}


def submitted(database: Path) -> Callable[[str], BotFiles]:
    with writing(database) as db, db.atomic():
        keep_submission(db, BOTS["c"])

    def find(tournament: str) -> BotFiles:
        return find_bot("c", submitted=submitted_in(database, tournament))

    return find


def test_a_tournament_that_names_it_goes_on_and_no_other_begins(database: Path) -> None:
    find = submitted(database)
    begun(database)
    damage(database, "c", b"")
    with pytest.raises(Trouble, match=r": bot c@1\.0 in the database: not a zip"):
        find("another")
    found = find("t")
    assert found.hash == BOTS["c"].hash
    entry = begun(database, BOTS | {"c": found})
    assert (list(entry.withdrawn), entry.changed) == (["c"], [])
    assert sorted(entry.ready) == ["a", "b", "d"]
    with pytest.raises(UsageError, match=r"^bot c@1\.0 in the database: not a zip"):
        begun(database, BOTS | {"c": found}, name="another")
    with pytest.raises(UsageError, match="not a zip"):
        prepare(found, "none")
    added = bots_added(database, entry.stored.definition, "round-robin", None, "abd")
    assert [bot.hash for bot in added] == [found.hash]


def test_games_of_their_own_are_told_whose_files_are_unreadable(database: Path) -> None:
    two = {label: BOTS[label] for label in "ab"}
    seed = bytes(32)
    definition = Tournament(name="t", bots=["a", "b"], matches=1)
    words: dict[str, Any] = {"kind": "play", "master": seed, "isolation": "none"}
    enter(database, definition, two, **words)
    damage(database, "b", b"")
    with pytest.raises(UsageError, match=r"^bot b@1\.0 in the database: not a zip"):
        enter(database, definition, two, **words)
