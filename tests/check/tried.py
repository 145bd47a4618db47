"""One game of a broken bot in the real arena, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import trio

from arena.check.trial import Trial, Tried
from arena.play import Bot
from arena.process import open_host
from arena.sandbox import select_backend
from protocol.manifest import Manifest
from protocol.messages import Limits

BROKEN = Path(__file__).parent.parent / "hostile" / "broken"
PATIENT = Limits(boot_ms=60_000, move_ms=60_000, bank_ms=0)
"""For bots that answer or end, on a machine under load."""
SHORT = Limits(boot_ms=30_000, move_ms=300, bank_ms=0)
"""For bots that are ready and then do not answer."""
HURRIED = Limits(boot_ms=300, move_ms=100, bank_ms=0)
"""For bots that say nothing at all."""


def broken(name: str) -> Bot:
    """A broken bot by the name of its file, with its ending where that is not .py."""
    file = name if "." in name else f"{name}.py"
    run = ("perl", file) if file.endswith(".pl") else ("python3", "-B", "-S", file)
    return started_by(*run, folder=BROKEN)


def started_by(*run: str, folder: Path = BROKEN) -> Bot:
    """A bot that is started by this command."""
    return Bot(name="broken", version="1.0", hash="", folder=str(folder), run=run)


def manifest_of(bot: Bot, **keys: object) -> Manifest:
    """A manifest that says what the bot does."""
    return Manifest(name=bot.name, run=list(bot.run), **keys)  # type: ignore[arg-type]


def tried(
    bot: Bot,
    limits: Limits = PATIENT,
    preset: str = "kseri",
    isolation: str = "none",
    deals: int = 2,
) -> Tried:
    """Let the bot play one game."""

    async def main() -> Tried:
        async with open_host(select_backend(isolation)) as host:
            trial = Trial(host, bot, manifest_of(bot), limits)
            return await trial.play(trial.table(), preset, deals=deals)

    return trio.run(main)
