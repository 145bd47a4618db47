"""What the command says of itself."""

from __future__ import annotations

import pytest

from arena.cli import kseri as group
from arena.version import VERSION
from tests.cli.conftest import Here
from tests.cli.program import kseri, started

COMMANDS = [[name] for name in group.list_commands(None)] + [["tournament", "run"]]  # type: ignore[arg-type]


@pytest.mark.parametrize("command", [[], *COMMANDS], ids=" ".join)
def test_help_fits_eighty_columns_and_says_what_it_does(here: Here, command: list[str]) -> None:
    result = here(*command, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith(" ".join(["Usage: kseri", *command]))
    assert max(map(len, lines)) <= 80
    assert lines[2].startswith("  ")
    assert lines[2].strip()
    assert result.stdout == here(*command, "-h").stdout


def test_the_list_of_commands_has_a_whole_sentence_for_each() -> None:
    listed = kseri("--help").stdout.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == [name for [name] in COMMANDS[:-1]]
    assert all(line.endswith(".") and not line.endswith("...") for line in listed), listed


def test_its_version() -> None:
    assert started("--version").stdout == f"kseri, version {VERSION}\n"


@pytest.mark.parametrize("command", [[], ["tournament"]], ids=["kseri", "tournament"])
def test_a_command_without_anything_shows_its_help(command: list[str]) -> None:
    result = started(*command)
    assert result.returncode == 2
    assert "Usage: kseri" in result.stderr
    assert "Traceback" not in result.stderr
