"""The manifest of a bot, `bot.toml`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

BotName = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,38}\Z")]
# No program can be given a word with a NUL in it; lines and tabs are what scripts are made of.
Word = Annotated[str, Meta(min_length=1, pattern=r"^[^\x00]*\Z")]
Command = Annotated[list[Word], Meta(min_length=1)]


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bot says of itself and how it is built and started."""

    name: Annotated[BotName, Meta(description="Small letters, digits and hyphens.")]
    version: Annotated[
        str, Meta(min_length=1, max_length=40, description="Any text, such as 1.0.")
    ] = "1.0"
    authors: Annotated[list[str], Meta(description="Who wrote it.")] = []
    protocol: Annotated[Literal[1], Meta(description="The protocol's version.")] = 1
    build: Annotated[
        Command | None, Meta(description="Run once in the bot's folder before the first game.")
    ] = None
    run: Annotated[Command, Meta(description="Starts the bot, in its folder.")]
    rules: Annotated[list[str] | None, Meta(description="Presets that it plays; default: all.")] = (
        None
    )
    reuse: Annotated[bool, Meta(description="Whether one process may play several games.")] = True
    batch: Annotated[int, Meta(ge=1, le=1024, description="Games at once in one process.")] = 1
    processes: Annotated[int, Meta(ge=1, le=64, description="Processes that it needs.")] = 1
