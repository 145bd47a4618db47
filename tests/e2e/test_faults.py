"""One misbehaving program after another: the fault it gets, and that nothing of it is left."""

import resource
import time

import pytest

from arena.replay import steps
from protocol.messages import Limits
from tests.e2e.playing import PATIENT, SHORT, command, play, processes_with, program

pytestmark = [pytest.mark.e2e, pytest.mark.hostile]

GOOD = program("good")
ALLOWING = Limits(boot_ms=20_000, move_ms=30, bank_ms=0, faults_allowed=1_000)
NEVER = Limits(boot_ms=100, move_ms=50, bank_ms=50)


@pytest.mark.parametrize(
    ("name", "kind", "limits"),
    [
        ("chatters", "timeout", SHORT),
        ("closes_output", "timeout", SHORT),
        ("closes_input", "timeout", SHORT),
        ("half_line", "timeout", SHORT),
        ("stops_itself", "timeout", SHORT),
        ("never_reads", "timeout", SHORT),
        ("never_boots", "boot", NEVER),
        ("exits_at_once", "boot", PATIENT),
        ("exits_after_three", "crash", PATIENT),
        ("half_line_exit", "crash", PATIENT),
        ("dies_with_heir", "crash", PATIENT),
        ("dies_of_signal", "crash", PATIENT),
        ("eats_memory", "crash", PATIENT),
        ("floods_line", "malformed", PATIENT),
        ("floods_lines", "flood", PATIENT),
        ("floods_newlines", "flood", PATIENT),
        ("two_answers", "unasked", PATIENT),
        ("answers_ahead", "unasked", PATIENT),
    ],
)
def test_each_kind_of_misbehaviour_forfeits_by_its_own_name(name, kind, limits):
    played = play(program(name), GOOD, limits=limits)
    assert played.faults == [[(name, kind)]]
    (record,) = played.records
    assert (record.reason, record.winner, record.ranks) == ("forfeit", 1, [2, 1])


@pytest.mark.parametrize(
    "name", ["good", "early_ready", "slow_boot", "byte_by_byte", "stubborn", "fills_stderr"]
)
def test_what_is_odd_but_allowed_costs_nothing(name):
    played = play(program(name), GOOD, games=2)
    assert played.faults == [[], []]
    assert [record.reason for record in played.records] == ["deals", "deals"]


def test_time_to_boot_is_not_charged():
    """It sleeps for a second; with this clock that would be a time-out."""
    limits = Limits(boot_ms=20_000, move_ms=900, bank_ms=0)
    (record,) = play(program("slow_boot"), GOOD, limits=limits).records
    assert record.faults == []
    assert record.seats[0].boot_us > 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("no-such-command-anywhere",), "no such command"),
        (("./no-such-file",), "no such file"),
        (("./good.py",), "Permission denied"),
    ],
)
def test_a_command_that_cannot_be_executed_is_a_boot_fault(words, says):
    played = play(command(*words), GOOD)
    assert played.faults == [[("command", "boot")]]
    assert says in played.records[0].faults[0].detail


def test_a_file_that_is_no_program_is_a_boot_fault(tmp_path):
    file = tmp_path / "bot"
    file.write_bytes(b"not a program")
    file.chmod(0o755)
    played = play(command("./bot", folder=tmp_path), GOOD)
    assert played.faults == [[("command", "boot")]]


def test_how_a_process_ended_is_told():
    ends = {"exits_after_three": "status 7", "dies_of_signal": "signal 40"}
    for name, text in ends.items():
        assert text in play(program(name), GOOD).records[0].faults[0].detail


def test_a_process_that_ends_between_games_is_replaced_without_fault():
    played = play(program("one_game_only"), GOOD, games=4)
    assert played.faults == [[], [], [], []]
    seats = [record.seats[0] for record in played.records]
    assert [seat.nth for seat in seats] == [1, 1, 1, 1]
    assert len({seat.process for seat in seats}) == 4
    assert {record.seats[1].process for record in played.records} == {"0.0.1.1"}


def test_a_line_begun_in_one_game_may_be_finished_in_the_next():
    played = play(program("logs_across_games"), GOOD, games=3)
    assert played.faults == [[], [], []]
    logs = [[log.logs for log in event.logs] for event in played.events]
    assert logs == [[], [["game over"]], [["game over"]]]


def test_the_last_64_kib_of_standard_error_are_kept():
    text = play(program("fills_stderr"), GOOD).stderr("fills_stderr")
    assert len(text) == 64 * 1024
    assert text.endswith("xthe end")


@pytest.mark.parametrize("name", ["chatters", "never_reads", "half_line", "closes_output"])
def test_a_game_goes_on_while_faults_are_allowed(name):
    (record,) = play(program(name), GOOD, limits=ALLOWING).records
    # On a machine under load the good bot's time may run out now and then.
    kinds = [fault.kind for fault in record.faults if fault.seat == 0]
    assert len(kinds) == 24
    assert set(kinds) <= {"timeout", "malformed"}
    assert record.reason == "deals"
    assert all(play.forced for play in record.deals[0].plays if play.seat == 0)


def test_a_gigabyte_without_a_newline_leaves_the_arenas_memory_flat():
    def peak_kb():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    play(GOOD, program("early_ready"))
    before = peak_kb()
    for limits in (PATIENT, ALLOWING):
        play(program("floods_line"), GOOD, limits=limits)
    assert peak_kb() - before < 16 * 1024


def test_waiting_for_a_bot_that_closed_its_output_takes_no_cpu_time():
    limits = Limits(boot_ms=20_000, move_ms=1_500, bank_ms=0)
    before = time.process_time()
    play(program("closes_output"), GOOD, limits=limits)
    used = time.process_time() - before
    # Starting bots and playing takes some hundredths of a second; a loop would take all of it.
    assert used < 0.75


def test_nothing_that_a_bot_started_survives_it():
    """`play` looks for whatever has this game's marker on its command line."""
    most = 0

    def meddle(scope, marker):
        def observer(referee):
            nonlocal most
            most = max(most, len(processes_with(marker)))

        return observer

    assert play(program("detaches"), GOOD, meddle=meddle).faults == [[]]
    # Two bots, and of the one a child, one in another session and a grandchild; its runner is
    # hard to meet.
    assert most >= 5


def test_a_flood_in_one_game_keeps_no_other_waiting():
    """The game of the bots that answer is over before the one whose bot only talks."""
    limits = Limits(boot_ms=20_000, move_ms=2_500, bank_ms=0)
    for name in ("floods_newlines", "chatters"):
        noisy = (program(name), GOOD)
        played = play(program("good"), program("early_ready"), limits=limits, more=[noisy])
        assert len(played.records) == 2
        quiet = next(record for record in played.records if record.pairing[0] == "good")
        assert quiet.faults == []
    assert played.records[0] is quiet


@pytest.mark.parametrize("number", range(6))
def test_whatever_bots_do_every_game_ends_and_its_record_replays(number):
    limits = Limits(boot_ms=20_000, move_ms=15, bank_ms=30, faults_allowed=3)
    bots = [program("does_anything", f"{number}{seat}", name=f"bot-{seat}") for seat in range(3)]
    other = [program("does_anything", f"{number}{seat}", name=f"bot-{seat}") for seat in (3, 4, 5)]
    played = play(*bots, limits=limits, preset="kseri-3", games=2, more=[other])
    assert len(played.records) == 3
    for record in played.records:
        for _ in steps(record):
            continue
