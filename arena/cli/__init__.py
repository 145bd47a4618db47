"""The command `kseri`: one file a command group, no logic.

Commands are imported when they are called, so that starting costs little.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from arena.version import VERSION

_COMMANDS = {
    "new": "arena.cli.new:new",
    "play": "arena.cli.play:play",
    "check": "arena.cli.check:check_command",
    "submit": "arena.cli.submit:submit_command",
    "bots": "arena.cli.bots:bots",
    "token": "arena.cli.token:token",
    "tournament": "arena.cli.tournament:tournament",
    "compare": "arena.cli.compare:compare",
    "standings": "arena.cli.standings:standings",
    "rate": "arena.cli.rate:rate",
    "sprt": "arena.cli.sprt:sprt",
    "games": "arena.cli.look:games",
    "show": "arena.cli.look:show",
    "log": "arena.cli.look:log",
    "transcript": "arena.cli.transcript:transcript_command",
    "rerun": "arena.cli.rerun:rerun_command",
    "what-if": "arena.cli.what_if:what_if_command",
    "verify": "arena.cli.verify:verify",
    "export": "arena.cli.export:export",
    "serve": "arena.cli.serve:serve",
    "demo": "arena.cli.demo:demo",
    "deal-script": "arena.cli.deal_script:deal_script",
    "doctor": "arena.cli.doctor:doctor",
    "bench": "arena.cli.bench:bench",
}


class _Commands(click.Group):
    """Commands by name, imported on use, listed in the order above."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="kseri")
def kseri() -> None:
    """Play tournaments of the card game Kseri between programs in any language."""


def main() -> None:
    """Run the command line: one clear line for every error, status 2 for wrong use, else 1."""
    if sys.platform == "win32":
        sys.exit("kseri does not run on Windows itself; it does in WSL, the Linux of Windows")
    if sys.stdout is None:
        sys.exit("kseri: standard output is closed")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for as long as the program runs
    try:
        from arena.cli.errors import run
    except KeyboardInterrupt:
        # While Python was still reading the program.
        sys.exit(130)
    sys.exit(run(kseri))
