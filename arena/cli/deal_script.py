"""`kseri deal-script`: deals without randomness, for tests and other implementations."""

from __future__ import annotations

import sys
from typing import BinaryIO

import click

from arena.cli.options import lines_of
from arena.deal_script import run_script
from protocol.codec import encode_line
from protocol.deal_script import ScriptRefusal

_MOST_LINE_BYTES = 1024 * 1024


@click.command(name="deal-script")
@click.argument("file", type=click.File("rb"))
def deal_script(file: BinaryIO) -> int:
    """Play the deal scripts in FILE (- for stdin).

    A script is one JSON object a line; so is what comes of it. The exit status is 2 where a
    script is refused.
    """
    status = 0
    for line in lines_of(file, file.name, _MOST_LINE_BYTES):
        if not line.strip():
            continue
        answer = run_script(line)
        if isinstance(answer, ScriptRefusal):
            status = 2
        sys.stdout.buffer.write(encode_line(answer))
        sys.stdout.buffer.flush()
    return status
