"""The Python bots, asked by hand-made lines of the protocol: nothing of the arena is used."""

import importlib.util
import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

BOTS = Path(__file__).parents[2] / "bots"
NAMES = ["random", "greedy", "saver", "counter"]
GIVE_UP_S = 60
Message = dict[str, Any]

POINTS = {"ace": 1, "jack": 1, "ten_of_diamonds": 2, "two_of_clubs": 2, "majority": 3}
POINTS |= {"kseri": 10, "double_kseri": 20}
KSERI: Message = {"preset": "kseri", "seats": 2, "sides": 2, "decks": 1, "target": 101}
KSERI |= {"direction": "clockwise", "deal_order": "hands-first", "refill": "twos"}
KSERI |= {"centre": "open", "opening_jack": "bury", "bottom_card": "hidden"}
KSERI |= {"capture": "optional", "jack_captures": True, "points": POINTS, "double_kseri": "takes"}
KSERI |= {"jack_on_jack": 0, "first_play_kseri": True, "last_play_kseri": True}
KSERI |= {"sweep_kseri": True, "two_of_clubs_match": 0, "last_capture_bonus": 0}
KSERI |= {"deals": None, "max_deals": 200}
PLAIN = KSERI | {"capture": "mandatory", "double_kseri": "none", "sweep_kseri": False}
PISTI = PLAIN | {"seats": 4, "target": 151, "deal_order": "table-first", "refill": "fours"}
PISTI |= {"centre": "hidden", "opening_jack": "cover", "bottom_card": "exposed"}
PISTI |= {"jack_on_jack": 20, "first_play_kseri": False, "last_play_kseri": False}
PARTNERS = KSERI | {"seats": 4, "refill": "fours"}
FARO = KSERI | {"seats": 6, "sides": 6, "decks": 2}
KIDS = KSERI | {"opening_jack": "keep", "jack_captures": False}


def turn(rules: Message, number: int, hand: str, pile: str = "", **more: Any) -> Message:
    """A `turn` of seat 0, four cards in every other hand; what is not given is made up simply.

    `pile` is what lies on the table; cards named in `gone` were captured in this deal before.
    """
    cards, lying, gone = hand.split(), pile.split(), more.pop("gone", "").split()
    marker, others = more.get("marker"), rules["seats"] - 1
    deal = {"number": 1, "dealer": others, "centre": lying, "buried": [], "bottom": None}
    message = {"type": "turn", "game": "5eed", "turn": number, "seat": 0, "deal": deal}
    message |= {"hand": cards, "legal": legal(rules, cards, lying, marker), "pile": lying}
    message |= {"hidden_centre": 0, "taken_centre": None, "marker": None, "stock": 24}
    message |= {"hands": [len(cards)] + others * [4], "captured": [0] * rules["sides"]}
    message |= {"bonus": [0] * rules["sides"], "scores": [0] * rules["sides"]}
    if gone:
        deal["centre"] = gone
    message["plays"] = [{"seat": 1, "card": card, "took": 0} for card in lying if gone]
    return message | {"clock": {"move_ms": 1000, "bank_ms": 10000, "used_ms": 0}} | more


def legal(rules: Message, hand: list[str], pile: list[str], marker: str | None) -> list[Message]:
    """Every legal answer by R9, R10 and R15."""
    answers: list[Message] = []
    for card in dict.fromkeys(hand):
        top = pile[-1] if pile else marker
        jack = bool(pile) and card[0] == "J" and rules["jack_captures"]
        if rules["capture"] == "optional" and top and (jack or card[0] == top[0]):
            answers += [{"card": card, "capture": True}, {"card": card, "capture": False}]
        else:
            answers.append({"card": card})
    return answers


def hello(rules: Message, bot_seed: int = 7) -> Message:
    sides = [seat % rules["sides"] for seat in range(rules["seats"])]
    message = {"type": "hello", "game": "5eed", "protocol": 1, "rules": rules, "seat": 0}
    limits = {"boot_ms": 10000, "move_ms": 1000, "bank_ms": 10000, "clock": "wall", "batch": 1}
    message |= {"side_of": sides, "names": None, "limits": limits, "commitment": "00"}
    return message | {"bot_seed": bot_seed}


PISTI_DEAL = {"number": 2, "dealer": 1, "centre": ["JD", "JS"], "buried": [], "bottom": "9H"}
LAST_HAND = {"stock": 0, "hands": [2, 1], "captured": [20, 26]}
TURNS: list[tuple[Message, Message]] = [
    (KSERI, turn(KSERI, 1, "7H JD 2C AS", "3C 9D KS 7S")),
    (KSERI, turn(KSERI, 9, "7H 7D 2C AS", "7C")),
    (KSERI, turn(KSERI, 11, "JH JD", "TD")),
    (KSERI, turn(KSERI, 12, "5H", "5S", stock=0, hands=[1, 0])),
    (KSERI, turn(KSERI, 13, "5H 9C", marker="5S", **LAST_HAND)),
    (KIDS, turn(KIDS, 2, "JH 9C 4D", "QS JC")),
    (PLAIN, turn(PLAIN, 3, "JH 9C 4D", "QS 9S")),
    (PISTI, turn(PISTI, 4, "JH 9C 4D 2C", "JD JS", deal=PISTI_DEAL, hidden_centre=2)),
    (PISTI, turn(PISTI, 5, "3H 3C 4D", taken_centre=["2C", "TD"], deal=PISTI_DEAL)),
    (PARTNERS, turn(PARTNERS, 6, "KC KD QS TD", "4H")),
    (FARO, turn(FARO, 7, "7H 7H 2C JS", marker="7S")),
    (FARO, turn(FARO, 8, "7H 7H", "AD AD 7S", stock=0, hands=[2, 2, 2, 2, 1, 1])),
]


def line(message: Message, end: str = "\n") -> bytes:
    return (json.dumps(message, separators=(",", ":")) + end).encode()


def ask(name: str, lines: list[bytes]) -> list[Message]:
    """The plays of a fresh process, started by its manifest; it must end well and in silence."""
    manifest = tomllib.loads((BOTS / name / "bot.toml").read_text(encoding="utf-8"))
    done = subprocess.run(
        manifest["run"],
        cwd=BOTS / name,
        input=b"".join(lines),
        capture_output=True,
        timeout=GIVE_UP_S,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    messages = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert {message["type"] for message in messages} <= {"ready", "play"}
    return [message for message in messages if message["type"] == "play"]


def assert_legal(plays: list[Message], turns: list[Message]) -> None:
    assert [play["turn"] for play in plays] == [message["turn"] for message in turns]
    for play, message in zip(plays, turns, strict=True):
        assert {key: play[key] for key in ("card", "capture") if key in play} in message["legal"]


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"bot_{name}", BOTS / name / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(name: str, rules: Message, message: Message) -> Message:
    choice = load(name).choose(rules, hello(rules), message)
    assert choice in message["legal"]
    return choice  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_legal_whatever_the_rules(name: str) -> None:
    lines = [line(part) for rules, message in TURNS for part in (hello(rules), message)]
    assert_legal(ask(name, lines), [message for _, message in TURNS])


@pytest.mark.parametrize("name", NAMES)
def test_reads_past_what_it_does_not_know(name: str) -> None:
    first, second = TURNS[0][1] | {"new": [{"turn": 3}]}, TURNS[1][1]
    ends = [{"type": "deal_end", "deal": 1}, {"type": "game_end", "winner": None}]
    others = [{"type": "error", "fatal": False}, {"type": "weather", "turn": 4, "legal": []}]
    unasked = [line(message) for message in ends + others]
    lines = [line(hello(KSERI) | {"new": 1}, "\r\n"), b"\r\n", line(first, "\r\n"), b"\n"]
    assert_legal(ask(name, [*unasked, *lines, *unasked, line(second)]), [first, second])


@pytest.mark.parametrize("name", NAMES)
def test_the_same_game_again_gives_the_same_answers(name: str) -> None:
    lines = [line(part) for rules, message in TURNS for part in (hello(rules), message)]
    assert ask(name, lines) == ask(name, lines)


def test_random_is_uniform_and_follows_its_seed() -> None:
    bot, message = load("random"), turn(KSERI, 1, "2H 3H 4H 5H")
    drawn = [
        bot.choose(KSERI, hello(KSERI, seed), message | {"turn": number})["card"]
        for seed in range(40)
        for number in range(1, 101)
    ]
    assert all(900 < drawn.count(card) < 1100 for card in message["hand"])
    assert drawn[:100] != drawn[100:200]


@pytest.mark.parametrize("name", ["greedy", "saver", "counter"])
@pytest.mark.parametrize("rules", [KSERI, PLAIN, PARTNERS, FARO], ids=lambda r: str(r["seats"]))
def test_a_kseri_is_taken(name: str, rules: Message) -> None:
    choice = answer(name, rules, turn(rules, 5, "KD JH 7H 2S", "7S", gone="7C 3D"))
    assert (choice["card"], choice.get("capture", True)) == ("7H", True)


@pytest.mark.parametrize("name", ["greedy", "saver", "counter"])
def test_a_marker_is_taken(name: str) -> None:
    choice = answer(name, KSERI, turn(KSERI, 5, "KD JH 7H 2S", marker="7S", gone="7C 3D"))
    assert choice == {"card": "7H", "capture": True}


def test_greedy_throws_its_jack_at_anything() -> None:
    assert answer("greedy", KSERI, turn(KSERI, 3, "KD JH", "4S")) == {"card": "JH", "capture": True}


@pytest.mark.parametrize("name", ["saver", "counter"])
@pytest.mark.parametrize("rules", [KSERI, PLAIN], ids=["optional", "mandatory"])
def test_a_jack_is_kept_from_a_worthless_pile(name: str, rules: Message) -> None:
    assert answer(name, rules, turn(rules, 3, "JH KD 8C", "4S"))["card"] != "JH"


@pytest.mark.parametrize("name", ["saver", "counter"])
def test_a_jack_takes_a_pile_worth_it(name: str) -> None:
    choice = answer(name, PLAIN, turn(PLAIN, 3, "KD JH 8C", "AS 4S TD 9C 2C"))
    assert choice == {"card": "JH"}


def test_counter_takes_jacks_with_a_jack_for_the_bonus() -> None:
    message = turn(PISTI, 6, "4D 9C JH", "JS", gone="5C 5D")
    assert answer("counter", PISTI, message) == {"card": "JH"}


def test_counter_leads_the_card_that_nobody_can_take() -> None:
    message = turn(KSERI, 9, "8C 4H KD", gone="4S 4D 4C 6C")
    assert answer("counter", KSERI, message) == {"card": "4H"}


def test_counter_knows_which_rank_the_next_seat_lacks() -> None:
    """Two sixes and two kings are hidden, but seat 1 laid its five on a king."""
    plays = [{"seat": 0, "card": "KC", "took": 0}, {"seat": 1, "card": "5D", "took": 0}]
    plays += [{"seat": 0, "card": "QS", "took": 0}, {"seat": 1, "card": "QH", "took": 5}]
    more = {"plays": plays, "hands": [2, 2], "captured": [0, 5]}
    message = turn(PLAIN, 5, "6S KD", gone="6C", **more)
    assert answer("counter", PLAIN, message) == {"card": "KD"}


def test_counter_plays_known_hands_to_the_end() -> None:
    """The other hand must be 9S: to lead the nine would lose a kseri, the four loses nothing."""
    hand, unseen = ["9H", "4D"], "9S"
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    gone = " ".join(card for card in deck if card not in [*hand, unseen])
    message = turn(PLAIN, 46, "9H 4D", gone=gone, stock=0, hands=[2, 1], captured=[26, 23])
    assert answer("counter", PLAIN, message) == {"card": "4D"}
