"""Writes a name in Latin-1."""

import sys

from seven import turns

for turn in turns():
    sys.stdout.buffer.write(b'{"type":"play","card":"\xe9","turn":%d}\n' % turn["turn"])
    sys.stdout.buffer.flush()
