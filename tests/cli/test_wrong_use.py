"""Wrong use and a machine in trouble: one clear line, status 2 or 1, never a traceback."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli import kseri as group
from arena.cli.errors import run
from arena.cli.options import read_master
from arena.errors import UsageError
from tests.cli.conftest import Here
from tests.cli.program import bot, complaint, environment, kseri, started, tournament_file
from tests.tournament.memory import entered

PLAY = ("play", "greedy", "random")
SHORT = (*PLAY, "--isolation", "none", "--workers", "1", "--set", "target=11")
RULES = [
    (["--rules", "nosuch"], ["--rules: unknown preset 'nosuch'", "kseri-3"]),
    (["--set", "target"], ["--set target: expected field=value"]),
    (["--set", "nosuch=1"], ["--set nosuch: no such key"]),
    (["--set", "target=many"], ["--set target: Expected `int`"]),
    (["--set", "target=" + 40 * "9"], ["--set target: Expected `int` <= 1000000"]),
    (["--set", "points.kseri=x"], ["--set points.kseri: Expected `int`"]),
    (["--set", "points=3", "--set", "points.kseri=4"], ["points is set as a whole already"]),
    (["--set", "preset=pisti"], ["a preset is chosen by its name"]),
    (["--set", "capture=perhaps"], ["--set capture: Expected "]),
]
NUMBERS = [
    (["--seed", "x"], ["--seed", "'x' is not a whole number from 0"]),
    (["--workers", "1.5"], ["--workers", "'1.5' is not a whole number from 1"]),
    (["--seed", "-1"], ["--seed", "x>=0"]),
    (["--matches", "0"], ["--matches"]),
    (["--workers", "0"], ["--workers"]),
    (["--isolation", "wishes"], ["--isolation", "bubblewrap"]),
    (["--seed", "1", "--master-file", "-"], ["--seed and --master-file: give one"]),
]


@pytest.mark.parametrize(
    ("words", "parts"), RULES + NUMBERS, ids=[words[-1] for words, _ in RULES + NUMBERS]
)
def test_a_wrong_option_is_named(
    here: Here, tmp_path: Path, words: list[str], parts: list[str]
) -> None:
    complaint(here(*PLAY, *words, "--db", tmp_path / "games.db"), 2, *parts)
    assert not list(tmp_path.iterdir()), "nothing is begun"


def test_the_same_from_a_process(tmp_path: Path) -> None:
    complaint(started(*PLAY, "--rules", "no", folder=tmp_path), 2, "--rules: unknown preset 'no'")
    complaint(
        started(*PLAY, "--master-file", "-", given=b"\xff", folder=tmp_path), 2, "64 hex digits"
    )
    complaint(kseri("play", "no", "greedy", folder=tmp_path), 2, "bot 'no'")
    complaint(kseri("tournament", "run", "no.toml", folder=tmp_path), 2, "no.toml: No such file")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "secret",
    [b"", b"12ab", b"g" * 64, b"a" * 63, b"a" * 65, b"aa " * 32, bytes(range(256)), b"0x" * 32],
    ids=["empty", "short", "not hex", "63", "65", "spaced", "binary", "prefixed"],
)
def test_a_master_secret_has_64_hex_digits(here: Here, tmp_path: Path, secret: bytes) -> None:
    file = tmp_path / "secret"
    file.write_bytes(secret)
    words = ["--db", tmp_path / "games.db", "--master-file"]
    complaint(here(*PLAY, *words, file), 2, f"{file}: expected 64 hex digits")
    if secret.isascii():
        complaint(here(*PLAY, *words, "-", given=secret), 2, "-: expected 64 hex digits")


def test_a_master_secret_from_a_closed_input_is_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match="--master-file -: standard input is closed"):
        read_master(None, "-")


def test_a_master_file_that_can_not_be_read_is_wrong_use(here: Here, tmp_path: Path) -> None:
    words = [*PLAY, "--db", tmp_path / "games.db", "--master-file"]
    complaint(here(*words, tmp_path / "no"), 2, "No such file")
    complaint(here(*words, tmp_path), 2, "Is a directory")


FILES = [
    ("name = 3", ["line 1, name: Expected `str`"]),
    ("nosuch = 3", ["line 3, nosuch: no such key"]),
    ("matches = 0", ["line 3, matches: Expected `int` >= 1"]),
    ("matches = 'x'", ["line 3, matches: Expected `int`, got `str`"]),
    ("kind = 'cup'", ["line 3, kind: Expected 'double-knockout' or"]),
    ("kind = 'ladder'", ["line 3, kind:", "'ladder'"]),
    ("kind = 'swiss'\nrounds = 3", ["line 4, rounds: at most 1 with 2 bots"]),
    ("partners = 'drawn'", ["line 3, partners: drawn where two play against two"]),
    ("rules = 'nosuch'", ["line 3, rules: unknown preset"]),
    ("[overrides]\ntarget = 0", ["line 4, overrides.target: Expected `int` >= 1"]),
    ("[overrides]\nnosuch = 0", ["line 4, overrides.nosuch: no such key"]),
    ("[overrides.points]\nkseri = -1", ["line 4, overrides.points.kseri: Expected `int` >= 0"]),
    ("[time]\nclock = 'sun'", ["line 4, time.clock: Expected 'cpu' or 'wall', got 'sun'"]),
    ("[time]\nmove_ms = 0", ["line 4, time.move_ms: Expected `int` >= 1"]),
    ("rotations = 3", ["line 3, rotations: at most 2"]),
    ("rules = 'kseri-3'", ["line 2, bots: kseri-3 takes 3 at a table, got 2"]),
    ("= 3", ["not TOML", "line 3"]),
    ("name = 'again'", ["not TOML", "line 3"]),
]


@pytest.mark.parametrize(("text", "parts"), FILES, ids=[text for text, _ in FILES])
def test_a_wrong_tournament_file_is_told_by_file_line_key_and_expectation(
    here: Here, tmp_path: Path, text: str, parts: list[str]
) -> None:
    file = tmp_path / "cup.toml"
    name = "" if text == "name = 3" else 'name = "cup"\n'
    lines = f"{name}bots = ['greedy', 'random']\n{text}\n"
    file.write_text(f"{text}\nbots = ['greedy', 'random']\n" if not name else lines, "utf-8")
    result = here("tournament", "run", file, "--db", tmp_path / "games.db")
    complaint(result, 2, f"{file}: ", *parts)
    assert not (tmp_path / "games.db").exists()


def test_a_tournament_file_that_is_no_text_or_not_there(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    words = ["--db", tmp_path / "games.db"]
    file.write_bytes(b'name = "cup"\n# \xff\n')
    complaint(here("tournament", "run", file, *words), 2, f"{file}: line 2: not UTF-8 (byte 0xff)")
    complaint(here("tournament", "run", tmp_path, *words), 2, "Is a directory")
    complaint(here("tournament", "run", tmp_path / "no.toml", *words), 2, "no.toml: No such file")


def with_link(folder: Path) -> Path:
    place = bot(folder, "linked")
    (place / "passwords").symlink_to("/etc/passwd")
    return place


def without_manifest(folder: Path) -> Path:
    place = bot(folder, "bare")
    (place / "bot.toml").unlink()
    return place


def with_manifest_of_bytes(folder: Path) -> Path:
    place = bot(folder, "bytes")
    (place / "bot.toml").write_bytes(b'name = "bytes"\nrun = ["\xfe"]\n')
    return place


def with_wrong_manifest(folder: Path) -> Path:
    return bot(folder, "wrong", run='"./bot"')


def with_odd_file_name(folder: Path) -> Path:
    place = bot(folder, "odd")
    (place / "\udcff\udcfe").write_text("")
    return place


def with_pipe(folder: Path) -> Path:
    place = bot(folder, "piped")
    os.mkfifo(place / "pipe")
    return place


def of_unknown_kind(folder: Path) -> Path:
    file = folder / "bot.exe"
    file.write_bytes(b"MZ")
    return file


def with_a_name_that_is_none(folder: Path) -> Path:
    file = folder / "-x!.py"
    file.write_text("")
    return file


def far_too_long(folder: Path) -> Path:
    return folder / ("x" * 300)


def too_large(folder: Path) -> Path:
    place = bot(folder, "large")
    with (place / "weights").open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    return place


BOTS: list[tuple[Callable[[Path], Path], str]] = [
    (with_link, "passwords: a link; a bot's files must be files"),
    (without_manifest, "no bot.toml in this folder"),
    (with_manifest_of_bytes, "bot.toml: line 2: not UTF-8"),
    (with_wrong_manifest, "bot.toml: line 2, run: Expected `array`, got `str`"),
    (with_odd_file_name, "\\xff\\xfe: a file name that is not UTF-8"),
    (with_pipe, "pipe: neither file nor folder"),
    (of_unknown_kind, "a single file needs one of these endings: .py"),
    (with_a_name_that_is_none, "its name must begin with a letter or digit"),
    (far_too_long, "File name too long"),
    (too_large, "more than 64 MiB of files"),
]


@pytest.mark.parametrize(("make", "part"), BOTS, ids=[make.__name__ for make, _ in BOTS])
def test_a_bot_that_is_none_is_told(
    here: Here, tmp_path: Path, make: Callable[[Path], Path], part: str
) -> None:
    place = make(tmp_path)
    words = ["--isolation", "none", "--db", tmp_path / "games.db"]
    complaint(here("play", place, "greedy", *words), 2, part)
    file = tournament_file(tmp_path, place, "greedy")
    complaint(here("tournament", "run", file, *words), 2, part)
    assert not (tmp_path / "games.db").exists()


def test_a_bot_of_no_such_name_is_told_with_those_that_there_are(
    here: Here, tmp_path: Path
) -> None:
    words = ["--db", tmp_path / "games.db"]
    complaint(here("play", "nosuch", "greedy", *words), 2, "'nosuch'", "counter", "saver")
    file = tournament_file(tmp_path, "greedy", "nosuch")
    complaint(here("tournament", "run", file, *words), 2, f"{file}: line 2, bots: bot 'nosuch'")
    complaint(here("play", "greedy", *words), 2, "kseri takes 2 at a table, got 1")


@pytest.mark.parametrize(
    "words",
    [
        [*PLAY, "--set", "target=\udcff"],
        [*PLAY, "--rules", "\udcff"],
        ["play", "\udcff", "greedy"],
        ["standings", "--tournament", "\udcff"],
        ["games", "--bot", "\udcff"],
        ["show", "\udcff"],
        ["tournament", "run", "\udcff"],
    ],
    ids=["set", "rules", "bot", "tournament", "opponent", "game", "file"],
)
def test_words_that_are_no_text_are_told(here: Here, database: Path, words: list[str]) -> None:
    complaint(here(*words, "--db", database), 2)


def test_a_database_may_have_any_name(tmp_path: Path) -> None:
    for name in ("\udcff.db", "a b?#%41.db", "-.db"):
        played = kseri(*SHORT, "--db", tmp_path / name)
        assert played.returncode == 0, played.stderr
        assert (tmp_path / name).exists()


HUGE = "9" * 30


def test_a_seat_is_a_number(here: Here, database: Path) -> None:
    result = here("transcript", "1", "--seat", "x", "--db", database)
    complaint(result, 2, "'--seat': 'x' is not a whole number from 0 up to 5 (see ")


def test_a_name_of_blanks_is_shown(here: Here, database: Path) -> None:
    complaint(here("verify", " ", "--db", database), 2, "kseri: ' ': No such file or directory")


def test_games_and_tournaments_that_are_not_there(here: Here, database: Path) -> None:
    at = ["--db", database]
    complaint(here("show", "nosuch", *at), 2, "no game 'nosuch' in it")
    complaint(here("show", HUGE, *at), 2, f"no game '{HUGE}'")
    complaint(here("show", "", *at), 2, "no game ''")
    complaint(here("log", "%", *at), 2, "no game '%'")
    complaint(here("standings", "--tournament", "nosuch", *at), 2, "no tournament 'nosuch'", "two")
    complaint(here("export", "--tournament", HUGE, *at), 2, "no tournament")
    complaint(here("verify", "nosuch", *at), 2, "no game 'nosuch'")
    complaint(here("verify", "1", "--tournament", "two", *at), 2, "give games, an export")
    complaint(here("verify", *at), 2, "give games, an export")
    assert here("games", "--before", HUGE, *at).returncode == 0


def test_an_ambiguous_beginning_is_told(here: Here, database: Path) -> None:
    with closing(sqlite3.connect(database)) as db:
        games = [game for (game,) in db.execute("SELECT game FROM games")]
    firsts = [game[0] for game in games]
    letter = next(first for first in firsts if firsts.count(first) > 1 and first.isalpha())
    complaint(here("show", letter, "--db", database), 2, f"several games begin with '{letter}'")


@pytest.mark.parametrize("command", ["standings", "games", "export", "show 1", "log 1", "verify 1"])
def test_commands_that_look_need_a_database(tmp_path: Path, command: str) -> None:
    complaint(kseri(*command.split(), folder=tmp_path), 2, "kseri.db: no such database")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command", [[*PLAY, "--isolation", "none"], ["standings"]], ids=["play", "look"]
)
def test_a_database_that_is_none_is_told(tmp_path: Path, command: list[str]) -> None:
    other, text = tmp_path / "other.db", tmp_path / "text.db"
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE notes (text)")
    text.write_text("Dear diary, " * 100)
    complaint(kseri(*command, "--db", other), 2, "other.db: a database of another program")
    complaint(kseri(*command, "--db", text), 2, "text.db: not a database")
    complaint(kseri(*command, "--db", tmp_path), 2, "a folder, not a database")


def test_a_folder_that_is_not_there_is_the_machines_trouble(here: Here, tmp_path: Path) -> None:
    words = ["--isolation", "none", "--db", tmp_path / "no" / "games.db"]
    complaint(here(*PLAY, *words), 1, "cannot be opened")


def test_a_demo_looks_for_the_folder_before_it_builds_all_bots(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.demo._playable", None)
    words = ["demo", "--isolation", "none", "--db", tmp_path / "no" / "games.db"]
    complaint(here(*words), 1, "cannot be opened", after=1)


def test_a_locked_database_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "games.db"
    entered(database, "greedy", "random", "saver", seed=5)
    monkeypatch.setattr("arena.store.schema.BUSY_SECONDS", 0.05)
    monkeypatch.setattr(sys, "argv", ["kseri", *PLAY, "--isolation", "none", "--db", str(database)])
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert run(group) == 1
    said = capsys.readouterr().err
    assert said == f"kseri: {database}: locked by another program for more than 0.05 s\n"


def test_a_disk_that_is_full_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    words = [*SHORT, "--seed", "1", "--matches", "5"]
    command = [sys.executable, "-m", "arena.cli", *words, "--db", str(database)]
    # No file may be larger than 200 blocks of 512 or 1,024 bytes: so a disk ends, for SQLite.
    result = subprocess.run(
        ["bash", "-c", 'ulimit -f 160; exec "$@"', "bash", *command],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    complaint(result, 1, str(database), after=60)
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    again = kseri(*words, "--db", database)
    assert again.returncode == 0, again.stderr
    assert "10 of 10 games" in again.stdout
    assert kseri("verify", "--tournament", "latest", "--db", database).returncode == 0
