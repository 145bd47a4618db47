"""A bot given again the very bytes that it got in a recorded game, to see what it does with them.

`rerun` compares its answers with the recorded ones, with no clock, and `Waiting` is what is known
where none comes; `debugger_command` starts it under a debugger instead, its input a file.
"""

from arena.rerun.debugger import debugger_command, input_text
from arena.rerun.feed import Step, rerun
from arena.rerun.waiting import Waiting

__all__ = ["Step", "Waiting", "debugger_command", "input_text", "rerun"]
