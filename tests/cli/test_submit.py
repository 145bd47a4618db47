"""`kseri submit` and `kseri bots` from outside: what is taken in, found by name, and refused."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import sqlite3
import subprocess
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.bots import find_bot, read_bot
from arena.errors import SandboxUnavailable
from arena.sandbox import settle_isolation
from tests.cli.conftest import Here
from tests.cli.program import (
    HOSTILE,
    START,
    assert_harmless,
    bot,
    complaint,
    environment,
    exported,
    kseri,
    started,
    tournament_file,
)
from tests.submission.archives import Entry, bot_zip, made
from tests.submission.unchecked import unchecked


class Place:
    """Where a test submits to: a database, a cache and a folder for temporary files of its own."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "kseri.db"
        self.cache = folder / "cache"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.words = ["--db", self.database, "--isolation", "none"]

    def left(self) -> list[str]:
        """What of a submission lies about, but for the copy of the bot that it played against."""
        others = {find_bot(name).hash for name in ("random",)}
        kept = self.cache / "kseri-arena" / "bots"
        copies = [path.name for path in kept.iterdir()] if kept.exists() else []
        found = [name for name in copies if name.split("-")[0] not in others]
        return found + [path.name for path in self.temporary.iterdir()]

    def rows(self) -> list[tuple[str, str]]:
        """Names and versions in the order of submitting."""
        if not self.database.exists():
            return []
        with closing(sqlite3.connect(self.database)) as db:
            return db.execute("SELECT name, version FROM submissions ORDER BY id").fetchall()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    found = Place(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(found.cache))
    monkeypatch.setenv("TMPDIR", str(found.temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(found.temporary))
    return found


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process bots are taken in without a game; the check has tests of its own."""
    monkeypatch.setattr("arena.submission._check", lambda *_: "Checked: no.")


def change(folder: Path, version: str) -> None:
    """Give a bot other files and another version."""
    manifest = folder / "bot.toml"
    lines = [line for line in manifest.read_text().splitlines() if "version" not in line]
    manifest.write_text("\n".join([*lines, f'version = "{version}"', ""]))


@pytest.mark.usefixtures("untried")
def test_the_life_of_a_submitted_bot(here: Here, place: Place, tmp_path: Path) -> None:
    folder = bot(tmp_path, "mine", version='"1.0"')
    first = started("submit", folder, *place.words)
    assert first.returncode == 0, first.stderr
    read, built, checked, *_ = first.stdout.splitlines()
    assert read.startswith("Read: mine 1.0, 2 files, ")
    assert built == "Built: nothing to build."
    assert checked.startswith("Checked: ")
    text = first.stdout.replace("\n  ", " ")
    assert f"Stored: mine@1.0 in {place.database}." in text
    assert max(map(len, first.stdout.partition("Stored: ")[0].splitlines())) <= 80
    assert place.rows() == [("mine", "1.0")]
    (play,) = re.findall(r"^Let it play: (.*)$", first.stdout, re.MULTILINE)
    assert play == shlex.join(
        [*START, "play", "mine", "greedy", "--matches", "10", "--db", str(place.database)]
    )
    assert 'Enter it: bots = ["mine", "greedy"] in a tournament file' in first.stdout

    again = here("submit", folder, *place.words)
    assert again.returncode == 0
    assert "Nothing new: these files were submitted as mine@1.0 on 20" in again.stdout
    with (folder / "bot.py").open("a") as program:
        program.write("# better\n")
    refused = here("submit", folder, *place.words)
    complaint(refused, 2, "mine@1.0 was submitted", "raise the version, by `version`", after=60)
    change(folder, "2.0")
    assert here("submit", folder, *place.words).returncode == 0
    assert place.rows() == [("mine", "1.0"), ("mine", "2.0")]

    at = ["--db", place.database]
    listed = here("bots", "list", *at).stdout.splitlines()
    assert [line.split()[:2] for line in listed[1:]] == [["mine", "2.0"], ["mine", "1.0"]]
    played = kseri("play", "mine", "mine@1.0", *place.words)
    assert played.returncode == 0, played.stderr
    seats = json.loads(exported(place.database)[0])["seats"]
    assert {seat["bot"]: seat["version"] for seat in seats} == {"mine": "2.0", "mine-2": "1.0"}

    shown = here("bots", "show", "mine", *at).stdout
    for part in ("mine@2.0, hash ", "bot.py", "bot.toml", "1 mine v mine-2", "2.0", "python3"):
        assert part in shown
    assert here("bots", "retire", "mine@2.0", *at).stdout == "Retired mine@2.0.\n"
    assert "mine@1.0, hash" in here("bots", "show", "mine", *at).stdout
    assert "retired 20" in here("bots", "show", "mine@2.0", *at).stdout
    complaint(
        here("play", "mine@2.0", "greedy", *place.words), 2, "retired", "bots unretire mine@2.0 "
    )
    complaint(here("play", "mine@9", "greedy", *place.words), 2, "there are: 2.0 (retired), 1.0")
    assert here("bots", "retire", "mine", *at).stdout == "Retired mine@1.0.\n"
    assert place.rows() == [("mine", "1.0"), ("mine", "2.0")]
    assert here("bots", "retire", "mine", *at).stdout == "Nothing new: mine was retired before.\n"
    again = f"bots unretire mine@2.0 --db {place.database} lets it play again"
    complaint(here("play", "mine", "greedy", *place.words), 2, "retired; ", again)
    retired = here("submit", folder, *place.words)
    assert "and retired 20" in " ".join(retired.stdout.split())
    assert "bots unretire mine@2.0" in retired.stdout
    assert "mine" in here("standings", *at).stdout, "its games stay"
    assert len(exported(place.database)) == 2


@pytest.mark.usefixtures("untried")
def test_versions_are_retired_one_by_one_and_taken_back(
    here: Here, place: Place, tmp_path: Path
) -> None:
    folder = bot(tmp_path, "mine", version='"1.0"')
    at = ["--db", place.database]
    for version in ("1.0", "2.0", "3.0"):
        change(folder, version)
        assert here("submit", folder, *place.words).returncode == 0

    def said(*words: object) -> str:
        return here("bots", *words, *at).stdout

    assert said("retire", "mine") == "Retired mine@3.0.\nmine is now mine@2.0.\n"
    assert said("unretire", "mine@3.0") == "mine@3.0 can be entered again.\n"
    assert said("unretire", "mine@3.0") == "Nothing new: mine@3.0 is not retired.\n"
    assert "mine@3.0, hash" in said("show", "mine")
    assert said("retire", "mine", "--all") == (
        "Retired mine@3.0.\nRetired mine@2.0.\nRetired mine@1.0.\n"
    )
    assert said("retire", "mine", "--all") == "Nothing new: mine was retired before.\n"
    complaint(here("bots", "unretire", "mine", *at), 2, "give the version, too")
    complaint(here("bots", "unretire", "mine@9", *at), 2, "no submitted bot 'mine@9'")
    complaint(here("bots", "retire", "mine@1.0", "--all", *at), 2, "give the name alone")


@pytest.mark.usefixtures("untried")
def test_a_single_file_has_versions_too(here: Here, place: Place, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes((bot(tmp_path, "other") / "bot.py").read_bytes())
    assert here("submit", file, *place.words).returncode == 0
    file.write_bytes(file.read_bytes() + b"# better\n")
    refused = here("submit", file, *place.words)
    complaint(refused, 2, "or, for a single file, by --version", after=60)
    assert here("submit", file, "--version", "1.1", *place.words).returncode == 0
    assert place.rows() == [("mine", "1.0"), ("mine", "1.1")]
    assert "Nothing new" in here("submit", file, "--version", "1.1", *place.words).stdout
    shown = here("bots", "show", "mine", "--db", place.database).stdout
    assert "mine@1.1, hash " in shown
    assert re.search(r"version +1\.1 *$", shown, re.MULTILINE)
    for wrong in ("", "x" * 41, "1 0", "\x7f"):
        complaint(here("submit", file, "--version", wrong, *place.words), 2, "version")
    folder = tmp_path / "other"
    complaint(here("submit", folder, "--version", "2", *place.words), 2, "bot.toml: set it there")
    complaint(here("submit", packed(folder), "--version", "2", *place.words), 2, "set it there")


@pytest.mark.usefixtures("untried")
def test_another_version_beside_a_submitted_one_is_pointed_out(
    here: Here, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = bot(tmp_path, "mine", version='"1.2"')
    file = tmp_path / "alone.py"
    file.write_bytes((folder / "bot.py").read_bytes())
    for path in (folder, file):
        assert here("submit", path, *place.words).returncode == 0

    def noted(*words: object) -> list[str]:
        lines = kseri(*words, *place.words, folder=tmp_path).stderr.splitlines()
        return [line for line in lines if " is another" in line]

    words = ("play", "mine", "alone")
    assert noted(*words) == []
    for path in (folder / "bot.py", file):
        path.write_bytes(path.read_bytes() + b"# better\n")
    notes = [
        "mine is the submitted 1.2; ./mine is another: give ./mine to play that",
        "alone is the submitted 1.0; ./alone.py is another: give ./alone.py to play that",
    ]
    assert noted(*words) == notes
    assert noted("play", "mine@1.2", "./alone.py") == []
    cup = tournament_file(tmp_path, "mine", "alone", matches=1)
    assert noted("tournament", "run", cup) == notes


@pytest.mark.usefixtures("untried")
def test_a_begun_tournament_goes_on_with_bots_that_were_retired(
    here: Here, place: Place, tmp_path: Path
) -> None:
    folder = bot(tmp_path, "mine")
    assert here("submit", folder, *place.words).returncode == 0
    run = ["tournament", "run", tournament_file(tmp_path / "tmp", "mine", "greedy", matches=1)]
    assert kseri(*run, *place.words, "--seed", 1).returncode == 0
    assert here("bots", "retire", "mine", "--db", place.database).returncode == 0
    tournament_file(tmp_path / "tmp", "mine", "greedy", matches=2)
    longer = kseri(*run, *place.words, "--seed", 1)
    assert longer.returncode == 0, longer.stderr
    other = tournament_file(tmp_path / "tmp", "mine", "greedy", name="other")
    complaint(here("tournament", "run", other, *place.words), 2, "line 2, bots: bot 'mine'")


@pytest.mark.usefixtures("untried")
def test_a_name_wins_over_a_path(here: Here, place: Place, tmp_path: Path) -> None:
    folder = bot(tmp_path, "mine")
    assert here("submit", folder, *place.words).returncode == 0
    (folder / "bot.py").write_text("raise SystemExit('other')", "utf-8")
    by_name = kseri("play", "mine", "greedy", *place.words, folder=tmp_path)
    assert by_name.returncode == 0, by_name.stderr
    by_path = kseri("play", "./mine", "greedy", *place.words, folder=tmp_path)
    assert by_path.returncode == 0, by_path.stderr
    names = here("games", "--db", place.database).stdout
    assert names.count("forfeit") == 2
    help_text = " ".join(kseri("play", "--help").stdout.split())
    assert "A name wins over a path: ./NAME is always the path." in help_text


def packed(folder: Path, around: str = "") -> Path:
    """A bot's folder as the zip that anybody would make of it."""
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, around + file.name)
    return path


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize("around", ["", "mine-main/"])
def test_a_zip_is_the_same_bot_as_its_folder(
    here: Here, place: Place, tmp_path: Path, around: str
) -> None:
    folder = bot(tmp_path, "mine")
    result = here("submit", packed(folder, around), *place.words)
    assert result.returncode == 0, result.stderr
    assert "Nothing new" in here("submit", folder, *place.words).stdout
    assert place.rows() == [("mine", "1.0")]


@pytest.mark.sandbox
def test_it_is_built_and_checked_in_the_sandbox(place: Place, tmp_path: Path) -> None:
    try:
        settle_isolation("auto", trusted=False)
    except SandboxUnavailable as error:
        pytest.skip(f"this machine has no sandbox that holds: {error}")
    place.temporary.chmod(0o755)
    folder = bot(tmp_path, "built", build='["sh", "make.sh"]', run='["python3", "made.py"]')
    (folder / "make.sh").write_text("cp bot.py made.py; echo no > /etc/no; exit 0", "utf-8")
    result = kseri("submit", folder, "--db", place.database, TMPDIR=tempfile.gettempdir())
    assert result.returncode == 0, result.stderr
    assert "Built: by sh make.sh" in result.stdout
    assert not Path("/etc/no").exists()
    assert not (folder / "made.py").exists()


@pytest.mark.usefixtures("untried")
def test_what_is_left_out_is_said(here: Here, place: Place, tmp_path: Path) -> None:
    folder = bot(tmp_path, "mine")
    for name in (".a", ".b", ".c", ".d"):
        (folder / name).touch()
    result = here("submit", folder, *place.words)
    assert "; 4 hidden or generated left out (.a, .b, .c, …)" in " ".join(result.stdout.split())


@pytest.mark.usefixtures("untried")
def test_a_single_file_is_a_bot(here: Here, place: Place, tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_bytes((bot(tmp_path, "mine") / "bot.py").read_bytes())
    assert here("submit", file, *place.words).returncode == 0
    assert place.rows() == [("my-bot", "1.0")]
    assert "Nothing new" in here("submit", file, *place.words).stdout


# What is refused before anything is built


def shipped_name(folder: Path) -> Path:
    return bot(folder, "greedy")


def shipped_file(folder: Path) -> Path:
    return _file(folder, "random.py", b"pass")


def _file(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def a_person(folder: Path) -> Path:
    return bot(folder, "me")


def bad_name(folder: Path) -> Path:
    place = bot(folder, "b")
    manifest = place / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"b"', '"Big Bot"'))
    return place


def spaced_version(folder: Path) -> Path:
    return bot(folder, "b", version='"1 0"')


def at_version(folder: Path) -> Path:
    return bot(folder, "b", version='"1@2"')


def hostile_version(folder: Path) -> Path:
    return bot(folder, "b", version='"\\u001b[2J"')


def unknown_rules(folder: Path) -> Path:
    return bot(folder, "b", rules='["kseri", "bridge"]')


def wrong_key(folder: Path) -> Path:
    return bot(folder, "b", language='"c"')


def wrong_value(folder: Path) -> Path:
    return bot(folder, "b", run='"./bot"')


def long_manifest(folder: Path) -> Path:
    return bot(folder, "b", authors=f'["{70_000 * "a"}"]')


def no_manifest(folder: Path) -> Path:
    (folder / "b").mkdir()
    return folder / "b"


def link_out(folder: Path) -> Path:
    place = bot(folder, "b")
    (place / "secret").symlink_to("/etc/shadow")
    return place


def link_within(folder: Path) -> Path:
    place = bot(folder, "b")
    (place / "again.py").symlink_to("bot.py")
    return place


def linked_manifest(folder: Path) -> Path:
    place = bot(folder, "b")
    (place / "bot.toml").rename(folder / "bot.toml")
    (place / "bot.toml").symlink_to(folder / "bot.toml")
    return place


def case_twins(folder: Path) -> Path:
    place = bot(folder, "b")
    (place / "BOT.py").write_text("")
    return place


def backslashed(folder: Path) -> Path:
    place = bot(folder, "b")
    (place / "a\\b").write_text("")
    return place


def many_files(folder: Path) -> Path:
    place = bot(folder, "b")
    for number in range(2_000):
        (place / str(number)).touch()
    return place


def nested(folder: Path) -> Path:
    place = bot(folder, "b")
    (place / "/".join(150 * "d")).mkdir(parents=True)
    return place


def with_mark(folder: Path) -> Path:
    place = bot(folder, "b")
    text = (place / "bot.toml").read_bytes()
    (place / "bot.toml").write_bytes(b"\xef\xbb\xbf" + text)
    return place


def not_there(folder: Path) -> Path:
    return folder / "nothing"


def a_pipe(folder: Path) -> Path:
    os.mkfifo(folder / "b.py")
    return folder / "b.py"


def a_device(folder: Path) -> Path:
    return Path("/dev/zero")


def unknown_ending(folder: Path) -> Path:
    return _file(folder, "b.exe", b"MZ")


def endless_file(folder: Path) -> Path:
    path = _file(folder, "b.py", b"")
    os.truncate(path, 2**40)
    return path


def endless_zip(folder: Path) -> Path:
    path = _file(folder, "b.zip", b"")
    os.truncate(path, 2**40)
    return path


def no_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", b"PK\3\4 or so")


def encrypted_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(Entry(b"x", flags=1)))


def climbing_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(Entry(b"../../evil")))


def linking_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(Entry(b"x", b"/etc/shadow", mode=0o120777)))


def bomb_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(Entry(b"x", bytes(10**7))))


def lying_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(Entry(b"x", bytes(10**7), size=5)))


def nameless_file(folder: Path) -> Path:
    return _file(folder, ".py", b"pass")


def drive_in_folder_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(Entry(b"w/C:x"), folder=b"w/"))


def nested_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(Entry(b"d/" * 100 + b"x")))


def folders_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(*(Entry(b"a%d/b/c/x" % n) for n in range(1_500))))


def latin_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", bot_zip(Entry(b"b\xfccher")))


def latin_folder(folder: Path) -> Path:
    path = bot(folder, "b")
    (path / os.fsdecode(b"b\xfccher")).touch()
    return path


def bare_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", made(Entry(b"bot.py"), Entry(b"deep/er/bot.toml")))


def zip_with_wrong_manifest(folder: Path) -> Path:
    return _file(folder, "b.zip", made(Entry(b"x/bot.toml", b'name = "b"\nrun = 3\n')))


def zip_of_a_zip(folder: Path) -> Path:
    return _file(folder, "b.zip", made(Entry(b"b.zip", bot_zip())))


REFUSED: list[tuple[Callable[[Path], Path], list[str]]] = [
    (shipped_name, ["bot.toml: line 1, name: 'greedy' is a bot that comes with the arena"]),
    (shipped_file, ["random.py: the file's name: 'random' is a bot that comes with the arena"]),
    (nameless_file, [".py: an ending alone; a bot's name is what stands before it"]),
    (a_person, ["bot.toml: line 1, name: 'me' stands for the person"]),
    (bad_name, ["bot.toml: line 1, name: Expected small letters, digits and hyphens"]),
    (spaced_version, ["line 3, version: expected letters, digits and . + - _", "'1 0'"]),
    (at_version, ["line 3, version: expected letters, digits"]),
    (hostile_version, ["line 3, version: expected letters, digits"]),
    (unknown_rules, ["line 3, rules: unknown preset 'bridge'", "pisti"]),
    (wrong_key, ["b/bot.toml: line 3, language: no such key"]),
    (wrong_value, ["b/bot.toml: line 2, run: Expected `array`, got `str`"]),
    (long_manifest, ["bot.toml: 70,0", "bytes; at most 65,536"]),
    (no_manifest, ["b: no bot.toml in this folder"]),
    (link_out, ["secret: a link"]),
    (link_within, ["again.py: a link"]),
    (linked_manifest, ["bot.toml: a link"]),
    (case_twins, ["only by case"]),
    (backslashed, ["a backslash"]),
    (many_files, ["b: more than 2,000 files"]),
    (nested, ["b: d/d/d", "more than 100 folders in one another"]),
    (with_mark, ["bot.toml: begins with a byte-order mark; save it as UTF-8 without one"]),
    (not_there, ["nothing: No such file or directory"]),
    (a_pipe, ["b.py: neither file nor folder"]),
    (a_device, ["/dev/zero: neither file nor folder"]),
    (unknown_ending, ["b.exe: a single file needs one of these endings: .py", ".zip"]),
    (endless_file, ["b.py: larger than 64 MiB"]),
    (endless_zip, ["b.zip: larger than 64 MiB"]),
    (no_zip, ["b.zip: not a zip archive"]),
    (encrypted_zip, ["b.zip: x: encrypted"]),
    (climbing_zip, ["no plain path below the bot's folder"]),
    (drive_in_folder_zip, ["b.zip: C:x: an absolute path"]),
    (nested_zip, ["b.zip: d/d/d", "more than 100 folders in one another"]),
    (folders_zip, ["b.zip: more than 4,000 files and folders"]),
    (linking_zip, ["b.zip: x: a link"]),
    (bomb_zip, ["at most 200 times as much"]),
    (lying_zip, ["b.zip: x: damaged"]),
    (latin_zip, ["b.zip: b\\xfccher: a file name that is not UTF-8"]),
    (latin_folder, ["b: b\\xfccher: a file name that is not UTF-8"]),
    (bare_zip, ["b.zip: no bot.toml in it"]),
    (zip_with_wrong_manifest, ["b.zip: bot.toml: line 2, run: Expected `array`, got `int`"]),
    (zip_of_a_zip, ["b.zip: no bot.toml in it"]),
]


@pytest.mark.parametrize(("make", "parts"), REFUSED, ids=[make.__name__ for make, _ in REFUSED])
def test_what_can_not_be_a_bot_is_refused_and_leaves_nothing(
    here: Here, place: Place, tmp_path: Path, make: Callable[[Path], Path], parts: list[str]
) -> None:
    result = here("submit", make(tmp_path), *place.words)
    complaint(result, 2, *parts)
    assert_harmless([result.stderr])
    assert (place.left(), result.stdout) == ([], "")
    assert not place.database.exists()


def test_a_database_that_can_not_be_made_is_said_before_anything_is_built(
    here: Here, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.submission.built_copy", None)
    result = here("submit", bot(tmp_path, "b"), "--db", tmp_path / "no" / "kseri.db")
    complaint(result, 1, f"{tmp_path / 'no' / 'kseri.db'}: cannot be opened", after=1)


def test_a_folder_of_copies_that_is_full_is_named(
    here: Here, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(files: object, folder: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("arena.bots.build.write_copy", full)
    result = here("submit", bot(tmp_path, "b"), *place.words)
    folder = place.cache / "kseri-arena" / "bots"
    complaint(result, 1, f"a bot's copy: {folder}: No space left on device", after=1)


# What is refused once it is built or has played


def broken_build(folder: Path) -> Path:
    return _build(folder, f"printf '{HOSTILE.encode('unicode_escape').decode()}'; exit 3")


def _build(folder: Path, script: str) -> Path:
    place = bot(folder, "built", build='["sh", "make.sh"]')
    (place / "make.sh").write_text(script, "utf-8")
    return place


def endless_build(folder: Path) -> Path:
    return _build(folder, "exec sleep 1000")


def littering_build(folder: Path) -> Path:
    return _build(folder, "mkdir a; cd a; seq 2001 | xargs touch")


def linking_build(folder: Path) -> Path:
    return _build(folder, "ln -s /etc/shadow stolen")


def growing_build(folder: Path) -> Path:
    return _build(folder, "truncate -s 300M weights")


def nesting_build(folder: Path) -> Path:
    code = "import os\nfor _ in range(1200): os.mkdir('dddd'); os.chdir('dddd')"
    return bot(folder, "built", build=f"['python3', '-c', {json.dumps(code)}]")


def misnaming_build(folder: Path) -> Path:
    return _build(folder, "touch \"$(printf 'a\\377')\"")


def removing_build(folder: Path) -> Path:
    return _build(folder, 'rm -rf "$PWD"; exit 0')


def dying_build(folder: Path) -> Path:
    return _build(folder, "kill -40 $$")


def build_without_tool(folder: Path) -> Path:
    return bot(folder, "built", build='["no-such-compiler"]')


def crashing(folder: Path) -> Path:
    return bot(folder, "bad", f"raise SystemExit({HOSTILE!a})")


def illegal(folder: Path) -> Path:
    return bot(folder, "bad", "play['card'] = '??'")


def not_startable(folder: Path) -> Path:
    return bot(folder, "bad", run='["./missing"]')


LONG = "a" * 300
"""Longer than the name of any file."""


def long_file(folder: Path) -> Path:
    return bot(folder, "bad", run=f'["./{LONG}"]')


def long_command(folder: Path) -> Path:
    return bot(folder, "bad", run=f'["{LONG}"]')


def long_argument(folder: Path) -> Path:
    return bot(folder, "bad", run=f'["python3", "{LONG}"]')


def build_by_long_file(folder: Path) -> Path:
    return bot(folder, "built", build=f'["./{LONG}"]')


def illegal_at_another_table(folder: Path) -> Path:
    return bot(folder, "bad", "if turn > 8: play['card'] = '??'", rules='["kseri-3"]')


BAD: list[tuple[Callable[[Path], Path], list[str]]] = [
    (broken_build, ["bot built: sh make.sh failed with exit status 3"]),
    (endless_build, ["bot built: its build took more than "]),
    (littering_build, ["its build left more than 2,000 files"]),
    (linking_build, ["its build left stolen: a link"]),
    (growing_build, ["its build left more than 256 MiB of files"]),
    (nesting_build, ["its build left dddd/", "more than 100 folders in one another"]),
    (misnaming_build, ["its build left a\\xff: a file name that is not UTF-8"]),
    (removing_build, ["its build left no folder to read: No such file or directory"]),
    (dying_build, ["bot built: sh make.sh was ended by signal 40"]),
    (build_without_tool, ["bot built: cannot be built: no-such-compiler"]),
    (crashing, ["bot bad: not ready to play: ", "kseri check ", "/bad --db ", " says more)"]),
    (illegal, ["bot bad: not ready to play: ", "?? is not in the hand"]),
    (not_startable, ["bot bad: not ready to play: ", "missing"]),
    (
        long_file,
        ["bot bad: not ready to play: start: ./aaa", "…: no such file in the bot's folder"],
    ),
    (
        long_command,
        ["bot bad: not ready to play: start: aaa", "…: no such command on this machine"],
    ),
    (long_argument, ["bot bad: not ready to play: start: the process ended with exit status 2"]),
    (
        build_by_long_file,
        ["bot built: cannot be built: ./aaa", "…: no such file in the bot's folder"],
    ),
    (illegal_at_another_table, ["bot bad: not ready to play: ", "?? is not in the hand"]),
]


@pytest.mark.parametrize(("make", "parts"), BAD, ids=[make.__name__ for make, _ in BAD])
def test_a_bot_that_can_not_be_built_or_played_is_refused_and_leaves_nothing(
    here: Here,
    place: Place,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], Path],
    parts: list[str],
) -> None:
    if make is endless_build:
        monkeypatch.setattr("arena.sandbox.build.BUILD_SECONDS", 0.2)
    result = here("submit", make(tmp_path), *place.words)
    if make is broken_build:
        # What the build printed stands below the one line, where it can't pass for one of ours.
        lines = result.stderr.splitlines()
        assert re.fullmatch(r"    \S.*evil.*", lines.pop())
        result.stderr = "\n".join(lines)
    complaint(result, 2, *parts, after=60)
    assert_harmless([result.stdout, result.stderr])
    if make in (crashing, illegal):
        assert "likely cause: " in result.stderr
        assert ("stderr: " in result.stderr) == (make is crashing)
    assert place.left() == []
    assert not place.database.exists()


@pytest.mark.parametrize(
    ("path", "given_again"),
    [("./bad", "./bad"), ("bad", "./bad"), ("../here/bad", "../here/bad"), (".", ".")],
)
def test_what_is_to_be_checked_again_is_the_path_and_not_the_bot_of_that_name(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, given_again: str
) -> None:
    (tmp_path / "here").mkdir()
    made = illegal(tmp_path / "here")
    monkeypatch.chdir(made if path == "." else tmp_path / "here")
    result = here("submit", path, "--db", tmp_path / "n.db", "--isolation", "none")
    assert f"kseri check {given_again} --db " in result.stderr


# A machine in trouble


@pytest.mark.usefixtures("untried")
def test_a_locked_database_is_told_and_nothing_is_left(
    here: Here, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert here("submit", bot(tmp_path, "one"), *place.words).returncode == 0
    kept = place.left()
    monkeypatch.setattr("arena.store.schema.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(place.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        result = here("submit", bot(tmp_path, "two"), *place.words)
    complaint(result, 1, "locked by another program for more than 0.05 s", after=1)
    assert (place.left(), place.rows()) == (kept, [("one", "1.0")])


@pytest.mark.usefixtures("untried")
def test_a_full_disk_is_told_and_nothing_is_left(here: Here, place: Place, tmp_path: Path) -> None:
    folder = bot(tmp_path, "mine")
    command = [*unchecked(), "submit", folder, *place.words]
    # No file may be larger than 40 blocks of 1,024 bytes: so a disk ends, for SQLite.
    result = subprocess.run(
        ["bash", "-c", 'ulimit -f 40; exec "$@"', "bash", *map(str, command)],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    complaint(result, 1, str(place.database), after=5)
    assert "Checked" in result.stdout
    assert place.left() == []
    assert here("submit", folder, *place.words).returncode == 0
    assert place.rows() == [("mine", "1.0")]


@pytest.mark.usefixtures("untried")
def test_no_room_for_a_copy_is_the_machines_trouble(
    here: Here, place: Place, tmp_path: Path
) -> None:
    place.cache.write_text("no folder")
    result = here("submit", bot(tmp_path, "mine"), *place.words)
    complaint(result, 1, "Not a directory", after=1)
    assert not place.database.exists()


@pytest.mark.usefixtures("untried")
def test_what_can_not_be_kept_is_not_stored(
    here: Here, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.rename

    def full(old: Path, new: Path) -> None:
        if Path(new).name.startswith(mine.hash):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        rename(old, new)

    folder = bot(tmp_path, "mine")
    mine = read_bot(folder)
    monkeypatch.setattr(os, "rename", full)
    result = here("submit", folder, *place.words)
    complaint(result, 1, "No space left on device", after=2)
    assert (place.left(), place.rows()) == ([], [])


def test_a_database_that_is_none_is_told_before_anything_is_built(
    here: Here, place: Place, tmp_path: Path
) -> None:
    place.database.write_text("Dear diary, " * 100)
    result = here("submit", endless_build(tmp_path), *place.words)
    complaint(result, 2, "kseri.db: not a database", after=1)


# kseri bots


@pytest.mark.usefixtures("untried")
def test_what_strangers_wrote_is_shown_as_text(here: Here, place: Place, tmp_path: Path) -> None:
    hostile = HOSTILE.encode("unicode_escape").decode().replace("\\x", "\\u00")
    folder = bot(tmp_path, "mine", authors=f'["{hostile}"]')
    assert here("submit", folder, *place.words).returncode == 0
    shown = here("bots", "show", "mine", "--db", place.database)
    assert "evil" in shown.stdout
    assert_harmless([shown.stdout])


@pytest.mark.usefixtures("untried")
def test_wrong_use_of_bots_is_told(here: Here, place: Place, tmp_path: Path) -> None:
    at = ["--db", place.database]
    complaint(here("bots", "list", *at), 2, "no such database")
    complaint(here("bots", "retire", "mine", *at), 2, "no such database")
    assert not place.database.exists()
    assert here("submit", bot(tmp_path, "mine"), *place.words).returncode == 0
    for command in ("show", "retire"):
        complaint(here("bots", command, "no", *at), 2, "no submitted bot 'no' in it; it has mine")
        complaint(here("bots", command, "mine@9", *at), 2, "no submitted bot 'mine@9'")
        complaint(here("bots", command, "greedy", *at), 2, "no submitted bot 'greedy'")
        complaint(here("bots", command, "My Bot", *at), 2, "expected NAME or NAME@VERSION")
        complaint(here("bots", command, "\udcff", *at), 2)


def test_a_database_without_submissions_lists_none(here: Here, database: Path) -> None:
    assert here("bots", "list", "--db", database).stdout == "No submitted bots.\n"
    complaint(here("bots", "show", "mine", "--db", database), 2, "it has none")
