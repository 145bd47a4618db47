"""Referee and play together, with bots in memory on trio's own clock; and the records they give."""

import json
from functools import partial

import jsonschema
import msgspec
import pytest
import trio
import trio.testing

from arena.errors import ArenaFault
from arena.play import FinishedGame, play_chunk
from arena.schedule import Chunk, GameKey
from arena.testing import ScriptedBot, ScriptedHost, first_legal, practice_plan
from protocol.messages import Limits
from protocol.records import GameRecord
from protocol.schema import schemas_folder

LIMITS = Limits(boot_ms=10_000, move_ms=1_000, bank_ms=10_000)
GOOD = ScriptedBot


def play(host, plan, *keys, pairing=("a", "b")):
    """Play the games (by default one) on the autojump clock; what was reported."""
    keys = keys or (GameKey(1, 0, 0),)
    reports = []

    async def report(event):
        reports.append(event)

    async def main():
        chunk = Chunk(pairing, 0, tuple(keys), frozenset(keys[-1:]))
        await play_chunk(host, plan, chunk, report)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    return reports


def one_game(a, b=GOOD, **more) -> GameRecord:
    """The record of one game between bots made by `a` and `b`."""
    plan = practice_plan("a", "b", **({"deals": 1} | more))
    (finished,) = play(ScriptedHost({"a": a, "b": b}), plan)
    return finished.record


def bot(script, greeting=()):
    """What makes a bot with this script."""
    return partial(ScriptedBot, script, greeting)


def said(*doings):
    """A script that does the same to every turn."""
    return lambda turn: doings


def slowly(ms):
    """A script that answers after so many ms."""
    return lambda turn: [(ms, message) for _, message in first_legal(turn)]


def kinds(record):
    """The faults of a game, by bot and kind."""
    return [(record.seats[fault.seat].bot, fault.kind) for fault in record.faults]


@pytest.mark.parametrize(
    ("kind", "script", "limits"),
    [
        ("timeout", said((0, {"type": "ready"})), {}),
        ("timeout", said((10_500, {"type": "ready"})), {}),
        ("boot", said((0, {"type": "log", "text": "still loading"})), {}),
        ("boot", said((22_000, {"type": "ready"})), {}),
        ("boot", said((5, None)), {}),
        ("crash", said((0, {"type": "ready"}), (5, None)), {}),
        ("crash", said((0, b'{"type":"re'[:0] + b'{"type":"ready"}'), (5, None)), {}),
        ("malformed", said((0, b"7H")), {}),
        ("illegal", said((0, {"type": "play", "card": "XX"})), {}),
        ("flood", said(*[(0, {"type": "log", "text": "x" * 60_000})] * 18), {}),
    ],
)
def test_each_way_to_fail_has_its_name(kind, script, limits):
    record = one_game(bot(script))
    assert kinds(record) == [("a", kind)]
    assert (record.reason, record.winner) == ("forfeit", 1)


def test_a_bot_that_answers_at_the_last_moment_is_in_time():
    record = one_game(bot(slowly(1_000)))
    assert record.faults == []
    assert {play.elapsed_us for play in record.deals[0].plays if play.seat == 0} == {0, 1_000_000}
    assert record.seats[0].boot_us == 1_000_000


def test_the_bank_lasts_for_the_game_and_not_longer():
    """1.5 s a move: the first is boot time's, then twenty times half a second of the bank."""
    record = one_game(bot(slowly(1_500)), deals=3)
    assert kinds(record) == [("a", "timeout")]
    mine = [play for deal in record.deals for play in deal.plays if play.seat == 0]
    assert [play.elapsed_us for play in mine] == [0] + [1_500_000] * 20


def test_a_process_has_boot_time_once():
    host = ScriptedHost({"a": bot(slowly(900)), "b": GOOD})
    games = play(host, practice_plan("a", "b", deals=1), GameKey(1, 0, 0), GameKey(2, 0, 0))
    first, second = (game.record for game in games)
    assert (first.seats[0].boot_us, second.seats[0].boot_us) == (900_000, 0)
    assert (first.seats[0].nth, second.seats[0].nth) == (1, 2)
    assert first.seats[0].process == second.seats[0].process
    assert len(host.started) == 2


def test_a_log_does_not_make_a_process_ready_for_its_next_game():
    """The first game ends before a is asked; its time to boot is still to come."""

    def loads_first(turn):
        return slowly(5_000 if turn["turn"] <= 2 else 0)(turn)

    made = iter([said((0, None)), first_legal])
    loading = [(0, {"type": "log", "text": "loading"})]
    host = ScriptedHost({"a": bot(loads_first, loading), "b": lambda: ScriptedBot(next(made))})
    limits = Limits(boot_ms=10_000, move_ms=100, bank_ms=0)
    plan = practice_plan("a", "b", deals=1, limits=limits)
    games = [game.record for game in play(host, plan, GameKey(1, 0, 0), GameKey(2, 0, 0))]
    assert kinds(games[0]) == [("b", "boot")]
    assert games[0].deals[0].plays == []
    assert kinds(games[1]) == []
    assert games[1].seats[0].boot_us == 5_000_000


def test_a_second_answer_counts_when_the_seat_is_next_asked():
    twice = bot(lambda turn: [*first_legal(turn)] * 2)
    record = one_game(twice)
    assert kinds(record) == [("a", "unasked")]
    assert sum(play.seat == 0 for play in record.deals[0].plays) == 1


def test_a_second_answer_after_the_last_play_counts_never():
    def script(turn):
        last = len(turn["plays"]) >= 46
        return [*first_legal(turn)] * (2 if last else 1)

    host = ScriptedHost({"a": bot(script), "b": GOOD})
    games = play(host, practice_plan("a", "b", deals=1), GameKey(1, 0, 0), GameKey(2, 0, 0))
    assert [game.record.faults for game in games] == [[], []]


def test_an_answer_before_the_question_is_unasked():
    greeting = [(0, {"type": "play", "card": "7H"})]
    assert kinds(one_game(bot(first_legal, greeting))) == [("a", "unasked")]


def test_a_tolerated_time_out_and_its_late_answer_cost_one_fault():
    """The late answers come while the other seat thinks, and later ones during the next turn."""
    for late_ms in (12_500, 13_500):

        def script(turn, late_ms=late_ms):
            after = late_ms if turn["turn"] in (3, 4) else 0
            return [(after, message) for _, message in first_legal(turn)]

        limits = Limits(faults_allowed=1, bank_ms=11_000)
        record = one_game(bot(script), bot(slowly(1_000)), limits=limits)
        assert kinds(record) == [("a", "timeout")]
        forced = [play.elapsed_us for play in record.deals[0].plays if play.forced]
        assert forced == [12_000_000]
        assert record.reason == "deals"


def ends_after_the_game(turn):
    """Plays well, and ends with its last play of a game of one deal."""
    last = [(0, None)] if len(turn["plays"]) >= 46 else []
    return [*first_legal(turn), *last]


def test_a_process_that_ends_between_games_is_replaced_once_without_fault():
    host = ScriptedHost({"a": bot(ends_after_the_game), "b": GOOD})
    plan = practice_plan("a", "b", deals=1)
    games = play(host, plan, *(GameKey(number, 0, 0) for number in (1, 2, 3)))
    assert [game.record.faults for game in games] == [[], [], []]
    assert [game.record.seats[0].process for game in games] == ["0.0.0.1", "0.0.0.2", "0.0.0.3"]
    assert [game.record.seats[0].nth for game in games] == [1, 1, 1]


def test_a_replacement_that_ends_too_is_a_fault():
    made = iter([ends_after_the_game, said((1, None))])
    host = ScriptedHost({"a": lambda: ScriptedBot(next(made)), "b": GOOD})
    games = play(host, practice_plan("a", "b", deals=1), GameKey(1, 0, 0), GameKey(2, 0, 0))
    assert [kinds(game.record) for game in games] == [[], [("a", "boot")]]
    assert list(made) == []


def test_a_command_that_cannot_be_executed_loses_every_game():
    host = ScriptedHost({"b": GOOD})
    games = play(host, practice_plan("a", "b", deals=1), GameKey(1, 0, 0), GameKey(2, 0, 0))
    for game in games:
        assert kinds(game.record) == [("a", "boot")]
        assert "no such command" in game.record.faults[0].detail


def test_the_processes_of_a_side_that_forfeits_end_at_once_and_the_others_play_on():
    host = ScriptedHost({"a": bot(said((0, b"?"))), "b": GOOD, "c": bot(slowly(1))})
    plan = practice_plan("a", "b", "c", preset="kseri-3", deals=1)
    (game,) = play(host, plan, pairing=("a", "b", "c"))
    record = game.record
    assert kinds(record) == [("a", "malformed")]
    assert record.reason == "deals"
    assert record.ranks[0] == 3
    seat_a = host.started[0]
    assert [message["type"] for message in seat_a.received] == ["hello", "turn", "error"]
    assert all(play.forced == (play.seat == 0) for play in record.deals[0].plays)


def test_no_process_plays_two_games_on_the_same_decks():
    """Every rotation has processes of its own, begun when those of the one before have ended."""
    started = []

    def a():
        assert all(bot.has_ended for bot in started[:-1] if len(started) % 2 == 0)
        started.append(ScriptedBot())
        return started[-1]

    keys = [GameKey(match, 0, rotation) for rotation in (0, 1) for match in (1, 2, 3)]
    games = play(ScriptedHost({"a": a, "b": a}), practice_plan("a", "b", deals=1), *keys)
    assert len(started) == 4
    played = [[seat.process for seat in game.record.seats] for game in games]
    assert played == [["0.0.0.1", "0.0.1.1"]] * 3 + [["0.1.0.1", "0.1.1.1"]] * 3
    assert [game.record.seats[0].bot for game in games] == ["a"] * 3 + ["b"] * 3
    first, second = games[0].record, games[3].record
    assert first.seed == second.seed
    assert first.commitment != second.commitment


def test_a_bot_that_asks_for_it_has_a_process_for_every_game():
    host = ScriptedHost({"a": GOOD, "b": GOOD})
    plan = practice_plan("a", "b", deals=1)
    plan.bots["a"] = msgspec.structs.replace(plan.bots["a"], reuse=False)
    games = play(host, plan, *(GameKey(match, 0, 0) for match in (1, 2, 3)))
    seats = [game.record.seats for game in games]
    assert [[seat.nth for seat in seated] for seated in seats] == [[1, 1], [1, 2], [1, 3]]
    assert len(host.started) == 4


def test_a_machine_that_fails_the_arena_voids_the_match_and_ends_its_processes():
    def a():
        raise ArenaFault("no process could be started")

    host = ScriptedHost({"a": GOOD, "b": a})
    reports = play(host, practice_plan("a", "b", deals=1), GameKey(1, 0, 0), GameKey(1, 0, 1))
    assert not any(isinstance(event, FinishedGame) for event in reports)
    assert [event.key.match for event in reports] == [1]
    assert all(bot.has_ended for bot in host.started)


def test_what_was_logged_after_the_last_play_is_kept():
    def script(turn):
        return [*first_legal(turn), (0, {"type": "log", "text": str(turn["turn"])})]

    plan = practice_plan("a", "b", deals=1)
    (game,) = play(ScriptedHost({"a": bot(script), "b": GOOD}), plan)
    (log,) = game.logs
    turns = [n for n, play in enumerate(game.record.deals[0].plays, 1) if play.seat == 0]
    assert log.logs == list(map(str, turns))


# Records


def check_record(record: GameRecord) -> None:
    """It survives its encoding, and fits the schema that other programs read it by."""
    text = msgspec.json.encode(record)
    assert msgspec.json.decode(text, type=GameRecord) == record
    schema = json.loads((schemas_folder() / "game-record.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))


@pytest.mark.parametrize("preset", ["kseri", "kseri-plain", "pisti", "kseri-3", "faro-6"])
def test_records_of_good_games(preset):
    plan = practice_plan("a", "b", "c", "d", "e", "f", preset=preset, target=20)
    pairing = tuple("abcdef")[: plan.rules.sides]
    host = ScriptedHost(dict.fromkeys("abcdef", GOOD))
    (game,) = play(host, plan, pairing=pairing)
    record = game.record
    check_record(record)
    raw = json.loads(msgspec.json.encode(record))
    assert record.reason == "target"
    assert len(record.seats) == plan.rules.seats
    assert "faults" not in raw
    assert raw["isolation"] == "none"
    assert raw["limits"]["move_ms"] == 1_000
    assert all("forced" not in play for deal in raw["deals"] for play in deal["plays"])
    assert all(deal["sides"] for deal in raw["deals"])
    assert raw["rules"] == {"preset": preset, "overrides": {"target": 20}, "version": 1}


@pytest.mark.parametrize("faults_allowed", [0, 2])
@pytest.mark.parametrize(
    "answer",
    [
        b"\xff",
        b'{"type":"play","card":"\\u0000"}',
        "\N{GRINNING FACE}".encode() * 20_000,
        b"\0" * 9,
    ],
)
def test_records_of_games_with_faults(answer, faults_allowed):
    limits = Limits(faults_allowed=faults_allowed)
    record = one_game(bot(said((0, answer))), limits=limits)
    check_record(record)
    assert len(record.faults) == faults_allowed + 1
    assert record.deals[-1].sides is None
    assert record.reason == "forfeit"
