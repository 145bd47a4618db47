"""Why an answer that could be read was no answer: against the rules, or to no question."""

from __future__ import annotations

from arena.diagnosis.evidence import Cause, Evidence
from arena.game import DECK

ANSWER = '{"type":"play","turn":17,"card":"7H"}'
_ONLY_TURNS = "answer only lines whose `type` is `turn`, and read past every other"


def answers_no_turn(known: Evidence) -> Cause | None:
    """Whether it took the `turn` of its answer from a message that has none."""
    if known.message.get("turn", 0) is not None:
        return None
    which = "a message such as `deal_end`" if known.answers else "`hello`"
    return Cause(
        "answers-no-turn",
        f"it answered {which}, which is no turn: the `turn` of its answer is null",
        _ONLY_TURNS,
    )


def why_illegal(known: Evidence) -> Cause:
    """Why a play was against the rules."""
    card, detail = str(known.message.get("card", "")), known.fault.detail
    legal = "answer with an entry of `legal`, as it stands: it has everything that is allowed"
    if cause := answers_no_turn(known):
        return cause
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
    if not known.answers and "turn" not in known.message:
        hand += "; perhaps it answered `hello` and not the turn"
        legal = f"{_ONLY_TURNS}; {legal}"
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
    return "; it may be its place in the hand: send the code" if text.isdecimal() else ""


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
            _ONLY_TURNS,
        )
    return Cause(
        "two-answers",
        "it answered a turn twice, or answered a message that is no turn (hello, deal_end, error)",
        "write one line for each `turn`, and none for anything else",
    )
