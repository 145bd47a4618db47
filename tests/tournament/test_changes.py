"""What an organiser decides while a tournament goes on: who comes, who goes, what counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from arena.bots import BotFiles, find_bot
from arena.errors import UsageError
from arena.schedule import Chunk, GameKey
from arena.standings import standings
from arena.store import Reader, StoredTournament
from arena.tournament import add_bot, annul_game, bots_added, enter, pause_tournament, withdraw
from arena.tournament.changes import free_label
from arena.tournament.running import _as_it_is
from protocol.tournament import Tournament
from tests.cli.program import bot
from tests.store.test_counting import assert_sound
from tests.tournament.made_up import MadeUp, Verdict, by_chance, by_order, entered, played
from tests.tournament.memory import Stopped

LABELS = ("a", "b", "c", "d")
ORDER = by_order(*LABELS, "saver", "random")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def stopped(database: Path, after: int, **keys: object) -> MadeUp:
    """A tournament of four that was stopped after so many games."""
    executor = MadeUp(ORDER, stops_after=after)
    with pytest.raises(Stopped):
        played(database, entered(database, *LABELS, **keys), executor)
    return executor


def goes_on(database: Path, **keys: object) -> MadeUp:
    executor = MadeUp(ORDER)
    played(database, entered(database, *LABELS, **keys), executor)
    return executor


def counted(database: Path) -> dict[str, int]:
    """How many matches of everybody count."""
    with Reader(database) as reader:
        return {row.label: row.matches for row in reader.totals(1)}


def last_game(database: Path, *pairing: str) -> str:
    with Reader(database) as reader:
        return next(row.game for row in reader.games(limit=999) if row.pairing == [*pairing])


def log(database: Path) -> list[tuple[str, str, str, int]]:
    with Reader(database) as reader:
        return [(d.action, d.subject, d.reason, d.matches) for d in reader.audit(1)]


def test_whoever_withdraws_before_half_of_its_games_was_never_there(database: Path) -> None:
    # a–b and a–c, two matches each, and a game of a–d.
    stopped(database, 9, matches=2)
    said = withdraw(database, 1, "c", "its author asks for it")
    assert said == "c withdrew before half of its games: all of them are annulled"
    assert counted(database) == {"a": 2, "b": 2, "c": 0, "d": 0}
    later = goes_on(database, matches=2)
    assert not any("c" in pairing for pairing, _ in later.played)
    assert counted(database) == {"a": 4, "b": 4, "c": 0, "d": 4}
    assert log(database) == [("withdraw", "c", "its author asks for it", 2)]
    with Reader(database) as reader:
        assert [e.departure for e in reader.entrants(1)] == [None, None, "annulled", None]
        assert len(list(reader.records(1))) == 4 * 3 + 4, "they stay stored"
        assert not any(line.walkovers for line in standings(reader, 1).lines)
    assert_sound(database, 1)


@pytest.mark.parametrize(("games", "is_early"), [(5, True), (6, False)])
def test_half_of_its_games_is_what_counts_against_what_is_left(
    database: Path, games: int, is_early: bool
) -> None:
    """Of a's twelve games; also where one match was failed by the arena and played again."""
    failing = (("a", "b"), GameKey(1, 0, 1))
    executor = MadeUp(
        ORDER, fails=lambda pairing, key: (pairing, key) == failing, stops_after=games + 1
    )
    with pytest.raises(Stopped):
        played(database, entered(database, *LABELS, matches=2), executor)
    assert all("a" in pairing for pairing, _ in executor.played), "one of them does not count"
    said = withdraw(database, 1, "a", "a test")
    assert ("annulled" in said) == is_early


def test_who_has_left_before_is_not_among_the_games_that_are_left(database: Path) -> None:
    # a–b is played, and c and d, whom b would have met, have left.
    stopped(database, 2)
    withdraw(database, 1, "c", "a test")
    withdraw(database, 1, "d", "a test")
    assert "what it has played stands" in withdraw(database, 1, "b", "a test")
    assert counted(database)["a"] == 1


def test_whoever_withdraws_later_forfeits_the_rest(database: Path) -> None:
    # All of a's games, and the first two of b–c: six of b's twelve.
    stopped(database, 14, matches=2)
    said = withdraw(database, 1, "a", "it has seen enough")
    assert said == "a withdrew: what it has played stands, the rest is forfeited"
    assert "the rest is forfeited" in withdraw(database, 1, "b", "so has this")
    later = goes_on(database, matches=2)
    assert {pairing for pairing, _ in later.played} == {("c", "d")}
    with Reader(database) as reader:
        lines = {line.label: line for line in standings(reader, 1).lines}
    assert [lines[label].departure for label in LABELS] == ["forfeited", "forfeited", None, None]
    assert [lines[label].matches for label in LABELS] == [6, 2, 4, 4]
    # Of b–c no match was whole, b–d was not begun.
    assert [lines[label].walkovers for label in LABELS] == [0, 0, 4, 4]
    assert_sound(database, 1)


def test_a_game_that_was_going_on_when_its_bot_left_counts_as_it_should(database: Path) -> None:
    """The run that plays it hears of it later."""

    async def meanwhile(count: int) -> None:
        if count == 5:
            withdraw(database, 1, "b", "a test")
        if count == 20:
            withdraw(database, 1, "d", "a test")

    entry = entered(database, *LABELS, matches=3, chunk_matches=1)
    executor = MadeUp(ORDER, at_once=4, order=2, meanwhile=meanwhile)
    played(database, entry, executor)
    with Reader(database) as reader:
        departed = {e.label: e.departure for e in reader.entrants(1)}
        rated = {row.label: row.matches for row in reader.totals(1)}
        row = reader.tournament_row(1)
    assert departed["b"] == "annulled"
    assert rated["b"] == 0
    assert row.games_played == row.games_planned
    assert_sound(database, 1)


def test_nobody_leaves_twice_or_without_having_come(database: Path) -> None:
    entered(database, *LABELS)
    withdraw(database, 1, "a", "a test")
    with pytest.raises(UsageError, match=r"games\.db: a has left already \(annulled\)"):
        withdraw(database, 1, "a", "a test")
    with pytest.raises(UsageError, match="no entrant 'x' in 't'; it has a, b, c, d"):
        withdraw(database, 1, "x", "a test")


def test_a_tournament_that_is_over_stays_as_it_is_but_for_annulments(database: Path) -> None:
    goes_on(database)
    for change in (
        lambda: withdraw(database, 1, "a", "a test"),
        lambda: add_bot(database, 1, find_bot("saver")),
        lambda: pause_tournament(database, 1),
    ):
        with pytest.raises(UsageError, match="'t' is over; its result stands"):
            change()
    with Reader(database) as reader:
        before = standings(reader, 1).revision
    annul_game(database, 1, last_game(database, "a", "b"), "it was rigged")
    annul_game(database, 1, "c", "it had read the cards")
    assert counted(database) == {"a": 1, "b": 1, "c": 0, "d": 2}
    assert log(database)[1:] == [("annul", "c", "it had read the cards", 3)]
    with Reader(database) as reader:
        found = standings(reader, 1)
        row = reader.tournament_row(1)
    assert found.revision == before + 2
    assert [line.matches for line in found.lines if line.label == "c"] == [0]
    assert row.games_played == row.games_planned == 4, "nothing of it is still to be played"
    assert not goes_on(database).played
    assert_sound(database, 1)


def test_a_knockout_that_ends_while_somebody_annuls_a_game_keeps_its_bracket(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on(database, kind="knockout")
    game = last_game(database, "a", "d")
    # The annulment has looked at it before it was over.
    with Reader(database) as reader:
        earlier = msgspec.structs.replace(reader.stored(1), finished=None)
    monkeypatch.setattr(Reader, "stored", lambda self, number: earlier)
    with pytest.raises(UsageError, match="'t' is over: without these games"):
        annul_game(database, 1, game, "a mistake")
    assert_sound(database, 1)


def test_an_annulled_match_is_not_played_again_and_others_are(database: Path) -> None:
    stopped(database, 3)
    said = annul_game(database, 1, last_game(database, "a", "c"), "a mistake")
    assert said.endswith("its match is annulled; it did not count before")
    said = annul_game(database, 1, last_game(database, "a", "b"), "a mistake")
    assert said.endswith(": 1 match(es) that counted are annulled")
    later = goes_on(database)
    assert ("a", "c") not in {pairing for pairing, _ in later.played}
    assert counted(database) == {"a": 1, "b": 2, "c": 2, "d": 3}
    with Reader(database) as reader:
        row = reader.tournament_row(1)
        assert row.games_played == row.games_planned == 8
        assert reader.stored(1).finished
        assert reader.unplayed(1) == 0, "it is not the arena's fault"


def test_a_game_of_another_tournament_is_not_annulled_here(database: Path) -> None:
    goes_on(database)
    played(database, entered(database, "a", "b", name="other", seed=2), MadeUp(ORDER))
    with Reader(database) as reader:
        game = reader.games(tournament_id=2)[0].game
    with pytest.raises(UsageError, match=f"game {game} is not of 't'"):
        annul_game(database, 1, game, "a test")
    with pytest.raises(UsageError, match="no game 'x' in it, and 't' has no entrant of that name"):
        annul_game(database, 1, "x", "a test")
    assert not log(database)


def test_a_bot_that_is_added_meets_everybody(database: Path) -> None:
    before = stopped(database, 5, matches=2)
    assert add_bot(database, 1, find_bot("saver")) == "saver"
    later = goes_on(database, matches=2)
    games = Counter(pairing for pairing, _ in before.played + later.played)
    assert set(games.values()) == {4}
    assert [pairing for pairing in games if "saver" in pairing] == [
        (label, "saver") for label in LABELS
    ]
    assert log(database) == [("add", "saver", "version 1.0", 0)]
    assert not set(before.played) & set(later.played)
    assert_sound(database, 1)


def test_a_challenger_meets_a_bot_that_is_added_and_nobody_else_does(database: Path) -> None:
    stopped(database, 2, kind="gauntlet")
    add_bot(database, 1, find_bot("saver"))
    goes_on(database, kind="gauntlet")
    with Reader(database) as reader:
        pairs = {tuple(row.pairing) for row in reader.results(1)}
    assert pairs == {("a", "b"), ("a", "c"), ("a", "d"), ("a", "saver")}


def test_a_swiss_pairs_it_from_the_next_round_on(database: Path) -> None:
    stopped(database, 3, kind="swiss")
    add_bot(database, 1, find_bot("saver"))
    goes_on(database, kind="swiss")
    with Reader(database) as reader:
        by_round = {p.round for p in reader.pairings(1) if "saver" in p.entrants}
        last = reader.rounds(1)[-1].number
        [joined] = [e.joined for e in reader.entrants(1) if e.label == "saver"]
    assert joined == 2
    assert by_round == set(range(2, last + 1))


def test_what_does_not_play_these_rules_is_not_added(database: Path, tmp_path: Path) -> None:
    entered(database, *LABELS)
    choosy = find_bot(str(bot(tmp_path, "choosy", rules='["pisti"]')))
    with pytest.raises(UsageError, match="bot choosy: plays pisti, not kseri"):
        add_bot(database, 1, choosy, trusted=True)
    broken = find_bot(str(bot(tmp_path, "broken", build='["false"]')))
    with pytest.raises(UsageError, match="bot broken: false failed"):
        add_bot(database, 1, broken, trusted=True)
    assert not log(database)


def test_a_strangers_program_plays_without_isolation_only_where_it_is_trusted(
    database: Path, tmp_path: Path
) -> None:
    entry = entered(database, *LABELS)
    stranger = find_bot(str(bot(tmp_path, "stranger")))
    with pytest.raises(UsageError, match=r"played without isolation: .* with --trusted"):
        add_bot(database, 1, stranger)
    assert add_bot(database, 1, stranger, trusted=True) == "stranger"
    assert add_bot(database, 1, find_bot("saver")) == "saver"
    # Whoever goes on with it must know that there is a stranger among them.
    definition = entry.stored.definition
    added = bots_added(database, definition, "round-robin", (1).to_bytes(32, "big"), LABELS)
    assert [(one.manifest.name, one.is_shipped) for one in added] == [
        ("stranger", False),
        ("saver", True),
    ]
    other = msgspec.structs.replace(definition, name="other")
    assert not bots_added(database, other, "round-robin", None, LABELS)
    assert not bots_added(tmp_path / "no.db", definition, "round-robin", None, LABELS)


NAME, VERSION = "greedy", "1.0"


@given(st.sets(st.sampled_from([NAME, f"{NAME}@{VERSION}", *(f"{NAME}-{n}" for n in (2, 3, 4))])))
def test_a_label_is_the_name_or_says_the_version_or_is_numbered(taken: Collection[str]) -> None:
    label = free_label(find_bot(NAME), taken)
    choices = [NAME, f"{NAME}@{VERSION}", *(f"{NAME}-{n}" for n in range(2, 6))]
    assert label == next(choice for choice in choices if choice not in taken)


def test_a_version_that_can_not_stand_in_a_label_is_left_out() -> None:
    files = find_bot(NAME)
    manifest = msgspec.structs.replace(files.manifest, version="1,0|\x1b[31m")
    assert free_label(replace(files, manifest=manifest), [NAME]) == f"{NAME}-2"


def test_a_pause_stops_whoever_plays_it_and_the_next_run_goes_on(database: Path) -> None:
    async def meanwhile(count: int) -> None:
        if count == 3:
            pause_tournament(database, 1)
            await trio.sleep_forever()  # until the run has heard of it

    entry = entered(database, *LABELS)
    progress = played(database, entry, MadeUp(ORDER, meanwhile=meanwhile))
    assert progress.is_paused
    assert progress.done == 3
    with Reader(database) as reader:
        stored = reader.stored(1)
        assert (bool(stored.paused), stored.finished, stored.games_played) == (True, None, 3)
        kept = reader.kept_standings(1)
        assert kept
        assert msgspec.msgpack.decode(kept)["revision"] == stored.revision
    assert log(database) == [("pause", "t", "until it is run again", 0)]
    pause_tournament(database, 1)
    assert len(log(database)) == 1, "it is paused already"
    later = goes_on(database)
    assert len(later.played) == 9
    with Reader(database) as reader:
        assert (reader.stored(1).paused, bool(reader.stored(1).finished)) == (None, True)


@pytest.mark.parametrize("kind", ["round-robin", "league"])
def test_a_file_that_gained_or_lost_a_bot_names_the_command_for_that(
    database: Path, kind: str
) -> None:
    seed = None if kind == "league" else 1
    entered(database, "a", "b", "c", name="My cup", kind=kind, seed=seed)
    add_bot(database, 1, find_bot("saver"))
    for labels, advice in (
        (("a", "b", "c", "d"), "without d: .* kseri tournament add 'My cup' BOT"),
        (("a", "d", "b", "c"), "without d: .* kseri tournament add 'My cup' BOT"),
        (("a", "c"), "with b, too: .* kseri tournament withdraw 'My cup' b"),
        (("b", "a", "c"), "another value of bots"),
    ):
        with pytest.raises(UsageError, match=advice):
            entered(database, *labels, name="My cup", kind=kind, seed=seed)
    assert entered(database, "a", "b", "c", name="My cup", kind=kind, seed=seed).stored.id == 1
    assert entered(database, *"abc", "saver", name="My cup", kind=kind, seed=seed).stored.id == 1


def test_a_pause_is_heard_between_rounds_that_are_over_at_once(database: Path) -> None:
    async def meanwhile(count: int) -> None:
        if count == 30:
            pause_tournament(database, 1)

    # Without end.
    entry = entered(database, *LABELS, kind="league", seed=None)
    progress = played(database, entry, MadeUp(ORDER, meanwhile=meanwhile))
    assert progress.is_paused
    assert progress.played == 4 * 8, "the round of the thirtieth game is its fourth"


def test_a_run_hears_of_changes_before_its_games_are_over(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it plays after that is the tournament as it has become."""
    heard, looks = trio.Event(), Counter[int]()

    def look(path: Path, tournament_id: int) -> StoredTournament:
        found = _as_it_is(path, tournament_id)
        looks[found.revision] += 1
        if looks[2] == 2:  # what the first look has found is known now
            trio.from_thread.run_sync(heard.set)
        return found

    async def meanwhile(count: int) -> None:
        if count == 8:
            add_bot(database, 1, find_bot("saver"))
            withdraw(database, 1, "d", "a test")
            await heard.wait()

    monkeypatch.setattr("arena.tournament.running._LOOK_SECONDS", 0.01)
    monkeypatch.setattr("arena.tournament.running._as_it_is", look)
    entry = entered(database, *LABELS, matches=20, chunk_matches=1)
    executor = MadeUp(ORDER, meanwhile=meanwhile)
    played(database, entry, executor)
    assert not any("d" in pairing for pairing, _ in executor.played[8:])
    games = Counter(pairing for pairing, _ in executor.played if "d" not in pairing)
    assert len(games) == 6
    assert set(games.values()) == {40}
    assert_sound(database, 1)


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss", "league"])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_decided_on_the_way_it_comes_to_an_end(
    database: Path, kind: str, seed: int
) -> None:
    chance = random.Random(seed)
    keys: dict[str, object] = {"kind": kind, "matches": 2, "chunk_matches": 1}
    if kind == "league":
        keys |= {"rounds": 4, "seed": None}
    names = iter(["saver", "random", "counter"])
    decide: list[Callable[[], object]] = [
        lambda: add_bot(database, 1, find_bot(next(names))),
        lambda: withdraw(database, 1, chance.choice(_staying(database)), "a test"),
        lambda: annul_game(database, 1, chance.choice(_staying(database)), "a test"),
        lambda: annul_game(database, 1, chance.choice(_games(database)), "a test"),
    ]
    seen: list[tuple[tuple[str, ...], GameKey]] = []
    for number in [*range(4), None]:
        executor = MadeUp(
            by_chance(seed),
            fails=lambda pairing, key: hash((seed, key)) % 9 == 0,
            at_once=chance.randint(1, 4),
            order=seed,
            stops_after=10**9 if number is None else chance.randint(1, 12),
        )
        try:
            played(database, entered(database, *LABELS, "e", **keys), executor)
        except Stopped:
            chance.choice(decide[: 1 + 3 * bool(_games(database))])()
        seen += executor.played
        assert_sound(database, 1)
        with Reader(database) as reader:
            if reader.stored(1).finished:
                break
    assert len(seen) == len(set(seen)), "nothing is played twice"
    with Reader(database) as reader:
        row = reader.tournament_row(1)
        assert row.games_played == row.games_planned
        assert len(list(reader.records(1))) == len(seen)


def _staying(database: Path) -> list[str]:
    with Reader(database) as reader:
        return [entrant.label for entrant in reader.entrants(1) if not entrant.departure]


def _games(database: Path) -> list[str]:
    with Reader(database) as reader:
        return [row.game for row in reader.games(limit=999)]


def test_at_a_table_of_drawn_partners_everybody_partners_everybody_equally_often(
    database: Path,
) -> None:
    keys: dict[str, object] = {"rules": "kseri-partners", "partners": "drawn", "matches": 2}

    def judge(chunk: Chunk, key: GameKey) -> Verdict:
        return Verdict()

    played(database, entered(database, *LABELS, "e", **keys), MadeUp(judge))
    partners: Counter[frozenset[str]] = Counter()
    opponents: Counter[frozenset[str]] = Counter()
    seats: Counter[tuple[str, int]] = Counter()
    with Reader(database) as reader:
        for record in reader.records(1):
            labels = [seat.bot for seat in record.seats]
            seats.update((label, seat) for seat, label in enumerate(labels))
            for one, other in ((0, 2), (1, 3)):
                partners[frozenset((labels[one], labels[other]))] += 1
            for one in (0, 2):
                opponents.update(frozenset((labels[one], labels[other])) for other in (1, 3))
    # Five tables of four, parted in three ways, two matches of four games each.
    assert set(partners.values()) == {5 * 3 * 2 * 4 * 2 // 10}
    assert set(opponents.values()) == {5 * 3 * 2 * 4 * 4 // 10}
    assert set(seats.values()) == {5 * 3 * 2 * 4 // 5}
    assert len(seats) == 5 * 4


def test_two_bots_of_an_author_do_not_sit_at_one_table_of_three(
    database: Path, tmp_path: Path
) -> None:
    own: dict[str, BotFiles] = {
        name: find_bot(str(bot(tmp_path, name, authors='["Ada"]'))) for name in ("x", "y")
    }
    bots = own | {"greedy": find_bot("greedy"), "saver": find_bot("saver")}
    definition = Tournament(name="t", bots=list(bots), rules="kseri-3", matches=1)
    entry = enter(database, definition, bots, kind="round-robin", master=None, isolation="none")
    executor = MadeUp()
    played(database, entry, executor)
    tables = {frozenset(pairing) for pairing, _ in executor.played}
    assert tables == {frozenset(("x", "greedy", "saver")), frozenset(("y", "greedy", "saver"))}
    few = {name: bots[name] for name in ("x", "y", "greedy")}
    definition = msgspec.structs.replace(definition, name="few", bots=list(few))
    with pytest.raises(UsageError, match="every table would have two bots of one author"):
        enter(database, definition, few, kind="round-robin", master=None, isolation="none")
    with Reader(database) as reader:
        assert [row.name for row in reader.tournaments()] == ["t"], "nothing of it is entered"
