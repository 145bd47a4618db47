"""The reader of zip archives: what it takes, and what it refuses for which reason."""

from __future__ import annotations

import io
import tracemalloc
import unicodedata
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bots import (
    ArchiveError,
    BotFiles,
    find_bot,
    read_archive,
    read_upload,
    shipped_names,
)
from arena.bots.limits import MAX_BYTES, MAX_ENTRIES, MAX_FILES, MIB
from arena.errors import UsageError
from tests.submission.archives import Entry, bot_zip, deflated, made

GOOD = bot_zip(Entry(b"data/table", b"1234" * 100))


def link(name: bytes) -> Entry:
    return Entry(name, b"/etc/passwd", mode=0o120777)


def many(count: int, name: bytes = b"%d", mode: int = 0o100644) -> bytes:
    return made(*(Entry(name % n, b"", mode=mode, method=0) for n in range(count)))


PATHS = [
    (b"/etc/passwd", "absolute"),
    (b"//x", "absolute"),
    (b"../x", "no plain path"),
    (b"a/../../x", "no plain path"),
    (b"..", "no plain path"),
    (b"a/..", "no plain path"),
    (b"./x", "no plain path"),
    (b"a//x", "no plain path"),
    (b"", "no plain path"),
    (b"/", "no plain path"),
    (b"..\\x", "backslash"),
    (b"\\\\host\\x", "backslash"),
    (b"C:/x", "absolute"),
    (b"c:x", "absolute"),
    (b"a\0b", "plain text"),
    (b"a\nb", "plain text"),
    (b"\x1b[2J", "plain text"),
    ("\u202egpj".encode(), "plain text"),
    (b"b\xfccher", r"^b\\xfccher: a file name that is not UTF-8$"),
    (b"\xed\xa0\x80", "not UTF-8"),
    (b"x" * 256, "more than 255 bytes"),
    (b"d/" * 128 + b"x", "more than 255 bytes"),
]


@pytest.mark.parametrize(("name", "part"), PATHS)
def test_a_path_that_leads_elsewhere_is_refused(name: bytes, part: str) -> None:
    with pytest.raises(ArchiveError, match=part):
        read_archive(bot_zip(Entry(name)))


def test_a_hidden_path_that_leads_out_is_not_just_ignored() -> None:
    with pytest.raises(ArchiveError, match="no plain path"):
        read_archive(bot_zip(Entry(b".git/../../x")))


KINDS = [
    (link(b"x"), "x: a link"),
    (Entry(b"x", mode=0o020666), "neither file nor folder"),
    (Entry(b"x", mode=0o060666), "neither file nor folder"),
    (Entry(b"x", mode=0o010666), "neither file nor folder"),
    (Entry(b"x", mode=0o140666), "neither file nor folder"),
    (Entry(b"x", mode=0o040755), "neither file nor folder"),
    (Entry(b"x/", mode=0o100644), "neither file nor folder"),
    (Entry(b"x/", mode=0o120777), "a link"),
    (Entry(b"x", flags=0x1), "x: encrypted"),
    (Entry(b"x", flags=0x41), "x: encrypted"),
    (Entry(b"x", flags=0x2000), "x: encrypted"),
    (Entry(b"x", method=12), "x: compressed by method 12"),
    (Entry(b"x", method=14), "method 14"),
    (Entry(b"x", method=99), "method 99"),
]


@pytest.mark.parametrize(("entry", "part"), KINDS)
def test_what_is_no_plain_file_is_refused(entry: Entry, part: str) -> None:
    with pytest.raises(ArchiveError, match=part):
        read_archive(bot_zip(entry))


CAFE = "café"
TOGETHER = [
    ((b"bot.py",), "bot.py: in it more than once"),
    ((b"a/x", b"a/x"), "a/x: in it more than once"),
    ((b"BOT.py",), "only by case"),
    ((b"A/x", b"a/y"), "only by case"),
    ((b"A/", b"a/"), "only by case"),
    ((b"stra\xc3\x9fe", b"STRASSE"), "only by case"),
    ((CAFE.encode(), unicodedata.normalize("NFD", CAFE).encode()), "only by case or accents"),
    ((b"a", b"a/x"), "a: both a file and a folder"),
    ((b"a", b"a/"), "a: both a file and a folder"),
    ((b"bot.py/x",), "bot.py: both a file and a folder"),
]


@pytest.mark.parametrize(("names", "part"), TOGETHER)
def test_files_that_can_not_stand_beside_each_other_are_refused(
    names: tuple[bytes, ...], part: str
) -> None:
    folders = [Entry(name, b"", mode=0o040755, method=0) for name in names if name[-1:] == b"/"]
    files = [Entry(name) for name in names if name[-1:] != b"/"]
    with pytest.raises(ArchiveError, match=part):
        read_archive(bot_zip(*files, *folders))


ZEROS = bytes(32 * MIB)
BOMBS = [
    (made(Entry(b"x", size=MAX_BYTES + 1)), r"67,108,865 bytes of files; at most 64 MiB"),
    (made(*[Entry(b"%d" % n, size=MAX_BYTES // 2) for n in range(3)]), "at most 64 MiB"),
    (made(Entry(b"x", ZEROS)), r"at most 200 times as much"),
    (many(MAX_FILES + 1), r"2,001 files; at most 2,000"),
    (many(MAX_ENTRIES + 1, b"%d/", 0o040755), r"more than 4,000 entries"),
    (made(Entry(b"x", ZEROS, size=10)), "x: damaged: not what its size"),
    (made(Entry(b"x", ZEROS, size=10, crc=0)), "damaged"),
    (made(Entry(b"x", b"abc"), Entry(b"y", b"abc", offset=0)), "shares bytes"),
    (made(Entry(b"x", b"abc", method=0), Entry(b"y", b"bc", method=0, offset=1)), "shares bytes"),
]


@pytest.mark.parametrize(("archive", "part"), BOMBS, ids=[part for _, part in BOMBS])
def test_a_bomb_is_refused_and_costs_nothing(archive: bytes, part: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match=part):
            read_archive(archive)
        assert tracemalloc.get_traced_memory()[1] < 8 * MIB
    finally:
        tracemalloc.stop()


def test_an_archive_in_an_archive_is_a_file_that_nobody_opens() -> None:
    inner = made(Entry(b"x", ZEROS))
    files = read_archive(bot_zip(Entry(b"inner.zip", inner, method=0)))
    assert files["inner.zip"] == (False, inner)
    with pytest.raises(ArchiveError, match="times as much"):
        read_archive(inner)


DAMAGED = [
    (b"", "not a zip archive"),
    (b"PK\5\6", "not a zip archive"),
    (b"name = 'mine'\n", "not a zip archive"),
    (GOOD + b"\0", "not a zip archive"),
    (made(Entry(b"x", crc=1)), "x: damaged"),
    (made(Entry(b"x", size=0)), "x: damaged"),
    (made(Entry(b"x", size=2)), "x: damaged"),
    (made(Entry(b"x", method=0, size=2)), "x: damaged"),
    (made(Entry(b"x", method=0, packed_size=200)), "x: damaged"),
    (made(Entry(b"x", packed=b"\xff\xff\xff")), "x: damaged: can't be decompressed"),
    (made(Entry(b"x", b"y" * 99, packed=deflated(b"y" * 99)[:-3])), "x: damaged"),
    (made(Entry(b"x", local_name=b"y")), "x: damaged: the archive names it otherwise"),
    (made(Entry(b"x", offset=7)), "x: damaged"),
    (made(Entry(b"x", offset=2**31)), "damaged"),
    (made(Entry(b"x"), count=2), "damaged"),
    (made(Entry(b"x"), Entry(b"y"), count=1), "damaged: its directory has another size"),
    (b"junk" + GOOD, "damaged: its directory is not where it should be"),
    (made(Entry(b"x"), count=0xFFFF), "ZIP64"),
    (made(Entry(b"x", size=0xFFFFFFFF)), "ZIP64"),
    (made(Entry(b"x"), disk=1), "one part of several"),
]


@pytest.mark.parametrize(("archive", "part"), DAMAGED)
def test_a_damaged_archive_is_refused(archive: bytes, part: str) -> None:
    with pytest.raises(ArchiveError, match=part):
        read_archive(archive)


def test_an_archive_that_was_cut_off_anywhere_is_refused() -> None:
    for length in range(len(GOOD)):
        with pytest.raises(ArchiveError):
            read_archive(GOOD[:length])


@given(st.binary(max_size=300))
@settings(deadline=None, max_examples=150)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(ArchiveError):
        read_archive(data)


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=6))
@settings(deadline=None, max_examples=400)
def test_any_change_of_an_archive_is_read_or_refused(changes: list[tuple[int, int]]) -> None:
    data = bytearray(GOOD)
    for place, value in changes:
        data[place] = value
    try:
        files = read_archive(bytes(data))
    except ArchiveError:
        return
    assert all(not path.startswith(("/", "..")) for path in files)


ENTRIES = st.builds(
    Entry,
    name=st.binary(max_size=12)
    | st.sampled_from([b"a", b"A", b"a/", b"a/b", b"../a", b"bot.toml"]),
    content=st.binary(max_size=40),
    mode=st.sampled_from([0, 0o100644, 0o100755, 0o040755, 0o120777]) | st.integers(0, 0xFFFF),
    flags=st.sampled_from([0, 0, 0, 8, 0x800]) | st.integers(0, 0xFFFF),
    method=st.sampled_from([0, 8, 8]) | st.integers(0, 0xFFFF),
    packed=st.none() | st.binary(max_size=30),
    size=st.none() | st.integers(0, 0xFFFFFFFF),
    offset=st.none() | st.integers(0, 0xFFFFFFFF),
)


@given(st.lists(ENTRIES, max_size=5), st.binary(max_size=20), st.none() | st.integers(0, 0xFFFF))
@settings(deadline=None, max_examples=300)
def test_any_fields_of_an_archive_are_read_or_refused(
    entries: list[Entry], comment: bytes, count: int | None
) -> None:
    try:
        files = read_archive(made(*entries, comment=comment, count=count))
    except ArchiveError:
        return
    contents = [entry.content for entry in entries]
    assert all(data in contents for _, data in files.values())


@pytest.mark.parametrize("name", shipped_names())
def test_a_bot_comes_out_of_its_own_archive_as_it_went_in(name: str) -> None:
    bot = find_bot(name)
    assert BotFiles.from_zip(bot.to_zip()).files == bot.files


def test_an_archive_of_the_database_may_hold_what_compresses_well() -> None:
    bot = find_bot("greedy")
    files = {**bot.files, "zeros": (False, ZEROS)}
    assert BotFiles.from_zip(BotFiles(bot.manifest, files).to_zip()).files == files


class Unseekable(io.BytesIO):
    """A stream, as a zip is written to by servers and by `zip -`: sizes stand behind the data."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise OSError("a stream")


@pytest.mark.parametrize("stream", [io.BytesIO, Unseekable])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_archives_of_other_makers_are_read(stream: type[io.BytesIO], method: int) -> None:
    buffer = stream()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.comment = b"PK\5\6 made by hand"
        archive.mkdir("data")
        archive.writestr("bot.toml", "name = 'mine'")
        archive.writestr("data/größe.txt", "7" * 5_000)
    files = read_archive(buffer.getvalue())
    assert files["data/größe.txt"] == (False, b"7" * 5_000)
    assert set(files) == {"bot.toml", "data/größe.txt"}


def test_a_folder_around_everything_is_taken_away() -> None:
    plain = read_archive(GOOD)
    wrapped = bot_zip(Entry(b"mine/data/table", b"1234" * 100), folder=b"mine/")
    assert read_archive(wrapped) == plain
    two = bot_zip(Entry(b"mine/x"), Entry(b"other/y"), folder=b"mine/")
    assert "mine/bot.toml" in read_archive(two)
    assert "a/mine/bot.toml" in read_archive(bot_zip(folder=b"a/mine/"))


@pytest.mark.parametrize(("name", "part"), [each for each in PATHS if each[0]])
def test_a_path_is_judged_without_the_folder_around_everything(name: bytes, part: str) -> None:
    with pytest.raises(ArchiveError, match=part):
        read_archive(bot_zip(Entry(b"mine/" + name), folder=b"mine/"))


@pytest.mark.parametrize("folder", [b"..", b".", b"", b"C:", b"a\\b", b"a\nb", b"\xff", b".hidden"])
def test_a_folder_with_a_bad_name_is_not_taken_away(folder: bytes) -> None:
    try:
        assert not read_archive(bot_zip(folder=folder + b"/")), "hidden: there is nothing in it"
    except ArchiveError:
        assert folder != b".hidden"


def test_what_is_left_out_of_a_folder_is_left_out_where_that_is_around_everything() -> None:
    passed_over: list[str] = []
    odd = [b"mine/__MACOSX/x", b"mine/.git/x", b"mine/a/__pycache__/x", b"__MACOSX/mine/x"]
    wrapped = bot_zip(Entry(b"mine/", b"", mode=0o040755), *map(Entry, odd), folder=b"mine/")
    assert set(read_archive(wrapped, pass_over=passed_over.append)) == {"bot.toml", "bot.py"}
    # Hidden wherever it stands is told by its whole path: it is passed over first.
    assert set(passed_over) == {
        "mine/.git/x",
        "mine/a/__pycache__/x",
        "__MACOSX/mine/x",
        "__MACOSX/x",
    }


PARTS = st.sampled_from(
    ["w", "C:x", "C:", "__MACOSX", "__pycache__", ".git", "..", ".", "", "a", "A", "\\", "\n", "ä"]
)
NAMES = st.builds(
    lambda wrap, parts, end: "/".join([*["w"] * wrap, *parts]) + end,
    st.booleans(),
    st.lists(PARTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)


@given(st.lists(NAMES, max_size=4), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=400)
def test_what_is_taken_in_is_read_back_as_it_is(
    names: list[str], is_wrapped: bool, is_executable: bool
) -> None:
    mode = 0o100755 if is_executable else 0o100644
    entries = [
        Entry(name.encode(), b"", mode=0o040755) if name.endswith("/") else Entry(name.encode())
        for name in names
    ]
    archive = bot_zip(
        *entries, Entry(b"w/x" * is_wrapped or b"x", mode=mode), folder=b"w/" * is_wrapped
    )
    try:
        bot = read_upload("mine.zip", archive)
    except UsageError:
        return
    again = BotFiles.from_zip(bot.to_zip())
    assert (again.hash, again.files, again.left_out) == (bot.hash, bot.files, ())
    assert again.to_zip() == bot.to_zip()


def test_the_largest_single_file_is_read_back_with_its_manifest() -> None:
    with pytest.raises(UsageError, match="larger than 64 MiB, with its bot"):
        read_upload("mine.py", bytes(MAX_BYTES))


@pytest.mark.parametrize("folder", [b"", b"mine/"])
def test_folders_count_that_only_paths_tell_of(folder: bytes) -> None:
    """As in a folder: what is taken in is written out, and read back from there."""
    many_folders = [Entry(folder + b"a%d/b/c/x" % n, b"", method=0) for n in range(1_500)]
    with pytest.raises(ArchiveError, match="more than 4,000 files and folders"):
        read_archive(bot_zip(*many_folders, folder=folder))
    assert read_archive(bot_zip(*many_folders[:999], folder=folder))


@pytest.mark.parametrize("end", [b"x", b""])
def test_folders_may_not_be_too_deep_in_one_another(end: bytes) -> None:
    def deep(count: int) -> bytes:
        mode = 0o100644 if end else 0o040755
        return bot_zip(Entry(b"d/" * count + end, b"", mode=mode, method=0))

    with pytest.raises(ArchiveError, match=r"^d/d/.*…: more than 100 folders in one another"):
        read_archive(deep(100))
    assert read_archive(deep(99))


def test_what_is_nothing_of_the_bots_is_left_out() -> None:
    rubbish = [b"__MACOSX/._bot.py", b".git/config", b"__pycache__/bot.pyc", b".DS_Store"]
    assert set(read_archive(bot_zip(*map(Entry, rubbish)))) == {"bot.toml", "bot.py"}
    wrapped = bot_zip(Entry(b"__MACOSX/mine/._bot.py"), folder=b"mine/")
    assert set(read_archive(wrapped)) == {"bot.toml", "bot.py"}


def test_what_is_left_out_may_be_anything() -> None:
    """As in a folder, where nobody looks into it."""
    passed_over: list[str] = []
    odd = [
        link(b".venv/bin/python"),
        Entry(b".git/x", mode=0o010666),
        Entry(b".git/" + b"x" * 300),
        Entry(b"__pycache__/b\xfccher"),
        Entry(b".a/b"),
        Entry(b".A/b"),
    ]
    files = read_archive(bot_zip(*odd), pass_over=passed_over.append)
    assert set(files) == {"bot.toml", "bot.py"}
    assert len(passed_over) == len(odd)


def test_what_is_left_out_does_not_count() -> None:
    hidden = [Entry(b".git/%d" % n, b"", method=0) for n in range(MAX_ENTRIES + 1)]
    assert set(read_archive(bot_zip(*hidden))) == {"bot.toml", "bot.py"}


def test_a_program_is_executable_by_its_mode_or_where_there_is_none_by_its_beginning() -> None:
    files = read_archive(
        made(
            Entry(b"yes", mode=0o100755),
            Entry(b"no", b"#!/bin/sh", mode=0o100644),
            Entry(b"script", b"#!/bin/sh", mode=0),
            Entry(b"elf", b"\x7fELF", mode=0),
            Entry(b"text", b"text", mode=0),
        )
    )
    assert {path for path, (executable, _) in files.items() if executable} == {
        "yes",
        "script",
        "elf",
    }
