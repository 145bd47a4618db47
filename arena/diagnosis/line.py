"""Why a line was not accepted: what it looks like tells where it came from."""

from __future__ import annotations

import re
from collections.abc import Callable

from arena.diagnosis.evidence import Cause, Evidence
from arena.game import DECK

_ANSWER = '{"type":"play","turn":17,"card":"7H"}'
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
            "write UTF-8 without a byte-order mark (in Python the encoding utf-8, not utf-8-sig)",
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
            f"write flat objects: {_ANSWER}",
        ),
    ),
    (
        _line(r"[:\[,]\s*-?(NaN|Infinity|inf|nan)\b"),
        Cause(
            "not-a-number",
            "NaN and Infinity are no JSON",
            "leave such a value out, or write null (in Python json.dumps(…, allow_nan=False) "
            "finds it)",
        ),
    ),
    (
        _line(r"^\s*[{\[]\s*'|:\s*(True|False|None)\b"),
        Cause(
            "python-repr",
            "it printed a Python object and not JSON: single quotes, True, None",
            "print(json.dumps(answer), flush=True) instead of print(answer)",
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
        _line(r"^\s*\["),
        Cause(
            "array",
            "it answered with an array: this arena asks for one answer at a time",
            f"answer with one object: {_ANSWER}",
        ),
    ),
    (
        _line(r'^\s*"?[A2-9TJQK10]{1,2}[CDHScdhs♣♦♥♠]"?\s*$'),
        Cause(
            "bare-card",
            "it wrote a card alone, which is no message",
            f"answer with an object: {_ANSWER}",
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
            "write each answer on one line (json.dumps without indent)",
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
        _said("missing required field"),
        Cause(
            "missing-key",
            "a key that such a message must have is not there",
            f"a play has at least `type` and `card`: {_ANSWER}",
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
    line, detail = known.fault.got, known.fault.detail
    for test, cause in _MALFORMED:
        if test(line, detail):
            return cause
    if "`type`" in detail:
        return _wrong_type(known)
    wrong = re.search(r"Expected `([^`]*)`, got `([^`]*)`(?: - at `\$\.?([^`]*)`)?", detail)
    if wrong:
        return Cause(
            "wrong-value",
            f"`{wrong[3] or 'the line'}` is of the type {wrong[2]} and must be {wrong[1]}",
            f"send each value as its type: {_ANSWER}",
        )
    return Cause("not-json", f"the line is no JSON: {detail}", "make answers with a JSON library")


def _wrong_type(known: Evidence) -> Cause:
    kind = known.message.get("type")
    because = "the line has no `type`" if kind is None else f"`type` is {kind!r}"
    mend = f'an answer has the type "play": {_ANSWER}'
    return Cause("no-type" if kind is None else "unknown-type", because, mend)


def why_illegal(known: Evidence) -> Cause:
    """Why a play was against the rules."""
    card, detail = str(known.message.get("card", "")), known.fault.detail
    legal = "answer with an entry of `legal`, as it stands: it has everything that is allowed"
    if "cannot capture" in detail:
        top = known.deal.pile[-1] if known.deal and known.deal.pile else "nothing"
        on = f": on top lies {top}" if known.deal else ""
        return Cause(
            "capture-not-legal", f"it wanted to capture with {card}, which can't here{on}", legal
        )
    if "and must" in detail:
        return Cause(
            "must-capture",
            f"it wanted to lay {card}, which can capture here; these rules do not let it choose",
            legal,
        )
    if known.message and card not in DECK:
        return Cause("no-card", f"{card!r} is no card{_perhaps(card)}", _cards_are(legal))
    hand = f"; it held {', '.join(known.hand)}" if known.hand else ""
    if card in known.played:
        return Cause(
            "stale-hand",
            f"it has played {card} before in this deal: it looks at an old hand{hand}",
            "take hand and legal from the turn that is to be answered, not from one before",
        )
    return Cause("not-in-hand", f"{card or 'the card'} is not in its hand{hand}", legal)


def _cards_are(legal: str) -> str:
    return f"a card is rank A23456789TJQK, then suit CDHS, as in TH; {legal}"


def _perhaps(card: str) -> str:
    """What card was meant, where that can be guessed."""
    text = card.strip().upper().replace("10", "T")
    text = text.translate(str.maketrans("♣♦♥♠", "CDHS"))
    for guess in (text, text[::-1]):
        if guess in DECK:
            return f"; perhaps {guess} was meant"
    return "; it may be its place in the hand" if text.isdecimal() else ""


def why_unasked(known: Evidence) -> Cause:
    """Why there was an answer where there was no question."""
    turn = known.message.get("turn")
    if isinstance(turn, int) and turn >= known.fault.turn:
        return Cause(
            "answers-ahead",
            f"it answered turn {turn} before it was asked",
            "answer a turn when its line has come, and no other",
        )
    if not known.answers:
        return Cause(
            "answers-before-question",
            "it answered before its first turn: to `hello`, or to nothing",
            "answer only lines whose `type` is `turn`",
        )
    return Cause(
        "two-answers",
        "it answered a turn twice, or answered a message that is no turn (hello, deal_end, error)",
        "write one line for each `turn`, and none for anything else",
    )
