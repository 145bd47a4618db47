"""Is ready before it has read anything, twice, and tells its name."""

from talk import READY, play_on, say

say(READY + '{"type":"ready","name":"early","version":"2"}\n')
play_on()
