"""What a tournament and its worker processes say to each other: MessagePack with a length."""

from __future__ import annotations

import struct

import msgspec
import trio

from arena.play import FinishedGame, Plan
from arena.schedule import Chunk, VoidMatch

_LENGTH = struct.Struct(">I")
_READ_BYTES = 1 << 20


class Begin(msgspec.Struct, frozen=True, tag=True):
    """To a worker, first: what all games have in common."""

    plan: Plan
    isolation: str
    core: int | None
    """The core to stay on, with all bots; None: any."""


class Work(msgspec.Struct, frozen=True, tag=True):
    """To a worker: a chunk to play."""

    number: int
    """Stands in every answer about it."""
    chunk: Chunk


class Result(msgspec.Struct, frozen=True, tag=True):
    """From a worker: a game has ended, or a match was void."""

    number: int
    game: FinishedGame | None = None
    void: VoidMatch | None = None


def result_of(number: int, event: FinishedGame | VoidMatch) -> Result:
    """What is said of a game that has ended, or of a match that was void, in a chunk."""
    if isinstance(event, FinishedGame):
        return Result(number, game=event)
    return Result(number, void=event)


class Done(msgspec.Struct, frozen=True, tag=True):
    """From a worker: a chunk is finished."""

    number: int


class Failed(msgspec.Struct, frozen=True, tag=True):
    """From a worker: it can't go on."""

    message: str


ToWorker = Begin | Work
FromWorker = Result | Done | Failed


class Frames:
    """One side of a connection."""

    def __init__(self, read: trio.abc.ReceiveStream, write: trio.abc.SendStream) -> None:
        self._read, self._write = read, write
        self._buffer = bytearray()
        self._sending = trio.Lock()

    async def send(self, message: ToWorker | FromWorker) -> None:
        """Send one message whole, whoever else is sending."""
        data = msgspec.msgpack.encode(message)
        async with self._sending:
            await self._write.send_all(_LENGTH.pack(len(data)) + data)

    async def receive(self) -> bytes | None:
        """The next message, encoded; None when the other side has closed."""
        while True:
            if len(self._buffer) >= _LENGTH.size:
                (size,) = _LENGTH.unpack_from(self._buffer)
                end = _LENGTH.size + size
                if len(self._buffer) >= end:
                    message = bytes(self._buffer[_LENGTH.size : end])
                    del self._buffer[:end]
                    return message
            data = await self._read.receive_some(_READ_BYTES)
            if not data:
                return None
            self._buffer += data


to_worker = msgspec.msgpack.Decoder(ToWorker)
from_worker = msgspec.msgpack.Decoder(FromWorker)
