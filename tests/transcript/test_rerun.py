"""`kseri rerun`: a bot once more on what it got, compared, step by step, under a debugger."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.cli.mended import is_accepted
from arena.errors import SandboxUnavailable, UsageError
from arena.rerun import Step, debugger_command
from arena.rerun.feed import is_same
from arena.rerun.waiting import is_meant
from arena.sandbox import settle_isolation
from arena.store import Reader
from arena.transcript import Answered, Failed, sent_bytes, transcript
from protocol.records import Fault
from protocol.rules import make_rules
from tests.cli.program import (
    START,
    assert_harmless,
    bot,
    cache,
    complaint,
    environment,
    kseri,
    tournament_file,
)
from tests.transcript.terminal import terminal

__all__ = ["cache"]

REMEMBERS = "games = globals().get('games', set()) | {message['game']}\n"
REMEMBERS += "if len(games) > 1: play = {'type': 'play', **message['legal'][-1]}"
"""In its first game it plays the first legal answer, later the last."""
ERRS = "sys.stderr.write('\\x1b[2Jnow ' + str(turn) + '\\n'); sys.stderr.flush()\n"
ERRS += "if turn in (5, 6): print('hm', turn, flush=True); continue\n"
ERRS += "if turn > 20: sys.exit(3)"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of a few games."""
    folder = tmp_path_factory.mktemp("games")
    words = ["--set", "deals=1", "--isolation", "none", "--workers", 1, "--seed"]
    for seed, (name, code, matches) in enumerate((("remembers", REMEMBERS, 2), ("errs", ERRS, 1))):
        path = bot(folder, name, code)
        result = kseri("play", path, "greedy", *words, seed, "--matches", matches, folder=folder)
        assert result.returncode == 0, result.stderr
    return folder


def find(folder: Path, name: str, nth: int = 1) -> tuple[str, int]:
    """A game in which a process of this bot played its `nth` game, and its seat there."""
    with Reader(folder / "kseri.db") as reader:
        for number in map(str, range(1, 7)):
            for seat, seated in enumerate(reader.game(number).seats):
                if (seated.bot, seated.nth) == (name, nth):
                    return number, seat
    raise AssertionError


def rerun(folder: Path, game: str, seat: int, *more: object, given: bytes = b"") -> tuple[int, str]:
    words = ["rerun", game, "--seat", seat, "--isolation", "none", *more]
    result = kseri(*words, folder=folder, given=given)
    assert "Traceback" not in result.stderr
    assert_harmless([result.stdout, result.stderr])
    return result.returncode, result.stdout


@pytest.mark.parametrize("name", ["greedy", "remembers"])
def test_a_bot_that_does_the_same_again(games: Path, name: str) -> None:
    status, text = rerun(games, *find(games, name))
    assert (status, text) == (0, "24 of 24 answers as recorded\n")


def test_a_bot_that_remembers_other_games_differs_and_is_told_where(games: Path) -> None:
    game, seat = find(games, "remembers", nth=2)
    status, text = rerun(games, game, seat)
    lines = text.splitlines()
    assert status == 1
    assert lines[0].startswith("turn ")
    assert lines[0].endswith(": differs")
    assert lines[1].startswith("  recorded: {")
    turn = lines[0].split(":")[0].split()[1]
    assert lines[-1].endswith(f"as recorded; the first that differs is to turn {turn}")
    result = kseri("rerun", game, "--seat", seat, "--isolation", "none", folder=games)
    assert "its process had played 1 game(s) before" in result.stderr


def test_faults_come_again_and_standard_error_is_shown(games: Path) -> None:
    status, text = rerun(games, *find(games, "errs"))
    assert status == 0
    assert re.search(r"(\d) of \1 answers as recorded, and its fault at turn [56] \(malf", text)
    assert "  stderr: \ufffd[2Jnow " in text


CRASHES = "if turn > 5: sys.exit(3)"


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game that a bot lost by its crash at its third turn, and other bots."""
    folder = tmp_path_factory.mktemp("lost")
    crashes = bot(folder, "crashes", CRASHES)
    bot(folder, "mended")
    bot(folder, "other", "play = {'type': 'play', 'turn': turn, **message['legal'][-1]}")
    bot(folder, "worse", "if turn > 3: play['card'] = '??'")
    words = ["--set", "deals=1", "--isolation", "none", "--workers", 1, "--seed", 2]
    assert kseri("play", crashes, "greedy", *words, folder=folder).returncode == 0
    return folder


def crashed(folder: Path) -> tuple[int, int, int]:
    """The seat that crashed, at which turn, and how many answers it gave before."""
    with Reader(folder / "kseri.db") as reader:
        record = reader.game("1")
    (fault,) = record.faults
    plays = record.deals[0].plays[: fault.turn - 1]
    return fault.seat, fault.turn, sum(play.seat == fault.seat for play in plays)


def test_a_crash_is_no_answer_and_is_told_beside_them(lost: Path) -> None:
    seat, turn, answers = crashed(lost)
    status, text = rerun(lost, "1", seat)
    assert (status, text.splitlines()[-1]) == (
        0,
        f"{answers} of {answers} answers as recorded, and its fault at turn {turn} (crash: the "
        "process ended with exit status 3)",
    )


def test_a_mended_bot_is_tried_on_the_game_that_was_lost(lost: Path) -> None:
    seat, turn, answers = crashed(lost)
    status, text = rerun(lost, "1", seat, "--bot", "./mended")
    assert status == 0
    assert text.splitlines()[-1] == (
        f"{answers + 1} turns, {answers} answers as recorded; a legal answer to turn {turn}, where "
        "the record has a fault (crash); all answers are legal"
    )
    status, text = rerun(lost, "1", seat, "--bot", "./other")
    assert status == 0
    assert text.splitlines()[-1].endswith("all answers are legal")
    assert "differs" in text


def test_another_bot_that_would_lose_the_game_too(lost: Path) -> None:
    seat, turn, _ = crashed(lost)
    status, text = rerun(lost, "1", seat, "--bot", "./worse")
    assert status == 1
    assert re.search(r"; no legal answer to turn [4-9]$", text.splitlines()[-1])
    status, text = rerun(lost, "1", seat, "--bot", "./crashes")
    assert status == 1
    assert text.splitlines()[-1].endswith(f"; no legal answer to turn {turn}")
    result = kseri("rerun", "1", "--seat", seat, "--bot", "nobody", folder=lost)
    complaint(result, 2, "bot 'nobody'")


def test_a_submitted_bot_is_tried_by_its_name(lost: Path) -> None:
    seat, _, _ = crashed(lost)
    assert kseri("submit", "mended", "--isolation", "none", folder=lost).returncode == 0
    assert rerun(lost, "1", seat, "--bot", "mended@1.0")[0] == 0


# Where no answer comes

UNFLUSHED = """\
if turn > 2:
    if 'late' not in globals(): late = open(1, 'w', buffering=8192, closefd=False)
    print(json.dumps(play), file=late)
    continue
"""
UNENDED = "if turn > 2: print(json.dumps(play), end='', flush=True); continue"
ASTRAY = "if turn > 2: play['turn'] += 1"
SILENT = {
    "unflushed": (UNFLUSHED, "nothing", "nothing was written until its input was closed: not fl"),
    "unended": (UNENDED, "{.*} (a line that has not ended)", "a line was begun and not ended"),
    "astray": (ASTRAY, "{.*} (ignored: for another turn or game)", "it answered another turn or"),
}
"""Bots that give one answer or none, then none that counts: what it wrote, and why that is none."""


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with games that bots lost because no answer came in time."""
    folder = tmp_path_factory.mktemp("silent")
    for name, (code, _, _) in SILENT.items():
        path = bot(folder, name, code)
        keys = {"overrides": {"deals": 1}, "matches": 1, "workers": 1, "isolation": '"none"'}
        text = {key: str(value).replace("'deals':", "deals =") for key, value in keys.items()}
        file = tournament_file(folder, path, "greedy", name=name, **text, time="{move_ms = 300, "
                               "bank_ms = 0}")  # fmt: skip
        assert kseri("tournament", "run", file, folder=folder).returncode == 0
    return folder


def timed_out(folder: Path, name: str) -> tuple[str, int, int]:
    """A game in which this bot's time ran out after it had started, its seat, and the turn."""
    with Reader(folder / "kseri.db") as reader:
        for number in map(str, range(1, 7)):
            record = reader.game(number)
            for fault in record.faults:
                if record.seats[fault.seat].bot == name and fault.kind == "timeout":
                    return number, fault.seat, fault.turn
    raise AssertionError


def words_of(text: str) -> str:
    """A pattern for a text in which `.*` stands for anything."""
    return ".*".join(map(re.escape, text.split(".*")))


@pytest.mark.parametrize("name", SILENT)
def test_no_answer_is_told_and_is_given_up_where_nobody_can_end_it(
    silent: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.rerun.waiting.FIRST_LOOK_S", 0.01)
    game, seat, turn = timed_out(silent, name)
    _, wrote, why = SILENT[name]
    result = kseri("rerun", game, "--seat", seat, "--isolation", "none", folder=silent)
    assert result.returncode == 0, result.stdout
    told, end = result.stdout.splitlines()[-2:]
    assert re.match(
        rf"turn {turn}: no answer within 0\.[6-9]\d* s|turn {turn}: no answer within [1-9]", told
    )
    assert re.search(rf"; CPU time \d\.\d\d s; it wrote: {words_of(wrote)}.*: as recorded$", told)
    assert (name == "unflushed") == ("(it had not been flushed)" in told)
    assert f"and its fault at turn {turn} (timeout: {why}" in end
    waits = rf"waiting for turn {turn} since \d s.*; CPU time \d\.\d\d s; so far it wrote: "
    assert re.search(waits, result.stderr)


def test_another_bot_that_hangs_too_is_given_up(silent: Path) -> None:
    game, seat, turn = timed_out(silent, "astray")
    status, text = rerun(silent, game, seat, "--bot", "./unended")
    assert status == 1
    assert text.splitlines()[-1].endswith(f"; no legal answer to turn {turn}")


def test_at_a_terminal_it_waits_until_ctrl_c_and_tells_what_is_known(silent: Path) -> None:
    game, seat, turn = timed_out(silent, "astray")
    words = ["rerun", game, "--seat", seat, "--isolation", "none"]
    with terminal(*words, folder=silent) as screen:
        screen.until(f"waiting for turn {turn} ...")
        screen.type("\x03")
        text = screen.rest()
        assert screen.process.returncode == 130
    pattern = rf"Stopped: (\d) of \1 answers as recorded; turn {turn} was waited for \d+ s "
    assert re.search(rf"{pattern}\(in the game its time ran out after 0\.3 s\); CPU time \d", text)
    assert "Traceback" not in text


def test_a_bot_that_cannot_be_started_fails_as_recorded(tmp_path: Path) -> None:
    path = bot(tmp_path, "missing", run='["no-such-program"]')
    words = ["--set", "deals=1", "--isolation", "none", "--workers", 1, "--seed", 1]
    assert kseri("play", path, "greedy", *words, folder=tmp_path).returncode == 0
    with Reader(tmp_path / "kseri.db") as reader:
        (fault,) = reader.game("1").faults
    status, text = rerun(tmp_path, "1", fault.seat)
    why = "(boot: no-such-program: no such command on this machine)"
    assert (status, text) == (0, f"its fault at turn {fault.turn} as recorded {why}\n")
    result = kseri("rerun", "1", "--seat", fault.seat, "--bot", path, folder=tmp_path)
    complaint(result, 1, "bot missing: no-such-program", after=1)


def test_that_a_bot_cannot_be_started_for_another_reason_is_not_as_recorded(tmp_path: Path) -> None:
    place = tmp_path / "bin"
    place.mkdir()
    path = bot(tmp_path, "missing", run='["python3.95"]')
    words = ["--set", "deals=1", "--isolation", "none", "--workers", 1, "--seed", 1]
    assert kseri("play", path, "greedy", *words, folder=tmp_path).returncode == 0
    with Reader(tmp_path / "kseri.db") as reader:
        (fault,) = reader.game("1").faults
    program = place / "python3.95"
    program.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    program.chmod(0o755)
    again = ["rerun", "1", "--seat", fault.seat, "--isolation", "none"]
    result = kseri(*again, folder=tmp_path, PATH=f"{place}:{os.environ['PATH']}")
    assert (result.returncode, result.stdout) == (
        1,
        f"not as recorded: it could not be started ({program}: does not start); its fault at turn "
        f"{fault.turn} was boot: python3.95: no such command on this machine\n",
    )


@pytest.mark.parametrize("more", [[], ["--step"]])
def test_a_closed_standard_input_is_an_empty_one(games: Path, more: list[str]) -> None:
    game, seat = find(games, "greedy")
    words = ["rerun", game, "--seat", str(seat), "--isolation", "none", *more]
    result = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *START, *words],
        cwd=games,
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    assert "Traceback" not in result.stderr
    said = result.stdout.splitlines()[-1]
    if more:
        assert (result.returncode, said) == (130, "Stopped: turn 1 was not sent.")
    else:
        assert (result.returncode, said) == (0, "24 of 24 answers as recorded")


def asked(hand: list[str], pile: list[str], *legal: dict[str, object]) -> bytes:
    """A turn."""
    turn = {
        "type": "turn", "game": "x", "turn": 1, "seat": 0,
        "deal": {"number": 1, "dealer": 1, "centre": [], "buried": [], "bottom": None},
        "hand": hand, "legal": legal, "pile": pile, "hidden_centre": 0, "taken_centre": None,
        "marker": None, "stock": 0, "hands": [2, 2], "captured": [0, 0], "bonus": [0, 0],
        "scores": [0, 0], "plays": [],
        "clock": {"move_ms": 1000, "bank_ms": 10000, "used_ms": 1},
    }  # fmt: skip
    return msgspec.json.encode(turn)


CHOOSE = asked(["7H", "KD"], ["7S"], {"card": "7H", "capture": True},
               {"card": "7H", "capture": False}, {"card": "KD"})  # fmt: skip
MUST = asked(["7H", "KD"], ["7S"], {"card": "7H"}, {"card": "KD"})


@pytest.mark.parametrize(
    ("sent", "answer", "accepted"),
    [
        (CHOOSE, b'{"type":"play","card":"7H"}', True),
        (CHOOSE, b'{"type":"play","card":"7H","capture":false}', True),
        (CHOOSE, b'{"type":"play","card":"KD","capture":false}', True),
        (CHOOSE, b'{"type":"play","card":"KD","capture":true}', False),
        (MUST, b'{"type":"play","card":"7H","capture":true}', True),
        (MUST, b'{"type":"play","card":"7H","capture":false}', False),
        (MUST, b'{"type":"play","card":"9H"}', False),
        (MUST, b'{"type":"log","text":"7H"}', False),
        (MUST, b"7H", False),
        (MUST, None, False),
    ],
)
def test_what_the_arena_would_have_taken(sent: bytes, answer: bytes | None, accepted: bool) -> None:
    rules = make_rules("kseri" if sent is CHOOSE else "kseri-plain")
    step = Step(
        turn=1, sent=sent, recorded=None, unasked=[], answer=answer, same=None, ended="", stderr=""
    )
    assert is_accepted(step, rules) is accepted
    assert not is_accepted(msgspec.structs.replace(step, unasked=[b"x"]), rules)


def test_step_by_step(games: Path) -> None:
    game, seat = find(games, "greedy")
    status, text = rerun(games, game, seat, "--step", given=b"\n\nq\n")
    assert status == 130
    assert text.count("Enter sends it, q ends") == 3
    assert text.count(": as recorded") == 2
    assert text.count('> {"type":"turn"') == 3
    assert re.search(r"Stopped: turn \d was not sent\.\n$", text)
    status, text = rerun(games, game, seat, "--step", given=b"\n" * 24)
    assert status == 0
    assert text.count(": as recorded") == 24


@pytest.mark.parametrize(("given", "sent", "asks"), [(b"\n", 1, 2), (b"\nh\n?\n\n", 2, 5)])
def test_only_enter_sends_a_turn(games: Path, given: bytes, sent: int, asks: int) -> None:
    """The end of the input ends it; any other key tells which there are."""
    status, text = rerun(games, *find(games, "greedy"), "--step", given=given)
    assert status == 130
    assert text.count(": as recorded") == sent
    assert text.count("Enter sends it, q ends: ") == asks
    assert re.search(r"\nStopped: turn \d was not sent\.\n$", text)


def test_in_a_sandbox_or_where_there_is_none(games: Path) -> None:
    game, seat = find(games, "greedy")
    result = kseri("rerun", game, "--seat", seat, folder=games)
    assert (result.returncode, result.stdout) == (0, "24 of 24 answers as recorded\n")


# Under a debugger


def test_any_program_gets_the_very_bytes(games: Path) -> None:
    game, seat = find(games, "errs")
    _, text = rerun(games, game, seat, "--debugger", "sh -c cat")
    with Reader(games / "kseri.db") as reader:
        record = reader.game(game)
        told = record.rotation == reader.rotations(reader.game_row(game).tournament_id) - 1
    assert text.encode() == sent_bytes(transcript(record, seat, seed_told=told))


def test_gdb_is_told_to_start_the_bot_with_the_file(games: Path, tmp_path: Path) -> None:
    """A stand-in for gdb: runs what it was told, as gdb does, through a shell."""
    gdb = tmp_path / "gdb"
    gdb.write_text('#!/bin/sh\n[ "$1" = -ex ] && [ "$3" = -q ] && eval "$4 ${2#set args}"\n')
    gdb.chmod(0o755)
    game, seat = find(games, "greedy")
    _, text = rerun(games, game, seat, "--debugger", f"{gdb} -q --args")
    assert text.count('"type":"play"') + text.count('"type": "play"') == 24


def test_gdb_keeps_its_own_words_and_quotes_the_bots() -> None:
    words = ["gdb", "-batch", "--args", "-ex", "run"]
    command, needs_file = debugger_command(words, ["./bot", "a b"], Path("/tmp/x y"))
    assert command == [
        "gdb",
        "-ex",
        "set args 'a b' < '/tmp/x y'",
        *words[1:2],
        *words[3:],
        "./bot",
    ]
    assert not needs_file


def test_pdb_stops_in_the_bot_while_the_bot_reads_its_game(games: Path) -> None:
    game, seat = find(games, "remembers")
    words = ["rerun", game, "--seat", seat, "--debugger", f"{sys.executable} -m pdb"]
    with terminal(*words, folder=games) as screen:
        assert "bot.py(1)<module>()" in screen.until("(Pdb) ")
        screen.type("b 7\n")
        screen.until("(Pdb) ")
        screen.type("c\n")
        assert "bot.py(7)<module>()" in screen.until("(Pdb) ")
        screen.type("p message['type'], message['turn']\n")
        assert "('turn', " in screen.until("(Pdb) ")
        screen.type("clear 1\n")
        screen.until("(Pdb) ")
        screen.type("c\n")
        assert screen.rest().count('"type": "play"') == 24
        assert screen.process.returncode == 0


FAILS = "if turn > 4: gone = {}; gone['x']"


def test_pdb_stops_where_the_bot_fails(games: Path, tmp_path: Path) -> None:
    game, seat = find(games, "greedy")
    path = bot(tmp_path, "fails", FAILS)
    words = ["--seat", seat, "--bot", path, "--debugger", f"{sys.executable} -m pdb"]
    with terminal("rerun", game, *words, folder=games) as screen:
        screen.until("(Pdb) ")
        screen.type("c\n")
        text = screen.until("(Pdb) ")
        assert "KeyError: 'x'" in text
        assert "pdb_at_terminal.py" not in text
        assert "bdb.py" not in text
        screen.type("p gone, turn > 4\n")
        assert "({}, True)" in screen.until("(Pdb) ")
        screen.type("q\n")
        screen.rest()


def test_that_a_signal_ended_what_is_debugged_is_said(games: Path) -> None:
    game, seat = find(games, "greedy")
    words = ["--seat", seat, "--debugger", "sh -c 'kill -SEGV $$'"]
    result = kseri("rerun", game, *words, folder=games)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == "The program was ended by SIGSEGV"


def test_pdb_starts_what_it_can() -> None:
    words = ["python3", "-m", "pdb"]
    run = ["python3", "-I", "-X", "utf8", "bot.py", "-v"]
    command, needs_file = debugger_command(words, run, Path("/tmp/x"))
    assert (command[:4], command[5:]) == (["python3", "-I", "-X", "utf8"], ["bot.py", "-v"])
    assert Path(command[4]).name == "pdb_at_terminal.py"
    assert needs_file
    for run in (["./bot"], ["python3", "-m", "bot"], ["python3", "-c", "pass"]):
        with pytest.raises(UsageError, match="needs a bot that is a Python file"):
            debugger_command(words, run, Path("/tmp/x"))


BUILDS = '["sh", "-c", "echo > OUT || true; cp bot.py made.py"]'


def test_a_bot_is_built_in_isolation_and_run_only_once_that_was_said(
    games: Path, tmp_path: Path
) -> None:
    try:
        settle_isolation("auto", trusted=False)
    except SandboxUnavailable as error:
        pytest.skip(f"this machine has no sandbox that holds: {error}")
    game, seat = find(games, "greedy")
    build = BUILDS.replace("OUT", str(tmp_path / "out"))
    path = bot(tmp_path, "built", build=build, run='["python3", "made.py"]')
    words = ["rerun", game, "--seat", seat, "--bot", path, "--debugger", "env"]
    result = kseri(*words, folder=games)
    assert (result.returncode, result.stdout.count('"play"')) == (0, 24)
    assert result.stderr.startswith("Isolation: none. The bot reads ")
    assert not (tmp_path / "out").exists()
    # By whom it is asked for, it is built without, too: that is said before.
    (path / "bot.toml").write_text((path / "bot.toml").read_text().replace("cp", "exit 3; cp"))
    result = kseri(*words, "--isolation", "none", folder=games)
    assert result.returncode == 2
    assert result.stderr.startswith("Isolation: none. The bot reads ")
    assert (tmp_path / "out").exists()


def test_what_is_changed_under_a_debugger_is_not_kept(games: Path) -> None:
    game, seat = find(games, "remembers")
    status, text = rerun(games, game, seat, "--debugger", "sh -c 'echo > bot.py; ls'")
    assert (status, text) == (0, "bot.py\nbot.toml\n")
    assert rerun(games, game, seat) == (0, "24 of 24 answers as recorded\n")


def test_that_a_bot_runs_without_isolation_is_said(games: Path) -> None:
    game, seat = find(games, "greedy")
    result = kseri("rerun", game, "--seat", seat, "--isolation", "none", folder=games)
    assert result.stderr.startswith("Isolation: none (asked for): ")


def test_wrong_use(games: Path) -> None:
    game, seat = find(games, "greedy")
    words = ["rerun", game, "--seat", seat, "--debugger"]
    complaint(kseri(*words, "/no/such", folder=games), 2, "/no/such: No such file", after=1)
    complaint(kseri(*words, " ", folder=games), 2, "--debugger: give a command")
    alone = subprocess.run(
        [*START, *map(str, words), "python3 -m pdb"],
        cwd=games, env=environment(), capture_output=True, text=True, start_new_session=True,
        check=False,
    )  # fmt: skip
    complaint(alone, 2, "--debugger python3 -m pdb: needs a terminal, and there is none here")
    complaint(kseri(*words, "'", folder=games), 2, "--debugger")
    complaint(kseri("rerun", game, "--seat", 3, folder=games), 2, "seats 0 to 1")


# What counts as the same

CHOICE = Answered(b'{"type":"play","turn":3,"card":"7H","capture":true}', 3, "7H", True)
LAID = Answered(b'{"type":"play","turn":3,"card":"7H","capture":false}', 3, "7H", False)
PLAIN = Answered(b'{"type":"play","turn":3,"card":"7H"}', 3, "7H", True)


@pytest.mark.parametrize(
    ("recorded", "answer", "same"),
    [
        (CHOICE, {"card": "7H"}, True),
        (CHOICE, {"card": "7H", "capture": True}, True),
        (CHOICE, {"card": "7H", "capture": False}, False),
        (LAID, {"card": "7H"}, False),
        (LAID, {"card": "7H", "capture": False}, True),
        (PLAIN, {"card": "7H", "note": "x"}, True),
        (PLAIN, {"card": "7H", "capture": True}, True),
        (PLAIN, {"card": "8H"}, False),
    ],
)
def test_answers_are_compared_by_what_they_do(
    recorded: Answered, answer: dict[str, object], same: bool
) -> None:
    assert is_same(recorded, msgspec.json.encode({"type": "play", **answer})) is same


def test_faults_are_compared_by_what_was_received() -> None:
    def failed(kind: str, got: str = "") -> Failed:
        return Failed(Fault(seat=0, deal=1, turn=3, kind=kind, detail="", got=got), True)  # type: ignore[arg-type]

    assert is_same(failed("malformed", "x" * 200), b"x" * 300) is True
    assert is_same(failed("malformed", "y"), b"x") is False
    assert is_same(failed("crash"), None) is True
    assert is_same(failed("crash"), b"x") is False
    assert is_same(failed("timeout"), b"x") is None
    assert is_same(failed("timeout"), None) is None
    assert is_same(failed("timeout"), None, gave_up=True) is True
    assert is_same(failed("crash"), None, gave_up=True) is False
    assert is_same(PLAIN, None, gave_up=True) is False
    assert is_same(PLAIN, b"nonsense") is False
    assert is_same(PLAIN, None) is False
    assert is_same(None, b"x") is None


def test_what_is_meant_as_an_answer() -> None:
    assert is_meant(b"nonsense")
    assert is_meant(b'{"type":"play","card":"7H","turn":3}', 3)
    assert not is_meant(b'{"type":"play","card":"7H","turn":2}', 3)
    assert not is_meant(b'{"type":"play","card":"7H","turn":3,"game":"x"}', 3, "y")
    assert not is_meant(b'{"type":"ready"}', 3)
    assert not is_meant(b'{"type":"log","text":"x"}')
