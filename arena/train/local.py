"""Whole games between Python functions in this process, on the arena's engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from arena.game import Game, Option
from arena.notebook import PlayedDeal
from arena.referee import GameSetup, Referee
from arena.schedule import SEED_BYTES
from arena.train.position import Position
from protocol.messages import Limits
from protocol.records import DealRecord
from protocol.rules import RuleSet

Policy = Callable[[Position], Option]
"""From what a seat knows to one of `Position.legal`."""
MessageBot = Callable[[dict[str, Any]], Mapping[str, Any]]
"""From a `turn` message, decoded, to a `play` message, of which only `card` is required."""


class LocalGame:
    """A game that goes on play by play, and its log."""

    def __init__(self, rules: RuleSet, seed: bytes) -> None:
        """`seed`: the 32 bytes from which all cards follow (R26). Raises ValueError for others."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, this one {len(seed)}")
        self.game = Game(rules, seed)
        self.played = [PlayedDeal(self.game.deal)]
        """Every deal so far."""

    def finish_deal(self) -> None:
        """Score the deal that is over, and begin the next one unless the game is over."""
        self.played[-1].sides = self.game.finish_deal()
        if self.game.reason is None:
            self.played.append(PlayedDeal(self.game.deal))

    def deals(self) -> list[DealRecord]:
        """The log as it stands in a game's record; nothing is charged."""
        for played in self.played:
            plays = len(played.deal.plays)
            played.times_us, played.turns = [0] * plays, [1] * plays
        return [played.record() for played in self.played]


def play_game(rules: RuleSet, seed: bytes, policies: Sequence[Policy]) -> LocalGame:
    """Play a game to its end between functions, one a seat; the cards are those of `seed`.

    Raises `arena.game.IllegalPlay` where a function gives an answer that is not legal.
    """
    local = LocalGame(rules, seed)
    game = local.game
    ask = [
        (policy, Position(game, seat))
        for seat, policy in zip(range(rules.seats), policies, strict=True)
    ]
    while game.reason is None:
        deal = game.deal
        play = deal.play
        while not deal.over:
            policy, position = ask[deal.seat]
            card, capture = policy(position)
            play(card, capture)
        local.finish_deal()
    return local


def play_messages(
    rules: RuleSet, seed: bytes, bots: Sequence[MessageBot], limits: Limits | None = None
) -> Referee:
    """Play a game to its end between functions that read and write messages of the protocol.

    Every message is encoded and judged as for a bot's process: an answer that is not legal is a
    fault. Returns the referee, whose `deals()`, `faults` and `game` say what came of it. Raises
    ValueError unless there is a bot for every seat.
    """
    if len(bots) != rules.seats:
        raise ValueError(f"{rules.preset} has {rules.seats} seats, not {len(bots)}")
    setup = GameSetup(
        game="0" * 16,
        rules=rules,
        seed=seed,
        salt=bytes(16),
        bot_seeds=range(rules.seats),
        names=None,
        limits=limits or Limits(),
        reveal=True,
    )
    referee = Referee(setup, [True] * rules.seats)
    encode, decode = msgspec.json.encode, msgspec.json.decode
    while (seat := referee.to_ask) is not None:
        answer = bots[seat](decode(referee.turn()))
        if not referee.heard(encode({"type": "play", **answer}), 0):
            # A play of another turn: nobody waits for a second answer here.
            referee.timed_out()
        referee.take_outbox()
    return referee
