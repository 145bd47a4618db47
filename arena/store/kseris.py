"""How many kseris each side made in a deal, told from the plays alone: no deal is played again."""

from __future__ import annotations

from protocol.records import DealRecord
from protocol.rules import RuleSet


def kseris_of(deal: DealRecord, rules: RuleSet) -> list[int]:
    """Kseris by side: of R12 and R20, and double ones; a jack that takes a jack is none.

    What lies on the table is known without the deck: so many cards of the centre, then what was
    laid since the last capture. Only where jacks of a hidden centre are covered and a first play
    may be a kseri (no preset has both) one that took a covered jack too counts.
    """
    made = [0] * rules.sides
    pile = rules.centre_cards if rules.centre == "open" else 1
    last = 52 * rules.decks - rules.centre_cards - 1
    captor, by_jack = -1, False
    for number, play in enumerate(deal.plays):
        if not play.capture:
            pile += 1
            continue
        captor, by_jack = play.seat % rules.sides, rules.jack_captures and play.card[0] == "J"
        # Nothing on the table: it took the marker of the kseri before (R15).
        if pile < 2 and (pile == 0 or not by_jack) and _may_be(number, last, rules):
            made[captor] += 1
        pile = 0
    if rules.sweep_kseri and pile == 1 and len(deal.plays) > last and not by_jack and captor >= 0:
        made[captor] += 1
    return made


def _may_be(number: int, last: int, rules: RuleSet) -> bool:
    """Whether the rules let this play of a deal be a kseri (R16)."""
    if number == 0:
        return rules.first_play_kseri
    return number != last or rules.last_play_kseri
