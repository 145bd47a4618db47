"""What is known of a bot's program beside the game, for advice that fits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.diagnosis.languages import SHELLS, language

BEGINNING_BYTES = 1024
"""How much of a program is looked at for its first lines."""


@dataclass(frozen=True)
class Program:
    """How a bot is started and built; all of it empty where nothing is known."""

    run: Sequence[str] = ()
    """As in bot.toml."""
    build: Sequence[str] = ()
    """As in bot.toml."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What the files that `run` names begin with, by the word that names them."""

    @property
    def language(self) -> str:
        """Its language, as in C++; empty where the commands do not tell."""
        return language(self.run, self.build)

    @property
    def own_file(self) -> str:
        """The file of its own that is started itself, as in ./bot; else empty."""
        name = self.run[0] if self.run else ""
        return name if "/" in name and not name.startswith("/") else ""

    @property
    def windows_file(self) -> str:
        """A file that it runs whose lines end in \\r\\n; else empty."""
        return next((name for name, data in self.files.items() if b"\r\n" in data), "")

    @property
    def is_for_a_shell(self) -> bool:
        """Whether a shell reads it."""
        return bool(self.run) and self.run[0].rpartition("/")[2] in SHELLS

    @property
    def interpreter(self) -> str:
        """What the first line of the file that is started names; empty where it names nothing."""
        first = self.files.get(self.own_file, b"").partition(b"\n")[0]
        return first[2:].decode("utf-8", "replace").strip() if first.startswith(b"#!") else ""


def program_of(
    run: Sequence[str], build: Sequence[str] | None, files: Mapping[str, tuple[bool, bytes]]
) -> Program:
    """What is known of a bot by the commands of its bot.toml and its files by their paths."""
    named = {word: files.get(word.removeprefix("./")) for word in run}
    beginnings = {word: file[1][:BEGINNING_BYTES] for word, file in named.items() if file}
    return Program(run, build or (), beginnings)
