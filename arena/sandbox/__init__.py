"""How a bot is started so that it can harm nothing: one interface, a backend for every means.

Backends know nothing of cards, pipes or games; `arena.process` starts what they prepare.
"""

from __future__ import annotations

from arena.sandbox.build import BUILD_SECONDS, BuildResult, run_build
from arena.sandbox.cgroups import can_hold_processes
from arena.sandbox.choose import ISOLATING, select_backend, settle_isolation
from arena.sandbox.launch import Backend, Launch, Prepared
from arena.sandbox.limits import BUILD_FILE_BYTES
from arena.sandbox.none import NoIsolation
from arena.sandbox.orphans import hide_own_memory
from arena.sandbox.scratch import remove_tree, scratch_folder, unused_name
from arena.sandbox.toolchain import find_command, find_own_file, find_toolchain, is_own_file
from arena.sandbox.tree import MAX_DEPTH, TreeError, disk_usage, read_tree

__all__ = [
    "BUILD_FILE_BYTES",
    "BUILD_SECONDS",
    "ISOLATING",
    "MAX_DEPTH",
    "Backend",
    "BuildResult",
    "Launch",
    "NoIsolation",
    "Prepared",
    "TreeError",
    "can_hold_processes",
    "disk_usage",
    "find_command",
    "find_own_file",
    "find_toolchain",
    "hide_own_memory",
    "is_own_file",
    "read_tree",
    "remove_tree",
    "run_build",
    "scratch_folder",
    "select_backend",
    "settle_isolation",
    "unused_name",
]
