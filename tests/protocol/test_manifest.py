"""Manifests as people write them, and what they are told of mistakes."""

from __future__ import annotations

import pytest

from protocol.codec import FileError, decode_file
from protocol.manifest import Manifest

WHOLE = """\
name = "pike"              # a fish
version = "1.0"
authors = ["A", "B"]
protocol = 1
build = ["cc", "-O2", "-o", "pike", "pike.c"]
run = ["./pike"]
rules = ["kseri", "pisti"]
reuse = false
batch = 16
processes = 2
"""


SHORT = ('name = "a"', 'run = ["x"]')


def read(text: str) -> Manifest:
    return decode_file(text, Manifest)


def complaint(text: str) -> str:
    with pytest.raises(FileError) as caught:
        read(text)
    return str(caught.value)


def test_every_key_is_read() -> None:
    assert read(WHOLE) == Manifest(
        name="pike",
        version="1.0",
        authors=["A", "B"],
        protocol=1,
        build=["cc", "-O2", "-o", "pike", "pike.c"],
        run=["./pike"],
        rules=["kseri", "pisti"],
        reuse=False,
        batch=16,
        processes=2,
    )


def test_name_and_run_are_enough() -> None:
    short = read('name = "greedy"\nrun = ["python3", "greedy.py"]\n')
    assert (short.version, short.authors, short.protocol) == ("1.0", [], 1)
    assert (short.build, short.rules) == (None, None)
    assert (short.reuse, short.batch, short.processes) == (True, 1, 1)


@pytest.mark.parametrize("name", ["a", "7", "0-1", "a" * 39, "kseri-bot-2"])
def test_a_name_of_small_letters_digits_and_hyphens(name: str) -> None:
    assert read(f'name = "{name}"\nrun = ["x"]').name == name


@pytest.mark.parametrize(
    "name",
    ["", "A", "-a", "a" * 40, "a b", "a_b", "a.b", "a/b", "a,b", "a|b", "ä", "a\\n", "\\u0000"],
)
def test_any_other_name_is_refused(name: str) -> None:
    said = complaint(f'run = ["x"]\nname = "{name}"')
    assert said == (
        "line 2, name: Expected small letters, digits and hyphens, a letter or digit first, at "
        'most 39, as in name = "mybot"'
    )


WRONG = [
    ("name = 7", "name", "Expected `str`, got `int`"),
    ('version = ""', "version", "Expected `str` of length >= 1"),
    (f'version = "{"1" * 41}"', "version", "Expected `str` of length <= 40"),
    ("version = 1.0", "version", "Expected `str`, got `float`"),
    ('authors = "A"', "authors", "Expected `array`, got `str`"),
    ('authors = ["A", 7]', "authors[1]", "Expected `str`, got `int`"),
    ("protocol = 2", "protocol", "Expected 1, got 2"),
    ('protocol = "1"', "protocol", "Expected `int`, got `str`"),
    ("build = []", "build", "Expected `array` of length >= 1"),
    ('build = ["cc", ""]', "build[1]", "Expected `str` of length >= 1"),
    (r'build = ["cc", "\u0000"]', "build[1]", "Expected text without NUL characters"),
    (r'run = ["x\u0000.py"]', "run[0]", "Expected text without NUL characters"),
    ('run = "./pike"', "run", "Expected `array`, got `str`"),
    ("run = []", "run", "Expected `array` of length >= 1"),
    ('rules = "kseri"', "rules", "Expected `array | null`, got `str`"),
    ("reuse = 1", "reuse", "Expected `bool`, got `int`"),
    ("batch = 0", "batch", "Expected `int` >= 1"),
    ("batch = 1025", "batch", "Expected `int` <= 1024"),
    ("batch = 1.0", "batch", "Expected `int`, got `float`"),
    ("processes = 65", "processes", "Expected `int` <= 64"),
    ('language = "c"', "language", "no such key"),
]


@pytest.mark.parametrize(("line", "key", "expected"), WRONG, ids=[line for line, *_ in WRONG])
def test_a_mistake_is_told_with_line_key_and_what_was_expected(
    line: str, key: str, expected: str
) -> None:
    name = line.split()[0]
    kept = [other for other in WHOLE.splitlines() if not other.startswith(f"{name} ")]
    text = "\n".join([*kept[:4], line, *kept[4:]])
    said, _, example = complaint(text).partition(", as in ")
    assert said.partition("; ")[0] == f"line 5, {key}: {expected}"
    if example:
        assert read("\n".join({other.split()[0]: other for other in (*SHORT, example)}.values()))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ('runn = ["x"]', "did you mean `run`?"),
        ('author = "A"', "did you mean `authors`?"),
        ('rule = ["kseri"]', "did you mean `rules`?"),
        ('language = "c"', "there are name, version, authors, protocol, build, run, rules"),
    ],
)
def test_the_key_that_was_meant_is_named(line: str, meant: str) -> None:
    said = complaint(f"{WHOLE}{line}\n")
    assert said.startswith(f"line 11, {line.split()[0]}: no such key; {meant}")


def test_a_wrong_type_is_told_with_an_example() -> None:
    said = complaint('name = "pike"\nrun = "./pike"')
    assert said == 'line 2, run: Expected `array`, got `str`, as in run = ["python3", "bot.py"]'
    said = complaint('name = "pike"\nrun = ["x"]\nrules = "kseri"')
    assert said.endswith('as in rules = ["kseri", "pisti"]')


@pytest.mark.parametrize("key", ["name", "run"])
def test_a_missing_key_is_named(key: str) -> None:
    kept = [line for line in WHOLE.splitlines() if not line.startswith(f"{key} ")]
    assert complaint("\n".join(kept)).startswith(f"{key}: this key is required, as in {key} = ")


def test_text_that_is_not_toml_is_told_with_its_line() -> None:
    assert complaint('name = "pike"\nrun = ./pike\n').startswith("not TOML: ")
    said = complaint('name = "pike"\nrun = ./pike\n')
    assert "line 2" in said
    assert said.endswith('; texts need quotes, as in run = ["python3", "bot.py"]')
    assert complaint('name = "a"\nname = "b"').endswith("; a key is set twice")


def test_a_script_may_stand_among_the_words_of_a_command() -> None:
    assert read('name = "a"\nrun = ["sh", "-c", "a\\n\\tb"]').run == ["sh", "-c", "a\n\tb"]


def test_a_number_of_thousands_of_digits_is_told_with_its_line_and_no_more() -> None:
    said = complaint(f'name = "a"\nbatch = {"9" * 5000}\nrun = ["x"]')
    assert said == "not TOML: a number of too many digits (line 2)"


@pytest.mark.parametrize(
    "text",
    [
        f"x = {'[' * 5000}",
        f"x = {'[' * 3000}{']' * 3000}",
        f"batch = {'9' * 5000}",
        "\ufeffname = 'pike'",
        "name = 'a'\nname = 'b'",
        "x = 2026-13-01",
        "\0",
    ],
    ids=["open lists", "deep lists", "huge number", "byte-order mark", "twice", "date", "NUL"],
)
def test_odd_text_is_refused_like_any_other(text: str) -> None:
    assert complaint(text).startswith("not TOML: ")


def test_lines_may_end_as_on_windows() -> None:
    text = WHOLE.replace("\n", "\r\n")
    assert read(text).name == "pike"
    assert complaint(text.replace("batch = 16", "batch = 0")).startswith("line 9, batch: ")


@pytest.mark.parametrize("key", ["run", "build"])
def test_a_command_that_no_system_takes_is_refused(key: str) -> None:
    lines = {"name": '"a"', "run": '["x"]', key: '["python3", "a\\u0000.py"]'}
    assert f"{key}[1]" in complaint("\n".join(f"{k} = {v}" for k, v in lines.items()))
