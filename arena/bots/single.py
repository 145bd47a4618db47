"""Bots of one file: how they are built and started, by the file's ending."""

from __future__ import annotations

from pathlib import PurePath

import msgspec

from protocol.manifest import Manifest

SINGLE_FILES: dict[str, tuple[list[str] | None, list[str]]] = {
    ".py": (None, ["python3", "{file}"]),
    ".js": (None, ["node", "{file}"]),
    ".mjs": (None, ["node", "{file}"]),
    ".pl": (None, ["perl", "{file}"]),
    ".rb": (None, ["ruby", "{file}"]),
    ".lua": (None, ["lua", "{file}"]),
    ".php": (None, ["php", "-d", "display_errors=stderr", "{file}"]),
    ".tcl": (None, ["tclsh", "{file}"]),
    ".sh": (None, ["bash", "{file}"]),
    ".c": (["cc", "-O2", "-g", "-o", "bot", "{file}", "-lm"], ["./bot"]),
    ".cpp": (["c++", "-O2", "-g", "-std=c++17", "-o", "bot", "{file}"], ["./bot"]),
    ".rs": (["rustc", "-O", "-g", "-o", "bot", "{file}"], ["./bot"]),
    ".go": (["go", "build", "-o", "bot", "{file}"], ["./bot"]),
    ".java": (["javac", "-d", ".", "{file}"], ["java", "-cp", ".", "{stem}"]),
}
"""The build command, if any, and the command that starts it."""


def made_up_manifest(file: str, version: str | None = None) -> tuple[Manifest, bytes]:
    """The manifest of a bot that is the one file of this name, and its text as bot.toml.

    The ending is one of `SINGLE_FILES`. `version`: of 1 to 40 characters; None: the first one.
    Raises `ValueError` for a name that no bot may have, and for such a version.
    """
    path = PurePath(file)
    build, run = SINGLE_FILES[path.suffix]

    def filled(command: list[str]) -> list[str]:
        return [word.format(file=path.name, stem=path.stem) for word in command]

    name = path.stem.lower().replace("_", "-")
    fields = {"name": name, "run": filled(run), "build": filled(build) if build else None}
    if version is not None:
        fields["version"] = version
    try:
        manifest = msgspec.convert(fields, Manifest)
    except msgspec.ValidationError as error:
        if "$.version" in str(error):
            raise ValueError("its version must have 1 to 40 characters") from None
        raise ValueError(
            "its name must begin with a letter or digit and have only letters, digits, hyphens "
            "and underscores, 39 at most"
        ) from None
    return manifest, _toml_of(manifest, version)


def _toml_of(manifest: Manifest, version: str | None) -> bytes:
    """The few keys of a made-up manifest; JSON's strings and arrays of strings are TOML's too."""
    lines = [f'name = "{manifest.name}"']
    if version is not None:
        lines.append(f"version = {msgspec.json.encode(version).decode()}")
    if manifest.build:
        lines.append(f"build = {msgspec.json.encode(manifest.build).decode()}")
    lines.append(f"run = {msgspec.json.encode(manifest.run).decode()}")
    return ("\n".join(lines) + "\n").encode()
