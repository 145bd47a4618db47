"""`kseri bench` measures what it says; how fast it is is nothing that a test could know."""

from __future__ import annotations

import msgspec
import pytest
from click.testing import CliRunner

from arena.bench import batches, decisions, engine, pool, report
from arena.bench.report import Report
from arena.cli import kseri as program
from benchmarks import capacity, record


@pytest.fixture
def _little(monkeypatch: pytest.MonkeyPatch) -> None:
    """As few of everything as can be measured at all."""
    monkeypatch.setattr(decisions, "_ROUNDS", 1_000)
    monkeypatch.setattr(decisions, "_GAMES", 4)
    monkeypatch.setattr(batches, "BATCHES", (1, 32))
    monkeypatch.setattr(batches, "_COUNTER_BATCHES", (1,))
    monkeypatch.setattr(batches, "_LEAST_GAMES", 8)
    monkeypatch.setattr(batches, "_COUNTER_GAMES", 1)
    monkeypatch.setattr(pool, "_MATCHES_A_WORKER", 2)
    monkeypatch.setattr(pool, "_EMPTY_CHUNKS", 10)
    monkeypatch.setattr(engine, "PLAYS", 1_000)
    monkeypatch.setattr(report, "_STARTS", 1)


@pytest.mark.usefixtures("_little")
def test_the_command_tells_the_same_as_text_and_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    result = CliRunner().invoke(program, ["bench", "--runs", "1", "--json"])
    assert result.exit_code == 0, result.output
    found = msgspec.json.decode(result.stdout, type=Report)
    plain = found.decision("instant", "none")
    assert plain.ratio == pytest.approx(plain.wall_us / plain.ping_pong_us)
    assert plain.arena_cpu_us < plain.wall_us * 1.5
    assert [each.batch for each in found.batches if each.bot == "instant"] == [1, 32]
    assert found.pools[0].speedup == 1
    assert 1_000 < found.storing.bytes_a_game < 20_000
    assert record.costs(found).decision_us > 0

    monkeypatch.setattr("arena.cli.bench.measure", lambda runs, say: found)
    text = CliRunner().invoke(program, ["bench"]).stdout
    assert max(map(len, text.splitlines())) <= 80
    for title in ("Starts", "Decisions", "Many games at once", "Tournaments", "Games stored"):
        assert title in text
    assert f"{plain.ratio:.2f}" in text
    assert all(value in "".join(record.rows(found).values()) for value in ["times", "%"])


def test_what_more_matches_need_is_what_was_measured_times_their_number() -> None:
    costs = capacity.Costs(
        decisions_a_game=300,
        decision_us=20,
        batched_decision_us=5,
        starts_ms=10,
        hand_over_us=500,
        stored_games_a_second=1_000,
        stored_bytes_a_game=3_000,
        sent_bytes_a_game=10_000,
    )
    found = {need.what: need.amount for need in capacity.needs(costs, 86_400 * 1_000)}
    assert found["matches a second"] == "1,000"
    assert found["decisions a second"] == "600,000"
    assert found["cores, one game at a time"] == "12.0"
    assert found["cores, batches of 32"] == "3.00"
    assert found["writers with a SQLite database each"] == "2.00"
    assert found["storage a day"] == "0.5 TB"
    assert found["network, to whoever stores"] == "0.16 Gbit/s"
    assert capacity.most_with_one_writer(costs) == 43_200_000
