"""The bracket of a knockout: the ties of its frame with what is known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from arena.pairing.base import Met
from arena.pairing.knockout.frame import Node, Slot, Source, frame, reset
from arena.pairing.knockout.verdict import Decided, Results


class Side(msgspec.Struct, frozen=True):
    """One of the two of a tie."""

    label: str | None
    """None while it is not known, and where nobody comes."""
    source: Source | None
    """The tie that it comes from; None in the first round."""
    nobody: bool = False
    """Whether nobody comes: the other one has a bye."""
    score: float = 0.0
    """Games won in this tie, draws counting one half."""


class Tie(msgspec.Struct, frozen=True):
    """All matches of two in one place of the bracket."""

    slot: Slot
    sides: tuple[Side, Side]
    winner: str | None = None
    decided: Decided | None = None
    """By what: games won, points after the last extra match, the better seed after these, a bye,
    or because the other one has left; None while it is open."""

    @property
    def loser(self) -> str | None:
        """Whoever lost it; None while it is open, and of a bye."""
        losers = [side.label for side in self.sides if side.label != self.winner]
        return losers[0] if self.winner is not None and losers else None

    @property
    def is_bye(self) -> bool:
        """Whether one of the two is nobody."""
        return any(side.nobody for side in self.sides)

    @property
    def is_open(self) -> bool:
        """Whether the two are known and it is not decided."""
        return self.winner is None and None not in [side.label for side in self.sides]


class Bracket(msgspec.Struct, frozen=True):
    """All ties of a knockout."""

    ties: tuple[Tie, ...]
    """By round, winners' before losers' bracket, place; without those that nobody comes to."""
    winner: str | None
    """Of the whole tournament."""


def bracket(
    labels: Sequence[str], met: Sequence[Met], double: bool, gone: Sequence[str] = ()
) -> Bracket:
    """What is known of every tie, for a page or the terminal.

    `labels` are all entrants in seed order, `met` everything that was played, `gone` those that
    have left, in the order of leaving: each loses its ties that are open. A pairing that one of
    the two left before its end must not be in `met`, else it counts as played to the end. The
    second grand final is there once it has to be played.
    """
    results = Results(labels, met, gone)
    ties: dict[Slot, Tie] = {}
    for node in frame(len(labels), double):
        ties[node.slot] = _tie(node, labels, ties, results)
    if double and ties:
        last = next(reversed(ties.values()))
        if last.winner is not None and last.winner == last.sides[1].label:
            node = reset(last.slot)
            ties[node.slot] = _tie(node, labels, ties, results)
    return _bracket(labels, ties)


def _bracket(labels: Sequence[str], ties: Mapping[Slot, Tie]) -> Bracket:
    shown = tuple(tie for tie in ties.values() if not all(side.nobody for side in tie.sides))
    alone = labels[0] if len(labels) == 1 else None
    return Bracket(shown, shown[-1].winner if shown else alone)


def _tie(node: Node, labels: Sequence[str], ties: Mapping[Slot, Tie], results: Results) -> Tie:
    a, b = (_side(source, labels, ties) for source in node.sources)
    if a.nobody or b.nobody:
        winner = b.label if a.nobody else a.label
        return Tie(node.slot, (a, b), winner, "bye" if winner is not None else None)
    if a.label is None or b.label is None:
        return Tie(node.slot, (a, b))
    scores, winner_side, decided = results.verdict(node.slot.round, a.label, b.label)
    a, b = (replace(side, score=score) for side, score in zip((a, b), scores, strict=True))
    winner = None if winner_side is None else (a, b)[winner_side].label
    return Tie(node.slot, (a, b), winner, decided)


def _side(source: Source | int, labels: Sequence[str], ties: Mapping[Slot, Tie]) -> Side:
    if isinstance(source, int):
        return Side(labels[source], None) if source < len(labels) else Side(None, None, True)
    tie = ties[source.slot]
    missing = [side.nobody for side in tie.sides]
    if source.takes == "winner":
        return Side(tie.winner, source, all(missing))
    return Side(tie.loser, source, any(missing))
