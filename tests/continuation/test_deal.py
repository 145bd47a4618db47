"""A deal gone on with from the middle: what the bots are told, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest
import trio
import trio.testing

from arena.continuation import continued
from arena.play import Bot
from arena.replay import steps, with_sides
from arena.testing import Script, ScriptedBot, ScriptedHost, first_legal, practice_plan
from protocol.records import GameRecord
from protocol.what_if import Continued
from tests.transcript.recorded import play


def last_legal(turn: dict[str, Any]) -> Any:
    return [(0, {"type": "play", "turn": turn["turn"], **turn["legal"][-1]})]


def silent(turn: dict[str, Any]) -> Any:
    return []


def recorded(preset: str, seats: int) -> GameRecord:
    names = [f"bot-{seat}" for seat in range(seats)]
    plan = practice_plan(*names, preset=preset)
    records, _ = play(plan, dict.fromkeys(names, ScriptedBot))
    return with_sides(records[0])


def go_on(
    record: GameRecord, deal: int, move: int, *scripts: Script, times: int = 1, seconds: float = 60
) -> tuple[list[Continued], list[ScriptedBot]]:
    """Let scripted bots go on, on a clock that does not wait; and the bots, in order."""
    host = ScriptedHost({f"x{n}": lambda s=s: ScriptedBot(s) for n, s in enumerate(scripts)})
    bots = [
        Bot(name=f"x{n}", version="1", hash="", folder="/", run=(f"x{n}",))
        for n in range(len(scripts))
    ]

    async def main() -> list[Continued]:
        return await continued(
            host,  # type: ignore[arg-type]
            record,
            deal,
            move,
            bots,
            times=times,
            seconds=seconds,
        )

    found = trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    return found, host.started


def kinds(bot: ScriptedBot) -> list[str]:
    return [message["type"] for message in bot.received]


@pytest.mark.parametrize(
    ("preset", "seats"), [("kseri", 2), ("kseri-3", 3), ("pisti", 4), ("faro-6", 6)]
)
@pytest.mark.parametrize("move", [0, 17])
def test_bots_that_play_alike_come_to_what_really_happened(
    preset: str, seats: int, move: int
) -> None:
    record = recorded(preset, seats)
    number = len(record.deals)
    (way,), _ = go_on(record, number, move, *[first_legal] * seats)
    real = record.deals[number - 1]
    assert [(play.seat, play.card, play.capture) for play in way.deal.plays] == [
        (play.seat, play.card, play.capture) for play in real.plays
    ]
    assert way.deal.sides == real.sides
    assert not way.faults


def test_another_bot_plays_on_from_the_same_position() -> None:
    record = recorded("kseri", 2)
    (way,), _ = go_on(record, 2, 20, last_legal, first_legal)
    real = record.deals[1]
    played = [play.card for play in way.deal.plays]
    assert played[:20] == [play.card for play in real.plays[:20]]
    assert sorted(played) == sorted(play.card for play in real.plays)
    assert played != [play.card for play in real.plays]
    assert way.deal.sides


def test_a_bot_is_greeted_and_asked_as_in_the_game_and_told_no_more_than_the_deal() -> None:
    """What it is asked first is what its seat was asked in the game, to the letter."""
    record = recorded("kseri", 2)
    step = next(
        step for step in steps(record) if step.deal.number == 2 and len(step.deal.plays) == 7
    )
    hand, pile, seat = list(step.deal.hands[step.deal.seat]), list(step.deal.pile), step.deal.seat
    _, bots = go_on(record, 2, 7, first_legal, first_legal)
    hello, turn = bots[seat].received[:2]
    assert (hello["type"], hello["seat"], hello["rules"]["preset"]) == ("hello", seat, "kseri")
    assert turn["type"] == "turn"
    assert (turn["hand"], turn["pile"], turn["deal"]["number"]) == (hand, pile, 2)
    assert turn["turn"] == len(record.deals[0].plays) + 8
    assert turn["scores"] == [side.total for side in record.deals[0].sides or []]
    assert len(turn["plays"]) == 7
    assert turn["clock"]["bank_ms"] == record.limits.bank_ms
    assert kinds(bots[seat])[-1] == "deal_end"
    assert "game_end" not in kinds(bots[seat])
    assert record.seed not in str(bots[seat].received)
    assert record.game not in str(bots[seat].received)


def test_every_time_the_bots_draw_anew_and_the_next_visitor_gets_the_same() -> None:
    record = recorded("kseri", 2)
    seeds = []
    for _ in range(2):
        _, bots = go_on(record, 1, 40, first_legal, first_legal, times=3)
        seeds.append([bot.received[0]["bot_seed"] for bot in bots])
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 6
    assert all(0 <= seed < 2**31 for seed in seeds[0])


def test_a_fault_ends_it_where_two_sides_play_and_no_points_are_made_up() -> None:
    record = recorded("kseri", 2)
    (way,), _ = go_on(record, 1, 10, silent, silent)
    (fault,) = way.faults
    assert (fault.kind, fault.deal) == ("boot", 1)
    assert way.deal.sides is None
    assert len(way.deal.plays) == 10


def test_where_more_play_the_others_end_the_deal() -> None:
    record = recorded("kseri-3", 3)
    (way,), _ = go_on(record, 1, 10, silent, first_legal, first_legal)
    assert [fault.seat for fault in way.faults] == [0]
    assert way.deal.sides
    assert all(play.forced for play in way.deal.plays[10:] if play.seat == 0)


def test_the_time_of_all_together_is_bounded() -> None:
    """Of answers that take half a second each, two dozen a deal and bot."""

    def slow(turn: dict[str, Any]) -> Any:
        return [(500, {"type": "play", "turn": turn["turn"], **turn["legal"][0]})]

    record = recorded("kseri", 2)
    ways, bots = go_on(record, 1, 0, slow, slow, times=8, seconds=60)
    assert len(ways) == 2
    assert all(bot.has_ended for bot in bots)


def test_the_last_deal_may_end_the_game() -> None:
    record = recorded("kseri", 2)
    (way,), bots = go_on(record, len(record.deals), 30, first_legal, first_legal)
    assert way.deal.sides == record.deals[-1].sides
    end = bots[0].received[-1]
    assert (end["type"], end["seed"], end["salt"]) == ("game_end", None, None)
