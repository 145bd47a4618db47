"""A person plays at the terminal: `kseri play me BOT…`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from arena.bots import BotFiles
from arena.cli.board import Board
from arena.cli.called import at_database, called
from arena.cli.paragraphs import as_it_stands
from arena.cli.running import run_entry, settled_isolation
from arena.cli.story import tell_end
from arena.cli.tables import console
from arena.errors import UsageError
from arena.person import ME, AtTheTable, Keyboard, person_files, sit_down, stop
from arena.sandbox import select_backend
from arena.schedule import labels_of
from arena.text import one_line
from protocol.messages import DealEnd, Hello, Legal, Play, ToBot, Turn
from protocol.records import GameRecord
from protocol.rules import RuleSet, make_rules
from protocol.tournament import TimeControl, Tournament

_HELP = (
    "Type the number of a card, or the card itself as in 7H, 10D or J♠. The last card of the pile "
    "counts: a card of its rank, or a jack, takes the whole pile. q gives the game up, Ctrl-C "
    "stops without keeping it."
)
_MOST_SHOWN = 40
_SIGNS = str.maketrans("♣♦♥♠", "CDHS", "\ufe0e\ufe0f ")


def play_me(
    database: Path,
    bots: Sequence[BotFiles | None],
    *,
    rules: str,
    overrides: dict[str, object],
    matches: int,
    master: bytes | None,
    time: TimeControl,
    isolation: str,
) -> None:
    """Play games with a person on the seat of the one None in `bots`, and store them.

    One bot a seat; where fewer are given the last one takes all seats that are left, the partner's
    too. Raises `UsageError`.
    """
    if sys.stdin is None:
        raise UsageError(f"{ME}: standard input is closed: what you play is read from it")
    rule_set = make_rules(rules, overrides)
    table = seated(bots, rule_set)
    labels = labels_of([bot.manifest.name for bot in table])
    chosen = settled_isolation(isolation, table)
    tournament = Tournament(
        name=" v ".join(labels)[:80],
        bots=labels,
        rules=rules,
        overrides=overrides,
        matches=matches,
        rotations=1,
        partners="drawn" if rule_set.seats > rule_set.sides else "self",
        rated=False,
        names_hidden=False,
        time=time,
    )
    entry = sit_down(
        database,
        tournament,
        dict(zip(labels, table, strict=True)),
        master=master,
        isolation=chosen.isolation,
    )
    if entry.stored.finished:
        raise UsageError("these games were played before: choose another seed")
    executor = AtTheTable(select_backend(chosen.isolation), AtTheTerminal(Keyboard(0), database))
    run_entry(database, entry, executor, chosen, quiet=True)


def seated(bots: Sequence[BotFiles | None], rules: RuleSet) -> list[BotFiles]:
    """Who sits where. Raises `UsageError` for too many, and for a person that plays two hands."""
    if bots.count(None) > 1:
        raise UsageError(f"{ME} can sit on one seat only: a partner's hand is hidden, too")
    if len(bots) > rules.seats:
        raise UsageError(f"{rules.preset} has {rules.seats} seats, got {len(bots)} players")
    if len(bots) < 2:
        raise UsageError(f"give a bot to play against, as in: {called()} play {ME} counter")
    others = [bot for bot in bots if bot]
    missing = rules.seats - len(bots)
    return [bot or person_files() for bot in bots] + [others[-1]] * missing


class AtTheTerminal:
    """A `Player` at this terminal, or one whose input comes from a pipe."""

    leaving = "who gave up"

    def __init__(self, keyboard: Keyboard, database: Path) -> None:
        self._keyboard = keyboard
        self._database = database
        self._out = console()
        self._board: Board | None = None
        self._rules: RuleSet | None = None

    def told(self, message: ToBot) -> None:
        """Show what can be shown at once."""
        if isinstance(message, Hello):
            self._board, self._rules = Board(self._out, message), message.rules
            self._board.begin()
        elif isinstance(message, DealEnd) and self._board:
            self._board.end(message)

    async def asked(self, turn: Turn) -> Play | None:
        """Show the table and ask until the answer is a legal one; None: given up."""
        assert self._board
        self._board.turn(turn)
        card = None
        while card is None:
            text = await self._ask(f"Your card, 1 to {len(turn.hand)} (? helps, q gives up): ")
            if text in ("q", "quit"):
                return None
            card = self._card(text, turn)
        options = [option for option in turn.legal if option.card == card]
        capture = options[0].capture
        if len(options) > 1:
            capture = await self._capture(turn, options)
        return Play(card=card, capture=capture, turn=turn.turn)

    def _card(self, text: str, turn: Turn) -> str | None:
        """The card that was meant; None, and why, where none was."""
        if text in ("?", "help"):
            self._out.print(_HELP)
            return None
        card = card_of(text, turn.hand)
        if card is None:
            wrong = f"{_shown(text)!r} is no card of yours: type" if text else "Type"
            how = f"1 to {len(turn.hand)}, a card such as {turn.hand[0]}, ? or q"
            self._out.print(Text(f"{wrong} {how}"))
        return card

    async def _capture(self, turn: Turn, options: Sequence[Legal]) -> bool:
        """Ask whether a card is to capture or to be laid."""
        assert self._board
        what = f"the pile of {len(turn.pile)}" if turn.pile else "the marker"
        while True:
            card = self._board.card(options[0].card).plain
            text = await self._ask(f"Take {what} with {card}? (y or n): ")
            if text in ("y", "yes", ""):
                return True
            if text in ("n", "no"):
                return False
            self._out.print(Text(f"{_shown(text)!r}: type y to take, n to lay the card"))

    async def _ask(self, prompt: str) -> str:
        self._out.print(Text(prompt), end="")
        sys.stdout.flush()
        line = await self._keyboard.line()
        if line is None:
            self._out.print()
            await stop()
        if not sys.stdin.isatty():
            # A terminal has shown what was typed.
            self._out.print(Text(_shown(line or "")))
        return (line or "").strip().lower()

    def finished(self, record: GameRecord) -> None:
        """The result, and where the game can be found."""
        assert self._board
        names = self._board.names
        tell_end(self._out, record.scores, record.winner, record.reason, names)
        self._out.print("Card by card:")
        as_it_stands(self._out, f"  {called()} show {record.game}{at_database(self._database)}")


def _shown(text: str) -> str:
    """What was typed, as far as it can be repeated: a pipe may bring anything."""
    return one_line(text[:_MOST_SHOWN])


def card_of(text: str, hand: Sequence[str]) -> str | None:
    """The card of the hand that somebody means by its number, from 1, or its name; else None."""
    text = text.translate(_SIGNS).upper()
    if text.isdecimal() and len(text) < 3 and 1 <= int(text) <= len(hand):
        return hand[int(text) - 1]
    name = text.replace("10", "T", 1)
    return name if name in hand else None
