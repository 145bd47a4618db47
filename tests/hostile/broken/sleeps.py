"""Falls asleep in its second turn."""

import time

from seven import answer, say, turns

for number, turn in enumerate(turns()):
    if number:
        time.sleep(3600)
    say(answer(turn))
