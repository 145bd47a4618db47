"""Every exception that the arena raises, and whose fault it is.

ArenaError
├── UsageError      the caller's: a wrong argument, file or name; exit status 2
├── Trouble         the machine's: a full disk, a locked database; exit status 1
│   └── SandboxUnavailable   it cannot isolate bots so: the reason, and the remedy
└── ArenaFault      the arena's: what it owed to a game failed, the match is played again
    (a sandbox that cannot be set up, a process that cannot be forked)
BotCannotStart      the bot's: its command cannot be executed; a `boot` fault of its seat
arena.game.IllegalPlay             the seat's: a play that the rules forbid; an `illegal` fault
protocol.rules.RuleSetError        the caller's, shown as a UsageError
protocol.codec.ProtocolError       the writer's of the text: a `malformed` fault, or a UsageError

A bot that misbehaves is a result and never leaves the arena as an exception.
"""

from __future__ import annotations


class ArenaError(Exception):
    """Anything that ends a command with one clear line."""


class UsageError(ArenaError):
    """Wrong use: an argument, a file or a name; says what, where and what was expected."""


class Trouble(ArenaError):
    """The machine does not let the arena do its work: disk, database, memory."""


class ArenaFault(ArenaError):
    """The arena could not give a game what it owes to it; never a loss for a bot."""


class SandboxUnavailable(Trouble):
    """This machine cannot isolate bots in the way that was asked for: the reason and the remedy."""


class BotCannotStart(Exception):
    """The command of a bot cannot be executed."""
