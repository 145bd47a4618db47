"""What is said to a process that plays several games at once, and whose game its answers are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from arena.play.place import Place, Player
from arena.play.table import Table
from protocol.codec import (
    LINE_LIMIT,
    ProtocolError,
    decode_bot_array,
    decode_bot_line,
    game_named_in,
    split_line,
)
from protocol.messages import FromBot, Log, Play

_NO_GAME = "a play without `game`, where several games go on"
_MOST_MESSAGES = 128
"""In an array, for every game: 100 logs of it are kept, and no more than one play is an answer."""
_TOO_LONG = "a line longer than {} bytes"


class AtPlace:
    """One game of a place: the table, and which seat of it the place has."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.referee, self.seat = table, table.referee, seat
        self.name = table.setup.game
        """The game's id."""
        self.player: Player = table.players[seat]

    @property
    def is_to_answer(self) -> bool:
        """Whether the seat is in turn."""
        return self.referee.to_ask == self.seat

    @property
    def has_news(self) -> bool:
        """Whether something beside a play has happened: a fault, or something is to be sent."""
        referee = self.referee
        return referee.has_mail or len(referee.faults) > self.table.known_faults


class Answers:
    """Judges the lines that come while turns of several games are open: see `arena.process.Judge`.

    A message belongs to the game that it names. One that cannot be read, and names none, is a
    fault in every open turn.
    """

    def __init__(
        self, place: Place, games: Mapping[str, AtPlace], asked: Sequence[AtPlace]
    ) -> None:
        """`games`: all that go on at the place, by id, the oldest first."""
        self.open = {game.name: game for game in asked}
        """The games whose turns are open, by id."""
        self._place, self._games = place, games

    @property
    def budget_us(self) -> int:
        """When the first of the open turns runs out of time."""
        return min(game.referee.budget_us for game in self.open.values())

    def heard(self, line: bytes, at_us: int) -> bool:
        """A line that came `at_us` after the turns were written; whether it closes the last."""
        batch = self._place.batch
        messages = decode_bot_array(line, batch * LINE_LIMIT)
        if messages is None or len(messages) > batch * _MOST_MESSAGES:
            self._take_apart(line, at_us)
        else:
            for part, message in messages:
                self._take(message, part, at_us)
        return not self.open

    def _take_apart(self, line: bytes, at_us: int) -> None:
        try:
            parts = _parts(self._place, line)
        except ProtocolError as error:
            return self._refuse(str(error), line, at_us)
        for part in parts:
            try:
                message = decode_bot_line(part)
            except ProtocolError as error:
                self._refuse(str(error), part, at_us, game_named_in(part))
            else:
                self._take(message, part, at_us)
        return None

    def _take(self, message: FromBot, line: bytes, at_us: int) -> None:
        if len(line) >= LINE_LIMIT:
            return self._refuse(_TOO_LONG.format(LINE_LIMIT), line, at_us, game_named_in(line))
        if isinstance(message, Log):
            return _keep_log(self._games, message)
        if not self._place.is_booted:
            _booted(self._place, self._games, self.open, at_us)
        if isinstance(message, Play):
            self._play(message, line, at_us)
        return None

    def _play(self, message: Play, line: bytes, at_us: int) -> None:
        name = message.game or _only_game(self._games)
        game = self.open.get(name) if name else None
        if game:
            if game.referee.heard_message(message, line, at_us):
                del self.open[game.name]
        elif name:
            _keep_for_later(self._games, name, line)
        else:
            self._refuse(_NO_GAME, line, at_us)

    def _refuse(self, detail: str, line: bytes, at_us: int, name: str | None = None) -> None:
        """A fault of the game that is named, if that can be told, else of all open turns."""
        if name is None or name not in self._games:
            refused = list(self.open)
        elif name in self.open:
            refused = [name]
        else:
            refused = []
            _keep_for_later(self._games, name, line)
        for each in refused:
            self.open.pop(each).referee.unreadable(detail, line, at_us)


def hear_early(place: Place, games: Mapping[str, AtPlace], lines: Sequence[bytes]) -> None:
    """Lines that could be read while no turn of the place was open: they are kept for its games.

    What belongs to none is kept for each. Where a game has got too much the rest is dropped: to
    read it could take minutes.
    """
    for line in lines:
        if _have_enough(games):
            return
        try:
            parts = _parts(place, line)
        except ProtocolError:
            _keep_for_all(games, line)
            continue
        for part in parts:
            if _have_enough(games):
                return
            _hear_early(place, games, part)


def _have_enough(games: Mapping[str, AtPlace]) -> bool:
    return any(game.player.has_said_enough for game in games.values())


def _hear_early(place: Place, games: Mapping[str, AtPlace], line: bytes) -> None:
    try:
        message = decode_bot_line(line)
    except ProtocolError:
        name = game_named_in(line)
    else:
        if isinstance(message, Log):
            return _keep_log(games, message)
        if not isinstance(message, Play):
            return _booted(place, games)
        name = message.game or _only_game(games)
    if name is None:
        _keep_for_all(games, line)
    else:
        _keep_for_later(games, name, line)
    return None


def _keep_for_all(games: Mapping[str, AtPlace], line: bytes) -> None:
    for game in games.values():
        game.player.keep_early(line)


def _booted(
    place: Place, games: Mapping[str, AtPlace], opened: Collection[str] = (), at_us: int = 0
) -> None:
    """The process has started: from now on its games have no boot time.

    `opened`: those whose turns were written `at_us` ago.
    """
    place.is_booted = True
    for name, game in games.items():
        game.referee.seats[game.seat].clock.ready(at_us if name in opened else 0)


def _parts(place: Place, line: bytes) -> list[bytes]:
    """The messages of a line. Raises `ProtocolError` for one that can't be taken apart."""
    limit = place.batch * LINE_LIMIT
    if len(line) >= limit:
        raise ProtocolError(_TOO_LONG.format(limit))
    return split_line(line, place.batch * _MOST_MESSAGES)


def _only_game(games: Mapping[str, AtPlace]) -> str | None:
    """The game that a play belongs to which names none; None where several go on."""
    return next(iter(games)) if len(games) == 1 else None


def _keep_for_later(games: Mapping[str, AtPlace], name: str, line: bytes) -> None:
    """Keep a line for a game whose turn is not open; what is for no game here is stale."""
    if name in games:
        games[name].player.keep_early(line)
    elif games:
        oldest = next(iter(games.values()))
        oldest.referee.seats[oldest.seat].keep("arena: ignored a play of another game")


def _keep_log(games: Mapping[str, AtPlace], message: Log) -> None:
    """Keep a log line with the game that it names, else with the oldest."""
    game = games.get(message.game or "") or next(iter(games.values()), None)
    if game:
        game.referee.seats[game.seat].keep(message.text)
