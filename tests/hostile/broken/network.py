"""Asks a server for the answer."""

import socket

from seven import answer, say, turns

say({"type": "ready"})
for turn in turns():
    socket.create_connection(("127.0.0.1", 9), timeout=5)
    say(answer(turn))
