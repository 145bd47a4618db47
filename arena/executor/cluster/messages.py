"""What a tournament and the workers of a cluster say to each other: MessagePack in tasks."""

from __future__ import annotations

import msgspec

from arena.executor.frames import Result
from arena.play import Plan
from arena.schedule import Chunk


class Hire(msgspec.Struct, frozen=True, kw_only=True):
    """To a worker, first: what all games have in common."""

    job: str
    """Stands in every task of this run; nobody can guess it."""
    isolation: str
    plan: Plan
    """Without the master secret: chunks say what was drawn for their games."""
    bots: tuple[bytes, ...] = ()
    """Bots that the worker lacked, as zip archives."""


class Hired(msgspec.Struct, frozen=True, tag=True):
    """From a worker: it plays, as soon as it has the bots that it lacks."""

    host: str
    lacks: tuple[str, ...]
    """Hashes of bots."""


class Refused(msgspec.Struct, frozen=True, tag=True):
    """From a worker: it can't play, or can't go on."""

    host: str
    reason: str
    is_other_version: bool = False
    """Whether its arena is not ours."""


class Play(msgspec.Struct, frozen=True):
    """To a worker: chunks to play at once."""

    job: str
    chunks: tuple[Chunk, ...]


class Played(msgspec.Struct, frozen=True, tag=True):
    """From a worker: what came of them."""

    host: str
    seconds: float
    results: list[Result]


class NotHired(msgspec.Struct, frozen=True, tag=True):
    """From a worker: it has begun anew since it was hired."""


to_hire = msgspec.msgpack.Decoder(Hire)
to_play = msgspec.msgpack.Decoder(Play)
answer_to_hire: msgspec.msgpack.Decoder[Hired | Refused] = msgspec.msgpack.Decoder(Hired | Refused)
answer_to_play: msgspec.msgpack.Decoder[Played | Refused | NotHired] = msgspec.msgpack.Decoder(
    Played | Refused | NotHired
)
