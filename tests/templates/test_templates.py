"""Every template as its author gets it: made, tested, built, and played in the sandbox."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from arena.bots import find_bot, prepare, shipped_bots, shipped_names
from arena.play import Bot, play_chunk
from arena.process import open_host
from arena.sandbox import select_backend, settle_isolation
from arena.templates import find_template, make_bot, templates
from protocol.rules import PRESETS, make_rules
from tests.cli.program import cache, kseri, shared
from tests.e2e.playing import PATIENT, Played, chunk_of, plan_of

__all__ = ["cache"]

PROGRAMS = {
    "bash": "bash",
    "c": "cc",
    "cpp": "c++",
    "go": "go",
    "java": "javac",
    "javascript": "node",
    "lua": "lua",
    "ocaml": "ocamlopt",
    "perl": "perl",
    "php": "php",
    "python": "python3",
    "ruby": "ruby",
    "rust": "rustc",
    "tcl": "tclsh",
    "typescript": "tsc",
}
"""What must be installed for the template of a language."""
NOT_TRIED = {
    "kotlin": "Debian's compiler brings 71 packages of 355 MB, and takes many seconds for a bot",
}
"""Languages whose template is made here but not built, with the reason."""
GIVE_UP_S = 300
COMMON = shipped_bots() / "templates" / "common"
ANSWERS = Path(__file__).parent / "answers.jsonl"
"""What every template answers to the lines of its own test."""

pytestmark = pytest.mark.toolchain


@pytest.fixture(scope="session")
def isolation() -> str:
    """The best isolation that this machine has."""
    return settle_isolation("auto", trusted=True)[0]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot of every template, called like its language."""

    def make(folder: Path) -> None:
        for template in templates():
            make_bot(template.name, template, folder)

    return shared(tmp_path_factory, "templates", make)


def is_here(language: str) -> bool:
    """Whether this machine has what the language needs."""
    return shutil.which(PROGRAMS[language]) is not None


@pytest.fixture(params=PROGRAMS)
def language(request: pytest.FixtureRequest) -> str:
    """Every language that is tried."""
    name: str = request.param
    if not is_here(name):
        pytest.skip(f"{PROGRAMS[name]} is not installed")
    return name


def test_every_template_is_tried_or_named_with_the_reason() -> None:
    assert sorted([*PROGRAMS, *NOT_TRIED]) == [template.name for template in templates()]
    for name, reason in NOT_TRIED.items():
        print(f"not tried: {name}: {reason}")


def test_templates_are_no_bots() -> None:
    assert "templates" not in shipped_names()


@pytest.mark.parametrize("name", [*PROGRAMS, *NOT_TRIED])
def test_a_new_bot_is_small_and_says_what_to_do(made: Path, name: str) -> None:
    template, folder = find_template(name), made / name
    assert find_bot(str(folder)).manifest.authors == ["…"]
    readme = (folder / "README.md").read_text("utf-8")
    assert all(part in readme for part in (name, template.test, template.source, template.needs))
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix != ".jsonl":
            text = path.read_text("utf-8")
            assert not [
                word for word in ("@name@", "@run@", "@build@", "@kseri@", "@path@") if word in text
            ], path
            assert len(text.splitlines()) <= 120, path
    assert "choose" in (folder / template.source).read_text("utf-8")


def own_test(folder: Path, test: str) -> subprocess.CompletedProcess[str]:
    """The bot's own test."""
    words = ["bash", "-c", test]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=GIVE_UP_S)


def test_its_own_test_is_one_of_the_protocol(made: Path, tmp_path: Path, language: str) -> None:
    """It passes whatever the bot plays, and fails where an answer is none."""
    template, folder = find_template(language), tmp_path / language
    shutil.copytree(made / language, folder)
    before = find_bot(str(folder))
    done = own_test(folder, template.test)
    assert done.returncode == 0, done.stdout + done.stderr
    after = find_bot(str(folder))
    assert sorted(after.files) == sorted(before.files), "what it leaves is no file of the bot"
    assert after.hash == before.hash
    source = folder / template.source
    text = source.read_text("utf-8")
    without_jacks = text
    for jack in ("'J'", '"J"', "J*"):
        without_jacks = without_jacks.replace(jack, jack.replace("J", "4"))
    assert without_jacks != text
    source.write_text(without_jacks, "utf-8")
    done = own_test(folder, template.test)
    assert done.returncode == 0, "a bot may play what it likes: " + done.stdout + done.stderr
    broken = re.sub(r"play(?=[\"'\\\\])", "plan", text)
    assert broken != text
    source.write_text(broken, "utf-8")
    assert own_test(folder, template.test).returncode != 0, "an answer of another type is none"


GOOD = ANSWERS.read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("answers", "passes"),
    [
        (GOOD, True),
        ([GOOD[0].replace(',"capture":true', ""), *GOOD[1:]], True),
        ([GOOD[0].replace("true", "false"), *GOOD[1:]], True),
        ([GOOD[0].replace("7H", "2S").replace(',"capture":true', ""), *GOOD[1:]], True),
        ([line.replace(":", ": ").replace(",", ", ") + "\r" for line in GOOD], True),
        ([GOOD[0].replace("7H", "KD"), *GOOD[1:]], False),
        ([GOOD[0].replace("7H", "7C"), *GOOD[1:]], False),
        ([GOOD[0].replace(":2", ":20"), *GOOD[1:]], False),
        ([GOOD[0].replace("play", "log"), *GOOD[1:]], False),
        ([line.replace("card", "cards") for line in GOOD], False),
        (GOOD[:-1], False),
        ([*GOOD, GOOD[-1]], False),
        ([], False),
    ],
)
def test_the_test_that_most_have_in_common(
    tmp_path: Path, answers: list[str], passes: bool
) -> None:
    text = (COMMON / "test.sh").read_text("utf-8").replace("@build@", "")
    (tmp_path / "test.sh").write_text(text.replace("@run@", "cat answers"), "utf-8")
    (tmp_path / "answers").write_text("".join(f"{line}\n" for line in answers), "utf-8")
    shutil.copy(COMMON / "lines.jsonl", tmp_path)
    done = own_test(tmp_path, "sh test.sh")
    assert (done.returncode == 0) is passes, done.stdout + done.stderr
    assert f"{len(answers)} answers to 10 turns" in done.stdout or not answers


def ready(made: Path, language: str, isolation: str) -> Bot:
    """The bot, built in its sandbox."""
    return prepare(find_bot(str(made / language)), isolation)


@pytest.mark.parametrize("name", ["c", "cpp"])
def test_a_debugger_knows_its_lines(made: Path, name: str, isolation: str) -> None:
    if not is_here(name):
        pytest.skip(f"{PROGRAMS[name]} is not installed")
    assert b".debug_line" in (Path(ready(made, name, isolation).folder) / "bot").read_bytes()


def test_what_php_warns_of_is_no_answer(made: Path, tmp_path: Path) -> None:
    if not is_here("php"):
        pytest.skip("php is not installed")
    folder = tmp_path / "php"
    shutil.copytree(made / "php", folder)
    with (folder / "bot.php").open("a") as file:
        file.write("$gone = $rules['no such'];")
    words = find_bot(str(folder)).manifest.run
    done = subprocess.run(words, cwd=folder, input=b"", capture_output=True, timeout=GIVE_UP_S)
    assert done.stdout == b""
    assert b"Warning: Undefined array key" in done.stderr


FILLINGS = ["x" * 60_000, "\\" * 29_000, [[]] * 19_000, [{"card": "2C"}] * 4_000]


def lines() -> Iterator[bytes]:
    """The lines of the bots' own test, as others may write them, some of them very long."""
    for line in (COMMON / "lines.jsonl").read_bytes().splitlines():
        yield line + b"\r\n"
    turn = {"type": "turn", "turn": 12, "legal": [{"card": "7H"}], "pile": [], "marker": None}
    for filling in FILLINGS:
        yield (json.dumps({"new": filling} | turn, separators=(",", ":")) + "\n").encode()
    yield b'{"new":' + b"[" * 500 + b"]" * 500 + b"," + json.dumps(turn).encode()[1:] + b" \n"


def test_it_reads_past_what_it_does_not_know(made: Path, language: str, isolation: str) -> None:
    bot = ready(made, language, isolation)
    done = subprocess.run(
        bot.run, cwd=bot.folder, input=b"".join(lines()), capture_output=True, timeout=GIVE_UP_S
    )
    assert (done.returncode, done.stderr) == (0, b"")
    expected = [json.loads(line) for line in ANSWERS.read_text("utf-8").splitlines()]
    expected += [{"type": "play", "turn": 12, "card": "7H"}] * (len(FILLINGS) + 1)
    assert [json.loads(line) for line in done.stdout.splitlines()] == expected


@pytest.mark.slow
def test_ten_games_without_a_fault(
    made: Path, tmp_path: Path, language: str, isolation: str
) -> None:
    words = ["--matches", 5, "--seed", 1, "--workers", 1, "--isolation", isolation]
    done = kseri("play", made / language, "greedy", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "10 of 10 games" in done.stdout
    assert kseri("games", "--faults", folder=tmp_path).stdout == "No such games.\n"


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_without_a_fault(made: Path, isolation: str, preset: str) -> None:
    sides = make_rules(preset).sides
    bots = [ready(made, name, isolation) for name in PROGRAMS if is_here(name)]
    greedy = prepare(find_bot("greedy"), isolation)
    bots += [replace(greedy, name=f"greedy-{place}") for place in range(-len(bots) % sides)]
    played = Played()

    async def main() -> None:
        async with open_host(select_backend(isolation)) as host:
            for place in range(0, len(bots), sides):
                table = bots[place : place + sides]
                plan = plan_of(table, PATIENT, preset, deals=2)
                await play_chunk(host, plan, chunk_of(table, 1), played.report)

    trio.run(main)
    assert played.faults == [[]] * (len(bots) // sides)
