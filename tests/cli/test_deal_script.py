"""`kseri deal-script`: a line in, a line out, for other implementations of the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.program import ROOT, kseri

EXAMPLES = [
    json.loads(line)
    for line in (ROOT / "tests" / "game" / "data" / "deal_scripts.jsonl").read_text().splitlines()
]


def run(lines: list[bytes], tmp_path: Path) -> tuple[int, list[Any]]:
    file = tmp_path / "scripts.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    result = kseri("deal-script", file)
    assert result.stderr == ""
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def unworded(outcome: Any) -> Any:
    if "error" in outcome:
        outcome["error"]["message"] = "…"  # the wording is everybody's own
    return outcome


def test_all_examples_come_out_and_refusals_give_status_2(tmp_path: Path) -> None:
    scripts = [json.dumps(example["script"]).encode() for example in EXAMPLES]
    status, outcomes = run(scripts, tmp_path)
    assert [unworded(outcome) for outcome in outcomes] == [ex["expect"] for ex in EXAMPLES]
    assert any("error" in example["expect"] for example in EXAMPLES)
    assert status == 2


def test_deals_that_can_be_played_give_status_0(tmp_path: Path) -> None:
    played = [example for example in EXAMPLES if "error" not in example["expect"]]
    scripts = [json.dumps(example["script"]).encode() for example in played]
    assert run(scripts, tmp_path)[0] == 0


def test_the_same_from_standard_input() -> None:
    line = json.dumps(EXAMPLES[0]["script"]).encode() + b"\n"
    result = kseri("deal-script", "-", given=b"\n" + line + b"\n")
    assert unworded(json.loads(result.stdout)) == EXAMPLES[0]["expect"]


def test_nonsense_is_refused_line_by_line(tmp_path: Path) -> None:
    nonsense = [b"{", b"[]", b"{}", b'"\xff"', b"\xff", b"[" * 100_000, b'{"rules": "\\ud800"}']
    status, outcomes = run(nonsense, tmp_path)
    assert status == 2
    assert len(outcomes) == len(nonsense)
    for outcome in outcomes:
        assert outcome["error"]["play"] is None
        assert outcome["error"]["message"]
