"""Faults, stale and early lines, forfeits: who pays for what."""

import msgspec
import pytest

from arena.faults import ran_out
from protocol.codec import LINE_LIMIT
from protocol.records import Fault
from tests.referee.table import GAME, Table, rules_of, setup_of

OTHER = "ffffffffffffffff"


def legal_play(table: Table, **more) -> dict:
    """The first legal answer to the turn that is due."""
    card, _ = table.referee.game.deal.legal()[0]
    return {"type": "play", "card": card, **more}


ANSWERS = {
    "a card of somebody else": ("illegal", {"type": "play", "card": "XX"}),
    "no card at all": ("malformed", {"type": "play"}),
    "an empty card": ("illegal", {"type": "play", "card": ""}),
    "a card that is a number": ("malformed", {"type": "play", "card": 7}),
    "a turn that is text": ("malformed", {"type": "play", "card": "XX", "turn": "1"}),
    "a turn with a fraction": ("malformed", b'{"type":"play","card":"XX","turn":1.0}'),
    "capture that is a number": ("malformed", {"type": "play", "card": "XX", "capture": 1}),
    "not JSON": ("malformed", b"7H"),
    "not an object": ("malformed", b"[1]"),
    "an unknown type": ("malformed", {"type": "move", "card": "XX"}),
    "no type": ("malformed", {"card": "XX"}),
    "a repeated type": ("malformed", b'{"type":"play","card":"XX","type":"play"}'),
    "not UTF-8": ("malformed", b'{"type":"play","card":"\xff"}'),
    "a byte-order mark": ("malformed", b'\xef\xbb\xbf{"type":"ready"}'),
    "not a number": ("malformed", b'{"type":"play","card":"XX","turn":NaN}'),
    "half a surrogate pair": ("malformed", b'{"type":"play","card":"\\ud800"}'),
    "nested too deeply": ("malformed", b'{"type":"play","card":' + b"[" * 30_000 + b"}"),
    "a log without text": ("malformed", {"type": "log"}),
    "the longest line and one more": ("malformed", b" " * LINE_LIMIT),
}


@pytest.mark.parametrize(("kind", "answer"), ANSWERS.values(), ids=ANSWERS.keys())
def test_a_wrong_answer_forfeits_where_no_fault_is_allowed(kind, answer):
    table = Table(setup_of())
    seat, other = table.seat, 1 - table.seat
    table.ask()
    assert table.hear(answer, at_us=5_000)
    (fault,) = table.referee.faults
    assert (fault.seat, fault.deal, fault.turn, fault.kind) == (seat, 1, 1, kind)
    assert fault.played is None
    assert fault.detail
    (error,) = table.messages(seat, "error")
    assert error["code"] == kind
    assert error["fatal"] is True
    assert error["message"] == fault.detail
    assert error["got"] == fault.got
    for told in (seat, other):
        (end,) = table.messages(told, "game_end")
        assert end["winner"] == other
        assert end["reason"] == "forfeit"
        assert end["faults"] == [{"seat": seat, "turn": 1, "kind": kind}]
    assert table.messages(other, "error") == []
    assert table.referee.to_ask is None


@pytest.mark.parametrize(("kind", "answer"), ANSWERS.values(), ids=ANSWERS.keys())
def test_a_wrong_answer_that_is_allowed_is_told_and_the_first_legal_one_played(kind, answer):
    table = Table(setup_of(faults_allowed=1))
    seat = table.seat
    turn = table.ask()
    assert table.hear(answer, at_us=5_000)
    (error,) = table.messages(seat, "error")
    assert (error["code"], error["fatal"]) == (kind, False)
    assert "turn 1" in error["expected"]
    assert turn.legal[0].card in error["expected"]
    (fault,) = table.referee.faults
    assert fault.played == turn.legal[0].card
    (play,) = table.referee.deals()[0].plays
    assert (play.seat, play.card, play.elapsed_us) == (seat, turn.legal[0].card, 5_000)
    assert play.forced
    assert table.referee.turn_number == 2
    assert table.seat == 1 - seat


def test_the_longest_line_that_is_allowed_is_read():
    table = Table(setup_of())
    table.ask()
    answer = msgspec.json.encode(legal_play(table))
    assert table.hear(answer + b" " * (LINE_LIMIT - 1 - len(answer)))
    assert table.referee.faults == []


@pytest.mark.parametrize(("preset", "capture"), [("kseri-plain", False), ("kseri", True)])
def test_a_capture_that_is_not_legal_is_illegal(preset, capture):
    """R10: laying a card that must capture, and capturing with one that cannot."""
    table = Table(setup_of(rules_of(preset), faults_allowed=1000))
    while True:
        deal = table.referee.game.deal
        wrong = [card for card, _ in deal.legal() if deal.can_capture(card) is not capture]
        if wrong:
            break
        table.play()
    table.ask()
    assert table.hear({"type": "play", "card": wrong[0], "capture": capture})
    assert [fault.kind for fault in table.referee.faults] == ["illegal"]


def test_capture_may_be_said_or_left_out_where_there_is_no_choice():
    table = Table(setup_of())
    for _ in range(24):
        table.ask()
        card, _ = table.referee.game.deal.legal()[0]
        can = table.referee.game.deal.can_capture(card)
        assert table.hear({"type": "play", "card": card, "capture": can})
    assert table.referee.faults == []


@pytest.mark.parametrize("allowed", [0, 1, 3])
def test_the_fault_after_the_last_allowed_one_forfeits(allowed):
    table = Table(setup_of(faults_allowed=allowed))
    seat = table.seat
    for number in range(allowed + 1):
        assert table.referee.reason is None, number
        table.play_until(seat)
        table.ask()
        table.hear(b"?")
    assert table.referee.reason == "forfeit"
    fatal = [error["fatal"] for error in table.messages(seat, "error")]
    assert fatal == [False] * allowed + [True]
    played = [fault.played is not None for fault in table.referee.faults]
    assert played == [True] * allowed + [False]


def test_faults_are_counted_by_seat_over_all_kinds_that_can_be_allowed():
    table = Table(setup_of(faults_allowed=4))
    seat = table.seat
    table.ask()
    table.hear({"type": "play", "card": "XX"})
    table.play_until(seat)
    table.time_out()
    table.ask()
    table.hear(b"?")  # the other seat's own first
    table.early(legal_play(table, turn=99))
    table.early(b"?")
    assert table.referee.reason is None
    table.ask()
    table.hear(b"?")
    assert table.referee.reason == "forfeit"
    kinds = [fault.kind for fault in table.referee.faults if fault.seat == seat]
    assert kinds == ["illegal", "timeout", "unasked", "malformed", "malformed"]


@pytest.mark.parametrize("kind", ["crash", "boot", "memory", "flood"])
def test_other_faults_forfeit_however_many_are_allowed(kind):
    table = Table(setup_of(faults_allowed=1000))
    seat = table.seat
    table.ask()
    if kind == "flood":
        table.referee.flooded("too much")
    else:
        table.referee.ended(kind, "gone")
    table.deliver()
    assert table.referee.reason == "forfeit"
    assert [fault.kind for fault in table.referee.faults] == [kind]
    assert table.messages(seat, "error")[0]["fatal"]


def test_silence_is_boot_before_ready_and_timeout_after_it():
    silent = Table(setup_of(faults_allowed=1), booted=False)
    silent.time_out()
    assert [fault.kind for fault in silent.referee.faults] == ["boot"]
    assert silent.referee.reason == "forfeit"
    ready = Table(setup_of(), booted=False)
    ready.ask()
    assert not ready.hear({"type": "ready", "name": "x"}, at_us=1_200_000)
    assert ready.referee.budget_us == 1_600_000
    ready.referee.timed_out()
    assert [fault.kind for fault in ready.referee.faults] == ["timeout"]


@pytest.mark.parametrize("booted", [False, True])
def test_a_play_for_another_turn_is_told_of_where_time_runs_out(booted):
    table = Table(setup_of(), booted=booted)
    table.ask()
    line = legal_play(table, turn=9)
    assert not table.hear(line)
    table.referee.timed_out()
    (fault,) = table.referee.faults
    assert fault.detail.endswith("but a play that does not answer it")
    assert fault.detail.startswith("no answer to turn 1" if booted else "neither ready nor an ans")
    assert '"turn":9' in fault.got


def test_ready_before_the_turn_is_written_counts():
    table = Table(setup_of(), booted=False)
    table.early({"type": "ready"})
    assert table.referee.budget_us == 600_000
    table.time_out()
    assert [fault.kind for fault in table.referee.faults] == ["timeout"]


def test_a_time_out_is_charged_in_full_and_leaves_an_empty_bank():
    table = Table(setup_of(faults_allowed=1))
    seat = table.seat
    table.time_out()
    assert table.referee.deals()[0].plays[0].elapsed_us == 600_000
    table.play_until(seat)
    clock = table.ask().clock
    assert (clock.bank_ms, clock.used_ms, clock.move_ms) == (0, 600, 100)
    assert table.referee.budget_us == 100_000


# Early, stale and wrong turns


def test_a_play_before_its_turn_is_unasked_and_answers_nothing():
    table = Table(setup_of(faults_allowed=1))
    seat = table.seat
    table.early(legal_play(table, turn=1))
    (fault,) = table.referee.faults
    assert (fault.kind, fault.turn, fault.played) == ("unasked", 1, None)
    assert table.seat == seat
    assert table.referee.turn_number == 1
    assert table.messages(seat, "error")[0]["code"] == "unasked"
    table.play()
    assert table.referee.deals()[0].plays[0].forced is False


def test_an_unasked_play_forfeits_where_no_fault_is_allowed():
    table = Table(setup_of())
    seat = table.seat
    table.early(legal_play(table))
    assert table.referee.reason == "forfeit"
    assert table.messages(1 - seat, "game_end")[0]["winner"] == 1 - seat


def test_a_malformed_early_line_is_malformed_and_the_longest_too():
    table = Table(setup_of(faults_allowed=5))
    table.early(b"?")
    table.early(b" " * LINE_LIMIT)
    assert [fault.kind for fault in table.referee.faults] == ["malformed", "malformed"]


@pytest.mark.parametrize("named", [{}, {"turn": 1}])
def test_the_late_answer_to_a_turn_that_timed_out_is_ignored(named):
    table = Table(setup_of(faults_allowed=1))
    seat = table.seat
    late = legal_play(table, **named)
    table.time_out()
    table.play_until(seat)
    table.early(late)
    assert len(table.referee.faults) == 1
    table.ask()
    assert not table.hear(late)
    assert table.hear(legal_play(table, turn=table.referee.turn_number))
    assert len(table.referee.faults) == 1
    (log,) = table.referee.bot_logs(["", ""])
    assert log.seat == seat
    assert len(log.logs) == 2
    assert all("ignored" in line for line in log.logs)


def test_after_a_time_out_an_answer_must_name_its_turn():
    table = Table(setup_of(faults_allowed=1))
    seat = table.seat
    table.time_out()
    table.play_until(seat)
    table.ask()
    assert not table.hear(legal_play(table))
    assert table.hear(legal_play(table, turn=3))
    assert table.referee.faults[1:] == []


def test_the_other_seat_need_not_name_its_turn_after_a_time_out():
    table = Table(setup_of(faults_allowed=1))
    table.time_out()
    table.ask()
    assert table.hear(legal_play(table))


def test_another_turn_that_did_not_time_out_is_unasked_before_and_ignored_during_a_turn():
    table = Table(setup_of(faults_allowed=1))
    table.time_out()
    table.play()
    table.early(legal_play(table, turn=2))
    assert [fault.kind for fault in table.referee.faults] == ["timeout", "unasked"]
    during = Table(setup_of())
    during.ask()
    assert not during.hear(legal_play(during, turn=2))
    assert not during.hear(legal_play(during, turn=0))
    assert during.hear(legal_play(during))
    assert during.referee.faults == []


def test_a_play_of_another_game_is_ignored_at_any_time():
    table = Table(setup_of())
    table.early(legal_play(table, game=OTHER))
    table.ask()
    assert not table.hear(legal_play(table, game=OTHER, turn=1))
    assert table.hear(legal_play(table, game=GAME, turn=1))
    assert table.referee.faults == []


def test_null_is_as_if_the_key_were_absent():
    table = Table(setup_of())
    table.ask()
    assert table.hear(legal_play(table, turn=None, game=None, note=None, capture=None))
    assert table.referee.bot_logs(["", ""]) == []


# What is told and kept


def test_what_a_bot_wrote_is_cut_in_every_place():
    table = Table(setup_of(faults_allowed=3))
    seat = table.seat
    for card in ("\N{GRINNING FACE}" * 10_000, "x" * 60_000, '"' * 30_000):
        table.play_until(seat)
        table.ask()
        assert table.hear({"type": "play", "card": card})
    for error, fault in zip(table.messages(seat, "error"), table.referee.faults, strict=True):
        assert len(error["got"]) <= 200
        assert len(fault.got) <= 200
        assert len(fault.detail) <= 200
    assert all(len(line) < 8_192 for line in table.sent[seat])
    assert all(line.isascii() and line.endswith(b"\n") for line in table.sent[seat])


def test_a_line_that_is_not_text_is_shown_as_far_as_it_goes():
    table = Table(setup_of())
    seat = table.seat
    table.ask()
    table.hear(b"\xff\xfe{" + bytes(300))
    assert table.messages(seat, "error")[0]["got"].startswith("��{")


def test_notes_are_kept_with_their_play_and_cut():
    table = Table(setup_of())
    seat = table.seat
    table.play(note="first")
    table.play()
    table.play(note="é" * 1_001)
    (log,) = table.referee.bot_logs(["", ""])
    assert log.seat == seat
    assert log.notes == {"1": "first", "3": "é" * 1_000}


def test_logs_end_with_the_hundredth():
    table = Table(setup_of())
    table.early({"type": "log", "text": "early"})
    table.ask()
    for number in range(150):
        assert not table.hear({"type": "log", "text": str(number)})
    (log,) = table.referee.bot_logs(["", ""])
    assert log.logs == ["early", *map(str, range(99))]


def test_logs_end_with_64_kib_of_utf_8():
    table = Table(setup_of())
    table.ask()
    for _ in range(5):
        table.hear({"type": "log", "text": "é" * 10_000})
    (log,) = table.referee.bot_logs(["", ""])
    assert [len(text) for text in log.logs] == [10_000] * 3


def test_logs_and_ready_do_not_close_a_turn_or_cost_a_fault():
    table = Table(setup_of())
    table.ask()
    assert not table.hear({"type": "log", "text": ""})
    assert not table.hear({"type": "ready"})
    assert not table.hear({"type": "ready", "name": "again", "version": "2", "more": [1, 2]})
    assert table.hear(legal_play(table))
    assert table.referee.faults == []


def test_stderr_stands_in_the_bots_log():
    table = Table(setup_of())
    (log,) = table.referee.bot_logs(["", "warning"])
    assert (log.game, log.seat, log.stderr) == (GAME, 1, "warning")


def test_a_record_without_times_does_not_say_that_time_ran_out() -> None:
    fault = Fault(seat=0, deal=1, turn=1, kind="boot", detail="the process ended")
    assert not ran_out(fault)
    assert ran_out(msgspec.structs.replace(fault, used_us=5, limit_us=5))
    assert not ran_out(msgspec.structs.replace(fault, used_us=4, limit_us=5))
    assert ran_out(msgspec.structs.replace(fault, kind="timeout"))
