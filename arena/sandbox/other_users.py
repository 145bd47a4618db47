"""Files that bots can use although an arena run by root starts them as other users."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import tempfile
import weakref
from pathlib import Path

from arena.errors import BotCannotStart
from arena.sandbox.toolchain import Toolchain, find_toolchain


class OpenCopies:
    """Copies of bots' folders that every user may enter who knows the name."""

    def __init__(self) -> None:
        self._prefix = f"kseri-arena-{os.getpid()}-"
        self.pattern = os.path.join(tempfile.gettempdir(), f"{self._prefix}*")
        """Of the folder with all copies, which is taken away with this object."""
        self._folder: Path | None = None
        self._copies: dict[Path, Path] = {}

    def copy_of(self, folder: Path) -> Path:
        """The copy of a folder, made when it is first asked for; `folder` itself if it is open."""
        if folder not in self._copies:
            self._copies[folder] = folder if is_open(folder) else self._make_copy(folder)
        return self._copies[folder]

    def _make_copy(self, folder: Path) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix=self._prefix))
            self._folder.chmod(0o711)
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        copy = self._folder / secrets.token_hex(8)
        shutil.copytree(folder, copy)
        for root, _, files in os.walk(copy):
            os.chmod(root, 0o755)
            for name in files:
                path = Path(root, name)
                path.chmod(0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)
        return copy


def is_open(path: Path) -> bool:
    """Whether everybody may enter all folders on the way to `path`."""
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.resolve().parents)


def toolchain_for_all(name: str) -> Toolchain:
    """The first program of this name that not only root can reach."""
    others = () if os.path.isabs(name) else (f"/usr/local/bin/{name}", f"/usr/bin/{name}")
    for candidate in (name, *others):
        if candidate == name or os.access(candidate, os.X_OK):
            toolchain = find_toolchain(candidate)
            if all(map(is_open, map(Path, (toolchain.program, *toolchain.folders)))):
                return toolchain
    raise BotCannotStart(
        f"{name}: lies where only root may enter; install it for all users, or run the arena as "
        "an ordinary user"
    )
