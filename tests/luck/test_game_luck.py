"""What luck is, from outside: fair to any player, about the cards alone, and of some use."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from arena.luck import deal_luck, game_luck
from arena.replay import ReplayError
from protocol.rules import PRESETS, make_rules
from tests.luck.recorded import captures, forfeited, record_of, wastes, without_sides

KSERI = make_rules("kseri")
SHORT = make_rules("kseri-short")


def seeds(count: int, start: int = 1) -> list[bytes]:
    drawn = random.Random(start)
    return [drawn.randbytes(32) for _ in range(count)]


def standard_errors(values: list[float]) -> float:
    """How many standard errors their mean is away from 0."""
    array = np.array(values)
    return abs(float(array.mean())) / float(array.std(ddof=1)) * len(array) ** 0.5


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_luck_and_what_some_have_others_lack(preset: str) -> None:
    rules = make_rules(preset)
    luck = game_luck(record_of(rules, bytes(32), [captures] * rules.seats))
    assert len(luck) == rules.sides
    assert sum(luck) == pytest.approx(0, abs=1e-9)
    assert max(luck) > 0.01


@pytest.mark.parametrize("overrides", [{"deals": 3}, {"deals": 400, "max_deals": 400}])
@pytest.mark.parametrize("preset", ["kseri", "faro-4"])
def test_games_of_a_number_of_deals_have_luck(preset: str, overrides: dict[str, int]) -> None:
    rules = make_rules(preset, overrides)
    last = deal_luck(rules, bytes(32), overrides["deals"], 0, [0] * rules.sides)
    first = deal_luck(rules, bytes(32), 1, 0, [0] * rules.sides)
    assert [sum(last), sum(first)] == pytest.approx([0, 0], abs=1e-9)
    assert max(last) > max(first)


def test_a_game_is_always_as_lucky_as_it_was() -> None:
    record = record_of(SHORT, bytes(32), [captures, wastes])
    assert game_luck(record) == game_luck(record)


def test_scores_that_a_store_leaves_out_are_played_again() -> None:
    record = record_of(KSERI, bytes(32), [captures, wastes])
    assert game_luck(without_sides(record)) == game_luck(record)


def test_a_game_is_the_sum_of_its_deals_from_the_scores_it_really_had() -> None:
    record = record_of(KSERI, bytes(32), [captures, wastes])
    total, scores = np.zeros(2), [0, 0]
    for deal in record.deals:
        total += deal_luck(KSERI, bytes(32), deal.number, deal.dealer, scores)
        assert deal.sides
        scores = [old + side.total for old, side in zip(scores, deal.sides, strict=True)]
    assert len(record.deals) > 1
    assert game_luck(record) == pytest.approx(total.tolist())


@pytest.mark.parametrize("scores", [[90, 60], [40, 85], [0, 0]])
def test_a_deal_s_luck_has_mean_nothing_from_any_score(scores: list[int]) -> None:
    luck = [deal_luck(KSERI, seed, 4, 0, scores)[0] for seed in seeds(300)]
    assert standard_errors(luck) < 4
    assert np.std(luck) > 0.05


def test_a_deal_s_luck_has_mean_nothing_among_many_sides_and_ahead_of_them() -> None:
    rules = make_rules("kseri-3")
    luck = np.array([deal_luck(rules, seed, 4, 1, [80, 30, 50]) for seed in seeds(300)])
    assert all(standard_errors(luck[:, side].tolist()) < 4 for side in range(3))


def test_a_better_player_is_no_luckier() -> None:
    won, luck = [], []
    for seed in seeds(150):
        record = record_of(SHORT, seed, [captures, wastes])
        won.append(record.winner == 0)
        luck.append(game_luck(record)[0])
    assert np.mean(won) > 0.8
    assert standard_errors(luck) < 4


def test_among_equals_luck_tells_something_of_who_wins_but_less_than_it_says() -> None:
    records = [record_of(SHORT, seed, [captures, captures]) for seed in seeds(150, start=2)]
    score = np.array([record.winner == 0 for record in records], dtype=float)
    luck = np.array([game_luck(record)[0] for record in records])
    assert np.corrcoef(score, luck)[0, 1] > 0.25
    # Were it 1, luck could be taken off as it is; then the fit of the coefficient were needless.
    slope, slope_error = line(luck, score)
    assert slope + 2 * slope_error < 1


def line(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope of y on x, and its standard error."""
    slope = float(np.cov(x, y)[0, 1] / x.var(ddof=1))
    rest = y - y.mean() - slope * (x - x.mean())
    return slope, float(np.sqrt((rest**2).sum() / (len(x) - 2) / ((x - x.mean()) ** 2).sum()))


def test_exchanged_seats_give_the_luck_of_the_same_cards_to_the_other() -> None:
    """Exactly so where the games come to the same scores, which equal players' games do."""
    for seed in seeds(5):
        leg = game_luck(record_of(KSERI, seed, [captures, captures]))
        # The bot of side 0 sits on side 1 in the other leg.
        assert leg[0] + leg[1] == pytest.approx(0, abs=1e-12)


def test_luck_of_unequal_players_nearly_cancels_over_exchanged_seats() -> None:
    single, both = [], []
    for seed in seeds(60, start=3):
        first = game_luck(record_of(SHORT, seed, [captures, wastes]))[0]
        second = game_luck(record_of(SHORT, seed, [wastes, captures]))[1]
        single.append(first)
        both.append((first + second) / 2)
    assert np.var(both) < np.var(single) / 2.5


def test_seats_that_move_on_with_the_dealer_change_nothing_but_places() -> None:
    rules = make_rules("faro-4")
    straight = deal_luck(rules, bytes(32), 2, 1, [10, 20, 30, 40])
    moved = deal_luck(rules, bytes(32), 2, 2, [40, 10, 20, 30])
    assert moved == pytest.approx([straight[3], *straight[:3]])


def test_a_forfeited_game_has_no_luck() -> None:
    for turns in (5, 60):
        record = forfeited(bytes(32), turns)
        assert record.faults
        assert game_luck(record) == [0.0, 0.0]


def test_luck_needs_the_seed() -> None:
    record = record_of(SHORT, bytes(32), [captures, captures])
    with pytest.raises(ReplayError, match="seed is not known yet"):
        game_luck(msgspec.structs.replace(record, seed=""))


def test_scores_are_not_played_again_from_another_seed() -> None:
    record = without_sides(record_of(SHORT, bytes(32), [captures, captures]))
    with pytest.raises(ReplayError, match="deal 1"):
        game_luck(msgspec.structs.replace(record, seed="01" * 32))
