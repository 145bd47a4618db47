"""The schemas are what the structs say, and judge as the arena does."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from protocol import schema
from protocol.check import CheckReport
from protocol.codec import ProtocolError, decode_bot_line
from protocol.deal_script import DealOutcome, DealScript, ScriptRefusal
from protocol.manifest import Manifest
from protocol.messages import ToBot
from protocol.records import BotLog, GameRecord
from protocol.rules import RuleSet
from protocol.tournament import Tournament

REPOSITORY = Path(__file__).parents[2]


def _decode_outcome(text: bytes) -> DealOutcome | ScriptRefusal:
    # Untagged, so told apart by the key that only one of them has.
    is_refusal = b'"error"' in text
    return msgspec.json.decode(text, type=ScriptRefusal if is_refusal else DealOutcome)


DECODERS: dict[str, Callable[[bytes], Any]] = {
    "from-arena": msgspec.json.Decoder(ToBot).decode,
    "from-bot": decode_bot_line,
    "game-record": msgspec.json.Decoder(GameRecord).decode,
    "bot-log": msgspec.json.Decoder(BotLog).decode,
    "check-report": msgspec.json.Decoder(CheckReport).decode,
    "manifest": msgspec.json.Decoder(Manifest).decode,
    "tournament": msgspec.json.Decoder(Tournament).decode,
    "rules": msgspec.json.Decoder(RuleSet).decode,
    "deal-script": msgspec.json.Decoder(DealScript).decode,
    "deal-outcome": _decode_outcome,
}

EXAMPLES = sorted((REPOSITORY / "schemas" / "examples").glob("*/*.json"))


def load(name: str) -> dict[str, Any]:
    return json.loads((schema.schemas_folder() / f"{name}.json").read_text("utf-8"))


def test_the_schemas_are_what_the_structs_say() -> None:
    assert schema.outdated(schema.schemas_folder()) == []


def test_the_schemas_stand_at_the_top_of_the_repository() -> None:
    assert schema.schemas_folder() == REPOSITORY / "schemas"


def test_shipped_schemas_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "__file__", str(tmp_path / "protocol" / "schema.py"))
    shipped = tmp_path / "protocol" / "_shipped" / "schemas"
    shipped.mkdir(parents=True)
    (tmp_path / "schemas").mkdir()
    assert schema.schemas_folder() == shipped


@pytest.mark.parametrize("name", schema.SCHEMAS)
def test_each_is_a_schema_of_its_dialect(name: str) -> None:
    loaded = load(name)
    Draft202012Validator.check_schema(loaded)
    assert loaded["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert loaded["title"]
    assert "$id" not in loaded
    assert schema.schema_text(name).endswith("}\n")


def test_sentences_under_fields_are_descriptions() -> None:
    turn = load("from-arena")["$defs"]["Turn"]
    assert turn["description"].startswith("The bot must play")
    assert turn["properties"]["hand"]["description"] == "In the order dealt."
    assert turn["properties"]["taken_centre"]["description"] == (
        "Those cards, for the side that took any."
    )


@pytest.mark.parametrize("name", ["from-arena", "from-bot"])
def test_messages_may_have_unknown_keys_at_every_level(name: str) -> None:
    assert '"additionalProperties": false' not in schema.schema_text(name)


@pytest.mark.parametrize("name", sorted(schema.SCHEMAS.keys() - {"from-arena", "from-bot"}))
def test_files_may_have_no_unknown_keys_at_any_level(name: str) -> None:
    for struct in load(name)["$defs"].values():
        assert struct["additionalProperties"] is False, struct["title"]


@pytest.mark.parametrize("name", schema.SCHEMAS)
def test_each_has_valid_and_invalid_examples(name: str) -> None:
    kinds = [file.name.split("-")[0] for file in EXAMPLES if file.parent.name == name]
    assert set(kinds) == {"valid", "invalid"}


def test_no_example_is_of_no_schema() -> None:
    assert {file.parent.name for file in EXAMPLES} == set(schema.SCHEMAS)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_an_example_is_judged_alike_by_schema_and_arena(file: Path) -> None:
    text, name = file.read_bytes(), file.parent.name
    is_valid = file.name.startswith("valid-")
    assert Draft202012Validator(load(name)).is_valid(json.loads(text)) is is_valid
    if is_valid:
        DECODERS[name](text)
    else:
        with pytest.raises((msgspec.DecodeError, ProtocolError)):
            DECODERS[name](text)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its schemas that a test may change."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPOSITORY / "protocol", tmp_path / "protocol", ignore=ignore)
    shutil.copytree(REPOSITORY / "schemas", tmp_path / "schemas")
    return tmp_path


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "protocol.schema", *words]
    return subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=60)


def contents(copy: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in (copy / "schemas").glob("*.json")}


def test_check_names_a_schema_whose_struct_has_changed(copy: Path) -> None:
    source = copy / "protocol" / "manifest.py"
    source.write_text(source.read_text("utf-8") + "    colour: str = ''\n", "utf-8")
    before = contents(copy)
    checked = run(copy, "--check")
    assert (checked.returncode, checked.stdout) == (1, "manifest.json differs from the structs\n")
    assert contents(copy) == before
    assert run(copy).returncode == 0
    assert '"colour"' in contents(copy)["manifest.json"]
    assert run(copy, "--check").returncode == 0


def test_check_names_schemas_that_are_missing_or_too_many(copy: Path) -> None:
    (copy / "schemas" / "rules.json").rename(copy / "schemas" / "laws.json")
    checked = run(copy, "--check")
    assert checked.returncode == 1
    assert checked.stdout == "rules.json is missing\nlaws.json is superfluous\n"


def test_check_of_an_unchanged_copy_is_clean(copy: Path) -> None:
    assert run(copy, "--check").returncode == 0


def test_an_unknown_word_is_answered_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert schema.main(["--chekc"]) == 2
    assert "usage" in capsys.readouterr().err
