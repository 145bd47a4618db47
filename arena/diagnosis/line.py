"""Why a line was not accepted: what it looks like tells where it came from."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from arena.diagnosis.answer import ANSWER, answers_no_turn
from arena.diagnosis.evidence import Cause, Evidence
from arena.diagnosis.languages import how_to_take, how_to_write, told_in
from arena.game import DECK
from arena.text import one_line
from protocol.messages import Play

_WRITE = "⟪write⟫"
"""Stands for how the bot's language writes an answer."""
_ON_STDERR = "write everything that is not an answer to standard error; it is kept for you"

Test = Callable[[str, str], object]
"""From the line, and what the arena said of it, to whether a cause explains it."""


def _line(pattern: str) -> Test:
    found = re.compile(pattern)
    return lambda line, _: found.search(line)


def _said(pattern: str) -> Test:
    found = re.compile(pattern)
    return lambda _, detail: found.search(detail)


_MALFORMED: list[tuple[Test, Cause]] = [
    (
        _said("^a line longer"),
        Cause(
            "long-line",
            "it wrote 64 KiB without ending a line",
            "end every answer with a newline, and write no data to standard output",
        ),
    ),
    (
        _line("^\ufeff"),
        Cause(
            "byte-order-mark",
            "its line begins with a byte-order mark (EF BB BF), which JSON does not allow",
            "write UTF-8 without a byte-order mark ⟨Python: the encoding utf-8, not utf-8-sig⟩",
        ),
    ),
    (
        _line("\x00"),
        Cause(
            "utf-16",
            "its line has zero bytes: it is written as UTF-16 or UTF-32, or is no text",
            "write UTF-8",
        ),
    ),
    (
        _line(r'^Traceback|^\s+File "|^Exception in thread|panicked at|^\s+at \S+\('),
        Cause(
            "traceback-on-output",
            "it wrote the report of an exception to standard output, where answers go",
            "mend the exception that the line tells of; " + _ON_STDERR,
        ),
    ),
    (
        _said("is repeated"),
        Cause(
            "duplicate-key",
            "the line has the key `type` twice, so that it is not clear what it is",
            "write every key once",
        ),
    ),
    (
        _said("nested too deeply"),
        Cause(
            "deep-nesting",
            "values in its line are nested too deeply to be read",
            f"write flat objects: {ANSWER}",
        ),
    ),
    (
        _line(r"[:\[,]\s*-?(NaN|Infinity|inf|nan)\b"),
        Cause(
            "not-a-number",
            "NaN and Infinity are no JSON",
            "leave such a value out, or write null ⟨Python: json.dumps(…, allow_nan=False) finds "
            "it⟩",
        ),
    ),
    (
        _line(r"^\s*[{\[]\s*'|:\s*(True|False|None)\b"),
        Cause(
            "python-repr",
            "it printed a Python object and not JSON: single quotes, True, None",
            f"write JSON instead: {_WRITE}",
        ),
    ),
    (
        _line(r"^\s*\[object |^\s*(HASH|ARRAY)\(0x|^\s*Array\b|=>|^\s*\{\s*[A-Za-z_]\w*\s*[:=]"),
        Cause(
            "object-text",
            "it printed an object as its language shows it, and not JSON: there keys and texts "
            "stand in double quotes",
            f"write JSON instead: {_WRITE}",
        ),
    ),
    (
        _said("UTF-8"),
        Cause("not-utf-8", "a key or a value is not UTF-8", "write UTF-8, or escape as \\u00e9"),
    ),
    (
        _line(r"\\u[dD][89a-fA-F]"),
        Cause(
            "half-character",
            "it has half a surrogate pair, which is no character",
            "write characters as they are, in UTF-8",
        ),
    ),
    (
        _said("^a play without `game`"),
        Cause(
            "no-game",
            "several games go on in its process, and its answer does not say which it belongs to",
            "copy `game` and `turn` from the turn into its answer",
        ),
    ),
    (
        _said("^not an array of messages"),
        Cause(
            "broken-array",
            "its line begins as an array of answers and is no JSON array",
            "write the whole array, and one newline after it, with a JSON library",
        ),
    ),
    (
        _said("^an array of more than"),
        Cause(
            "long-array",
            "its line is an array of far more messages than its games need",
            "answer every turn once, and keep logs short",
        ),
    ),
    (
        _line(r"^\s*\["),
        Cause(
            "array",
            "it answered one turn with an array: it was asked for one answer",
            f"answer with one object: {ANSWER}",
        ),
    ),
    (
        _line(r'^\s*"?[A2-9TJQK10]{1,2}[CDHScdhs♣♦♥♠]"?\s*$'),
        Cause(
            "bare-card",
            "it wrote a card alone, which is no message",
            f"answer with an object: {ANSWER}",
        ),
    ),
    (
        _line(r"^\s*[^{\s]"),
        Cause(
            "text-on-output",
            "it wrote text to standard output, where only answers go",
            _ON_STDERR + " (libraries that greet or warn on standard output: silence them)",
        ),
    ),
    (
        _said("truncated"),
        Cause(
            "several-lines",
            "the line ends before its JSON does: one answer was written over several lines, or "
            "cut off",
            "write each answer on one line ⟨Python: json.dumps without indent⟩ ⟨JavaScript: "
            "JSON.stringify without its third argument⟩",
        ),
    ),
    (
        _said("trailing characters"),
        Cause(
            "two-in-a-line",
            "more follows the object on the same line: two answers without a newline between "
            "them, or a word behind one",
            "end every answer with one newline, and write nothing behind it",
        ),
    ),
    (
        _said("out of range"),
        Cause(
            "huge-number",
            "it has a number that is larger than any computer's",
            "send `turn` back as it came, and leave out what is infinite",
        ),
    ),
    (
        _said("Expected `int.*got `float`"),
        Cause(
            "float",
            "a whole number was written with a fraction or an exponent",
            "send `turn` back as it came, an integer: 17, not 17.0 or 1.7e1",
        ),
    ),
]


def why_malformed(known: Evidence) -> Cause:
    """Why a line could not be read."""
    line, detail, language = known.fault.got, known.fault.detail, known.program.language
    for test, cause in _MALFORMED:
        if test(line, detail):
            return _in_language(cause, language)
    if no_turn := answers_no_turn(known):
        return no_turn
    if "`type`" in detail:
        return _wrong_type(known)
    missing = re.search("missing required field `([^`]*)`", detail)
    if missing:
        return _missing_key(known, missing[1])
    wrong = re.search(r"Expected `([^`]*)`, got `([^`]*)`(?: - at `\$\.?([^`]*)`)?", detail)
    if wrong and wrong[3] == "card":
        return _not_a_code(known, wrong[2])
    if wrong:
        return Cause(
            "wrong-value",
            f"`{wrong[3] or 'the line'}` is of the type {wrong[2]} and must be {wrong[1]}",
            f"send each value as its type: {ANSWER}",
        )
    return Cause("not-json", f"the line is no JSON: {detail}", how_to_write(language))


def _in_language(cause: Cause, language: str) -> Cause:
    """The cause with advice for this language."""
    if cause.code == "python-repr" and language not in ("", "Python"):
        cause = Cause(
            "object-text",
            "its line is not JSON, where texts stand in double quotes, and true, false and null "
            "are written small",
            cause.mend,
        )
    mend = told_in(cause.mend, language).replace(_WRITE, how_to_write(language))
    return cause._replace(mend=mend)


def _missing_key(known: Evidence, key: str) -> Cause:
    """A play without its card, most often under another name."""
    others = [name for name in known.message if name not in Play.__struct_fields__]
    close = get_close_matches(key, others, 1) or [
        name for name in others if str(known.message[name]) in DECK
    ]
    if close:
        return Cause(
            "wrong-key", f"it sent `{one_line(close[0])}`, expected `{key}`", f"as in {ANSWER}"
        )
    return Cause(
        "missing-key",
        f"`{key}`, which such a message must have, is not there",
        f"a play has at least `type` and `card`: {ANSWER}",
    )


def _not_a_code(known: Evidence, kind: str) -> Cause:
    """A card as its index, or as the whole entry of `legal`."""
    what = {"int": "a number, such as its index", "object": "an object", "array": "a list"}
    card = how_to_take("legal[i]", "card", known.program.language)
    return Cause(
        "wrong-value",
        f"`card` is {what.get(kind, f'of the type {kind}')}, expected the code of a card",
        f'send the code, such as "7H", not its index or the entry itself: {card}',
    )


def _wrong_type(known: Evidence) -> Cause:
    kind = known.message.get("type")
    because = "the line has no `type`" if kind is None else f"`type` is {kind!r}"
    mend = f'an answer has the type "play": {ANSWER}'
    return Cause("no-type" if kind is None else "unknown-type", because, mend)
