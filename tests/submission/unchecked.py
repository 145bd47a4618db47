"""The command `kseri` that takes bots in without playing; the check has tests of its own."""

from __future__ import annotations

import sys

PROGRAM = """\
import os, signal, sys
from arena import submission
from arena.cli import main

submission._check = lambda *_: "Checked: not here."
{more}
sys.argv = ["kseri", *sys.argv[1:]]
main()
"""


def unchecked(more: str = "") -> list[str]:
    """What starts it, after it has run the lines `more`."""
    return [sys.executable, "-P", "-c", PROGRAM.format(more=more)]
