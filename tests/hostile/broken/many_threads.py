"""Starts a hundred threads that wait."""

import threading

from seven import answer, say, turns

say({"type": "ready"})
for turn in turns():
    event = threading.Event()
    for _ in range(100):
        threading.Thread(target=event.wait, daemon=True).start()
    say(answer(turn))
