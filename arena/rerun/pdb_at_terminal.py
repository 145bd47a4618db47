"""Python's debugger for a program whose standard input is a file: it talks to the terminal.

Started as a program of its own by whatever Python runs the bot, so it imports nothing of ours.
"""

from __future__ import annotations

import os
import pdb
import sys
import types


def main(words: list[str]) -> None:
    """Debug the program `words[0]`, with the others as its arguments, from its first line on."""
    path = words[0]
    sys.argv[:] = words
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.abspath(path))
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    with open("/dev/tty") as keyboard, open("/dev/tty", "w") as screen:
        pdb.Pdb(stdin=keyboard, stdout=screen).run(code, module.__dict__)


if __name__ == "__main__":
    main(sys.argv[1:])
