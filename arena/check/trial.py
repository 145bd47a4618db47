"""Games in which one bot is tried, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import msgspec
import trio

from arena.check.table import OPPONENT, Alteration, Altered, CheckHost, Make, unaltered
from arena.diagnosis import BEGINNING_BYTES, Program, diagnosis, log_of
from arena.errors import ArenaFault, BotCannotStart
from arena.play import Bot, FinishedGame, Observer, Plan, play_chunk
from arena.process import BotProcess, Host, Starter
from arena.sandbox import Launch, find_own_file
from arena.schedule import Chunk, GameKey, VoidMatch, master_of_seed
from protocol.check import Diagnosis
from protocol.manifest import Manifest
from protocol.messages import Limits
from protocol.records import PlayRecord
from protocol.rules import PRESETS, RuleSet, make_rules

_MASTER = master_of_seed(0)
_IN_A_GAME = (
    "look at it in a debugger: let it play a game (kseri play), of which kseri log tells how to "
    "run the same turns again under gdb"
)
"""What to do where the same turns are to be run again: those of a check are not stored."""


def altering(alter: Alteration) -> Make:
    """Starts bots that read altered lines."""
    return lambda host, launch: Altered(host.start(launch), alter)


@dataclass
class Tried:
    """What came of some games of one bot."""

    games: list[FinishedGame] = field(default_factory=list)
    problem: Diagnosis | None = None
    """The bot's first fault."""

    @property
    def own_plays(self) -> list[list[PlayRecord]]:
        """By game and seat the plays that the bot made itself."""
        return [
            [
                play
                for deal in game.record.deals
                for play in deal.plays
                if play.seat == seat and not play.forced
            ]
            for game in self.games
            for seat, who in enumerate(game.record.seats)
            if who.bot == game.record.pairing[0]
        ]

    @property
    def all_plays(self) -> int:
        """How many plays were made, by everybody."""
        return sum(len(deal.plays) for game in self.games for deal in game.record.deals)

    def add(self, more: Tried) -> None:
        """Take in what came of further games."""
        self.games += more.games
        self.problem = self.problem or more.problem

    @property
    def seats(self) -> int:
        """On how many seats of a game it plays."""
        record = self.games[0].record
        return sum(seat.bot == record.pairing[0] for seat in record.seats)

    @property
    def won(self) -> int:
        """How many games its side won."""
        return sum(
            game.record.winner is not None
            and game.record.seats[game.record.winner].bot == game.record.pairing[0]
            for game in self.games
        )

    @property
    def plays(self) -> int:
        """How many answers it gave."""
        return sum(map(len, self.own_plays))


class Trial:
    """One bot, and the arena in which it is tried."""

    def __init__(
        self, host: Host, bot: Bot, manifest: Manifest, limits: Limits, again: str = ""
    ) -> None:
        """`again`: the command that checks the bot again."""
        self.bot = bot
        self.manifest = manifest
        self.limits = limits
        claimed = PRESETS if manifest.rules is None else manifest.rules
        self.presets = [name for name in PRESETS if name in claimed]
        """What it claims to play and this arena knows."""
        self.program = Program(bot.run, manifest.build or (), _run_files(bot))
        """How it is started, for advice in its language."""
        self.on_play: Callable[[int, int], None] = lambda done, planned: None
        """Called while games go on: how many plays are made, and about how many there will be."""
        self.everything = Tried()
        """The games in which its time and memory are measured."""
        self._host = host
        self._number = 0
        self._again = again or f"kseri check {bot.name}"
        self._plays = self._plays_us = 0

    @property
    def preset(self) -> str:
        """The preset of most games: for two, where it plays any such."""
        seats = {name: make_rules(name).seats for name in self.presets}
        return min(self.presets, key=lambda name: seats[name])

    @property
    def pace_s(self) -> float:
        """How long it took for an answer on average, over all games so far."""
        return self._plays_us / 1e6 / max(1, self._plays)

    @property
    def slowness(self) -> str:
        """Why less than everything is tried with a bot."""
        return f"the bot needs {self.pace_s:.2g} s a play"

    def launch(self) -> Launch:
        """How its process is started."""
        return Launch(
            self.bot.run,
            Path(self.bot.folder),
            self.limits.memory_mb,
            processes=self.bot.processes,
            hosted=True,
        )

    def start(self) -> BotProcess:
        """Start its process. Raises `BotCannotStart`, `ArenaFault`."""
        return self._host.start(self.launch())

    def table(self, make: Make | None = None, keep: bool = False) -> CheckHost:
        """A table where it sits down; unless `make` does otherwise it reads what it is sent."""
        return CheckHost(self._host, make or altering(unaltered), keep)

    async def play(
        self,
        table: CheckHost,
        preset: str,
        *,
        games: int = 1,
        rotation: int = 0,
        deals: int | None = 1,
        at_once: bool = False,
    ) -> Tried:
        """Play some games of so many deals (None: as many as the rules say).

        One after another, or as many `at_once` as the bot takes; they end with the first that it
        forfeits. Raises `ArenaFault`.
        """
        overrides: dict[str, object] = {} if deals is None else {"deals": deals}
        rules = make_rules(preset, overrides)
        chunk = self._chunk(rules, games, rotation)
        plan = self._plan(rules, overrides, chunk.pairing, self.bot.batch if at_once else 1)
        tried = Tried()
        planned = games * (deals or 1) * plays_of_a_deal(rules)

        observe: Observer = lambda referee: self.on_play(  # noqa: E731
            tried.all_plays + referee.turn_number - 1, planned
        )
        with trio.CancelScope() as scope:

            async def report(event: FinishedGame | VoidMatch) -> None:
                if isinstance(event, VoidMatch):
                    raise ArenaFault(event.cause)
                self._note(tried, event)
                if tried.problem:
                    scope.cancel()

            # Its processes have what these games ask of them, and not all of `Asked`.
            observer = None if at_once else observe
            await play_chunk(cast(Starter, table), plan, chunk, report, observer)
        return tried

    def _note(self, tried: Tried, game: FinishedGame) -> None:
        tried.games.append(game)
        record = game.record
        answers = [play for plays in Tried([game]).own_plays for play in plays]
        self._plays += len(answers)
        self._plays_us += sum(play.elapsed_us for play in answers)
        for fault in record.faults:
            if tried.problem is None and record.seats[fault.seat].bot == record.pairing[0]:
                log = log_of(record, fault.seat, game.logs)
                found = diagnosis(record, fault, log, self.program)
                mend = _IN_A_GAME if found.cause == "signal" else found.mend
                tried.problem = msgspec.structs.replace(found, again=self._again, mend=mend)

    def _chunk(self, rules: RuleSet, games: int, rotation: int) -> Chunk:
        opponents = [f"arena.{place}" for place in range(1, rules.sides)]
        first, self._number = self._number + 1, self._number + games
        keys = tuple(GameKey(match, 0, rotation) for match in range(first, self._number + 1))
        return Chunk((self.bot.name, *opponents), 0, keys, frozenset(keys))

    def _plan(
        self, rules: RuleSet, overrides: dict[str, object], labels: Sequence[str], batch: int
    ) -> Plan:
        opponent = Bot(name="arena", version="1", hash="", folder="", run=OPPONENT, batch=batch)
        return Plan(
            tournament=None,
            rules=rules,
            overrides=overrides,
            limits=self.limits,
            names_hidden=self._number % 2 == 0,
            rated=False,
            practice=True,
            master=_MASTER,
            bots={label: opponent for label in labels} | {self.bot.name: self.bot},
        )


def plays_of_a_deal(rules: RuleSet) -> int:
    """How many cards are played in a deal, but for jacks that were buried."""
    return 52 * rules.decks - rules.centre_cards


def _run_files(bot: Bot) -> dict[str, bytes]:
    """What the files of its own that its command names begin with."""
    found = {}
    for word in bot.run:
        with suppress(BotCannotStart), open(find_own_file(word, Path(bot.folder)), "rb") as file:
            found[word] = file.read(BEGINNING_BYTES)
    return found
