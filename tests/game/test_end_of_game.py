"""The end of a game: R23 to R25, and sides that forfeit."""

import random

import pytest

from arena.game import Game, first_dealer, side_scores
from protocol.rules import PRESETS, RuleSetError, SideScore, make_rules
from tests.game.strategies import play_on
from tests.game.table import rules_of

SEED = bytes(range(32))


@pytest.fixture
def game_of(monkeypatch):
    """Make a game whose deals come to the given totals by side; it is scored until it ends."""

    def play(rules, totals):
        coming = iter(totals)
        monkeypatch.setattr(
            "arena.game.game.side_scores",
            lambda deal: [SideScore(total=total) for total in next(coming)],
        )
        game = Game(rules, SEED)
        scored = 0
        while game.reason is None and scored < len(totals):
            game.finish_deal()
            scored += 1
        return game, scored

    return play


# R2, R26


@pytest.mark.parametrize("preset", ["kseri", "kseri-3", "pisti", "faro-5", "faro-6"])
def test_r2_first_dealer_comes_from_the_seed_and_the_next_seat_deals_next(preset):
    rules = make_rules(preset)
    game = Game(rules, SEED)
    dealer = first_dealer(SEED, rules.seats)
    for number in range(1, 9):
        assert (game.deal.number, game.deal.dealer) == (number, dealer)
        play_on(game.deal, random.Random(number))
        game.finish_deal()
        if game.reason:
            break
        dealer = (dealer + 1) % rules.seats


# R23


def test_r23_scores_are_added_after_each_deal(game_of):
    game, scored = game_of(rules_of("kseri"), [(30, 5), (20, 7)])
    assert (game.scores, game.reason, scored) == ([50, 12], None, 2)
    assert game.deal.number == 3


@pytest.mark.parametrize(
    ("totals", "scored", "winner"),
    [
        ([(100, 0), (1, 0)], 2, 0),  # exactly the target
        ([(100, 99), (1, 12), (5, 5)], 2, 1),  # both reach it, the higher wins
        ([(101, 101), (3, 0)], 2, 0),  # a tie at the target: one more deal
        ([(101, 101), (4, 4), (0, 9)], 3, 1),  # and another
        ([(120, 120), (0, 0), (0, 0), (1, 0)], 4, 0),
    ],
)
def test_r23_game_ends_when_one_side_alone_is_highest_at_the_target(
    game_of, totals, scored, winner
):
    game, played = game_of(rules_of("kseri"), totals)
    assert (game.reason, played, game.winner) == ("target", scored, winner)


def test_r23_while_the_highest_score_is_shared_all_play_on(game_of):
    """The third side is far behind at the tie, and wins all the same."""
    game, _ = game_of(rules_of("kseri-3"), [(110, 110, 90), (0, 0, 30)])
    assert (game.reason, game.winner, game.ranks()) == ("target", 2, [2, 2, 1])


def test_r23_tie_below_the_highest_does_not_matter(game_of):
    game, _ = game_of(rules_of("kseri-3"), [(102, 110, 102)])
    assert (game.reason, game.winner, game.ranks()) == ("target", 1, [2, 1, 2])


# R24


def test_r24_exactly_so_many_deals(game_of):
    game, scored = game_of(rules_of("kseri", deals=3), [(200, 0), (0, 0), (0, 0)])
    assert (game.reason, scored, game.winner) == ("deals", 3, 0)


def test_r24_equal_highest_scores_are_a_draw(game_of):
    game, _ = game_of(rules_of("kseri-3", deals=2), [(10, 5, 1), (0, 5, 2)])
    assert (game.reason, game.winner, game.ranks()) == ("deals", None, [1, 1, 3])


def test_r24_as_many_deals_as_max_deals(game_of):
    game, _ = game_of(rules_of("kseri", deals=2, max_deals=2), [(10, 5), (0, 0)])
    assert (game.reason, game.winner) == ("deals", 0)


# R25


@pytest.mark.parametrize(
    ("totals", "winner"),
    [([(1, 0), (1, 0)], 0), ([(1, 2), (1, 0)], None), ([(0, 0), (0, 0)], None)],
)
def test_r25_max_deals(game_of, totals, winner):
    game, _ = game_of(rules_of("kseri", max_deals=2), totals)
    assert (game.reason, game.winner) == ("max_deals", winner)


def test_r25_tie_at_the_target_ends_there_too(game_of):
    game, scored = game_of(rules_of("kseri", max_deals=3), [(101, 101), (1, 1), (2, 2), (5, 0)])
    assert (game.reason, game.winner, scored) == ("max_deals", None, 3)


def test_r25_target_in_the_last_deal_is_the_reason(game_of):
    game, _ = game_of(rules_of("kseri", max_deals=2), [(60, 0), (60, 0)])
    assert (game.reason, game.winner) == ("target", 0)


def test_r25_more_deals_than_max_deals_are_refused():
    with pytest.raises(RuleSetError, match="max_deals"):
        rules_of("kseri", deals=4, max_deals=3)
    with pytest.raises(RuleSetError, match="max_deals"):
        rules_of("kseri", deals=201)


# Forfeits


def test_last_side_standing_wins_at_once():
    game = Game(rules_of("kseri"), SEED)
    game.scores = [90, 3]
    game.forfeit(0)
    assert (game.reason, game.winner, game.ranks()) == ("forfeit", 1, [2, 1])


def test_game_of_more_sides_goes_on_without_the_one_that_forfeited(game_of):
    game = Game(rules_of("kseri-3"), SEED)
    game.forfeit(1)
    assert (game.reason, game.standing) == (None, [0, 2])
    game.forfeit(2)
    assert (game.reason, game.winner) == ("forfeit", 0)
    assert game.ranks() == [1, 3, 2]


@pytest.mark.parametrize(
    ("total", "reason", "winner", "ranks"),
    [
        ((10, 150, 20), None, None, None),  # only the forfeited side is at the target
        ((101, 150, 20), "target", 0, [1, 3, 2]),
        ((150, 150, 20), "target", 0, [1, 3, 2]),  # no tie with a side that forfeited
        ((120, 150, 120), None, None, None),
    ],
)
def test_score_of_a_side_that_forfeited_counts_no_more(monkeypatch, total, reason, winner, ranks):
    monkeypatch.setattr(
        "arena.game.game.side_scores", lambda deal: [SideScore(total=points) for points in total]
    )
    game = Game(rules_of("kseri-3"), SEED)
    game.forfeit(1)
    game.finish_deal()
    assert game.reason == reason
    if reason:
        assert (game.winner, game.ranks()) == (winner, ranks)


def test_draw_among_those_standing(monkeypatch):
    monkeypatch.setattr(
        "arena.game.game.side_scores", lambda deal: [SideScore(total=t) for t in (7, 9, 7)]
    )
    game = Game(rules_of("kseri-3", deals=1), SEED)
    game.forfeit(1)
    game.finish_deal()
    assert (game.reason, game.winner, game.ranks()) == ("deals", None, [1, 3, 1])


# Whole games


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_games_end_as_the_page_says(preset):
    rules = make_rules(preset)
    for number in range(4):
        rng = random.Random(f"{preset} {number}")
        game = Game(rules, rng.randbytes(32))
        history = [[0] * rules.sides]
        while game.reason is None:
            play_on(game.deal, rng)
            expected = side_scores(game.deal)
            assert game.finish_deal() == expected
            totals = [side.total for side in expected]
            history.append([a + b for a, b in zip(history[-1], totals, strict=True)])
            assert game.scores == history[-1]
        ended = [max(s) >= rules.target and s.count(max(s)) == 1 for s in history]
        assert ended == [False] * (len(history) - 1) + [True]
        assert game.scores[game.winner] == max(game.scores)
        assert game.ranks()[game.winner] == 1
