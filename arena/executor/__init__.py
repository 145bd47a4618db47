"""Where chunks of games are played: one interface, whatever the number of processes.

`arena.executor.cluster` is imported by whoever wants it: it needs an extra.
"""

from arena.executor.base import Executor, Remarking
from arena.executor.in_process import InProcess
from arena.executor.workers import Workers, cores

__all__ = ["Executor", "InProcess", "Remarking", "Workers", "cores"]
