"""R31 at the level of lines: what a seat cannot see changes no byte that it is sent."""

import random
from unittest import mock

import pytest

from arena.game import make_deal
from arena.referee import GameSetup
from protocol.rules import PRESETS
from tests.referee.rearranging import rearranged
from tests.referee.table import Table, rules_of, setup_of

Moves = list[dict]


def played_game(setup: GameSetup, rng: random.Random) -> Moves:
    """Every answer of a whole game of random plays."""
    table = Table(setup)
    moves = []
    while table.referee.to_ask is not None:
        card, capture = rng.choice(table.referee.game.deal.legal())
        moves.append({"type": "play", "card": card, "capture": capture})
        table.ask()
        assert table.hear(moves[-1])
    return moves


def at_turn(setup: GameSetup, moves: Moves, watched: int, pace: random.Random) -> Table:
    """The game up to the question after these answers; all but the watched seat think at random."""
    table = Table(setup)
    for number, move in enumerate(moves):
        own = table.seat == watched
        table.ask()
        assert table.hear(move, number if own else pace.randrange(90_000))
    table.ask()
    return table


def compare(preset: str, seed: int) -> bool:
    """Play, rearrange at a random point, compare; whether the others' lines differ."""
    rng = random.Random(f"{preset} {seed}")
    setup = setup_of(rules_of(preset, target=30), seed=rng.randbytes(32))
    moves = played_game(setup, rng)
    moves = moves[: rng.randrange(len(moves))]
    first = at_turn(setup, moves, 0, random.Random(1))
    seat, deal = first.seat, first.referee.game.deal
    first = at_turn(setup, moves, seat, random.Random(2))
    other = rearranged(deal, setup.seed, rng)

    def deals(rules, seed, number, dealer):
        return other if number == deal.number else make_deal(rules, seed, number, dealer)

    with mock.patch("arena.game.game.make_deal", deals):
        second = at_turn(setup, moves, seat, random.Random(3))
    assert second.referee.game.deal is other
    assert first.sent[seat] == second.sent[seat]
    return first.sent != second.sent


@pytest.mark.parametrize("preset", PRESETS)
def test_every_byte_sent_to_a_seat_is_the_same_whatever_is_hidden_from_it(preset):
    others_differ = [compare(preset, seed) for seed in range(25)]
    # Else nothing was rearranged, and nothing shown.
    assert sum(others_differ) >= 12


def test_the_seed_is_in_no_line_before_the_end():
    setup = setup_of(rules_of("pisti"))
    table = Table(setup)
    for _ in range(40):
        table.play()
    for lines in table.sent:
        everything = b"".join(lines)
        assert setup.seed.hex().encode() not in everything
        assert setup.salt.hex().encode() not in everything
