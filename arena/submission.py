"""Takes in a bot: read, built in the sandbox, checked, stored; all of it or nothing.

Whatever goes wrong, and wherever the process is killed, there is either a stored version of the
bot or no trace of it: it is built and checked in a folder that vanishes, and stored in one
transaction, as the last step.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from arena.bots import (
    MANIFEST,
    VERSION,
    BotFiles,
    built_copy,
    read_bot,
    read_upload,
    why_name_is_taken,
)
from arena.check import CheckReport, Watch, short_check
from arena.errors import UsageError
from arena.play import Bot
from arena.store import (
    NoDatabase,
    Reader,
    Submission,
    keep_submission,
    known_submission,
    refuse_unwritable,
    undisturbed,
    writing,
)
from arena.text import utf8
from protocol.codec import line_of
from protocol.manifest import Manifest
from protocol.records import Isolation
from protocol.rules import PRESETS

Say = Callable[[str], None]
"""Takes one line for every step that is done."""


class NotReady(UsageError):
    """A bot that can't be taken in since it does not play."""

    def __init__(self, report: CheckReport) -> None:
        """`report`: what came of its check."""
        super().__init__(f"bot {report.bot}: not ready to play: {report.first_problem}")
        self.report = report


def read_submission(path: Path, version: str | None = None) -> BotFiles:
    """Read a folder, a single file or a zip that somebody hands in.

    `version`: of a single file. Raises `UsageError` for what can't be a bot, or can't be this
    arena's: what, where, and what was expected.
    """
    try:
        bot = read_bot(path, version)
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {error.strerror}") from None
    return _unobjectionable(bot, str(path))


def read_handed_in(file: str, data: bytes, version: str | None = None) -> BotFiles:
    """Read a single file or a zip of that name that was sent from elsewhere.

    Raises like `read_submission`.
    """
    return _unobjectionable(read_upload(file, data, version), file)


def _unobjectionable(bot: BotFiles, where: str) -> BotFiles:
    """The bot. Raises `UsageError` where it can't be this arena's."""
    for key, problem in _problems(bot.manifest):
        raise UsageError(f"{where}: {_place(bot, key)}: {problem}")
    return bot


def _problems(manifest: Manifest) -> list[tuple[str, str]]:
    """What is wrong with a manifest that is valid, by key."""
    found = []
    version, taken = manifest.version, why_name_is_taken(manifest.name)
    if taken:
        found.append(("name", taken))
    if not re.fullmatch(VERSION, version):
        expected = "letters, digits and . + - _, a letter or digit first, such as 1.0"
        found.append(("version", f"expected {expected}, got {version!r}"))
    for rules in manifest.rules or ():
        if rules not in PRESETS:
            found.append(("rules", f"unknown preset {rules!r}; known: {', '.join(PRESETS)}"))
    return found


def _place(bot: BotFiles, key: str) -> str:
    """A key of bot.toml and where that sets it, or what a single file has in its place."""
    if bot.single:
        return "the file's name" if key == "name" else f"its {key}"
    line = line_of(utf8(bot.files[MANIFEST][1]), key)
    return f"{MANIFEST}: line {line}, {key}" if line else f"{MANIFEST}: {key}"


def submit(
    bot: BotFiles,
    database: Path,
    isolation: Isolation,
    say: Say,
    *,
    again: str = "",
    watch: Watch | None = None,
    token_id: int | None = None,
) -> bool:
    """Build, check and store a bot that `read_submission` has read.

    Returns whether it can now be entered by its name: the same files again change nothing, also
    where they were retired. `again`: the command that checks the bot; `watch` is told of every
    step of its check. `token_id`: of the token that it is handed in with, whose bot it becomes;
    None: by the organiser. Raises `NotReady` for a bot that does not play, `UsageError` for what
    else is to be mended, `Trouble` for what the machine refuses.
    """
    refuse_unwritable(database)
    known = _known(database, bot, token_id)
    if known:
        say(_told_known(known))
        return not known.retired
    with built_copy(bot, isolation) as copy:
        say(_told_build(bot.manifest, copy.is_kept))
        say(_check(copy.bot, bot.manifest, isolation, again, watch))
        # First: where there is no room for it, the bot is not to be stored either.
        with copy.kept():
            known = _store(database, bot, token_id)
    say(_told_known(known) if known else f"Stored: {_reference(bot)} in {database}.")
    return known is None or not known.retired


def _known(database: Path, bot: BotFiles, token_id: int | None) -> Submission | None:
    """As what the database has these files already, before anything is built."""
    try:
        with Reader(database) as reader:
            if token_id is not None:
                reader.refuse_strangers_bot(bot.manifest.name, token_id)
            return reader.known_submission(bot)
    except NoDatabase:
        return None


def _told_known(known: Submission) -> str:
    retired = f", and retired {known.retired}" if known.retired else ""
    return (
        f"Nothing new: these files were submitted as {known.reference} on {known.submitted}"
        f"{retired}."
    )


def _told_build(manifest: Manifest, was_built: bool) -> str:
    if manifest.build is None:
        return "Built: nothing to build."
    return f"Built: {'earlier, ' if was_built else ''}by {' '.join(manifest.build)}"


def _check(
    copy: Bot, manifest: Manifest, isolation: Isolation, again: str, watch: Watch | None
) -> str:
    report = short_check(copy, manifest, isolation, again=again, watch=watch)
    if not report.is_ready:
        raise NotReady(report)
    names = ", ".join(step.name for step in report.steps)
    return f"Checked: ready to play after {len(report.steps)} steps ({names})."


def _store(database: Path, bot: BotFiles, token_id: int | None) -> Submission | None:
    """Store a new version; what another process has submitted meanwhile counts."""
    with writing(database) as db, undisturbed(db):
        known = known_submission(db, bot)
        if known is None:
            keep_submission(db, bot, token_id)
        return known


def _reference(bot: BotFiles) -> str:
    return f"{bot.manifest.name}@{bot.manifest.version}"
