"""What if other bots had sat there: a deal of a recorded game gone on with from any of its plays.

A bot comes into the middle of a deal as the protocol has it: `hello`, then `turn`, in which stands
all that its seat may know of the deal. It is played to the end of the deal and no further. Nothing
of it is rated, or kept among games.

    deal        one deal gone on with, several times
    with_files  by bots that are to be made ready first
    asked       what visitors of the dashboard ask for, one after another
"""

from arena.continuation.asked import Asked, run_what_ifs
from arena.continuation.deal import SECONDS, continued
from arena.continuation.with_files import go_on

__all__ = ["SECONDS", "Asked", "continued", "go_on", "run_what_ifs"]
