"""Bytes from a bot cut into lines. Pure."""

from __future__ import annotations


class LineCutter:
    """What has come of a line that is not whole yet, and what to do with more of it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        """The longest line, in bytes, its end included."""
        self.is_within_line = False
        """Whether a line has begun that has not ended."""
        self._partial = bytearray()
        self._skipping = False

    def cut(self, data: bytes) -> list[bytes]:
        """The whole lines that `data` completes, without their ends and without empty ones.

        One that grows too long is passed on at once, the rest of it dropped.
        """
        *whole, rest = data.split(b"\n")
        if whole:
            if self._skipping:
                whole[0] = b""
                self._skipping = False
            else:
                whole[0] = bytes(self._partial) + whole[0]
                self._partial.clear()
        lines = [line for line in whole if line and not line.isspace()]
        if not self._skipping:
            self._partial += rest
            if len(self._partial) >= self.limit:
                lines.append(bytes(self._partial))
                self._partial.clear()
                self._skipping = True
        self.is_within_line = self._skipping or bool(self._partial)
        return lines

    def begun(self, size: int) -> bytes:
        """The beginning of the line that has not ended, at most `size` bytes."""
        return bytes(self._partial[:size])
