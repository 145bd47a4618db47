"""The framing rules of the bot protocol, one by one, and lines of every other kind."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import (
    LINE_LIMIT,
    ProtocolError,
    decode_bot_array,
    decode_bot_line,
    encode_line,
    split_line,
)
from protocol.deal_script import Card
from protocol.messages import (
    ClockState,
    DealEnd,
    DealInfo,
    Error,
    FaultNotice,
    FromBot,
    GameEnd,
    Hello,
    Legal,
    Limits,
    Log,
    Play,
    Ready,
    SeenPlay,
    ToBot,
    Turn,
)
from protocol.rules import SideScore, make_rules

SEVEN = Play(card="7H")
SEVEN_OF = b'{"type":"play","card":"7H",%b}'

READ = {
    "plain": (b'{"type":"play","card":"7H"}', SEVEN),
    "its newline": (b'{"type":"play","card":"7H"}\n', SEVEN),
    "CRLF": (b'{"type":"play","card":"7H"}\r\n', SEVEN),
    "spaces": (b' { "type" : "play" ,\t"card" : "7H" } ', SEVEN),
    "type last": (b'{"card":"7H","type":"play"}', SEVEN),
    "every key": (
        b'{"type":"play","card":"7H","capture":false,"turn":9,"game":"ab","note":"x"}',
        Play(card="7H", capture=False, turn=9, game="ab", note="x"),
    ),
    "ready": (b'{"type":"ready"}', Ready()),
    "ready with names": (
        b'{"type":"ready","name":"pike","version":"2"}',
        Ready(name="pike", version="2"),
    ),
    "log": (b'{"type":"log","text":"hm"}', Log(text="hm")),
    "a card that is none": (b'{"type":"play","card":"XX"}', Play(card="XX")),
    "minus zero": (SEVEN_OF % b'"turn":-0', Play(card="7H", turn=0)),
    "a negative turn": (SEVEN_OF % b'"turn":-3', Play(card="7H", turn=-3)),
    # Unknown keys
    "unknown key": (SEVEN_OF % b'"value":0.5', SEVEN),
    "unknown fraction": (SEVEN_OF % b'"value":3.0e0', SEVEN),
    "unknown object with a type": (SEVEN_OF % b'"x":{"type":1,"type":"log"}', SEVEN),
    "unknown number of 5,000 digits": (SEVEN_OF % (b'"x":' + b"9" * 5000), SEVEN),
    "the same read slowly": (
        SEVEN_OF % (b'"note":"\\t","x":' + b"9" * 5000),
        Play(card="7H", note="\t"),
    ),
    "a number beyond floats": (SEVEN_OF % b'"x":1e999,"note":"\\t"', Play(card="7H", note="\t")),
    "moderate nesting": (SEVEN_OF % (b'"x":' + b"[" * 200 + b"]" * 200), SEVEN),
    "key of another message": (SEVEN_OF % b'"text":7', SEVEN),
    # Duplicate keys: the last counts
    "last of two cards": (b'{"type":"play","card":"AC","card":"7H"}', SEVEN),
    "wrong value overwritten": (b'{"type":"play","card":5,"card":"7H"}', SEVEN),
    "fraction overwritten": (SEVEN_OF % b'"turn":1.5,"turn":2', Play(card="7H", turn=2)),
    "null overwritten": (b'{"type":"play","card":null,"card":"7H"}', SEVEN),
    "overwritten by null": (SEVEN_OF % b'"turn":2,"turn":null', SEVEN),
    "invalid UTF-8 overwritten": (b'{"type":"play","card":"\xff","card":"7H"}', SEVEN),
    "key escaped once": (b'{"type":"play","c\\u0061rd":"AC","card":"7H"}', SEVEN),
    # null is as if absent
    "null for optional keys": (SEVEN_OF % b'"capture":null,"turn":null,"game": null ', SEVEN),
    "null in ready": (b'{"type":"ready","name":null}', Ready()),
    "null, read slowly": (SEVEN_OF % b'"turn":null,"note":"\\n"', Play(card="7H", note="\n")),
    # Text
    "UTF-8": (SEVEN_OF % '"note":"Pişti ♣"'.encode(), Play(card="7H", note="Pişti ♣")),
    "escapes": (SEVEN_OF % b'"note":"\\u015f\\n\\u0000"', Play(card="7H", note="ş\n\0")),
    "surrogate pair": (SEVEN_OF % b'"note":"\\ud83d\\ude00"', Play(card="7H", note="😀")),
    "escaped type": (b'{"t\\u0079pe":"pl\\u0061y","card":"7H"}', SEVEN),
    "invalid UTF-8 in an unread value": (SEVEN_OF % b'"x":"\xff\xfe"', SEVEN),
    "invalid UTF-8 in an unread key": (SEVEN_OF % b'"x":{"\xff":1}', SEVEN),
    "half a character before a quote": (
        SEVEN_OF % b'"x":"\xe2\x82","turn":4',
        Play(card="7H", turn=4),
    ),
}

MALFORMED = {
    "nothing": b"",
    "an empty line": b"\n",
    "not JSON": b"7H",
    "null": b"null",
    "text": b'"play"',
    "number": b"7",
    "cut off": b'{"type":"play","card":"7H"',
    "two objects": b'{"type":"ready"}{"type":"ready"}',
    "more after it": b'{"type":"ready"} x',
    "NUL after it": b'{"type":"ready"}\0',
    "single quotes": b"{'type':'ready'}",
    "comma at the end": b'{"type":"ready",}',
    "comment": b'{"type":"ready"/**/}',
    "list": b'[{"type":"ready"}]',
    # type
    "no type": b'{"card":"7H"}',
    "type inside": b'{"card":"7H","x":{"type":"play"}}',
    "type null": b'{"type":null,"card":"7H"}',
    "type is a number": b'{"type":1}',
    "type is a list": b'{"type":["play"],"card":"7H"}',
    "unknown type": b'{"type":"pass"}',
    "type of the arena": b'{"type":"turn","card":"7H"}',
    "type in capitals": b'{"type":"Play","card":"7H"}',
    "type repeated": b'{"type":"play","type":"play","card":"7H"}',
    "type repeated by null": b'{"type":"play","card":"7H","type":null}',
    "type repeated with an escape": b'{"type":"play","card":"7H","typ\\u0065":"play"}',
    "type repeated beside invalid UTF-8": b'{"type":"ready","x":"\xff","type":"ready"}',
    # Keys
    "no card": b'{"type":"play"}',
    "card null": b'{"type":"play","card":null}',
    "card overwritten by null": b'{"type":"play","card":"7H","card":null}',
    "card overwritten by a number": b'{"type":"play","card":"7H","card":7}',
    "no text": b'{"type":"log"}',
    "text null": b'{"type":"log","text":null}',
    "name is a number": b'{"type":"ready","name":1}',
    "capture is a number": SEVEN_OF % b'"capture":1',
    "capture is text": SEVEN_OF % b'"capture":"true"',
    "turn is text": SEVEN_OF % b'"turn":"3"',
    "turn is true": SEVEN_OF % b'"turn":true',
    "note is an object": SEVEN_OF % b'"note":{}',
    # Integers
    "fraction": SEVEN_OF % b'"turn":3.0',
    "exponent": SEVEN_OF % b'"turn":3e0',
    "minus zero with a fraction": SEVEN_OF % b'"turn":-0.0',
    "fraction, read slowly": SEVEN_OF % b'"turn":3.0,"note":"\\n"',
    "turn of 5,000 digits": SEVEN_OF % (b'"turn":' + b"9" * 5000),
    "turn of 5,000 digits, read slowly": SEVEN_OF % (b'"note":"\\n","turn":' + b"9" * 5000),
    "zero in front": SEVEN_OF % b'"x":01',
    "plus in front": SEVEN_OF % b'"x":+1',
    "no digit after the point": SEVEN_OF % b'"x":1.',
    "lone minus": SEVEN_OF % b'"x":-',
    # What Python's json would take
    "NaN": SEVEN_OF % b'"x":NaN',
    "Infinity": SEVEN_OF % b'"x":Infinity',
    "NaN, read slowly": SEVEN_OF % b'"x":NaN,"note":"\\n"',
    "-Infinity, read slowly": SEVEN_OF % b'"x":-Infinity,"note":"\\n"',
    # Text
    "byte-order mark": b'\xef\xbb\xbf{"type":"ready"}',
    "UTF-16": '{"type":"ready"}'.encode("utf-16"),
    "invalid UTF-8 in a value that is read": SEVEN_OF % b'"note":"\xff"',
    "surrogate in UTF-8": SEVEN_OF % b'"note":"\xed\xa0\x80"',
    "overlong UTF-8": SEVEN_OF % b'"note":"\xc0\xaf"',
    "invalid UTF-8 in a key": SEVEN_OF % b'"\xff":1',
    "invalid UTF-8 in the type": b'{"type":"play\xff","card":"7H"}',
    "lone surrogate": SEVEN_OF % b'"note":"\\ud800"',
    "control character": SEVEN_OF % b'"note":"a\x01b"',
    "unknown escape": SEVEN_OF % b'"x":"\\q"',
    "short escape": SEVEN_OF % b'"x":"\\u12"',
    # Nesting
    "deep lists": SEVEN_OF % (b'"x":' + b"[" * 30_000 + b"]" * 30_000),
    "deep objects": SEVEN_OF % (b'"x":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
    "deep lists, read slowly": SEVEN_OF % (b'"note":"\\n","x":' + b"[" * 30_000 + b"]" * 30_000),
    "deep lists left open": b"[" * 60_000,
    "deep in a key that is read": b'{"type":"play","card":' + b"[" * 60_000,
}


@pytest.mark.parametrize(("line", "message"), READ.values(), ids=READ)
def test_a_line_that_is_read(line: bytes, message: FromBot) -> None:
    assert decode_bot_line(line) == message


@pytest.mark.parametrize("line", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_line(line: bytes) -> None:
    with pytest.raises(ProtocolError, match=r"\w"):
        decode_bot_line(line)


def test_a_line_of_the_greatest_length_is_read() -> None:
    assert LINE_LIMIT == 65_536
    frame = len(b'{"type":"log","text":""}\n')
    line = b'{"type":"log","text":"' + b"x" * (LINE_LIMIT - frame) + b'"}\n'
    assert len(line) == LINE_LIMIT
    assert decode_bot_line(line) == Log(text="x" * (LINE_LIMIT - frame))


# Messages of any content

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
whole = st.integers(-(2**63), 2**63 - 1)
plays = st.builds(
    Play,
    card=text,
    capture=st.none() | st.booleans(),
    turn=st.none() | whole,
    game=st.none() | text,
    note=st.none() | text,
)
readies = st.builds(Ready, name=st.none() | text, version=st.none() | text)
from_bot: st.SearchStrategy[Any] = plays | readies | st.builds(Log, text=text)

json_values = st.recursive(
    st.none() | st.booleans() | whole | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
KNOWN_KEYS = {"type", "card", "capture", "turn", "game", "note", "name", "version", "text"}


@given(from_bot)
def test_what_is_encoded_is_decoded(message: FromBot) -> None:
    assert decode_bot_line(encode_line(message)) == message


@given(from_bot, st.booleans(), st.dictionaries(text, json_values, max_size=3), st.randoms())
def test_key_order_unknown_keys_and_escapes_change_nothing(
    message: FromBot, ascii_only: bool, extra: dict[str, Any], random: Any
) -> None:
    told = msgspec.to_builtins(message)
    items = [*told.items(), *((k, v) for k, v in extra.items() if k not in KNOWN_KEYS)]
    random.shuffle(items)
    line = json.dumps(dict(items), ensure_ascii=ascii_only).encode()
    assert decode_bot_line(line) == message


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from([*(line for line, _ in READ.values()), *MALFORMED.values()])),
    st.sampled_from([b",", b", ", b" ,", b",\t"]),
)
def test_an_array_read_at_once_is_what_its_messages_are(lines: list[bytes], between: bytes) -> None:
    array = b"[%b]\n" % between.join(line.rstrip(b"\r\n") for line in lines)
    read = decode_bot_array(array, 32 * LINE_LIMIT)
    if read is not None:
        parts = split_line(array, len(read))
        assert [part.strip() for part, _ in read] == [part.strip() for part in parts]
        assert [message for _, message in read] == [decode_bot_line(part) for part in parts]


def test_plain_plays_of_an_array_are_read_at_once() -> None:
    play = b'{"type": "play", "card": "7H", "game": "ab", "turn": 3}'
    message = Play(card="7H", game="ab", turn=3)
    for between in (b",", b", "):
        array = b"[%b]" % between.join([play] * 32)
        assert decode_bot_array(array, LINE_LIMIT) == [(play, message)] * 32
        assert decode_bot_array(array, len(array)) is None
    assert decode_bot_array(play, LINE_LIMIT) is None


def message_or_protocol_error(line: bytes) -> None:
    try:
        message = decode_bot_line(line)
    except ProtocolError:
        return
    assert isinstance(message, Ready | Play | Log)


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_protocol_error(line: bytes) -> None:
    message_or_protocol_error(line)


PIECES = [
    *(b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u", b"\\ud800", b"null", b"NaN", b"-"),
    *(b"1e", b"9" * 4301, b"\xff", b"\xef\xbb\xbf", b"\0", b"\x1f", b"\x7f", b"\n", b"\r", b"\x0c"),
    *(b'"type":"play",', b'"card":"7H"', b'"turn":1.0', b"\xe2\x80\xa8", b"[" * 2000, b" "),
]


@settings(max_examples=300)
@given(
    from_bot,
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 4), st.sampled_from(PIECES))),
)
def test_no_mutated_message_raises_anything_but_protocol_error(
    message: FromBot, changes: list[tuple[int, int, bytes]]
) -> None:
    line = encode_line(message)
    for place, drop, piece in changes:
        place %= len(line) + 1
        line = line[:place] + piece + line[place + drop :]
    message_or_protocol_error(line)


# Lines of the arena

CLOCK = ClockState(move_ms=1000, bank_ms=10_000, used_ms=0)
DEAL = DealInfo(number=1, dealer=1, centre=["4C"], buried=["JH"], bottom=None)


def turn(cards: list[str], plays: int = 0) -> Turn:
    return Turn(
        game="58f1bcb189dfa677",
        turn=1,
        seat=0,
        deal=DEAL,
        hand=cards,
        legal=[Legal(card) for card in cards],
        pile=["4C"] * plays,
        hidden_centre=0,
        taken_centre=None,
        marker=None,
        stock=40,
        hands=[4, 4],
        captured=[0, 0],
        bonus=[0, 0],
        scores=[0, 0],
        plays=[SeenPlay(seat=5, card="4C", took=100)] * plays,
        clock=CLOCK,
    )


HELLO = Hello(
    game="58f1bcb189dfa677",
    protocol=1,
    rules=make_rules("pisti"),
    seat=0,
    side_of=[0, 1, 0, 1],
    names=["şah", "b", "c", "d"],
    limits=Limits(tick_ms=50),
    commitment="00" * 32,
    bot_seed=2**31 - 1,
)
TO_BOT: list[ToBot] = [
    HELLO,
    turn(["7H", "JD"]),
    DealEnd(
        game="ab",
        deal=1,
        sides=[SideScore(), SideScore(cards=52, total=3)],
        scores=[0, 3],
        plays=[SeenPlay(seat=0, card="7H", took=0)],
        hidden_centre=[],
    ),
    GameEnd(
        game="ab",
        scores=[0, 3],
        winner=None,
        reason="forfeit",
        faults=[FaultNotice(seat=0, turn=3, kind="flood")],
        seed=None,
        salt=None,
    ),
    Error(
        game="ab",
        code="illegal",
        message="no ♣",
        got='{"card":"♣\ufffd\U0001f600"}',
        expected="7H",
        fatal=False,
    ),
]


@pytest.mark.parametrize("message", TO_BOT, ids=lambda message: type(message).__name__)
def test_arena_lines_are_compact_ascii_with_type_first(message: ToBot) -> None:
    line = encode_line(message)
    assert line.isascii()
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    told = json.loads(line)
    assert next(iter(told)) == "type"
    assert line == json.dumps(told, separators=(",", ":")).encode() + b"\n"
    assert msgspec.json.decode(line, type=ToBot) == message


@given(text, text)
def test_any_text_that_the_arena_repeats_is_one_ascii_line(message: str, got: str) -> None:
    error = Error(game="ab", code="malformed", message=message, got=got, expected="7H", fatal=True)
    line = encode_line(error)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.startswith(b'{"type":"error",')
    assert msgspec.json.decode(line, type=ToBot) == error


def test_the_longest_turn_is_within_the_limit() -> None:
    assert len(encode_line(turn(["7H"] * 4, plays=104))) < LINE_LIMIT / 4


def test_hello_has_every_field_of_the_rule_set() -> None:
    rules = json.loads(encode_line(HELLO))["rules"]
    assert set(rules) == set(HELLO.rules.__struct_fields__)
    assert set(rules["points"]) == set(HELLO.rules.points.__struct_fields__)


def test_limits_have_tick_ms_where_it_applies() -> None:
    assert json.loads(encode_line(HELLO))["limits"]["tick_ms"] == 50
    assert "tick_ms" not in json.loads(encode_line(Limits()))


def test_capture_stands_only_where_there_is_a_choice() -> None:
    choice = [Legal("7H", True), Legal("7H", False), Legal("8H")]
    assert [json.loads(encode_line(legal)) for legal in choice] == [
        {"card": "7H", "capture": True},
        {"card": "7H", "capture": False},
        {"card": "8H"},
    ]


@pytest.mark.parametrize("text", ["7h", "10H", "7H\n", " 7H", "7", "", "1H", "H7"])
def test_a_card_is_a_rank_and_a_suit_and_no_more(text: str) -> None:
    assert msgspec.convert("TD", Card) == "TD"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(text, Card)
