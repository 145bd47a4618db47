"""`kseri tournament`: a file explained and played; looked after while real processes play it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.store import Reader
from arena.tournament import annul_game, pause_tournament, withdraw
from tests.cli.conftest import Here
from tests.cli.program import (
    HOSTILE,
    assert_harmless,
    bot,
    complaint,
    exported,
    kseri,
    tournament_file,
)
from tests.store.test_counting import assert_sound
from tests.tournament.made_up import MadeUp, by_order, entered, played
from tests.tournament.memory import Stopped
from tests.tournament.processes import Running

TRIO = ("greedy", "random", "saver")
COLUMNS = 80


def rows_of(said: str) -> dict[str, str]:
    """The lines of an explanation that say one thing each."""
    found = {}
    for line in said.splitlines():
        name, _, value = line.partition("  ")
        found.setdefault(name, value.strip())
    return found


def explained(here: Here, folder: Path, *bots: object, **keys: object) -> str:
    file = tournament_file(folder, *bots, **keys)
    result = here("tournament", "explain", file, "--workers", 1, "--db", folder / "games.db")
    assert (result.returncode, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= COLUMNS
    assert not (folder / "games.db").exists(), "nothing is stored"
    return str(result.stdout)


def test_a_file_is_explained_before_anything_is_played(here: Here, tmp_path: Path) -> None:
    said = explained(here, tmp_path, *TRIO, matches=50)
    assert said.startswith("t: a round robin: everybody meets everybody\n")
    assert [line.split()[:2] for line in said.splitlines()[2:5]] == [
        [str(seed), name] for seed, name in enumerate(TRIO, 1)
    ]
    rows = rows_of(said)
    assert rows["Rules"] == "kseri, to 101, 2 seats, 2 sides"
    assert rows["Clock"] == "1000 ms a play, 10000 ms bank, wall time"
    assert rows["Names"] == "hidden from bots"
    assert rows["Games"] == "300, about 200 a bot"
    assert rows["Winner"] == "by the rating"
    assert rows["Time"].endswith(" with 1 worker(s)")
    assert rows["Ratings"].startswith("± about 3")
    assert "Not played yet, taken to need 1 ms a play: greedy, random, saver" in said


@pytest.mark.parametrize(
    ("keys", "games", "winner"),
    [
        ({"kind": "'gauntlet'"}, "40, about 27 a bot", "by the rating"),
        ({"kind": "'swiss'"}, "40, about 27 a bot", "by score, then Buchholz"),
        ({"kind": "'knockout'"}, "at least 40, about 27 a bot", "by the bracket; drawn ties"),
        ({"kind": "'double-knockout'"}, "at least 80, about 53 a bot", "by the bracket; drawn"),
        ({"kind": "'league'"}, "at least 60, about 40 a bot", "by the rating"),
        ({"rules": "'kseri-3'"}, "30, about 30 a bot", "by the rating"),
    ],
    ids=str,
)
def test_every_kind_is_explained(
    here: Here, tmp_path: Path, keys: dict[str, object], games: str, winner: str
) -> None:
    rows = rows_of(explained(here, tmp_path, *TRIO, **keys))
    assert rows["Games"] == games
    assert rows["Winner"].startswith(winner)


def test_what_is_out_of_the_ordinary_is_explained(here: Here, tmp_path: Path) -> None:
    keys = {"rated": "false", "matches": 1, "rules": "'kseri-short'", "faults_allowed": 2}
    said = explained(here, tmp_path, "greedy", "saver", "greedy", **keys)
    assert "The same files: greedy, greedy-2\n" in said
    rows = rows_of(said)
    assert (rows["Names"], rows["Ratings"]) == ("told to bots", "not rated")
    assert rows["Rules"] == "kseri-short, to 51, 2 seats, 2 sides"


def test_drawn_partners_and_the_rounds_of_a_league_are_explained(
    here: Here, tmp_path: Path
) -> None:
    keys = {"rules": "'kseri-partners'", "partners": "'drawn'"}
    rows = rows_of(explained(here, tmp_path, *TRIO, "counter", **keys))
    assert rows["Partners"] == "drawn: everybody with everybody equally often"
    keys = {"kind": "'league'"}
    assert "Partners" not in (rows := rows_of(explained(here, tmp_path, *TRIO, **keys)))
    assert rows["Rounds"] == "without end; what follows is of one"
    assert rows_of(explained(here, tmp_path, *TRIO, **keys, rounds=3))["Rounds"] == "3"


def test_a_stranger_does_nothing_to_the_terminal_of_whoever_explains_it(
    here: Here, tmp_path: Path
) -> None:
    version = HOSTILE.encode("unicode_escape").decode("ascii").replace("\\x", "\\u00")
    place = bot(tmp_path, "shouter", version=f'"1{version}[bold]"')
    file = tournament_file(tmp_path, place, "greedy")
    result = here("tournament", "explain", file, "--db", tmp_path / "games.db")
    assert result.returncode == 0
    assert "[bold]" in "".join(result.stdout.split())
    assert_harmless([result.stdout])


WRONG = [
    ("name = ''", "name: Expected `str` of length >= 1"),
    ("bots = 3", "bots: Expected `array`, got `int`"),
    ("bots = ['greedy']", "bots: Expected `array` of length >= 2"),
    ("bots = ['greedy', '']", "bots[1]: Expected `str` of length >= 1"),
    ("bots = ['greedy', 'nosuch']", "bots: bot 'nosuch'"),
    ("kind = 'cup'", "kind: Expected 'double-knockout' or"),
    ("kind = 'swiss'\nrules = 'kseri-3'", "kind: swiss is for two at a table, here 3 sit at one"),
    ("rules = 'nosuch'", "rules: unknown preset 'nosuch'"),
    ("rules = 'faro-4'", "bots: faro-4 takes 4 at a table, got 3"),
    ("overrides = 3", "overrides: Expected `object`"),
    ("overrides.nosuch = 1", "overrides.nosuch: no such key"),
    ("overrides.target = 0", "overrides.target: Expected `int` >= 1"),
    ("matches = 0", "matches: Expected `int` >= 1"),
    ("matches = 1.5", "matches: Expected `int`, got `float`"),
    ("challengers = 2", "challengers: means nothing to a round-robin; only to a gauntlet"),
    ("challengers = 3\nkind = 'gauntlet'", "challengers: fewer than the 3 bots"),
    ("challengers = 0\nkind = 'gauntlet'", "challengers: Expected `int` >= 1"),
    ("rounds = 2", "rounds: means nothing to a round-robin; only to a swiss or league"),
    ("rounds = 2\nkind = 'knockout'", "rounds: means nothing to a knockout"),
    ("rounds = 3\nkind = 'swiss'", "rounds: at most 2 with 3 bots"),
    ("rounds = 0\nkind = 'league'", "rounds: Expected `int` >= 1"),
    ("pairings = 2\nkind = 'swiss'", "pairings: means nothing to a swiss; only to a league"),
    ("pairings = 0\nkind = 'league'", "pairings: Expected `int` >= 1"),
    ("one_per_owner = 'no'", "one_per_owner: Expected `bool`"),
    ("rotations = 3", "rotations: at most 2 with these rules"),
    ("rotations = 7", "rotations: Expected `int` <= 6"),
    ("chunk_matches = 0", "chunk_matches: Expected `int` >= 1"),
    ("faults_allowed = -1", "faults_allowed: Expected `int` >= 0"),
    ("names_hidden = 'no'", "names_hidden: Expected `bool"),
    ("rated = 0", "rated: Expected `bool`, got `int`"),
    ("partners = 'all'", "partners: Expected 'drawn' or 'self', got 'all'"),
    ("partners = 'drawn'", "partners: drawn where two play against two"),
    ("workers = 0", "workers: Expected `int` >= 1"),
    ("workers = 1000", "workers: 1000 games at once on "),
    ("concurrency = 0", "concurrency: Expected `int` >= 1"),
    ("concurrency = 1000", "concurrency: "),
    ("isolation = 'wishes'", "isolation: Expected 'auto' or 'bubblewrap'"),
    ("think_on_opponents_time = 3", "think_on_opponents_time: Expected `bool`"),
    ("time = 3", "time: Expected `object`"),
    ("time.boot_ms = 0", "time.boot_ms: Expected `int` >= 1"),
    ("time.move_ms = 0", "time.move_ms: Expected `int` >= 1"),
    ("time.bank_ms = -1", "time.bank_ms: Expected `int` >= 0"),
    ("time.clock = 'sun'", "time.clock: Expected 'cpu' or 'wall', got 'sun'"),
    ("time.tick_ms = 0", "time.tick_ms: Expected `int` >= 1"),
    ("time.nosuch = 1", "time.nosuch: no such key"),
    ("seed = 3", "seed: no such key"),
]


@pytest.mark.parametrize("command", ["run", "explain"])
@pytest.mark.parametrize(("text", "told"), WRONG, ids=[text for text, _ in WRONG])
def test_every_wrong_key_is_told_by_file_and_line(
    here: Here, tmp_path: Path, command: str, text: str, told: str
) -> None:
    """The wrong one stands in the third line, unless another one is named."""
    lines = ["# a cup", "", text, "name = 'cup'", "bots = ['greedy', 'random', 'saver']"]
    key = text.split()[0]
    lines = [line for line in lines if line == text or not line.startswith(f"{key} ")]
    file = tmp_path / "cup.toml"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    named = told.partition(":")[0].partition("[")[0]
    number = next(n for n, line in enumerate("\n".join(lines).split("\n"), 1) if named in line)
    result = here("tournament", command, file, "--db", tmp_path / "games.db")
    complaint(result, 2, f"kseri: {file}: line {number}, ", told)
    assert not (tmp_path / "games.db").exists()


def test_too_many_workers_are_told_by_the_option(here: Here, tmp_path: Path) -> None:
    file = tournament_file(tmp_path, *TRIO)
    result = here("tournament", "explain", file, "--workers", 1000)
    complaint(result, 2, "kseri: --workers: 1000 games at once on ")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


LABELS = ("a", "b", "c", "d")


def stopped(database: Path, after: int, **keys: Any) -> None:
    entry = entered(database, *LABELS, **keys)
    with pytest.raises(Stopped):
        played(database, entry, MadeUp(by_order(*LABELS), stops_after=after))


def status(here: Here, database: Path, name: str = "t") -> list[str]:
    result = here("tournament", "status", name, "--db", database)
    assert (result.returncode, result.stderr) == (0, "")
    lines: list[str] = result.stdout.splitlines()
    assert max(map(len, lines)) <= COLUMNS
    return lines


def test_how_far_a_tournament_is(here: Here, database: Path) -> None:
    stopped(database, 5)
    assert status(here, database) == ["t", "5 of 12 games; not being played"]
    assert status(here, database, "1") == status(here, database)
    pause_tournament(database, 1)
    [_, line, _, decision] = status(here, database)
    assert line.startswith("5 of 12 games; paused since 20")
    assert decision.endswith(" pause t: until it is run again")
    played(database, entered(database, *LABELS), MadeUp())
    line = status(here, database)[1]
    assert line.startswith("12 of 12 games; over since 20")


def test_which_round_is_going_on(here: Here, database: Path) -> None:
    stopped(database, 5, kind="knockout")
    assert status(here, database)[1:3] == [
        "Round 2, going on",
        "5 of 6 games; not being played",
    ]


def test_a_league_that_has_played_its_rounds_says_so(here: Here, database: Path) -> None:
    played(database, entered(database, *LABELS, kind="league", rounds=1, seed=None), MadeUp())
    [_, *lines, last] = status(here, database)
    assert lines == [
        "Round 1, over",
        "That was the last by its file; with more rounds there it goes on",
    ]
    assert last.startswith("8 of 8 games; over since 20")
    assert re.search(r" 8/8 +20[\d-]{8}$", here("tournament", "list", "--db", database).stdout)
    said = here("tournament", "pause", "t", "--db", database).stdout
    assert said.endswith(f"\n  kseri serve --league 1 --db {database}\n")


def test_who_has_left_and_what_was_decided(here: Here, database: Path) -> None:
    stopped(database, 9)
    withdraw(database, 1, "b", f"{HOSTILE}[bold]bored[/bold]")
    with Reader(database) as reader:
        game = next(row.game for row in reader.games() if "b" not in row.pairing)
    annul_game(database, 1, game, "the power failed, and " + 20 * "so on and ")
    lines = status(here, database)
    assert_harmless(lines)
    text = "\n".join(lines)
    assert "[bold]bored[/bold])" in text, "it is no markup"
    assert "\nb: forfeited (" in text or "\nb: annulled (" in text
    assert "\nDecisions\n" in text
    assert " withdraw b: " in text
    assert f" annul {game}: the power failed, and so on" in text
    assert text.endswith("(1 match(es) annulled)")


def test_matches_that_the_arena_failed_are_told(here: Here, database: Path) -> None:
    executor = MadeUp(fails=lambda pairing, key: pairing == ("a", "b"))
    played(database, entered(database, *LABELS), executor)
    assert "1 match(es) failed for the arena's fault and stay unplayed" in status(here, database)


def test_tournaments_are_listed_the_latest_first(here: Here, database: Path) -> None:
    stopped(database, 5)
    played(database, entered(database, "a", "b", name=f"[bold]{74 * 'x'}", seed=2), MadeUp())
    result = here("tournament", "list", "--db", database)
    assert (result.returncode, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= COLUMNS
    assert result.stdout.index("[bold]") < result.stdout.index("5/12")


def test_a_tournament_that_is_not_there_is_told(here: Here, database: Path) -> None:
    for command in ("status", "pause"):
        complaint(here("tournament", command, "t", "--db", database), 2, "no such database")
    stopped(database, 1)
    for words in (["status"], ["pause"], ["add"], ["withdraw"], ["annul"]):
        more = {"add": ["greedy"], "withdraw": ["a"], "annul": ["a"]}.get(words[0], [])
        reason = ["--reason", "x"] if words[0] in ("withdraw", "annul") else []
        result = here("tournament", *words, "cup", *more, *reason, "--db", database)
        complaint(result, 2, "no tournament 'cup' in it; it has 1 't'")


def test_decisions_need_a_reason(here: Here, database: Path) -> None:
    stopped(database, 1)
    for command in ("withdraw", "annul"):
        result = here("tournament", command, "t", "a", "--db", database)
        complaint(result, 2, "Missing option '--reason'")
        for blank in ("", " \n"):
            result = here("tournament", command, "t", "a", "--reason", blank, "--db", database)
            complaint(result, 2, "--reason", "say why")
        result = here("tournament", command, "t", "a", "--reason", "\udcff", "--db", database)
        complaint(result, 2, "not UTF-8 text")
    assert status(here, database) == ["t", "1 of 12 games; not being played"]


def test_decisions_are_carried_out_and_confirmed(here: Here, database: Path) -> None:
    stopped(database, 3)
    at = ["--db", database]
    because = ["--reason", "a test", *at]
    assert here("tournament", "add", "t", "saver", *at).stdout == "saver is entered in t\n"
    assert here("tournament", "withdraw", "t", "c", *because).stdout == (
        "c withdrew before half of its games: all of them are annulled\n"
    )
    with Reader(database) as reader:
        game = next(row.game for row in reader.games() if row.pairing == ["a", "b"])
    assert here("tournament", "annul", "t", game[:6], *because).stdout == (
        f"{game}: 1 match(es) that counted are annulled\n"
    )
    assert here("tournament", "annul", "t", "d", *because).stdout == (
        "d: 0 match(es) that counted are annulled\n"
    )
    said = here("tournament", "pause", "1", *at).stdout
    assert said == f"t is paused; to go on:\n  kseri tournament run FILE --db {database}\n"
    complaint(here("tournament", "withdraw", "t", "c", *because), 2, "c has left already")
    complaint(here("tournament", "add", "t", "nosuch", *at), 2, "bot 'nosuch'")
    log = "\n".join(status(here, database)).partition("Decisions\n")[2].splitlines()
    assert [line.split()[1:3] for line in log] == [
        ["add", "saver:"],
        ["withdraw", "c:"],
        ["annul", f"{game}:"],
        ["annul", "d:"],
        ["pause", "t:"],
    ]


def test_a_strangers_bot_is_trusted_by_name_only(
    here: Here, database: Path, tmp_path: Path
) -> None:
    stopped(database, 3)
    words = ["tournament", "add", "t", bot(tmp_path, "stranger"), "--db", database]
    complaint(here(*words), 2, "'t' is played without isolation", "--trusted")
    assert here(*words, "--trusted").stdout == "stranger is entered in t\n"


PLAY = ["--isolation", "none", "--workers", 1]
FAST: dict[str, object] = {"overrides": "{target = 11}", "rules": "'kseri-short'"}


def rerun(file: Path, database: Path) -> str:
    result = kseri("tournament", "run", file, "--db", database, *PLAY)
    assert result.returncode == 0, result.stderr
    return result.stdout


@contextmanager
def being_played(folder: Path, database: Path, **keys: object) -> Iterator[tuple[Running, Path]]:
    """A long tournament, one bot of which takes its time, that has begun to be played."""
    slow = bot(folder, "slow", "import time; time.sleep(0.01)")
    settings = {"matches": 40, "chunk_matches": 1, **FAST, **keys}
    file = tournament_file(folder, "greedy", "random", slow, name="cup", **settings)
    words = ["tournament", "run", file, "--db", database, *PLAY]
    cache = folder / "cache"
    cache.mkdir()
    with Running(words, cache=cache) as running:
        running.has_played_some()
        yield running, file


def games(database: Path) -> list[tuple[tuple[str, ...], int, int]]:
    with Reader(database) as reader:
        return [(tuple(g.pairing), g.match, g.rotation) for g in reader.games(limit=10**6)]


def test_a_pause_ends_the_run_and_the_next_one_goes_on(database: Path, tmp_path: Path) -> None:
    with being_played(tmp_path, database) as (running, file):
        said = kseri("tournament", "status", "cup", "--db", database).stdout
        assert " games; being played" in said
        result = kseri("tournament", "pause", "cup", "--db", database)
        assert result.returncode == 0, result.stderr
        code, told = running.ended()
        running.wait_until_gone()
    assert code == 130
    count = len(games(database))
    assert told.splitlines()[-1] == f"Paused: {count} of 240 games are stored"
    assert 0 < count < 240
    with Reader(database) as reader:
        assert not reader.stored(1).finished
    before = games(database)
    with Running(["tournament", "run", file, "--db", database, *PLAY], cache=tmp_path) as again:
        again.has_played_some()
        assert kseri("tournament", "pause", "cup", "--db", database).returncode == 0
        again.ended()
    assert games(database)[-len(before) :] == before
    assert len(set(games(database))) == len(games(database)) > count


def test_a_bot_that_is_added_while_it_runs_is_played(database: Path, tmp_path: Path) -> None:
    with being_played(tmp_path, database, matches=6) as (running, _):
        result = kseri("tournament", "add", "cup", "saver", "--db", database)
        assert result.stdout == "saver is entered in cup\n", result.stderr
        code, said = running.ended()
    assert code == 0, said
    found = Counter(pairing for pairing, _, _ in games(database))
    assert len(found) == 6
    assert set(found.values()) == {12}
    with Reader(database) as reader:
        assert reader.stored(1).finished
    assert_sound(database, 1)
    checked = kseri("verify", "--tournament", "cup", "--db", database)
    assert (checked.returncode, checked.stdout.splitlines()[0]) == (
        0,
        "72 sound, 0 wrong, 0 not verifiable yet",
    )


def test_a_bot_that_withdraws_while_it_runs_plays_no_more(database: Path, tmp_path: Path) -> None:
    because = ["--reason", "it is too slow", "--db", database]
    with being_played(tmp_path, database, matches=10) as (running, _):
        result = kseri("tournament", "withdraw", "cup", "slow", *because)
        assert "slow withdrew before half of its games" in result.stdout, result.stderr
        code, said = running.ended()
    assert code == 0, said
    with Reader(database) as reader:
        totals = {row.label: row.matches for row in reader.totals(1)}
        row = reader.tournament_row(1)
    assert totals == {"greedy": 10, "random": 10, "slow": 0}
    assert row.games_played == row.games_planned == 20
    assert sum("slow" in pairing for pairing, _, _ in games(database)) < 40
    assert_sound(database, 1)
    assert "slow has left: annulled: it is too slow." in kseri("standings", "--db", database).stdout


def test_whoever_fails_ten_times_is_set_aside_after_the_same_game_by_however_many(
    tmp_path: Path,
) -> None:
    quitter = bot(tmp_path, "quitter", "if turn > 3: sys.exit(3)")
    keys = {"matches": 6, "chunk_matches": 2, "time": "{clock = 'cpu'}", **FAST}
    file = tournament_file(tmp_path, "greedy", quitter, "random", "saver", **keys)
    exports = []
    for workers, seen in ((1, "one.db"), (3, "three.db")):
        words = ["--isolation", "none", "--seed", 5, "--db", tmp_path / seen]
        result = kseri("tournament", "run", file, *words, "--workers", workers)
        assert result.returncode == 0, result.stderr
        assert "quitter has left: set aside: forfeited 10 games in a row." in result.stdout
        exports.append(exported(tmp_path / seen, "--canonical"))
        assert_sound(tmp_path / seen, 1)
    assert exports[0] == exports[1]
    # Its pairings come chunk by chunk: four games, four and two; of the last no match is whole.
    own = [json.loads(line) for line in exports[0] if b"quitter" in line]
    assert len(own) == 8
    assert len(exports[0]) == 3 * 12 + 8


def test_why_somebody_was_set_aside_is_told_at_the_end(tmp_path: Path, database: Path) -> None:
    quitter = bot(tmp_path, "quitter", "if turn > 3: sys.exit(3)")
    words = ["--matches", 20, "--isolation", "none", "--db", database, "--workers", 1]
    result = kseri("play", "greedy", quitter, *words)
    assert result.returncode == 0, result.stderr
    assert "quitter has left: set aside: forfeited 10 games in a row." in result.stdout
    told = " ".join(result.stdout.split())
    # Its whole chunk is played: 20 matches.
    forfeited = r"It has forfeited at least \d+ games, also those that do not count; most often \("
    assert re.search(forfeited, told)
    assert "by crash: " in told
    with Reader(database) as reader:
        latest = reader.games(faulty=True, limit=1)[0].game
    commands = [line for line in result.stdout.splitlines() if " log " in line]
    assert [line.endswith(f" log {latest} --db {database}") for line in commands] == [True]


def test_a_league_is_verified_round_by_round(tmp_path: Path, database: Path) -> None:
    def file(rounds: int) -> Path:
        return tournament_file(
            tmp_path, *TRIO, name="league", kind="'league'", rounds=rounds, matches=1, **FAST
        )

    words = ["verify", "--tournament", "league", "--db", database]
    said = rerun(file(2), database)
    assert "league: kseri-short, 12 of 12 games, rated" in said
    rerun(file(3), database)
    checked = kseri(*words)
    assert checked.returncode == 0, checked.stdout
    with Reader(database) as reader:
        rounds = reader.rounds(1)
    assert checked.stdout.splitlines() == [
        "18 sound, 0 wrong, 0 not verifiable yet",
        *(
            f"league, round {each.number}: checked against its secret {each.master}, commitment "
            f"{each.master_commitment}"
            for each in rounds
        ),
    ]
    with closing(sqlite3.connect(database)) as db:
        db.execute("UPDATE rounds SET finished = NULL WHERE number = 3")
        db.commit()
    checked = kseri(*words)
    assert checked.returncode == 1
    assert rounds[2].master not in checked.stdout
    last = "league, round 3: seeds not verifiable until its last game is over; then the secret "
    assert checked.stdout.splitlines()[-1].startswith(last)
    with closing(sqlite3.connect(database)) as db:
        db.execute("UPDATE rounds SET master = ? WHERE number = 1", ["00" * 32])
        db.commit()
    checked = kseri(*words)
    assert checked.returncode == 1
    assert "12 sound, 6 wrong" in checked.stdout
    assert "master_commitment: not that of the published secret" in checked.stdout


def test_a_seed_is_nothing_to_a_league(here: Here, tmp_path: Path, database: Path) -> None:
    file = tournament_file(tmp_path, *TRIO, kind="'league'", rounds=1)
    result = here("tournament", "run", file, "--seed", 1, "--db", database, *PLAY)
    complaint(result, 2, "a league takes a new secret for every round: no seed, no master file")
    assert not database.exists()


def test_a_knockout_is_played_and_shown(tmp_path: Path, database: Path) -> None:
    file = tournament_file(tmp_path, *TRIO, kind="'knockout'", matches=1, **FAST)
    said = rerun(file, database)
    assert said == rerun(file, database), "the second time it is only shown"
    assert re.search(r"\nPlaces: 1\. .*\n\nRank", said)
    assert max(map(len, said.splitlines())) <= COLUMNS
    assert kseri("verify", "--tournament", "t", "--db", database).returncode == 0
