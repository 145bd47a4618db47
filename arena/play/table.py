"""A rotation of a chunk, one game of it, and the record of that game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from arena.play.place import Place, Player
from arena.play.plan import FinishedGame, Plan, game_setup
from arena.process import Starter
from arena.referee import Referee
from arena.schedule import Chunk, GameKey, Secret, seating
from arena.version import VERSION
from protocol.records import GameRecord, PlayedRules
from protocol.rules import RULES_VERSION


class Rotation:
    """The games of a chunk in which everybody sits where they do."""

    def __init__(self, host: Starter, plan: Plan, chunk: Chunk, number: int) -> None:
        self.host, self.plan, self.chunk, self.number = host, plan, chunk, number
        self.keys = [key for key in chunk.games if key.rotation == number]
        self.labels = seating(chunk.pairing, number, plan.rules)

    def place(self, seat: int, more: str = "") -> Place:
        """A place on this seat; `more` tells it from others there are at the same time."""
        name = f"{self.chunk.number}.{self.number}.{seat}{more}"
        return Place(self.host, self.plan, self.labels[seat], name)


class Table:
    """One game, and who plays it."""

    def __init__(self, rotation: Rotation, key: GameKey, players: Sequence[Player]) -> None:
        self.key, self.players = key, players
        self.setup = game_setup(rotation.plan, rotation.chunk, key, rotation.labels)
        self.referee = Referee(self.setup, [player.place.is_booted for player in players])
        self.known_faults = 0
        """How many of its faults have what is known of the process beside them."""
        self._rotation = rotation
        self._started, self._before_s = datetime.now(UTC), time.monotonic()

    def finished(self, stderr: Sequence[str]) -> FinishedGame:
        """The game that has ended; `stderr`: by seat what its process wrote in it."""
        return FinishedGame(self._record(), self.referee.bot_logs(stderr))

    def _record(self) -> GameRecord:
        plan, chunk = self._rotation.plan, self._rotation.chunk
        key, setup, referee = self.key, self.setup, self.referee
        seats = [
            player.record(notes.side, bot_seed, notes.clock.boot_used_us)
            for player, notes, bot_seed in zip(
                self.players, referee.seats, setup.bot_seeds, strict=True
            )
        ]
        return GameRecord(
            game=setup.game,
            tournament=plan.tournament,
            pairing=list(chunk.pairing),
            round=chunk.round,
            match=key.match,
            rotation=key.rotation,
            replay=key.replay,
            names_hidden=plan.names_hidden,
            rated=plan.rated,
            master_commitment=plan.commitment or Secret(plan.master).commitment,
            rules=PlayedRules(
                preset=plan.rules.preset, overrides=plan.overrides, version=RULES_VERSION
            ),
            seats=seats,
            seed=setup.seed.hex(),
            salt=setup.salt.hex(),
            commitment=referee.commitment,
            deals=referee.deals(),
            scores=list(referee.game.scores),
            winner=referee.game.winner,
            ranks=referee.game.ranks(),
            reason=referee.reason or "void",
            faults=referee.faults,
            limits=plan.limits,
            isolation=self._rotation.host.backend.name,
            practice=plan.practice,
            started=self._started.strftime("%Y-%m-%dT%H:%M:%SZ"),
            elapsed_ms=int((time.monotonic() - self._before_s) * 1000),
            arena=VERSION,
        )
