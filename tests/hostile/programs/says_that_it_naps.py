"""Says something as soon as it is asked, then sleeps a while before it answers, four times."""

import time

from talk import READY, answer, say, turns

say(READY)
for number, turn in enumerate(turns()):
    if number < 4:
        say('{"type":"log","text":"thinking"}\n')
        time.sleep(0.25)
    say(answer(turn))
