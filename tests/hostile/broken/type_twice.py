"""Writes the key `type` twice."""

from seven import turns

for turn in turns():
    card = turn["hand"][0]
    print(f'{{"type":"play","card":"{card}","type":"play"}}', flush=True)
