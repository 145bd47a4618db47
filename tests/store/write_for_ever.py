"""A program that stores copies of games until it is killed: `write_for_ever DATABASE ID SEED`."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from arena.store import store_games, writing
from tests.store.games import copies, items

MATCHES = 400


def main(database: Path, tournament_id: int, seed: int) -> None:
    """Say every batch that is stored for good: its first and last game's id."""
    chance = random.Random(seed)
    things = items(copies(MATCHES))
    chance.shuffle(things)
    with writing(database) as db:
        while True:
            batch = chance.choices(things, k=chance.randint(1, 60))
            store_games(db, tournament_id, batch)
            print(*(record.game for record, _ in batch), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
