"""A game told card by card, for `kseri show` and `kseri play --watch`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from arena.cli.called import as_called
from arena.cli.cards import card_text, cards_text
from arena.cli.paragraphs import as_it_stands, paragraph
from arena.diagnosis import what_it_used, when_it_was
from arena.game import Deal
from arena.text import one_line, visible
from protocol.check import Diagnosis
from protocol.records import Fault
from protocol.rules import SideScore

_BONUSES = {
    "kseri": "kseri",
    "double_kseri": "double kseri",
    "jack_on_jack": "jack on jack",
    "two_of_clubs_match": "two of clubs matched",
}


def tell_deal(out: Console, deal: Deal, names: Sequence[str]) -> None:
    """How a deal begins."""
    again = f", dealt {deal.attempt + 1} times" if deal.attempt else ""
    out.print(Text(f"\nDeal {deal.number}, dealt by {names[deal.dealer]}{again}", style="bold"))
    table = Text("On the table: ") + cards_text(deal.centre)
    face_down = deal.rules.centre_cards - len(deal.centre)
    if face_down:
        table += Text(f" and {face_down} face down")
    if deal.buried:
        table += Text("; buried: ") + cards_text(deal.buried)
    if deal.bottom:
        table += Text("; bottom card: ") + card_text(deal.bottom)
    out.print(table)
    out.print(Text("turn  in this deal", style="dim"))


def tell_play(
    out: Console,
    deal: Deal,
    number: int,
    names: Sequence[str],
    elapsed_us: int,
    forced: bool,
    turn: int,
) -> None:
    """One play: who, what, what it took and earned, and the time charged for it.

    `number`: in the deal, from 0; `turn`: in the game, from 1, as messages and logs count.
    """
    card, taken = deal.plays[number], deal.taken[number]
    width = max(map(len, names))
    line = Text(f"{turn:4} {number + 1:3}  {names[deal.seat_of(number)]:<{width}}  ")
    line += card_text(card)
    if taken:
        line += Text(" takes ") + cards_text(taken[:-1])
    for kind, points in deal.bonuses.get(number, {}).items():
        line += Text(f"  {_BONUSES[kind]} +{points}", style="bold yellow")
    if forced:
        line += Text("  (played by the arena)", style="dim")
    line += Text(f"  {elapsed_us / 1000:.1f} ms", style="dim")
    out.print(line)


def tell_fault(out: Console, fault: Fault, names: Sequence[str]) -> None:
    """A fault: what happened and, if a line was received, which."""
    text = f"     {names[fault.seat]}: {fault.kind}: {one_line(fault.detail)}"
    if fault.got:
        text += f" — got {fault.got!r}"
    out.print(Text(text, style="bold red"), soft_wrap=True)


def tell_diagnosis(out: Console, found: Diagnosis, stderr: bool = True) -> None:
    """A fault with why it happened and what mends it; with the end of its standard error."""
    what = f"{found.kind}: {one_line(found.what)}"
    if found.cause == "gave-up":
        paragraph(out, f"     {found.bot}: ", found.because, "bold")
        return
    paragraph(out, f"     {found.bot}: ", what, "bold red")
    if found.got:
        paragraph(out, "       got: ", repr(found.got), "bold red")
    paragraph(out, "       likely cause: ", one_line(found.because))
    paragraph(out, "       what to do: ", one_line(as_called(found.mend)))
    paragraph(out, "       when: ", when_it_was(found), "dim")
    paragraph(out, "       expected: ", one_line(found.expected), "dim")
    if found.unfinished:
        paragraph(out, "       unfinished line: ", repr(found.unfinished))
    paragraph(out, "       used: ", one_line(what_it_used(found)), "dim")
    for line in found.stderr if stderr else []:
        as_it_stands(out, f"       stderr: {visible(line)}")
    as_it_stands(out, f"       again: {as_called(found.again)}", "dim")


def tell_scores(
    out: Console, sides: Sequence[SideScore], scores: Sequence[int], names: Sequence[str]
) -> None:
    """The scores of a deal, side by side, and of the game so far."""
    for side, score in enumerate(sides):
        parts = [
            f"{getattr(score, field)} {word}"
            for field, word in _SOURCES.items()
            if getattr(score, field)
        ]
        who = " & ".join(dict.fromkeys(names[side :: len(sides)]))
        total = f"{score.total} points ({', '.join(parts) or 'nothing'}), {score.cards} cards"
        paragraph(out, f"     {who}: ", f"{total}; now {scores[side]}")


_SOURCES = {
    "aces": "for aces",
    "jacks": "for jacks",
    "ten_of_diamonds": "for the ten of diamonds",
    "two_of_clubs": "for the two of clubs",
    "majority": "for most cards",
    "kseri": "for kseris",
    "double_kseri": "for double kseris",
    "jack_on_jack": "for jack on jack",
    "two_of_clubs_match": "for matching the two of clubs",
    "last_capture": "for the last capture",
}


def tell_end(
    out: Console,
    scores: Sequence[int],
    winner: int | None,
    reason: str,
    names: Sequence[str],
) -> None:
    """How the game ended."""
    who = "nobody"
    if winner is not None:
        who = " & ".join(dict.fromkeys(names[winner :: len(scores)]))
    result = "-".join(map(str, scores))
    out.print(Text(f"\n{result}, won by {who} ({reason})", style="bold"))
