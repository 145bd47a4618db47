"""Tournament files as people write them, and what they are told of mistakes."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from protocol.codec import FileError, decode_file
from protocol.messages import Limits
from protocol.tournament import TimeControl, Tournament

WHOLE = """\
name = "Spring round"
kind = "swiss"
bots = [
  "counter",   # shipped
  "./mine",
]
rules = "pisti"
matches = 50
rotations = 2
chunk_matches = 5
faults_allowed = 1
names_hidden = true
rated = false
partners = "drawn"
workers = 2
concurrency = 4
isolation = "landlock"

[overrides]
target = 51
points.kseri = 20

[time]
boot_ms = 5000
move_ms = 500
bank_ms = 0
clock = "cpu"
tick_ms = 100
"""
SHORT = 'name = "x"\nbots = ["counter", "greedy"]\n'


def read(text: str) -> Tournament:
    return decode_file(text, Tournament)


def complaint(text: str) -> str:
    with pytest.raises(FileError) as caught:
        read(text)
    return str(caught.value)


def test_every_key_is_read() -> None:
    assert read(WHOLE) == Tournament(
        name="Spring round",
        kind="swiss",
        bots=["counter", "./mine"],
        rules="pisti",
        overrides={"target": 51, "points": {"kseri": 20}},
        matches=50,
        rotations=2,
        chunk_matches=5,
        faults_allowed=1,
        names_hidden=True,
        rated=False,
        partners="drawn",
        workers=2,
        concurrency=4,
        isolation="landlock",
        time=TimeControl(boot_ms=5000, move_ms=500, bank_ms=0, clock="cpu", tick_ms=100),
    )


def test_name_and_bots_are_enough() -> None:
    short = read(SHORT)
    assert (short.kind, short.rules, short.overrides) == ("round-robin", "kseri", {})
    assert (short.rotations, short.chunk_matches, short.faults_allowed) == (None, 25, 0)
    assert (short.names_hidden, short.rated, short.partners) == (None, True, "self")
    assert (short.workers, short.concurrency, short.isolation) == (None, None, "auto")


def test_the_default_times_are_those_of_the_protocol() -> None:
    time, limits = read(SHORT).time, Limits()
    assert (time.boot_ms, time.move_ms, time.bank_ms, time.clock) == (10_000, 1_000, 10_000, "wall")
    assert (limits.boot_ms, limits.move_ms, limits.bank_ms) == (10_000, 1_000, 10_000)
    assert (limits.clock, limits.faults_allowed, time.tick_ms) == ("wall", 0, UNSET)


@pytest.mark.parametrize(
    "kind", ["round-robin", "gauntlet", "swiss", "knockout", "double-knockout", "league"]
)
def test_every_kind_is_known(kind: str) -> None:
    assert read(f'{SHORT}kind = "{kind}"').kind == kind


@pytest.mark.parametrize("name", ["Pişti 2026", "Γύρος Α'", "ten, or more | less"])
def test_a_name_is_any_single_line(name: str) -> None:
    assert read(SHORT.replace('"x"', f'"{name}"')).name == name


KINDS = "'double-knockout' or 'gauntlet' or 'knockout' or 'league' or 'round-robin' or 'swiss'"
WRONG = [
    ('kind = "roundrobin"', "kind", f"Expected {KINDS}, got 'roundrobin'"),
    ("kind = 1", "kind", "Expected `str`, got `int`"),
    ("rules = 1", "rules", "Expected `str`, got `int`"),
    ("overrides = 3", "overrides", "Expected `object`, got `int`"),
    ("matches = 0", "matches", "Expected `int` >= 1"),
    ("matches = 2.0", "matches", "Expected `int`, got `float`"),
    ("matches = inf", "matches", "Expected `int`, got `float`"),
    ("matches = true", "matches", "Expected `int`, got `bool`"),
    ("rotations = 7", "rotations", "Expected `int` <= 6"),
    ("chunk_matches = 0", "chunk_matches", "Expected `int` >= 1"),
    ("faults_allowed = -1", "faults_allowed", "Expected `int` >= 0"),
    ('names_hidden = "no"', "names_hidden", "Expected `bool | null`, got `str`"),
    ("rated = 0", "rated", "Expected `bool`, got `int`"),
    ('partners = "both"', "partners", "Expected 'drawn' or 'self', got 'both'"),
    ("workers = 0", "workers", "Expected `int` >= 1"),
    ("concurrency = 5000", "concurrency", "Expected `int` <= 4096"),
    (
        'isolation = "docker"',
        "isolation",
        "Expected 'auto' or 'bubblewrap' or 'landlock' or 'none', got 'docker'",
    ),
    ("time = 5", "time", "Expected `object`, got `int`"),
    ("games = 5", "games", "no such key"),
    ("started = 2026-01-01", "started", "no such key"),
    # However the key is written
    ('"matches" = 0', "matches", "Expected `int` >= 1"),
    ("'matches'=0", "matches", "Expected `int` >= 1"),
    ('"games a day" = 5', "games a day", "no such key"),
    ("time.move_ms = 0", "time.move_ms", "Expected `int` >= 1"),
    ("time . move_ms = 0", "time.move_ms", "Expected `int` >= 1"),
    ('time."move_ms" = 0', "time.move_ms", "Expected `int` >= 1"),
    ("time = {bank_ms = 5, move_ms = 0}", "time.move_ms", "Expected `int` >= 1"),
    ('time.clock = "sun"', "time.clock", "Expected 'cpu' or 'wall', got 'sun'"),
    ("time.move = 5", "time.move", "no such key"),
    ("players.first = 5", "players", "no such key"),
    ("[players]", "players", "no such key"),
    ("[players.first]", "players", "no such key"),
    ("[[players]]  # two of them", "players", "no such key"),
    ("[[time]]", "time", "Expected `object`, got `array`"),
]


@pytest.mark.parametrize(("line", "key", "expected"), WRONG, ids=[line for line, *_ in WRONG])
def test_a_mistake_is_told_with_line_key_and_what_was_expected(
    line: str, key: str, expected: str
) -> None:
    said = complaint(f"# a comment\n{SHORT}{line}\n")
    assert said.partition("; ")[0].partition(", as in ")[0] == f"line 4, {key}: {expected}"


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("matchs = 3", "matchs: no such key; did you mean `matches`?"),
        ("[time]\nmove = 3", "time.move: no such key; did you mean `move_ms`?"),
        (
            "time = 5",
            "time: Expected `object`, got `int`, as in [time] with move_ms = 500 below it",
        ),
    ],
)
def test_what_was_meant_is_named(line: str, meant: str) -> None:
    assert complaint(f"{SHORT}{line}\n").endswith(meant)


IN_A_TABLE = [
    ("[time]", "move_ms = 0", "time.move_ms", "Expected `int` >= 1"),
    ("[time]", "bank_ms = -1", "time.bank_ms", "Expected `int` >= 0"),
    ("[time]", "tick_ms = 0", "time.tick_ms", "Expected `int` >= 1"),
    ("[time]", '"move_ms" = "1s"', "time.move_ms", "Expected `int`, got `str`"),
    ("[time]", "matches = 0", "time.matches", "no such key"),
    ('  [ "time" ]  # ms', "move_ms = 0", "time.move_ms", "Expected `int` >= 1"),
    ("['time']", "bank = 0", "time.bank", "no such key"),
]


@pytest.mark.parametrize(("table", "line", "key", "expected"), IN_A_TABLE)
def test_a_mistake_in_a_table_is_found_there(
    table: str, line: str, key: str, expected: str
) -> None:
    # The overrides have keys of the same names, which mean nothing here.
    text = (
        f"{SHORT}matches = 3\n[overrides]\nmove_ms = 1\nbank_ms = 1\n{table}\nboot_ms = 9\n{line}\n"
    )
    assert complaint(text).partition("; ")[0] == f"line 9, {key}: {expected}"


def test_a_wrong_bot_is_numbered() -> None:
    text = 'name = "x"\nbots = [\n  "counter",\n  7,\n]\n'
    example = ', as in bots = ["greedy", "./mybot"]'
    assert complaint(text) == f"line 2, bots[1]: Expected `str`, got `int`{example}"
    assert complaint('name = "x"\nbots = ["a", ""]') == (
        f"line 2, bots[1]: Expected `str` of length >= 1{example}"
    )


def test_bots_as_an_array_of_tables_are_refused_where_they_begin() -> None:
    text = 'name = "x"\n[[bots]]\nname = "a"\n[[bots]]\nname = "b"\n'
    assert complaint(text).startswith("line 2, bots[0]: Expected `str`, got `object`")


def test_one_bot_is_no_tournament() -> None:
    said = complaint('name = "x"\nbots = ["counter"]')
    assert said.startswith("line 2, bots: Expected `array` of length >= 2, as in bots = ")


@pytest.mark.parametrize("name", ["two\\nlines", "end\\n", "\\u0000", "\\u007f", "\\t"])
def test_a_name_with_control_characters_is_refused(name: str) -> None:
    said = complaint(SHORT.replace('"x"', f'"{name}"'))
    assert said.startswith("line 1, name: Expected one line of text without control characters")


@pytest.mark.parametrize(("name", "length"), [("", ">= 1"), ("x" * 81, "<= 80")])
def test_a_name_has_1_to_80_characters(name: str, length: str) -> None:
    said = complaint(SHORT.replace('"x"', f'"{name}"'))
    assert said.startswith(f"line 1, name: Expected `str` of length {length}")


@pytest.mark.parametrize("key", ["name", "bots"])
def test_a_missing_key_is_named(key: str) -> None:
    kept = [line for line in SHORT.splitlines() if not line.startswith(key)]
    assert complaint("\n".join(kept)).startswith(f"{key}: this key is required, as in {key} = ")


def test_text_that_is_not_toml_is_told_with_its_line() -> None:
    said = complaint(f"{SHORT}kind = swiss\n")
    assert said.startswith("not TOML: ")
    assert "line 3" in said
