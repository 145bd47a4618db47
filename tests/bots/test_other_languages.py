"""The bots that are not Python, built and asked by hand-made lines of the protocol.

Nothing of the arena is used: what holds here holds for any program that speaks the protocol.
"""

import json
import os
import random
import select
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

BOTS = Path(__file__).parents[2] / "bots"
NAMES = ["heron", "pike", "crab", "otter", "pearl"]
GIVE_UP_S = 60
POINTS = {
    "ace": 1,
    "jack": 1,
    "ten_of_diamonds": 2,
    "two_of_clubs": 2,
    "majority": 3,
    "kseri": 10,
    "double_kseri": 20,
}
KSERI = {"preset": "kseri", "seats": 2, "sides": 2, "decks": 1, "target": 101, "points": POINTS}
KSERI |= {"capture": "optional", "jack_captures": True, "jack_on_jack": 0, "deals": None}
RULES: dict[str, dict[str, Any]] = {
    "kseri": KSERI,
    "kseri-plain": KSERI | {"capture": "mandatory"},
    "kseri-kids": KSERI | {"jack_captures": False},
    "kseri-3": KSERI | {"seats": 3, "sides": 3},
    "kseri-partners": KSERI | {"seats": 4},
    "pisti": KSERI | {"seats": 4, "capture": "mandatory", "jack_on_jack": 20},
    "faro-5": KSERI | {"seats": 5, "sides": 5, "decks": 2},
    "faro-6": KSERI | {"seats": 6, "sides": 6, "decks": 2},
}
Message = dict[str, Any]
Bot = tuple[list[str], Path]


def missing_tool(manifest: Message) -> str | None:
    """The first program that the manifest needs and this machine has not."""
    programs = [manifest[key][0] for key in ("build", "run") if key in manifest]
    return next((p for p in programs if not p.startswith("./") and not shutil.which(p)), None)


@pytest.fixture(scope="module", params=NAMES)
def bot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bot:
    """A bot built in a folder of its own by its manifest: its command and that folder."""
    folder = tmp_path_factory.mktemp("bots") / request.param
    shutil.copytree(BOTS / request.param, folder)
    manifest = tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))
    tool = missing_tool(manifest)
    if tool and os.environ.get("KSERI_NO_SKIP"):
        pytest.fail(f"{tool} is not installed, and KSERI_NO_SKIP is set")
    if tool:
        pytest.skip(f"{tool} is not installed")
    if "build" in manifest:
        built = subprocess.run(manifest["build"], cwd=folder, capture_output=True, timeout=300)
        assert (built.returncode, built.stdout, built.stderr) == (0, b"", b"")
    return manifest["run"], folder


def hello(rules: Message) -> Message:
    side_of = [seat % rules["sides"] for seat in range(rules["seats"])]
    limits = {"boot_ms": 10000, "move_ms": 1000, "bank_ms": 10000, "clock": "wall", "batch": 1}
    message = {"type": "hello", "game": "5eed", "protocol": 1, "rules": rules, "seat": 0}
    return message | {"side_of": side_of, "names": None, "limits": limits, "bot_seed": 7}


def turn(number: int, hand: list[str], legal: list[Message], **more: Any) -> Message:
    """A `turn`; what is not given is as at the start of a deal for two."""
    centre = ["3C", "9D", "KS", "5H"]
    deal = {"number": 1, "dealer": 1, "centre": centre, "buried": [], "bottom": None}
    message = {"type": "turn", "game": "5eed", "turn": number, "seat": 0, "deal": deal}
    message |= {"hand": hand, "legal": legal, "pile": [], "hidden_centre": 0, "marker": None}
    message |= {"taken_centre": None, "stock": 24, "hands": [4, 4], "captured": [0, 0]}
    message |= {"bonus": [0, 0], "scores": [0, 0], "plays": []}
    return message | {"clock": {"move_ms": 1000, "bank_ms": 10000, "used_ms": 0}} | more


def legal_answers(rules: Message, hand: list[str], pile: list[str]) -> list[Message]:
    """`legal` by R9 and R10, markers aside."""
    answers: list[Message] = []
    for card in dict.fromkeys(hand):
        jack = card[0] == "J" and rules["jack_captures"]
        if pile and (jack or card[0] == pile[-1][0]) and rules["capture"] == "optional":
            answers += [{"card": card, "capture": True}, {"card": card, "capture": False}]
        else:
            answers.append({"card": card})
    return answers


def random_turn(rules: Message, number: int, chance: random.Random) -> Message:
    """A turn whose cards are a random part of the deck; the history need not add up."""
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"] * rules["decks"]
    chance.shuffle(deck)
    hand, pile = deck[: chance.randint(1, 4)], deck[4 : chance.choice([4, 4, 5, 6, 9, 30])]
    plays = [
        {"seat": place % rules["seats"], "card": card, "took": chance.choice([0, 0, 3])}
        for place, card in enumerate(deck[30 : chance.randint(30, 48)])
    ]
    deal = {"number": 1, "dealer": 1, "centre": deck[4:5], "buried": ["JS"], "bottom": deck[-1]}
    return turn(
        number,
        hand,
        legal_answers(rules, hand, pile),
        pile=pile,
        plays=plays,
        deal=deal,
        seat=chance.randrange(rules["seats"]),
        hands=[chance.randint(0, 4) for _ in range(rules["seats"])],
        stock=chance.choice([0, 4, 24]),
        hidden_centre=chance.choice([0, 3]),
        taken_centre=chance.choice([None, deck[26:29]]),
        marker=None if pile else chance.choice([None, "7S"]),
    )


def line(message: Message, end: str = "\n") -> bytes:
    return (json.dumps(message, separators=(",", ":")) + end).encode()


def ask(bot: Bot, lines: list[bytes]) -> list[Message]:
    """The answers of a fresh process to these lines; it must then end well and say no more."""
    command, folder = bot
    done = subprocess.run(
        command, cwd=folder, input=b"".join(lines), capture_output=True, timeout=GIVE_UP_S
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(answer) for answer in done.stdout.splitlines()]


def assert_legal(answers: list[Message], turns: list[Message]) -> None:
    assert [answer["turn"] for answer in answers] == [message["turn"] for message in turns]
    for answer, message in zip(answers, turns, strict=True):
        assert answer["type"] == "play"
        play = {key: answer[key] for key in ("card", "capture") if key in answer}
        assert play in message["legal"]


@pytest.mark.parametrize("preset", RULES)
def test_every_answer_is_legal(bot: Bot, preset: str) -> None:
    chance = random.Random(preset)
    turns = [random_turn(RULES[preset], number, chance) for number in range(1, 101)]
    assert_legal(ask(bot, [line(hello(RULES[preset])), *map(line, turns)]), turns)


def test_games_one_after_another(bot: Bot) -> None:
    chance = random.Random(2)
    lines, turns = [], []
    for rules in (RULES["faro-6"], RULES["kseri-kids"], RULES["pisti"]):
        game = [random_turn(rules, number, chance) for number in range(1, 9)]
        lines += [line(hello(rules)), *map(line, game)]
        lines += [line({"type": "deal_end", "deal": 1, "scores": [3, 4]})]
        lines += [line({"type": "game_end", "winner": None, "reason": "target", "seed": None})]
        turns += game
    assert_legal(ask(bot, lines), turns)


def test_without_hello(bot: Bot) -> None:
    chance = random.Random(3)
    turns = [random_turn(KSERI, number, chance) for number in range(40, 50)]
    assert_legal(ask(bot, list(map(line, turns))), turns)


def test_line_ends_and_spaces(bot: Bot) -> None:
    chance = random.Random(4)
    turns = [random_turn(KSERI, number, chance) for number in range(1, 9)]
    spaced = [(json.dumps(message) + " \r\n").encode() for message in turns[4:]]
    compact = [line(message, "\r\n") for message in turns[:4]]
    lines = [line(hello(KSERI), "\r\n"), b"\r\n", *compact, b"\n", *spaced]
    assert_legal(ask(bot, lines), turns)


def test_unknown_types_get_no_answer(bot: Bot) -> None:
    message = turn(5, ["7H"], [{"card": "7H"}])
    lines = [line(message | {"type": kind}) for kind in ("turns", "deal_end", "error", "tur", "")]
    assert ask(bot, lines) == []


TRAPS: list[Any] = [
    {"type": "turn", "turn": 99, "legal": [{"card": "2C"}], "pile": ["2S"], "hand": ["2C"]},
    '"turn":98,"legal":[{"card":"2C"}],"type":"turn"}\\',
    ['"', "\\", "]}", {"legal": [{"card": "2C"}]}, [], {}, None, -1.5e-3, True, "\u00fc\u20ac\0"],
]


def trapped(message: Message) -> Message:
    """The message with unknown keys before its own, on every level, that imitate known ones."""

    def deepen(value: Any) -> Any:
        if isinstance(value, dict):
            traps = {f"x{place}": trap for place, trap in enumerate(TRAPS)}
            return traps | {'x"card': 1, "": 2} | {key: deepen(v) for key, v in value.items()}
        return [deepen(v) for v in value] if isinstance(value, list) else value

    return deepen(message)  # type: ignore[no-any-return]


def test_unknown_keys_fool_nobody(bot: Bot) -> None:
    chance = random.Random(6)
    turns = [random_turn(KSERI, number, chance) for number in range(1, 31)]
    lines = [line(hello(KSERI)), *map(line, turns)]
    traps = [line(trapped(hello(KSERI))), *(line(trapped(message)) for message in turns)]
    answers = ask(bot, lines)
    assert_legal(answers, turns)
    assert ask(bot, traps) == answers


@pytest.mark.parametrize(
    "filling", ["x" * 60_000, "\\" * 29_000, [[]] * 19_000, [{"card": "2C"}] * 4_000]
)
def test_long_lines(bot: Bot, filling: Any) -> None:
    message = turn(8, ["7H", "QD"], [{"card": "7H"}, {"card": "QD"}])
    long = {"type": "turn", "new": filling} | message
    assert 55_000 < len(line(long)) < 65_536
    assert_legal(ask(bot, [line(long), line(message), line(long)]), [long, message, long])


def test_deep_nesting_is_skipped(bot: Bot) -> None:
    message = turn(9, ["7H"], [{"card": "7H"}])
    deep = b'{"new":' + b"[" * 500 + b"]" * 500 + b"," + line(message)[1:]
    assert_legal(ask(bot, [deep]), [message])


def test_answers_at_once(bot: Bot) -> None:
    """Each answer comes while the input is still open: a bot that keeps it in a buffer fails."""
    command, folder = bot
    chance = random.Random(9)
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin
        assert process.stdout
        for number in range(1, 6):
            message = random_turn(KSERI, number, chance)
            process.stdin.write(line(message))
            ready = select.select([process.stdout], [], [], GIVE_UP_S)[0]
            if not ready:
                process.kill()
            assert ready
            assert_legal([json.loads(process.stdout.readline())], [message])
        process.stdin.close()
        assert process.wait(GIVE_UP_S) == 0


@pytest.mark.parametrize("preset", ["kseri", "kseri-plain", "faro-6"])
def test_takes_a_kseri(bot: Bot, preset: str) -> None:
    rules, hand = RULES[preset], ["KD", "JH", "7H", "2S"]
    legal = legal_answers(rules, hand, ["7S"])
    answers = ask(bot, [line(hello(rules)), line(turn(1, hand, legal, pile=["7S"]))])
    assert answers[0]["card"] == "7H"
    assert answers[0].get("capture", True)


def test_takes_a_rich_pile_with_a_jack(bot: Bot) -> None:
    hand, pile = ["KD", "JH", "8H", "2S"], ["AC", "TD", "AS", "4H", "9C", "3S"]
    message = turn(1, hand, legal_answers(KSERI, hand, pile), pile=pile)
    answers = ask(bot, [line(hello(KSERI)), line(message)])
    assert answers[0]["card"] == "JH"
    assert answers[0]["capture"]
