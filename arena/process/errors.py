"""What a bot writes to standard error: the end of it is kept, and all of it drained."""

from __future__ import annotations

import os

import trio

_KEPT_BYTES = 64 * 1024
_READ_BYTES = 64 * 1024
_READS = 64
"""At once at most: a bot that writes without end must not keep the arena there."""


class StandardError:
    """The reading end of one bot's standard error."""

    def __init__(self, fd: int) -> None:
        """`fd` does not block; whoever closes it sets `is_open`."""
        self.is_open = True
        self.received = 0
        """How many bytes came in all."""
        self._fd = fd
        self._kept = bytearray()

    async def drain(self) -> None:
        """Read as it comes, until it is closed."""
        while self.is_open:
            try:
                await trio.lowlevel.wait_readable(self._fd)
            except trio.ClosedResourceError:
                return
            self._read()

    def _read(self) -> bool:
        """Take what is there, without waiting; whether there was anything."""
        if not self.is_open:
            return False
        try:
            data = os.read(self._fd, _READ_BYTES)
        except BlockingIOError:
            return False
        self.is_open = bool(data)
        self._kept += data
        self.received += len(data)
        del self._kept[:-_KEPT_BYTES]
        return self.is_open

    def text(self) -> str:
        """What came since it was last forgotten, at most the last 64 KiB."""
        reads = 0
        while reads < _READS and self._read():
            reads += 1
        return self._kept.decode("utf-8", "replace")

    def forget(self) -> None:
        """Begin anew: what was written until now is no longer kept."""
        self.text()
        self._kept.clear()
