"""Templates of bots: one folder a language, and how a bot of one's own is made from it."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.bots import as_path, shipped_bots, why_name_is_taken
from arena.errors import Trouble, UsageError
from arena.sandbox import scratch_folder
from protocol.manifest import Manifest

_NAME = r"[a-z0-9][a-z0-9-]{0,38}"
"""As in `protocol.manifest`."""
_ASK_BY_LINES = "sh test.sh"
"""The test of those whose language has no usual means of its own for that."""
_LINES = "lines.jsonl"
"""What every bot's test lets it read."""


class _Facts(msgspec.Struct, forbid_unknown_fields=True):
    """What stands in a template's `template.toml`."""

    language: str
    source: str
    test: str
    needs: str
    programs: list[str]


@dataclass(frozen=True)
class Template:
    """A bot to start from."""

    name: str
    """As it is asked for: `python`."""
    language: str
    """As its users write it: `Python`."""
    source: str
    """The file that has `choose`, in which the author's idea goes."""
    test: str
    """The shell command that runs the bot's own test, in its folder."""
    needs: str
    """What a machine must have to build and run it."""
    programs: tuple[str, ...]
    """The commands that are there where a machine has that."""

    def is_meant_by(self, word: str) -> bool:
        """Whether `word` is its name, its language or the ending of its source: `c#`, `cs`."""
        return word.lower() in (self.name, self.language.lower(), Path(self.source).suffix[1:])


def templates() -> list[Template]:
    """All templates, by name."""
    return [
        Template(
            path.parent.name,
            facts.language,
            facts.source,
            facts.test,
            facts.needs,
            tuple(facts.programs),
        )
        for path in sorted(_folder().glob("*/template.toml"))
        for facts in [msgspec.toml.decode(path.read_bytes(), type=_Facts)]
    ]


def find_template(word: str) -> Template:
    """The template for a language. Raises `UsageError` with the list of those there are."""
    known = templates()
    for template in known:
        if template.is_meant_by(word):
            return template
    names = ", ".join(template.name for template in known)
    raise UsageError(f"no template for {word!r}; there is one for {names}")


def make_bot(name: str, template: Template, beside: Path = Path(), kseri: str = "kseri") -> Path:
    """Make a bot called `name` in a folder of that name in `beside`, which is made if need be.

    Returns that folder; `kseri` is the command as its README.md names it.
    It is there with all its files or not at all. Raises `UsageError` where the name is none for a
    bot or is taken, `OSError` and `Trouble` where the folder cannot be written.
    """
    if not re.fullmatch(_NAME, name):
        raise UsageError(
            f"{name!r} is no name for a bot; expected small letters, digits and hyphens, a letter "
            "or digit first, at most 39"
        )
    taken = why_name_is_taken(name)
    if taken:
        raise UsageError(taken)
    folder = beside / name
    if folder.exists() or folder.is_symlink():
        raise UsageError(f"{folder} is there already; choose another name or --folder")
    if beside.exists() and not beside.is_dir():
        raise UsageError(f"{beside}: no folder, but a file")
    beside.mkdir(parents=True, exist_ok=True)
    path = shlex.quote(as_path(folder))
    with scratch_folder(beside, ".new-") as work:
        made = work / name
        try:
            _write(template, made, {"name": name, "kseri": kseri, "path": path})
        except OSError as error:
            # Of a full disk it is not said where.
            raise Trouble(f"{error.filename or folder}: {error.strerror}") from error
        made.rename(folder)
    return folder


def _folder() -> Path:
    return shipped_bots() / "templates"


def _write(template: Template, folder: Path, given: Mapping[str, str]) -> None:
    """Copy the template's files and the common ones, with what stands between @ filled in."""
    own = _folder() / template.name
    manifest = msgspec.toml.decode(
        (own / "bot.toml").read_text("utf-8").replace("@name@", given["name"]), type=Manifest
    )
    words = {
        **given,
        "language": template.language,
        "source": template.source,
        "test": template.test,
        "needs": template.needs,
        "build": f"{shlex.join(manifest.build)}\n" if manifest.build else "",
        "run": shlex.join(manifest.run),
    }
    for path, target in _files(template, own):
        text = path.read_text("utf-8")
        for word, value in words.items():
            text = text.replace(f"@{word}@", value)
        made = folder / target
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(text, "utf-8")
        shutil.copymode(path, made)


def _files(template: Template, own: Path) -> Iterator[tuple[Path, Path]]:
    """Every file of a template, and where it goes in the bot's folder."""
    common = _folder() / "common"
    names = ["README.md", _LINES] + ["test.sh"] * (template.test == _ASK_BY_LINES)
    yield from ((common / name, Path(name)) for name in names)
    for path in sorted(own.rglob("*")):
        if path.is_file() and path.name != "template.toml" and "__pycache__" not in path.parts:
            yield path, path.relative_to(own)
