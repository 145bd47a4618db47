"""Games of functions in this process are the arena's games."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import numpy as np
import pytest

from arena.game import IllegalPlay
from arena.referee import Referee
from arena.train import (
    CARDS,
    Position,
    action_of,
    encode,
    layout,
    mask,
    option_of,
    play_game,
    play_messages,
)
from protocol.messages import Turn
from protocol.rules import PRESETS, make_rules
from tests.readme.generate import README
from tests.referee.table import SEED, Table, setup_of
from tests.train.policies import by_message, by_position


def untimed(deals: Any) -> list[Any]:
    """The log without times."""
    text = msgspec.to_builtins(deals)
    return [{**deal, "plays": [{**p, "elapsed_us": 0} for p in deal["plays"]]} for deal in text]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_positions_messages_and_the_arena_s_referee_give_the_same_record(preset: str) -> None:
    rules = make_rules(preset, {"deals": 3} if preset != "kseri" else {})
    fast = play_game(rules, SEED, [by_position] * rules.seats)
    slow = play_messages(rules, SEED, [by_message] * rules.seats)
    table = Table(setup_of(rules, seed=SEED))
    while table.referee.to_ask is not None:
        turn = table.ask()
        table.hear({"type": "play", **by_message(msgspec.to_builtins(turn))}, at_us=7)
    assert table.referee.faults == slow.faults == []
    wanted = untimed(table.referee.deals())
    assert untimed(fast.deals()) == wanted
    assert untimed(slow.deals()) == wanted
    ends = [(g.scores, g.winner, g.ranks(), g.reason) for g in (fast.game, slow.game)]
    over = table.referee.game
    assert ends == [(over.scores, over.winner, over.ranks(), over.reason)] * 2


def message_of(position: Position) -> dict[str, Any]:
    """A position in the words of a `turn` message."""
    names = ("turn", "seat", "hand", "pile", "hidden_centre", "taken_centre", "marker", "stock")
    found = {name: getattr(position, name) for name in (*names, "hands", "captured", "bonus")}
    deal_names = ("number", "dealer", "centre", "buried", "bottom")
    found["deal"] = {name: getattr(position, name) for name in deal_names}
    found["scores"] = position.scores
    found["legal"] = [
        {"card": card} if capture is None else {"card": card, "capture": capture}
        for card, capture in position.legal
    ]
    found["plays"] = [{"seat": s, "card": card, "took": took} for s, card, took in position.plays]
    return found


def told(turn: Turn) -> dict[str, Any]:
    """A message less what a position leaves out."""
    found = msgspec.to_builtins(turn)
    return {key: value for key, value in found.items() if key not in ("type", "game", "clock")}


def each_turn(preset: str, deals: int = 2) -> Any:
    """Every turn of a game: the message, and the referee that sent it."""
    table = Table(setup_of(make_rules(preset, {"deals": deals})))
    while table.referee.to_ask is not None:
        turn = table.ask()
        yield turn, table.referee
        table.hear({"type": "play", **by_message(msgspec.to_builtins(turn))})


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_position_tells_what_the_message_tells(preset: str) -> None:
    for turn, referee in each_turn(preset):
        assert message_of(Position(referee.game, turn.seat)) == told(turn)


def decoded(vector: Any, referee: Referee) -> dict[str, Any]:
    """The message that a vector was made of, but for `legal`, which the mask tells."""
    rules = referee.setup.rules
    part = {name: vector[place].tolist() for name, place in layout(rules).items()}
    seat = part["seat"][0]

    def cards(numbers: list[int]) -> list[str]:
        return [CARDS[number - 1] for number in numbers if number]

    def one(name: str) -> str | None:
        return next((c for c, n in zip(CARDS, part[name], strict=True) if n), None)

    def back(numbers: list[int], first: int) -> list[int]:
        return numbers[len(numbers) - first :] + numbers[: len(numbers) - first]

    side = seat % rules.sides
    dealer = (part["dealer"][0] + seat) % rules.seats
    plays = [
        {"seat": (dealer + 1 + number) % rules.seats, "card": CARDS[card - 1], "took": took}
        for number, (card, took) in enumerate(
            zip(part["plays"][::2], part["plays"][1::2], strict=True)
        )
        if card
    ]
    return {
        "turn": part["turn"][0],
        "seat": seat,
        "deal": {
            "number": part["number"][0],
            "dealer": dealer,
            "centre": cards(part["centre"]),
            "buried": cards(part["buried"]),
            "bottom": one("bottom"),
        },
        "hand": cards(part["hand_order"]),
        "hidden_centre": part["hidden_centre"][0],
        "taken_centre": cards(part["taken_centre"]) or None,
        "marker": one("marker"),
        "stock": part["stock"][0],
        "hands": back(part["hands"], seat),
        "captured": back(part["captured"], side),
        "bonus": back(part["bonus"], side),
        "scores": back(part["scores"], side),
        "plays": plays,
    }


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_vector_has_all_of_the_message_and_nothing_else(preset: str) -> None:
    """The message can be written down again from the vector alone; the pile follows from it."""
    for turn, referee in each_turn(preset):
        position = Position(referee.game, turn.seat)
        vector = encode(position)
        wanted = told(turn)
        legal, pile = wanted.pop("legal"), wanted.pop("pile")
        assert decoded(vector, referee) == wanted
        part = {name: vector[place] for name, place in layout(referee.setup.rules).items()}
        counts = {CARDS[n]: int(count) for n, count in enumerate(part["pile"]) if count}
        assert counts == {card: pile.count(card) for card in pile}
        assert [CARDS[n] for n in np.flatnonzero(part["top"])] == pile[-1:]
        assert int(part["hand"].sum()) == len(turn.hand)
        gone = len(turn.plays) + len(turn.deal.centre) + len(turn.taken_centre or [])
        assert int(part["gone"].sum()) == gone
        allowed = mask(position.legal)
        assert int(allowed.sum()) == len(legal)
        for action in np.flatnonzero(allowed):
            card, capture = option_of(int(action), position.legal)
            assert (
                {"card": card} if capture is None else {"card": card, "capture": capture}
            ) in legal


def test_another_seat_is_shown_its_own_cards_only() -> None:
    for turn, referee in each_turn("pisti"):
        deal = referee.game.deal
        for seat in range(4):
            position = Position(referee.game, seat)
            assert position.hand == deal.hands[seat]
            assert bool(position.legal) == (seat == turn.seat)
            mine = deal.centre_taker == seat % 2
            assert (position.taken_centre is not None) == (mine and bool(deal.taken_centre))


def test_lists_of_a_position_are_the_caller_s_own() -> None:
    _, referee = next(iter(each_turn("kseri")))
    position = Position(referee.game, referee.to_ask or 0)
    before = message_of(position)
    for name in ("hand", "pile", "centre", "buried", "hands", "captured", "bonus", "scores"):
        getattr(position, name).clear()
    assert message_of(position) == before


def test_the_example_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    (source,) = re.findall(r"```py\n(.*?)```", README.read_text("utf-8"), re.S)
    exec(source, {})
    assert re.fullmatch(r"\[\d+, \d+\] [01]\n", capsys.readouterr().out)


def test_a_wrong_answer_is_the_function_s_fault() -> None:
    rules = make_rules("kseri")
    with pytest.raises(IllegalPlay):
        play_game(rules, SEED, [lambda position: ("XX", None)] * 2)
    with pytest.raises(ValueError, match="argument"):
        play_game(rules, SEED, [by_position])
    referee = play_messages(rules, SEED, [by_message, lambda turn: {"card": "XX"}])
    assert [fault.kind for fault in referee.faults] == ["illegal"]
    referee = play_messages(rules, SEED, [by_message, lambda turn: {"card": "7H", "turn": 99}])
    assert [fault.kind for fault in referee.faults] == ["timeout"]


def test_actions_and_answers_are_one_to_one() -> None:
    options = [(card, capture) for card in CARDS for capture in (None, True)]
    assert len({action_of(option) for option in options}) == len(options) == 104
    assert option_of(action_of(("7H", False)), [("7H", True), ("7H", False)]) == ("7H", False)
    with pytest.raises(ValueError, match="action 3 is not legal"):
        option_of(3, [("7H", None)])
