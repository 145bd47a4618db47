"""Bots as processes: start them, talk to them in lines, end them and all that they started.

A `Host` owns every process of one arena; a `BotProcess` is one bot; a `Canary` tells an overloaded
machine from a slow bot. Nothing here knows of cards.
"""

from arena.process.asking import Asked, Judge, Outcome, Starter
from arena.process.bot import FLOOD_BYTES, BotProcess
from arena.process.canary import Canary
from arena.process.ends import ProcessFacts, exit_text, wait_for_exit
from arena.process.host import GRACE_MS, Host, open_host

__all__ = [
    "FLOOD_BYTES",
    "GRACE_MS",
    "Asked",
    "BotProcess",
    "Canary",
    "Host",
    "Judge",
    "Outcome",
    "ProcessFacts",
    "Starter",
    "exit_text",
    "open_host",
    "wait_for_exit",
]
