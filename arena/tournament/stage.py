"""What is to be played next of a tournament, by what the database has of it now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import chain

import msgspec

from arena.pairing import Pairing
from arena.schedule import Chunk, chunks, fixed_pairings, games_of, pairing_text
from arena.store import (
    Database,
    Round,
    StoredTournament,
    entrants_of,
    find_tournament,
    forfeited_games,
    pairings_of,
    rounds_of,
    stored_games,
    void_matches,
)
from arena.tournament.done import Done
from arena.tournament.forfeits import Forfeits
from arena.tournament.settings import is_in_rounds, sets_aside


@dataclass
class Stage:
    """A part of a tournament that is played without another look at the database."""

    stored: StoredTournament
    round: Round | None
    """None for kinds that don't play in rounds."""
    pairings: list[Pairing]
    """All of its pairings, also of earlier rounds, in the schedule's order."""
    entrants: int
    """How many ever were in it."""
    gone: frozenset[str]
    """Entrants whose games are not played any more."""
    done: Done
    forfeits: Forfeits
    is_over: bool = False
    """Whether nothing is left to be played, in this stage and after it."""
    is_stopped: bool = False
    """Whether nothing more of it is to be handed out: somebody has changed the tournament."""

    @property
    def master(self) -> bytes:
        """The secret of its games."""
        own = self.round.master if self.round else None
        return bytes.fromhex(own or self.stored.master)

    def remaining(self) -> Iterator[Chunk]:
        """The chunks that are still to be played, every pairing's first before any one's second.

        An entrant that comes to be set aside meanwhile gets none of its later games.
        """
        for chunk in _in_turn(map(self._chunks, self._to_play())):
            if self.is_stopped:
                return
            if wanted := self._wanted(chunk):
                yield wanted

    def games_of(self, label: str) -> tuple[int, int]:
        """How many games of an entrant are stored and count, and how many it has still to play."""
        played, left = 0, 0
        for pairing in self.pairings:
            if label not in pairing.entrants:
                continue
            text = pairing_text(pairing.entrants)
            still_to_play = self.done.still_to_play(text)
            is_played = self.gone.isdisjoint(pairing.entrants)
            definition, rotations = self.stored.definition, self.stored.rotations
            for key in chain(*games_of(pairing, definition.chunk_matches, rotations)):
                played += self.done.stored(text, key) is not None
                left += is_played and still_to_play(key) is not None
        return played, left

    def _to_play(self) -> list[Pairing]:
        # Also of earlier rounds of a knockout: a tie is open again when a game of it is annulled.
        own = self.round.number if self.round and self.round.master else None
        return [
            pairing
            for pairing in self.pairings
            if own in (None, pairing.round)
            and not pairing.is_bye
            and self.gone.isdisjoint(pairing.entrants)
        ]

    def _chunks(self, pairing: Pairing) -> Iterator[Chunk]:
        still_to_play = self.done.still_to_play(pairing_text(pairing.entrants))
        return chunks(self.stored.definition, pairing, still_to_play)

    def _wanted(self, chunk: Chunk) -> Chunk | None:
        """The chunk without games behind the end of an entrant that is to be set aside."""
        failing = self.forfeits.ends.keys() & set(chunk.pairing)
        if not failing:
            return chunk
        text = pairing_text(chunk.pairing)
        games = tuple(
            key
            for key in chunk.games
            if not any(self.forfeits.is_beyond(label, text, key) for label in failing)
        )
        return msgspec.structs.replace(chunk, games=games) if games else None


def _in_turn(lines: Iterable[Iterator[Chunk]]) -> Iterator[Chunk]:
    """The first of every line, then the second of every line, and so on.

    None is made before its turn: the first of a line may stand behind many that are done.
    """
    lines = list(lines)
    while lines:
        going_on = []
        for line in lines:
            if chunk := next(line, None):
                yield chunk
                going_on.append(line)
        lines = going_on


def load_stage(db: Database, tournament_id: int) -> Stage:
    """A tournament as the database has it now."""
    stored = find_tournament(db, id=tournament_id)
    assert stored is not None
    definition = stored.definition
    entrants = entrants_of(db, tournament_id)
    rounds = rounds_of(db, tournament_id)
    if is_in_rounds(stored.kind):
        pairings = pairings_of(db, tournament_id)
    else:
        pairings = fixed_pairings(definition, {e.label: e.owners for e in entrants})
    gone = frozenset(entrant.label for entrant in entrants if entrant.departure)
    done = _done(db, stored)
    return Stage(
        stored=stored,
        round=rounds[-1] if rounds else None,
        pairings=pairings,
        entrants=len(entrants),
        gone=gone,
        done=done,
        forfeits=_forfeits(db, stored, pairings, done, gone),
    )


def _done(db: Database, stored: StoredTournament) -> Done:
    done = Done(stored.rotations)
    # First: games of these matches do not count, whenever they were stored.
    for row in void_matches(db, stored.id):
        if row.annulled:
            done.annul(row.pairing, row.match)
        else:
            done.void(row.pairing, row.match, row.replay)
    for pairing, key in stored_games(db, stored.id):
        done.add(pairing, key)
    return done


def _forfeits(
    db: Database, stored: StoredTournament, pairings: list[Pairing], done: Done, gone: Set[str]
) -> Forfeits:
    forfeits = Forfeits(pairings, stored.definition.chunk_matches, stored.rotations, done, gone)
    if sets_aside(stored.kind):
        for label, pairing, key in forfeited_games(db, stored.id):
            forfeits.note(label, pairing, key)
    return forfeits
