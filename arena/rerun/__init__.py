"""A bot given again the very bytes that it got in a recorded game, to see what it does with them.

`rerun` compares its answers with the recorded ones, with no clock; `debugger_command` starts it
under a debugger instead, its input a file.
"""

from arena.rerun.debugger import debugger_command, input_text
from arena.rerun.feed import Step, rerun

__all__ = ["Step", "debugger_command", "input_text", "rerun"]
