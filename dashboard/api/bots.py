"""What can be asked about bots."""

from __future__ import annotations

from arena.store import Reader
from dashboard.api.operation import operation
from dashboard.api.parameters import Bots, OneBot, OneEntrant
from dashboard.bot_pages import BotList, BotPage, bot_list, bot_page


@operation("/bots")
def bots(asked: Bots, reader: Reader) -> BotList:
    """Bots by name: all versions of each together, over all tournaments."""
    return bot_list(reader, after=asked.after, begins=asked.begins, limit=asked.limit)


@operation("/bots/{bot}")
def bot(asked: OneBot, reader: Reader) -> BotPage:
    """A bot: its latest failures with their likely causes, versions, entries and opponents.

    `before` is for its entries in tournaments, which come in pages.
    """
    return bot_page(reader, asked.bot, before=asked.before)


@operation("/tournaments/{tournament}/bots/{label}")
def entrant(asked: OneEntrant, reader: Reader) -> BotPage:
    """The same of an entrant of one tournament: its failures, opponents and games there."""
    name, entry = reader.entry(asked.tournament, asked.label)
    return bot_page(reader, name, entry, asked.before)
