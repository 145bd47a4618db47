"""The frame of a knockout: all ties by number of entrants alone, and who goes where after them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

Part = Literal["winners", "losers", "final"]


class Slot(msgspec.Struct, frozen=True):
    """Where a tie stands in the bracket."""

    bracket: Part
    """Of single elimination always "winners"; "final" is the grand final, and its repetition."""
    round: int
    """The first round of the tournament in which it may be played, from 1."""
    place: int
    """From the top of its round and bracket, from 1."""


class Source(msgspec.Struct, frozen=True):
    """Where an entrant of a tie comes from."""

    takes: Literal["winner", "loser"]
    slot: Slot


class Node(msgspec.Struct, frozen=True):
    """A tie of the frame."""

    slot: Slot
    sources: tuple[Source | int, Source | int]
    """A number is an entrant's seed from 0; there may be fewer entrants."""


def frame(entrants: int, double: bool) -> list[Node]:
    """All ties in the order of rounds, without a second grand final.

    In the first round the best seed meets the worst and so on, so that the two best can't meet
    before the last. Losers cross the bracket, so that two who have met meet again late or never.
    """
    rounds = _winners(entrants)
    if not double or not rounds:
        return [node for nodes in rounds for node in nodes]
    best = _winner(rounds[-1][0])
    losers, second = _losers(rounds)
    final = Node(Slot("final", 2 * len(rounds), 1), (best, second))
    nodes = [node for part in (rounds, losers) for nodes in part for node in nodes]
    return [*sorted(nodes, key=lambda node: node.slot.round), final]


def reset(final: Slot) -> Node:
    """The second grand final: played if the winner of the losers' bracket won the first."""
    slot = Slot("final", final.round + 1, 1)
    return Node(slot, (Source("loser", final), Source("winner", final)))


def _winner(node: Node) -> Source:
    return Source("winner", node.slot)


def _loser(node: Node) -> Source:
    return Source("loser", node.slot)


def _winners(entrants: int) -> list[list[Node]]:
    """The winners' bracket round by round; none for a single entrant."""
    sources: Sequence[Source | int] = _seeds(entrants)
    rounds: list[list[Node]] = []
    while len(sources) > 1:
        rounds.append(_meet("winners", len(rounds) + 1, sources[::2], sources[1::2]))
        sources = [_winner(node) for node in rounds[-1]]
    return rounds


def _seeds(entrants: int) -> list[int]:
    """Seeds from 0 in the order of the bracket, as many as the next power of two."""
    seeds = [0]
    while len(seeds) < entrants:
        last = 2 * len(seeds) - 1
        seeds = [seed for one in seeds for seed in (one, last - one)]
    return seeds


def _meet(
    part: Part, number: int, upper: Iterable[Source | int], lower: Iterable[Source | int]
) -> list[Node]:
    sides = zip(upper, lower, strict=True)
    return [Node(Slot(part, number, place), pair) for place, pair in enumerate(sides, 1)]


def _losers(winners: Sequence[Sequence[Node]]) -> tuple[list[list[Node]], Source]:
    """The losers' bracket round by round, and who comes out of it.

    Losers of the first round meet each other. From then on those who are left halve their number
    against each other and then meet the losers of the next round of the winners' bracket.
    """
    rounds: list[list[Node]] = []
    left: Sequence[Source] = [_loser(node) for node in winners[0]]
    for number, (nodes, mask) in enumerate(zip(winners[1:], _masks(len(winners)), strict=True), 1):
        halved = _meet("losers", 2 * number, left[::2], left[1::2])
        dropped = [_loser(nodes[place ^ mask]) for place in range(len(nodes))]
        rounds += [halved, _meet("losers", 2 * number + 1, map(_winner, halved), dropped)]
        left = [_winner(node) for node in rounds[-1]]
    return rounds, left[0]


def _masks(rounds: int) -> list[int]:
    """How losers of each later round of the winners' bracket cross over: place p takes p ^ mask."""
    before, masks = [0], []  # losers of the first round stay where they were
    for bits in reversed(range(rounds - 1)):
        masks.append(max(range(2**bits), key=lambda mask: _lateness(mask, before)))
        before = [mask >> 1 for mask in (*before, masks[-1])]
    return masks


def _lateness(mask: int, before: Sequence[int]) -> tuple[int, int, int]:
    """How late a rematch may come about if losers cross over so, and how long after the match.

    `before` are the masks of the rounds before, halved as the places were since then. A loser
    finds somebody that it has beaten where these masks meet: so many halvings from now as there
    are bits up to the highest in which they differ. At equal lateness the one beaten long ago is
    better: it is the less likely to be still there.
    """
    halvings = [(mask ^ other).bit_length() for other in before]
    soonest = min(halvings)
    latest_beaten = max(place for place, count in enumerate(halvings) if count == soonest)
    return soonest, -latest_beaten, mask
