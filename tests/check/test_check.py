"""`check` passes good bots of several languages, and says of broken ones what to mend."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import jsonschema
import msgspec
import pytest
import trio

import arena.check.games
import arena.check.run
from arena.bots import CannotBuild, find_bot, prepare, toolchain_missing
from arena.check import check, short_check
from arena.check.first import Restarting
from arena.check.opening import Opening
from arena.check.steps import Steps, Unwatched
from arena.check.trial import Tried
from arena.check.verdicts import of_new_process
from arena.diagnosis import diagnosis
from arena.sandbox import settle_isolation
from protocol.check import CheckReport
from protocol.messages import Limits
from protocol.schema import schemas_folder
from tests.check.tried import PATIENT, SHORT, broken, manifest_of, tried

pytestmark = pytest.mark.e2e

LIMITS = Limits(boot_ms=20_000, move_ms=1_000, bank_ms=1_000)
BRIEF = Limits(boot_ms=5_000, move_ms=1_000, bank_ms=0)
"""For a bot whose answers are ignored: as if it had said nothing."""


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    """Copies of bots away from the user's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def fewer(monkeypatch):
    """One game of every preset is enough to see what a bot does."""
    monkeypatch.setattr(arena.check.games, "_GAMES", 15)


def step(report: CheckReport, name: str):
    (found,) = [each for each in report.steps if each.name == name]
    return found


def failing(report: CheckReport) -> list[str]:
    return [each.name for each in report.steps if each.verdict == "failed"]


def shipped(name: str):
    files = find_bot(name)
    missing = toolchain_missing(files)
    if missing:
        pytest.skip(missing)
    isolation = settle_isolation("auto", trusted=True)[0]
    try:
        return prepare(files, isolation), files.manifest, isolation
    except CannotBuild as error:
        pytest.skip(str(error))


def test_a_good_bot_is_ready_after_every_step():
    report = check(*shipped("greedy"))
    assert report.is_ready, report.first_problem
    assert report.first_problem == ""
    assert [each.number for each in report.steps] == list(range(1, 17))
    assert all(each.sent and each.received and each.meaning for each in report.steps)
    assert step(report, "100 games").verdict == "ok"
    assert not failing(report)
    data = msgspec.json.encode(report)
    assert msgspec.json.decode(data, type=CheckReport) == report
    schema = json.loads((schemas_folder() / "check-report.json").read_text("utf-8"))
    jsonschema.validate(json.loads(data), schema)


@pytest.mark.toolchain
@pytest.mark.parametrize("name", ["pike", "heron", "pearl", "crab"])
def test_good_bots_of_other_languages_are_ready(name, fewer):
    report = check(*shipped(name))
    assert report.is_ready, report.first_problem


@pytest.mark.parametrize("name", ["random", "saver", "counter"])
def test_the_short_check_passes_good_bots(name):
    report = short_check(*shipped(name))
    assert report.is_ready, report.first_problem
    assert len(report.steps) < 12


def test_a_bot_that_takes_several_games_plays_them_at_once():
    found = step(short_check(*shipped("counter")), "games at once")
    assert found.verdict == "ok"
    assert found.sent == "32 games at once to one process, in arrays of messages"


@pytest.mark.hostile
def test_a_bot_that_claims_a_batch_and_reads_no_arrays_is_told_so():
    bot = msgspec.structs.replace(broken("loud"), batch=4)
    report = short_check(bot, manifest_of(bot, batch=4), "none", limits=LIMITS)
    assert failing(report) == ["games at once"]
    assert "a line may be an array" in report.first_problem


def checked(name: str, limits: Limits = LIMITS, **keys: object) -> CheckReport:
    bot = broken(name)
    return check(bot, manifest_of(bot, **keys), "none", limits=limits)


@pytest.mark.parametrize(
    ("name", "first", "text"),
    [
        ("strict_keys", "unknown keys and messages", "AssertionError"),
        ("unix_lines", "line ends", "AssertionError"),
        ("remembers", "start in mid-deal", "a turn was missed"),
        ("fooled", "unknown keys and messages", ""),
        ("crashes_at_deal_end", "a long game", "KeyError"),
        ("stale_hand", "first answer", "old hand"),
        ("missing_module", "start", "a_module_that_nobody_has"),
    ],
)
@pytest.mark.hostile
def test_the_first_thing_to_mend_is_named(name, first, text, fewer):
    report = checked(name, BRIEF if name == "fooled" else LIMITS)
    assert not report.is_ready
    assert report.first_problem.startswith(f"{first}: "), report.first_problem
    assert text in report.first_problem
    assert step(report, first).diagnosis.stderr or name in ("stale_hand", "fooled")


@pytest.mark.hostile
@pytest.mark.parametrize(
    ("name", "words"),
    [("no_flush.pl", "in Perl: $| = 1"), ("reads_late", "in Python: print(line, flush=True)")],
)
def test_output_that_comes_only_at_the_end_of_input_is_proven(name, words):
    report = checked(name)
    assert failing(report) == ["flush"]
    assert words in report.first_problem
    found = step(report, "flush")
    assert '"type"' in found.received
    assert (found.diagnosis.cause, found.diagnosis.ended) == ("no-flush", "")
    assert words in found.diagnosis.mend
    assert '"type"' in found.diagnosis.got
    assert found.diagnosis.expected
    assert 0 < found.diagnosis.used_us < found.diagnosis.limit_us


@pytest.mark.hostile
@pytest.mark.parametrize(
    ("name", "warned"),
    [
        ("one_game", ["two games"]),
        ("never_ends", ["end of input"]),
        ("loud", ["standard error"]),
    ],
)
def test_what_is_allowed_and_better_known_is_a_warning(name, warned, fewer):
    report = checked(name)
    assert report.is_ready, report.first_problem
    assert set(warned) <= {each.name for each in report.steps if each.verdict == "warning"}


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"rules": ["kseri", "poker"]}, "no preset is called 'poker'"),
        ({"rules": []}, "`rules` is empty"),
    ],
)
def test_a_manifest_that_promises_too_much_is_refused(keys, text):
    report = checked("never_ends", **keys)
    assert failing(report) == ["manifest"]
    assert len(report.steps) == 1
    assert text in report.first_problem


def test_batches_are_said_to_have_no_effect(fewer):
    bot = broken("one_game")
    report = short_check(bot, manifest_of(bot, batch=4, reuse=False), "none", limits=PATIENT)
    assert report.is_ready, report.first_problem
    found = step(report, "manifest")
    assert (found.verdict, "`batch` has no effect" in found.meaning) == ("warning", True)


@pytest.mark.hostile
@pytest.mark.parametrize(
    ("name", "cause"), [("swallows", "never-answers"), ("no_flush_at_all", "no-flush")]
)
def test_a_bot_that_never_answers_is_not_said_to_keep_its_answers(name, cause):
    report = checked(name, Limits(boot_ms=5_000, move_ms=1_000, bank_ms=0))
    (problem,) = [each.diagnosis for each in report.steps if each.diagnosis]
    assert problem.cause == cause
    if cause == "no-flush":
        assert failing(report) == ["flush"]
    else:
        assert failing(report) == ["start"]
        assert "flush" not in problem.mend
        assert "except: pass" in problem.mend


SLOW = Limits(boot_ms=20_000, move_ms=5_000, bank_ms=5_000)


def test_a_slow_bot_plays_fewer_games_and_it_is_said(monkeypatch):
    monkeypatch.setattr(arena.check.games, "_SECONDS", 1.5)
    monkeypatch.setattr(arena.check.run, "_LONG_SECONDS", 0.5)
    told = []

    class Watch(Unwatched):
        def goes_on(self, text):
            told.append(text)

    bot = broken("slow")
    manifest = manifest_of(bot, rules=["kseri"])
    report = check(bot, manifest, "none", limits=SLOW, watch=Watch())
    assert report.is_ready, report.first_problem
    games = step(report, "100 games")
    assert re.search(r"\d+ of 100 games, the bot needs \S+ s a play", games.meaning)
    assert re.search(r"A game of 2 deals \(30 with --all\)", step(report, "a long game").sent)
    assert any(re.fullmatch(r"\d+ of 100 games, \d+ s left", text) for text in told)
    assert any(re.fullmatch(r"\d+ of 48 plays, \d+ s left", text) for text in told)


def test_only_what_a_bot_claims_to_play_is_played(fewer):
    bot = broken("one_game")
    report = short_check(
        bot, manifest_of(bot, rules=["pisti"], reuse=False), "none", limits=PATIENT
    )
    assert report.is_ready, report.first_problem
    assert step(report, "1 game").received.startswith("24 answers")


@pytest.mark.parametrize(
    ("boot_ms", "verdict", "word"),
    [(900, "ok", "10,000 ms"), (6_000, "warning", "under load"), (12_100, "warning", "its bank")],
)
def test_how_long_a_start_took(boot_ms, verdict, word):
    trial = SimpleNamespace(limits=Limits(boot_ms=10_000))
    first = SimpleNamespace(boot_ms=boot_ms, answered_late=False, sent=[b"{}"])
    opening = Opening(trial, Steps(Unwatched()))
    found = opening._started(Tried(), first)
    assert (found.verdict, word in found.meaning) == (verdict, True)
    assert ("may be too long" in found.meaning) == (boot_ms == 6_000)


def test_a_process_that_takes_over_in_mid_deal_may_start_as_long_as_any():
    judges = []

    class Process:
        has_answered = False

        async def turn(self, line, judge, alone, slow=None):
            judges.append(judge)

    host = SimpleNamespace(start=lambda launch: New(), end=lambda process: trio.sleep(0))

    class New(Process):
        def new_game(self):
            pass

        def post(self, line):
            pass

    heard = []
    judge = SimpleNamespace(budget_us=5, heard=lambda line, at_us: heard.append(at_us) or True)

    async def play():
        bot = Restarting(host, None, 10)
        for number in range(3):
            assert not bot.is_new, number
            await bot.turn(b"{}", judge, True)
        assert bot.is_new

    trio.run(play)
    assert [each.budget_us for each in judges] == [5, 5, 10_005]
    assert [judges[-1].heard(b"", at_us) for at_us in (7, 10_003)] == [True, True]
    assert heard == [1, 3]


def test_a_new_process_is_not_said_to_have_answered_before():
    came = tried(broken("sleeps"), limits=SHORT)
    waits = msgspec.structs.replace(came.problem, cause="waits")
    for problem, cause in [
        (waits, "waits"),
        (msgspec.structs.replace(waits, cause="starved"), "slow-start"),
    ]:
        found = of_new_process(problem, 10_000)
        assert (found.cause, found.limit_us) == (cause, problem.limit_us + 10_000_000)
        assert "it was a new process" in found.because
    record = came.games[0].record
    fault = msgspec.structs.replace(record.faults[0], kind="boot", cpu_us=0, runnable=False)
    assert diagnosis(record, fault).cause == "no-flush"
