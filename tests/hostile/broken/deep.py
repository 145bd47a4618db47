"""Nests a value ten thousand levels deep."""

from seven import turns

for _ in turns():
    value = "[" * 10_000 + "]" * 10_000
    print('{"type":"play","card":' + value + "}", flush=True)
