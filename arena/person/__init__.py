"""A person at the table: sits where a bot's process would, and is judged by the same referee.

Whoever shows the table to the person is a `Player`: it is told what that seat is sent, and nothing
else, so it can't show more than the seat may know (R30).
"""

from arena.person.entry import ME, is_person, person_files, sit_down
from arena.person.seat import AtTheTable, Keyboard, Player, stop
from arena.person.visitors import Room, run_tables

__all__ = [
    "ME",
    "AtTheTable",
    "Keyboard",
    "Player",
    "Room",
    "is_person",
    "person_files",
    "run_tables",
    "sit_down",
    "stop",
]
