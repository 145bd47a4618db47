"""How games end: by score, by forfeit of one of two and of many sides, and by the arena's fault."""

import msgspec
import pytest

from arena.game import commitment
from tests.referee.table import GAME, LIMITS, SALT, SEED, Table, rules_of, setup_of

PRESETS = ["kseri", "kseri-plain", "pisti", "pishti", "kseri-kids", "kseri-3", "kseri-partners"]


def forfeit(table: Table) -> int:
    """The seat in turn forfeits; returns it."""
    seat = table.seat
    table.ask()
    table.referee.ended("crash", "the process ended with exit status 1")
    table.deliver()
    return seat


def test_every_seat_is_greeted_first_and_told_the_end_last():
    table = Table(setup_of(rules_of("pisti", target=20), names=["a", "b", "a", "b"]))
    table.play_out()
    for seat in range(4):
        kinds = [message["type"] for message in table.messages(seat)]
        assert kinds[0] == "hello"
        assert kinds.count("hello") == 1
        assert kinds[-2:] == ["deal_end", "game_end"]
        assert kinds.count("deal_end") == len(table.referee.deals())
    assert all(message["game"] == GAME for message in table.messages(2))
    hello = table.messages(2, "hello")[0]
    assert (hello["protocol"], hello["seat"], hello["bot_seed"]) == (1, 2, 102)
    assert hello["side_of"] == [0, 1, 0, 1]
    assert hello["names"] == ["a", "b", "a", "b"]
    assert hello["limits"] == msgspec.to_builtins(LIMITS)
    assert hello["commitment"] == commitment(SALT, SEED)
    assert hello["rules"] == msgspec.to_builtins(rules_of("pisti", target=20))


def test_names_are_null_where_they_are_hidden():
    assert Table(setup_of(names=None)).messages(0, "hello")[0]["names"] is None


@pytest.mark.parametrize("preset", PRESETS)
def test_deal_end_and_game_end_say_what_the_record_says(preset):
    table = Table(setup_of(rules_of(preset, target=30)))
    table.play_out()
    deals = table.referee.deals()
    end = table.messages(0, "game_end")[0]
    assert end["reason"] == table.referee.reason == "target"
    assert end["scores"] == table.referee.game.scores
    assert end["winner"] == table.referee.game.winner
    assert end["faults"] == []
    scores = [0] * len(end["scores"])
    for told, deal in zip(table.messages(0, "deal_end"), deals, strict=True):
        assert told["deal"] == deal.number
        assert told["sides"] == msgspec.to_builtins(deal.sides)
        scores = [old + side.total for old, side in zip(scores, deal.sides, strict=True)]
        assert told["scores"] == scores
        assert [(play["seat"], play["card"], play["took"] > 0) for play in told["plays"]] == [
            (play.seat, play.card, play.capture) for play in deal.plays
        ]
    assert scores == end["scores"]


def test_deal_end_shows_the_hidden_centre():
    table = Table(setup_of(rules_of("pisti", target=20)))
    table.play_out()
    for told in table.messages(0, "deal_end"):
        assert len(told["hidden_centre"]) in (1, 2, 3)
    plain = Table(setup_of())
    plain.play_out()
    assert plain.messages(0, "deal_end")[0]["hidden_centre"] == []


@pytest.mark.parametrize("reveal", [True, False])
def test_seed_and_salt_are_told_only_after_the_last_game_on_these_decks(reveal):
    table = Table(setup_of(rules_of(target=5), reveal=reveal))
    table.play_out()
    for seat in range(2):
        (end,) = table.messages(seat, "game_end")
        told = (end["seed"], end["salt"])
        assert told == ((SEED.hex(), SALT.hex()) if reveal else (None, None))
    lines = b"".join(table.sent[0])
    assert (SEED.hex().encode() in lines) is reveal
    assert (SALT.hex().encode() in lines) is reveal


def test_a_void_game_has_no_winner_and_tells_no_seed():
    table = Table(setup_of(rules_of(deals=5)))
    for _ in range(60):
        table.play()
    table.referee.void()
    table.deliver()
    (end,) = table.messages(0, "game_end")
    assert (end["reason"], end["winner"]) == ("void", None)
    assert (end["seed"], end["salt"]) == (None, None)
    assert table.referee.to_ask is None


def test_a_draw_has_no_winner():
    rules = rules_of(deals=1)
    for number in range(400):
        table = Table(setup_of(rules, seed=number.to_bytes(32, "big")))
        table.play_out()
        if len(set(table.referee.game.scores)) == 1:
            break
    (end,) = table.messages(0, "game_end")
    assert (end["reason"], end["winner"]) == ("deals", None)
    assert table.referee.game.ranks() == [1, 1]


@pytest.mark.parametrize("preset", ["kseri", "pisti"])
def test_of_two_sides_one_forfeit_ends_the_game_without_deal_end(preset):
    table = Table(setup_of(rules_of(preset, target=1_000)))
    per_deal = 48
    for _ in range(per_deal + 5):
        table.play()
    scores = list(table.referee.game.scores)
    seat = forfeit(table)
    side = seat % 2
    assert table.referee.reason == "forfeit"
    for told in range(table.setup.rules.seats):
        assert len(table.messages(told, "deal_end")) == 1
        (end,) = table.messages(told, "game_end")
        assert (end["winner"], end["reason"], end["scores"]) == (1 - side, "forfeit", scores)
    first, second = table.referee.deals()
    assert first.sides is not None
    assert second.sides is None
    assert len(second.plays) == 5
    assert table.referee.game.ranks() == ([2, 1] if side == 0 else [1, 2])


def test_partners_forfeit_together():
    table = Table(setup_of(rules_of("kseri-partners")))
    seat = forfeit(table)
    assert [table.referee.is_gone(other) for other in range(4)] == [
        other % 2 == seat % 2 for other in range(4)
    ]
    assert table.referee.reason == "forfeit"


def test_of_many_sides_the_others_play_on():
    table = Table(setup_of(rules_of("kseri-3", target=40)))
    table.play()
    first = forfeit(table)
    told_before = len(table.sent[first])
    assert table.messages(first)[-1]["type"] == "error"
    assert table.referee.reason is None
    assert table.seat != first
    table.play_out()
    # Nothing but the end of the game reaches a side that has forfeited.
    assert [m["type"] for m in table.messages(first)[told_before:]] == ["game_end"]
    assert table.referee.reason == "target"
    plays = [play for deal in table.referee.deals() for play in deal.plays]
    assert all(play.forced == (play.seat == first) for play in plays[1:])
    assert all(play.elapsed_us == 0 for play in plays[1:] if play.forced)
    assert all(deal.sides for deal in table.referee.deals())
    assert table.referee.game.winner != first
    assert table.referee.game.ranks()[first] == 3


def test_the_target_is_judged_without_a_side_that_has_forfeited():
    """The first game in which the side that left would have won with its forced plays."""
    rules = rules_of("kseri-3", target=15)
    for number in range(400):
        table = Table(setup_of(rules, seed=number.to_bytes(32, "big")))
        gone = forfeit(table)
        while table.referee.to_ask is not None and not table.messages(table.seat, "deal_end"):
            table.play()
        scores = table.referee.game.scores
        others = [score for side, score in enumerate(scores) if side != gone]
        if scores[gone] >= 15 and scores[gone] > max(others) and max(others) < 15:
            break
    assert table.referee.reason is None
    table.play_out()
    assert table.referee.reason == "target"
    assert table.referee.game.winner != gone


def test_who_forfeits_later_ranks_above_who_forfeited_before_and_the_last_one_wins_at_once():
    table = Table(setup_of(rules_of("faro-4")))
    order = []
    for _ in range(3):
        order.append(forfeit(table))
        if table.referee.reason is None:
            table.play()
    assert len(set(order)) == 3
    assert table.referee.reason == "forfeit"
    (last,) = set(range(4)) - set(order)
    ranks = table.referee.game.ranks()
    assert ranks[last] == 1
    assert [ranks[seat] for seat in order] == [4, 3, 2]
    (end,) = table.messages(last, "game_end")
    assert end["winner"] == last
    assert [fault["seat"] for fault in end["faults"]] == order
    assert table.referee.deals()[-1].sides is None


def test_a_side_that_leaves_with_the_last_card_of_a_deal_leaves_nothing_undone():
    """Its own last card is played for it, the deal is scored, and the next one goes on."""
    table = Table(setup_of(rules_of("kseri-3", target=1_000)))
    for _ in range(47):
        table.play()
    gone = forfeit(table)
    first, second = table.referee.deals()
    assert first.sides is not None
    assert first.plays[-1].forced
    assert table.seat != gone
    assert all(play.seat == gone for play in second.plays)
    table.play()


def test_forced_plays_of_two_neighbours_follow_each_other():
    table = Table(setup_of(rules_of("faro-5", target=30)))
    first = forfeit(table)
    second = forfeit(table)
    assert second == (first + 1) % 5
    table.play_out()
    for deal in table.referee.deals():
        for play in deal.plays:
            assert play.forced == (play.seat in (first, second))


def test_an_early_fault_forfeits_of_many_sides_too():
    table = Table(setup_of(rules_of("kseri-3")))
    seat = table.seat
    table.early(b"?")
    assert table.referee.is_gone(seat)
    assert table.seat != seat
    (play,) = table.referee.deals()[0].plays
    assert (play.seat, play.forced) == (seat, True)
    assert table.referee.faults[0].played is None


def test_partners_of_many_sides_leave_both_their_seats():
    table = Table(setup_of(rules_of("faro-6", sides=3, target=30)))
    seat = forfeit(table)
    assert [table.referee.is_gone(other) for other in range(6)] == [
        other % 3 == seat % 3 for other in range(6)
    ]
    table.play_out()
    forced = {play.seat for deal in table.referee.deals() for play in deal.plays if play.forced}
    assert forced == {seat, (seat + 3) % 6}


def test_a_new_process_is_greeted_again_and_asked_the_same_turn():
    table = Table(setup_of())
    hello = table.sent[table.seat][0]
    question = table.ask()
    assert table.referee.restarted(table.seat) == hello
    again = table.ask()
    assert again == question
    assert table.referee.budget_us == 1_600_000
    assert table.hear({"type": "play", "card": again.legal[0].card})
    assert table.referee.faults == []
