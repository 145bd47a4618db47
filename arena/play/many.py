"""Games of one rotation that go on at once, in processes that play several of them.

Everybody is asked in turn, never two processes at the same time: each has the core for itself
while its clock runs, as where games go on one after another, and what it is asked is gathered
from all games that wait for it. A bot that plays one game at a time has a process for each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence

import trio

from arena.errors import ArenaFault
from arena.play.batch import Answers, AtPlace, hear_early
from arena.play.place import (
    Place,
    Player,
    attach_facts,
    flood_text,
    how_ended,
    pids_of_side,
    stop_all,
)
from arena.play.plan import Observer, Report, batch_of
from arena.play.table import Rotation, Table
from arena.process import Asked, Canary, Outcome
from arena.schedule import GameKey, VoidMatch
from protocol.messages import FaultKind

MOST_PROCESSES = 8
"""How many games go on at once where a bot has a process for each of them."""


def has_batches(rotation: Rotation) -> bool:
    """Whether a bot of the rotation plays several games in one process."""
    return any(batch_of(rotation.plan, label) > 1 for label in rotation.labels)


def _games_at_once(rotation: Rotation) -> int:
    """How many games of the rotation go on at once: as many as every process of batches takes."""
    batches = [batch_of(rotation.plan, label) for label in rotation.labels]
    most = MOST_PROCESSES if 1 in batches else len(rotation.keys)
    return min(most, len(rotation.keys), *(batch for batch in batches if batch > 1))


class ManyGames:
    """The games of one rotation, and the processes that play them."""

    def __init__(
        self, rotation: Rotation, observer: Observer | None, canary: Canary | None
    ) -> None:
        """Whoever observes them sees one after another."""
        self._rotation, self._observer, self._canary = rotation, observer, canary
        at_once = 1 if observer else _games_at_once(rotation)
        self._keys = deque(rotation.keys)
        self._slots = _slots(rotation, at_once)
        """Who plays in each of the games that go on at once, by seat."""
        self._free = list(range(at_once))
        self._tables: dict[Table, tuple[int, list[AtPlace]]] = {}
        """The games that go on, the oldest first: their slots, and by seat who plays."""
        self._places = list(dict.fromkeys(place for slot in self._slots for place in slot))
        self._games: dict[Place, dict[str, AtPlace]] = {place: {} for place in self._places}
        """What goes on at every place, by the games' ids, the oldest first."""

    async def play(self, report: Report, void: set[int]) -> None:
        """Play the games, but for matches in `void`, to which failed ones are added."""
        self._report, self._void = report, void
        host, finished = self._rotation.host, False
        host.games += 1
        try:
            while await self._begin_games():
                await self._take_turns()
            finished = True
        finally:
            host.games -= 1
            await stop_all(self._places, kill=not finished)

    # Beginning and ending

    async def _begin_games(self) -> bool:
        """Begin as many games as may go on; whether any does.

        A process that has forfeited a game plays to their ends those that it has, and is ended.
        """
        if not self._tables:
            await stop_all(place for place in self._places if place.is_spent)
        if not any(place.is_spent for place in self._places):
            while self._keys and self._free:
                key = self._keys.popleft()
                if key.match not in self._void:
                    await self._begin(key)
        return bool(self._tables)

    async def _begin(self, key: GameKey) -> None:
        slot = self._free[0]
        try:
            players = [self._seat(place) for place in self._slots[slot]]
        except ArenaFault as error:
            self._void.add(key.match)
            return await self._report(VoidMatch(self._rotation.chunk.pairing, key, str(error)))
        table = Table(self._rotation, key, players)
        if self._observer:
            self._observer(table.referee)
        seats = [AtPlace(table, seat) for seat in range(len(players))]
        self._tables[table] = self._free.pop(0), seats
        for game in seats:
            self._games[game.player.place][table.setup.game] = game
        self._post(table)
        return None

    def _seat(self, place: Place) -> Player:
        games = self._games[place]
        for game in games.values():
            game.player.note_heard()
        return Player(place, beside=bool(games))

    async def _finish(self, table: Table) -> None:
        self._post(table)
        for player in table.players:
            await self._hear_early(player.place)
        finished = table.finished([player.end_game_beside() for player in table.players])
        await self._leave(table)
        await self._report(finished)

    async def _leave(self, table: Table, kill: bool = False) -> None:
        """The game is over: its processes play others, or none."""
        self._free.append(self._tables.pop(table)[0])
        self._free.sort()
        for player in table.players:
            place = player.place
            self._games[place].pop(table.setup.game, None)
            if not self._games[place] and (kill or place.is_spent or not place.bot.reuse):
                await place.stop(kill or place.is_spent)

    async def _give_up(self, tables: Sequence[Table], cause: ArenaFault) -> None:
        """The arena failed these games: their matches are void."""
        for table in tables:
            table.referee.void()
            self._post(table)
            self._void.add(table.key.match)
            await self._leave(table, kill=True)
            await self._report(VoidMatch(self._rotation.chunk.pairing, table.key, str(cause)))

    # Taking turns

    async def _take_turns(self) -> None:
        """Ask one process in all its games that wait for it; and end the games that are over."""
        place, asked = self._next()
        try:
            await self._ask(place, asked)
        except ArenaFault as error:
            games = [game.table for game in self._games[place].values()]
            await place.stop(kill=True)
            return await self._give_up(games, error)
        for game in asked:
            if game.has_news:
                await self._tell(game)
            if self._observer:
                self._observer(game.referee)
            if game.referee.reason:
                await self._finish(game.table)
        return None

    async def _tell(self, game: AtPlace) -> None:
        """Something beside a play has happened in a game."""
        referee, table = game.referee, game.table
        if len(referee.faults) > table.known_faults:
            facts = game.player.facts() or game.player.facts_at_end
            attach_facts(referee, table.known_faults, facts)
            table.known_faults = len(referee.faults)
        if referee.has_mail:
            await self._post_and_part(table)

    def _next(self) -> tuple[Place, list[AtPlace]]:
        """Who is asked, and in which games.

        Bots of one game come first, so that the others have more to answer at once.
        """
        waiting: dict[Place, list[AtPlace]] = {}
        for table, (_, seats) in self._tables.items():
            seat = table.referee.to_ask
            assert seat is not None
            game = seats[seat]
            waiting.setdefault(game.player.place, []).append(game)
        return max(waiting.items(), key=lambda item: (item[0].batch == 1, len(item[1])))

    async def _ask(self, place: Place, games: list[AtPlace]) -> None:
        """Ask one process in these games, and see what comes of it. Raises `ArenaFault`."""
        games = [game for game in games if not self._is_over_for(game)]
        if not games:
            return
        await self._hear_early(place)
        games = [game for game in games if not (game.player.early and _judge_early(game))]
        process = place.process
        assert process
        if process.has_flooded:
            return await self._lose(place, process, "flood", flood_text(place.batch), ())
        if not games:
            return
        for game in games:
            game.referee.share(len(games))
            if game.referee.has_mail:
                self._post(game.table)
        *before, last = place.take_mail([game.referee.turn() for game in games])
        for line in before:
            process.post(line)
        answers = Answers(place, self._games[place], games)
        slow = None if self._rotation.plan.think_on_opponents_time else self._freezer(place)
        outcome = await process.turn(last, answers, self._rotation.host.games == 1, slow)
        while outcome is Outcome.TIMED_OUT and not self._time_out(process, answers):
            outcome = await process.go_on(answers, slow)
        if outcome is Outcome.FLOODED:
            await self._lose(place, process, "flood", flood_text(place.batch), answers.open)
        elif outcome is Outcome.ENDED:
            await self._ended(place, process, answers)

    def _is_over_for(self, game: AtPlace) -> bool:
        """Whether the seat has no process any more, which is a fault now that it is asked."""
        player = game.player
        if player.process:
            return False
        kind, detail = player.fault or ("boot", player.place.problem)
        game.referee.ended(kind, detail, player.lasted_us)
        return True

    async def _hear_early(self, place: Place) -> None:
        """Take what a process said while it was not asked."""
        while place.process and (lines := place.process.early_lines()):
            hear_early(place, self._games[place], lines)
            await trio.lowlevel.checkpoint()

    def _post(self, table: Table) -> None:
        """Put what the referee has to say to the other messages for each process, if any."""
        for seat, line in table.referee.take_outbox():
            player = table.players[seat]
            if player.process and len(self._slots) == 1:
                player.process.post(line)
            elif player.process:
                player.place.mail.append(line)

    async def _post_and_part(self, table: Table) -> None:
        """The same; and whoever has forfeited plays no part in the game any more."""
        self._post(table)
        for seat, player in enumerate(table.players):
            place, process = player.place, player.process
            if not process or not table.referee.is_gone(seat):
                continue
            place.is_spent = True
            del self._games[place][table.setup.game]
            if not self._games[place]:
                await place.stop(kill=True)
            player.part(process)

    def _freezer(self, place: Place) -> Callable[[], None]:
        def freeze_others() -> None:
            for other in self._places:
                if other is not place and other.process:
                    other.process.freeze()

        return freeze_others

    # What goes wrong

    def _time_out(self, process: Asked, answers: Answers) -> bool:
        """Time has run out in some of the open turns; whether in all. Raises `ArenaFault`."""
        lasted_us = max(process.lasted_us, answers.budget_us)
        for name, game in list(answers.open.items()):
            referee = game.referee
            # What was not even read has no later deadline than the others.
            if process.has_unread or referee.budget_us <= lasted_us:
                if self._canary:
                    pids = pids_of_side(referee, game.table.players, game.seat)
                    self._canary.check(max(lasted_us, referee.budget_us), pids)
                referee.timed_out()
                del answers.open[name]
        return not answers.open

    async def _ended(self, place: Place, process: Asked, answers: Answers) -> None:
        """The process has ended: replace it in games it had not begun, in the others it is lost."""
        games = [g for g in self._games[place].values() if g.player.process is process]
        going_on = [game for game in games if game.player.is_replaceable()]
        if len(going_on) < len(games):
            kind, detail = how_ended(process)
            await self._lose(place, process, kind, detail, answers.open, going_on)
        else:
            await place.stop()
        if going_on:
            place.start()
        for game in going_on:
            game.player.rejoin(process)
            place.mail.append(game.referee.restarted(game.seat))

    async def _lose(
        self,
        place: Place,
        process: Asked,
        kind: FaultKind,
        detail: str,
        opened: Collection[str],
        but: Collection[AtPlace] = (),
    ) -> None:
        """End a process, and with it its part in all its games: a fault when it is next asked.

        `opened`: the games whose turns are open; `but`: those that go on without it.
        """
        games = self._games[place].items()
        lost = [(name, g) for name, g in games if g.player.process is process and g not in but]
        facts = [game.player.facts() for _, game in lost]
        await place.stop(kill=True)
        for (name, game), known in zip(lost, facts, strict=True):
            lasted_us = process.lasted_us if name in opened else 0
            game.player.lose(process, (kind, detail), known, lasted_us)


def _slots(rotation: Rotation, at_once: int) -> list[list[Place]]:
    """By slot and seat who plays: places of batches are the same in all slots."""
    first = [rotation.place(seat) for seat in range(len(rotation.labels))]
    more = [
        [
            place if place.batch > 1 else rotation.place(seat, f"-{slot}")
            for seat, place in enumerate(first)
        ]
        for slot in range(1, at_once)
    ]
    return [first, *more]


def _judge_early(game: AtPlace) -> bool:
    """Judge what came for the game before it was asked; whether it is not to be asked now."""
    referee, turn = game.referee, game.referee.turn_number
    for line in game.player.take_early():
        referee.early(game.seat, line)
        if referee.turn_number != turn or not game.is_to_answer:
            return True
    return False
