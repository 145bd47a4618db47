"""Which files are looked at, and which programs asked, to start what a manifest names."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.check.trial import Trial
from arena.errors import BotCannotStart
from arena.sandbox import find_own_file
from protocol.messages import Limits
from tests.check.tried import manifest_of, started_by

OUT = ["./../secret", "../secret", "./data/../../secret", "/{folder}/../secret", "../nothing"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder, beside a file that is none of its business."""
    (tmp_path / "secret").write_text("#!/secret", "utf-8")
    bot = tmp_path / "bot"
    (bot / "data").mkdir(parents=True)
    (bot / "data" / "table").write_text("own", "utf-8")
    return bot


@pytest.mark.parametrize("name", OUT)
def test_a_path_that_leads_out_of_the_bots_folder_is_not_looked_at(folder: Path, name: str) -> None:
    name = name.format(folder=folder)
    with pytest.raises(BotCannotStart) as raised:
        find_own_file(name, folder)
    assert str(raised.value).endswith("no such file in the bot's folder: it leads out of it")


def test_a_check_reads_no_file_outside_the_bots_folder(folder: Path) -> None:
    bot = started_by(*OUT, "./data/table", "data/table", "data", "x" * 5000, "\0", folder=folder)
    trial = Trial(None, bot, manifest_of(bot), Limits())  # type: ignore[arg-type]
    assert trial.program.files == {"./data/table": b"own", "data/table": b"own"}
    assert trial.program.interpreter == ""
