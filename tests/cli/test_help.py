"""What the command says of itself."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from arena.cli import kseri as group
from arena.version import VERSION
from tests.cli.conftest import Here
from tests.cli.program import kseri, started

CONTEXT = click.Context(group)
COMMANDS = [[name] for name in group.list_commands(CONTEXT)] + [["tournament", "run"]]


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


def every_command() -> Iterator[tuple[str, click.Command]]:
    """All commands, those of groups among them, by their words."""
    for name in group.list_commands(CONTEXT):
        command = group.get_command(CONTEXT, name)
        assert command
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {each}", one) for each, one in command.commands.items())


@pytest.mark.parametrize(("name", "command"), list(every_command()))
def test_every_option_says_what_it_is_for_and_every_command_in_one_line(
    name: str, command: click.Command
) -> None:
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert not [each.opts for each in options if not each.help]
    longest = max(map(len, name.split()))
    sentence = command.get_short_help_str(limit=72 - longest)
    assert sentence.endswith("."), sentence
    assert not sentence.endswith("..."), sentence


def test_its_version() -> None:
    assert started("--version").stdout == f"kseri, version {VERSION}\n"


@pytest.mark.parametrize("command", [[], ["tournament"]], ids=["kseri", "tournament"])
def test_a_command_without_anything_shows_its_help(command: list[str]) -> None:
    result = started(*command)
    assert result.returncode == 2
    assert "Usage: kseri" in result.stderr
    assert "Traceback" not in result.stderr
