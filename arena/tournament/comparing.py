"""A test of two bots as a tournament of its own: entered, gone on with, fed, ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots import BotFiles
from arena.play import FinishedGame
from arena.rating import EloHypotheses
from arena.schedule import MOST_REPLAYS, VoidMatch, labels_of
from arena.store import Database, StoredTournament, Tested, games_that_count, void_matches
from arena.text import one_line
from arena.tournament.comparison import Comparison, Hypotheses
from arena.tournament.entry import Entry, enter
from arena.tournament.settings import check_tournament
from protocol.tournament import Tournament

_CHUNK_MATCHES = 5
"""Small, so that not much is played beyond the match that decides."""
_LONGEST_TITLE = 80


@dataclass(frozen=True, kw_only=True)
class ComparisonPlan:
    """A test of two bots, as somebody asks for it."""

    bots: tuple[BotFiles, BotFiles]
    hypotheses: Hypotheses
    """About the first of them."""
    most: int
    """Matches after which it ends without a decision, 1 to 1,000,000."""
    rules: str = "kseri"
    """The preset."""
    overrides: Mapping[str, object] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """Of the first bot and the second."""
        return labels_of([bot.manifest.name for bot in self.bots])

    @property
    def are_same(self) -> bool:
        """Whether both bots have the same files, so that nothing but chance is to be found."""
        return self.bots[0].hash == self.bots[1].hash

    @property
    def names(self) -> str:
        """Labels and versions."""
        both = zip(self.labels, self.bots, strict=True)
        return " v ".join(f"{label} {one_line(bot.manifest.version)}" for label, bot in both)

    @property
    def question(self) -> str:
        """What is tested."""
        tested, unit = self.tested, "Elo" if self.tested.statistic == "wins" else "points"
        return f"[{tested.h0:g}, {tested.h1:g}] {unit}"

    @property
    def tested(self) -> Tested:
        """What is tested, as it is stored."""
        if isinstance(self.hypotheses, EloHypotheses):
            return Tested("wins", self.hypotheses.elo0, self.hypotheses.elo1)
        return Tested("points", self.hypotheses.d0, self.hypotheses.d1)

    def tournament(self) -> Tournament:
        """The tournament that it is. Raises `WrongSetting`, for rules of more sides too."""
        names, room = self.names, _LONGEST_TITLE - len(f", {self.question}")
        title = names if len(names) <= room else f"{names[: room - 1]}…"
        tournament = Tournament(
            name=f"{title}, {self.question}",
            bots=self.labels,
            rules=self.rules,
            overrides=dict(self.overrides),
            matches=self.most,
            chunk_matches=_CHUNK_MATCHES,
        )
        check_tournament(tournament, len(self.bots))
        return tournament


class RunningComparison:
    """A test in the database; an `Ending` for whoever plays it."""

    def __init__(self, plan: ComparisonPlan, entry: Entry) -> None:
        self.plan = plan
        self.entry = entry
        self.on_change: Callable[[], None] = lambda: None
        """Called whenever something was taken."""
        self.comparison = self._new()
        self._revision: int | None = None
        """Of the tournament when all that is stored of it was taken."""

    def begin(self, db: Database, stored: StoredTournament) -> None:
        """Take all games that count, and leave out all matches that are never played."""
        if stored.revision == self._revision:
            # Nothing was annulled: all that has been stored since was taken when it was played.
            return
        self._revision = stored.revision
        self.comparison = self._new()
        for void in void_matches(db, stored.id):
            if void.annulled or void.replay >= MOST_REPLAYS:
                self.comparison.skip(void.match)
        for game in games_that_count(db, stored.id):
            self.comparison.take(game)
        self.on_change()

    def take(self, event: FinishedGame | VoidMatch) -> None:
        """Take a game that counts, or a match that the arena failed."""
        if isinstance(event, FinishedGame):
            self.comparison.take(event.record)
        elif event.key.replay >= MOST_REPLAYS:
            self.comparison.skip(event.key.match)
        self.on_change()

    @property
    def is_enough(self) -> bool:
        """Whether the test has ended."""
        return self.comparison.end is not None

    def _new(self) -> Comparison:
        stored = self.entry.stored
        return Comparison(self.plan.labels[0], stored.rotations, self.plan.hypotheses)


def enter_comparison(database: Path, plan: ComparisonPlan, isolation: str) -> RunningComparison:
    """Enter a test into the database, or find the same one there to go on with it.

    The same: of bots with the same files, by the same rules, about the same hypotheses, and of no
    more matches than now. Raises as `enter` does.
    """
    entry = enter(
        database,
        plan.tournament(),
        dict(zip(plan.labels, plan.bots, strict=True)),
        kind="compare",
        master=None,
        isolation=isolation,
        tested=plan.tested,
    )
    return RunningComparison(plan, entry)
