"""Why a bot stumbled over a message: a key that there is not, an object taken for a text."""

from __future__ import annotations

import re
from difflib import get_close_matches

from arena.diagnosis.evidence import Cause, Evidence
from arena.diagnosis.languages import how_to_take
from arena.game import DECK
from protocol.messages import DealEnd, DealInfo, Error, GameEnd, Hello, Legal, SeenPlay, Turn

_TURN = ("type", *Turn.__struct_fields__)
_KNOWN = {
    "type",
    *(
        key
        for message in (Hello, Turn, DealEnd, GameEnd, Error, DealInfo, Legal, SeenPlay)
        for key in message.__struct_fields__
    ),
}
_TEXT_METHODS = "startsWith|endsWith|charAt|charCodeAt|substring|substr|slice|split|toUpperCase|at"

_KEY = re.compile(
    r"KeyError: '([^']*)'|key not found: [:\"]?(\w+)|Undefined (?:array key|index:?) \"?(\w+)"
)
_OBJECT_AS_TEXT = re.compile(
    r"KeyError: (?:-?\d|slice)|'dict' object has no attribute '(?!get)|unhashable type: 'dict'|"
    rf"\.(?:{_TEXT_METHODS}) is not a function"
)
_TEXT_AS_OBJECT = re.compile(r"string indices must be integers")
_LIST_AS_OBJECT = re.compile(r"list indices must be integers or slices, not str")
_OF_UNDEFINED = re.compile(r"Cannot read propert\w+ (?:'\w+' )?of undefined")
_ENVIRONMENT = re.compile(r"os\.environ|<frozen os>|\bos\.py\"|\bENV\b")
_TAKEN = re.compile(r"""\.([A-Za-z_]\w*)|\[["'](\w+)["']\]""")


def why_key(known: Evidence, line: str, text: str) -> Cause | None:
    """What of a message was taken wrongly; None where that is not it.

    `line` is the one of standard error that names the trouble, `text` all around it.
    """
    key = _KEY.search(line)
    if key and _ENVIRONMENT.search(text):
        return Cause(
            "missing-variable",
            f"it looked up a variable of the environment that a bot does not have: {line}",
            "do without it: a bot's environment has PATH, LANG, HOME and PWD, and what it needs is "
            "found from its own folder, the working directory",
        )
    if key:
        return _no_such_key(next(filter(None, key.groups()), ""), line)
    if _OF_UNDEFINED.search(line):
        taken = [a or b for a, b in _TAKEN.findall(text)]
        return next(filter(None, (_misspelt(name, line) for name in taken)), None)
    return _wrong_shape(line, known.program.language)


def _wrong_shape(line: str, language: str) -> Cause | None:
    card = how_to_take("c", "card", language)
    if _OBJECT_AS_TEXT.search(line):
        return Cause(
            "wrong-shape",
            f"it took an object for a text, most likely an entry of `legal`: {line}",
            f"entries of `legal` are objects with `card`: use {card}",
        )
    if _TEXT_AS_OBJECT.search(line):
        return Cause(
            "wrong-shape",
            f"it took a text for an object: {line}",
            'entries of `hand` and `pile` are texts such as "7H"; those of `legal` and `plays` are '
            f"objects: {card}",
        )
    if _LIST_AS_OBJECT.search(line):
        return Cause(
            "wrong-shape",
            f"it took a list for an object: {line}",
            f"take an entry first: `legal` is a list, `c` = legal[0] an object, {card} its card",
        )
    return None


def _no_such_key(key: str, line: str) -> Cause | None:
    if key in _KNOWN or key in DECK:
        return None
    return _misspelt(key, line) or Cause(
        "wrong-key",
        f"it looked up `{key}`, which is a key of no message: {line}",
        f"a turn has {', '.join(_TURN)}",
    )


def _misspelt(key: str, line: str) -> Cause | None:
    close = [] if key in _KNOWN else get_close_matches(key, _KNOWN, 1, 0.7)
    if not close:
        return None
    where = "a turn" if close[0] in _TURN else "a message"
    return Cause("wrong-key", f"{where} has no key `{key}`: {line}", f"did you mean `{close[0]}`?")
