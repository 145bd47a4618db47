"""Python's debugger for a program whose standard input is a file: it talks to the terminal.

Started as a program of its own by whatever Python runs the bot, so it imports nothing of ours.
"""

from __future__ import annotations

import bdb
import os
import pdb
import sys
import traceback
import types

_NOT_THE_PROGRAMS = (__file__, pdb.__file__, bdb.__file__)


def main(words: list[str]) -> None:
    """Debug the program `words[0]`, with the others as its arguments, from its first line on.

    Where it fails, its debugger goes on at that place.
    """
    path = words[0]
    sys.argv[:] = words
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.abspath(path))
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    with open("/dev/tty") as keyboard, open("/dev/tty", "w") as screen:
        debugger = pdb.Pdb(stdin=keyboard, stdout=screen)
        try:
            with open(path, "rb") as file:
                code = compile(file.read(), path, "exec")
            debugger.run(code, module.__dict__)
        except SystemExit as end:
            print(f"The program has ended by sys.exit({end.code!r})", file=screen)
            raise
        except BaseException as error:
            own = _of_the_program(error.__traceback__)
            traceback.print_exception(type(error), error, own, file=screen)
            if own:
                print("Post mortem: the program has failed here", file=screen, flush=True)
                debugger.reset()
                debugger.interaction(None, own)
            sys.exit(1)


def _of_the_program(trace: types.TracebackType | None) -> types.TracebackType | None:
    """A traceback without the debugger's part and ours, which stand above the program's."""
    while trace and trace.tb_frame.f_code.co_filename in _NOT_THE_PROGRAMS:
        trace = trace.tb_next
    return trace


if __name__ == "__main__":
    main(sys.argv[1:])
