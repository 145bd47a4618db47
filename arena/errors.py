"""Every exception that the arena raises, and whose fault it is.

ArenaError
├── UsageError      the caller's: a wrong argument, file or name; exit status 2
│   ├── arena.bots.CannotFind           a name that is no bot's
│   ├── arena.bots.CannotBuild          a bot whose build fails, or that lacks its toolchain
│   ├── arena.submission.NotReady       a bot that is handed in and does not play
│   ├── arena.store.NoDatabase          nothing has been stored yet where it was to be read
│   ├── arena.store.NotNow              what a visitor asks for that has to wait, and how long
│   ├── arena.store.TooMany             a visitor's game that can't begin now
│   ├── arena.store.StaleAnswer         a visitor's play for a turn that is over
│   └── arena.tournament.WrongSetting   one key of a tournament that cannot be played
├── Trouble         the machine's: a full disk, a locked database; exit status 1
│   ├── arena.store.Damaged   a row of the database that is not what was written there
│   └── SandboxUnavailable   it cannot isolate bots so: the reason, and the remedy
└── ArenaFault      the arena's: what it owed to a game failed, the match is played again
    (a sandbox that cannot be set up, a process that cannot be forked, an overloaded machine)
BotCannotStart      the bot's: its command cannot be executed; a `boot` fault of its seat

Caught by whoever calls what raises them, and shown as a fault or as a UsageError:
arena.game.IllegalPlay          the seat's: a play that the rules forbid; an `illegal` fault
protocol.codec.ProtocolError    the writer's of a line: a `malformed` fault
└── protocol.codec.FileError    the writer's of a manifest or a tournament file
protocol.rules.RuleSetError     the writer's of a rule set
arena.text.NotText              the writer's of a file
arena.bots.ArchiveError, BadName   the maker's of an archive with a bot
arena.sandbox.TreeError         the bot's: files that its folder or its build may not have
arena.replay.ReplayError        the record's: it does not follow from its seed
arena.rating.NoFiniteRatings    the caller's: results that need a prior
arena.rating.BadResults         the writer's of a file of results
arena.pairing.NoPairing         the caller's: more rounds than there are new opponents
arena.executor's ConnectionLost, TaskFailed   a scheduler's or a worker's that is gone
arena.game.NeedsRedeal          nobody's: the deal is made again (R5)
dashboard's NoSuchPosition      the visitor's: a page that a game does not have
dashboard's NoSuchOption        the visitor's: a card that could not be played there
dashboard's NotPlayable         the visitor's: a bot that can't be put on a seat

A bot that misbehaves is a result and never leaves the arena as an exception.
"""

from __future__ import annotations


class ArenaError(Exception):
    """Anything that ends a command with one clear line."""


class UsageError(ArenaError):
    """Wrong use: an argument, a file or a name; says what, where and what was expected."""

    output = ""
    """The end of what a program wrote whose failure it is."""


class Trouble(ArenaError):
    """The machine does not let the arena do its work: disk, database, memory."""


class ArenaFault(ArenaError):
    """The arena could not give a game what it owes to it; never a loss for a bot."""


class SandboxUnavailable(Trouble):
    """This machine cannot isolate bots in the way that was asked for: the reason and the remedy."""


class BotCannotStart(Exception):
    """The command of a bot cannot be executed."""
