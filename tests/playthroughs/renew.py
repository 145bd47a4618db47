"""Golden playthroughs: one game of every preset, written out so that a person can follow it.

`python -m tests.playthroughs.renew` writes the files beside this one anew. They change only where
the rules or the shuffle do: read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from arena.game import Deal, Game, Option, ownerless
from protocol.rules import PRESETS, RULES_VERSION, SideScore, make_rules

FOLDER = Path(__file__).parent
WRITTEN_OUT = 2
"""How many deals of a game are shown play by play; of the others the scores are shown."""

CHOSEN = {"kseri-jacks": 37, "pisti": 6}
"""Seeds are made from the preset's name; these were searched until a jack took jacks alone."""


def choose(deal: Deal) -> Option:
    """A policy that meets every rule: capture with the first card that can, else lay the first.

    Every fifth play of a deal a capture is declined where it may be.
    """
    options = deal.legal()
    capturing = [option for option in options if option[1] or deal.can_capture(option[0])]
    if not capturing:
        return options[0]
    declined = [option for option in capturing if option[1] is False]
    return declined[0] if declined and len(deal.plays) % 5 == 4 else capturing[0]


def playthrough(preset: str) -> str:
    """The whole text for one preset."""
    return "\n".join(_lines(preset)) + "\n"


def _lines(preset: str) -> Iterator[str]:
    rules = make_rules(preset)
    seed = sha256(f"{preset} {CHOSEN.get(preset, 0)}".encode()).digest()
    game = Game(rules, seed)
    yield f"# One game of {preset}, rules version {RULES_VERSION}. After a wanted change renew by"
    yield "#   python -m tests.playthroughs.renew"
    yield f"seed {seed.hex()}"
    while game.reason is None:
        deal = game.deal
        yield ""
        yield f"deal {deal.number}, attempt {deal.attempt}, dealer: seat {deal.dealer}"
        written_out = deal.number <= WRITTEN_OUT
        if written_out:
            yield from _centre(deal)
        while not deal.over:
            yield from _play(deal, written_out)
        yield from _end(deal, game.finish_deal())
        yield f"scores {_words(game.scores)}"
    winner = "nobody" if game.winner is None else f"side {game.winner}"
    yield f"\n{winner} wins ({game.reason}), ranks {_words(game.ranks())}"


def _words(items: object) -> str:
    assert isinstance(items, list | tuple)
    return " ".join(map(str, items)) or "-"


def _centre(deal: Deal) -> Iterator[str]:
    yield f"  open {_words(deal.centre)}"
    if deal.hidden_centre:
        yield f"  face down {_words(deal.hidden_centre)}"
    if deal.buried:
        yield f"  buried {_words(deal.buried)}"
    if deal.bottom:
        yield f"  bottom card {deal.bottom}"


def _play(deal: Deal, written_out: bool) -> Iterator[str]:
    number, seat = len(deal.plays), deal.seat
    new_hands = number % (4 * deal.rules.seats) == 0
    if written_out and new_hands:
        for each, hand in enumerate(deal.hands):
            yield f"  hand of seat {each}: {_words(hand)}"
    card, capture = choose(deal)
    choice = "" if capture is None else " (its choice)"
    deal.play(card, capture)
    if not written_out:
        return
    did = f"takes {_words(deal.taken[number])}" if deal.taken[number] else "is laid"
    earned = deal.bonuses.get(number, {})
    bonus = "".join(f", {kind} {points}" for kind, points in earned.items())
    marker = f", marker {deal.marker}" if deal.marker else ""
    yield f"{number + 1:>5}. seat {seat}: {card} {did}{choice}{bonus}{marker}"


def _end(deal: Deal, sides: list[SideScore]) -> Iterator[str]:
    if ownerless(deal):
        yield f"  nobody's: {_words(ownerless(deal))}"
    elif deal.pile:
        yield f"  left to side {deal.last_capture}: {_words(deal.pile)}"
    for number, side in enumerate(sides):
        fields = {name: getattr(side, name) for name in side.__struct_fields__}
        made = ", ".join(f"{name} {value}" for name, value in fields.items() if value)
        yield f"  side {number}: {made or 'nothing'}"


def main() -> None:
    """Write every preset's file."""
    for preset in PRESETS:
        (FOLDER / f"{preset}.txt").write_text(playthrough(preset), encoding="utf-8")


if __name__ == "__main__":
    main()
