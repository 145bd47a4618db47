"""What if: another card, and what the baseline player makes of the deal from there."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flask.testing import FlaskClient

from arena.game import side_scores
from arena.luck import REPLAYS
from arena.luck.baseline import drawn_worths, play_out
from arena.replay import rules_of_record
from dashboard.positions import deal_before
from dashboard.whatif import NoSuchOption, option_text, what_if
from protocol.records import GameRecord
from protocol.rules import PRESETS
from tests.dashboard.conftest import World
from tests.dashboard.page import Page


def by_hand(
    record: GameRecord, number: int, move: int, card: str, capture: bool | None
) -> list[Fraction]:
    """Every side's mean points, played out on a deal of its own."""
    rules = rules_of_record(record)
    totals = [0] * rules.sides
    for worths in drawn_worths(rules, bytes.fromhex(record.seed), number, REPLAYS):
        deal = deal_before(record, number, move)
        deal.play(card, capture)
        play_out(deal, worths)
        totals = [old + side.total for old, side in zip(totals, side_scores(deal), strict=True)]
    return [Fraction(total, REPLAYS) for total in totals]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_legal_answer_is_played_out_in_the_same_way(world: World, preset: str) -> None:
    record = world.by_preset[preset]
    number = len(record.deals)
    for move in (0, 21):
        deal = deal_before(record, number, move)
        options = deal.legal()
        found = what_if(record, number, move, option_text(options[-1]))
        assert [(each.card, each.capture) for each in found.outcomes] == options
        assert found.chosen == found.outcomes[-1]
        for outcome in found.outcomes:
            expected = by_hand(record, number, move, outcome.card, outcome.capture)
            assert outcome.points == list(map(float, expected))
            others = [each for side, each in enumerate(expected) if side != found.side]
            assert outcome.lead == float(expected[found.side] - max(others))
        played = record.deals[number - 1].plays[move]
        (real,) = [outcome for outcome in found.outcomes if outcome.is_played]
        assert real.card == played.card


def test_the_table_shown_is_the_one_after_the_other_card(world: World) -> None:
    record = world.by_preset["kseri"]
    deal = deal_before(record, 1, 4)
    option = next(each for each in deal.legal() if each[0] != record.deals[0].plays[4].card)
    found = what_if(record, 1, 4, option_text(option))
    deal.play(*option)
    assert found.after.hands == deal.hands
    assert found.after.pile == deal.pile
    assert (found.play.card, found.play.number, found.play.turn) == (option[0], 5, 5)


def test_the_first_way_to_play_on_is_told_play_by_play(world: World) -> None:
    record = world.by_preset["pisti"]
    found = what_if(record, 2, 10, "")
    deal = deal_before(record, 2, 10)
    deal.play(found.chosen.card, found.chosen.capture)
    for play in found.plays:
        assert play.seat == deal.seat
        deal.play(play.card)
        assert bool(deal.taken[-1]) == play.captures
    assert deal.over
    assert side_scores(deal) == found.sources


def test_a_capture_that_was_declined_is_an_answer_of_its_own(world: World) -> None:
    record = world.by_preset["kseri"]
    move = next(
        number
        for number in range(48)
        if any(capture is True for _, capture in deal_before(record, 1, number).legal())
    )
    options = deal_before(record, 1, move).legal()
    card = next(card for card, capture in options if capture)
    takes, lays = (what_if(record, 1, move, f"{card}:{how}") for how in ("take", "lay"))
    assert takes.play.taken
    assert not lays.play.taken
    assert lays.after.pile[-1] == card


@pytest.mark.parametrize("preset", ["kseri", "kseri-3", "pisti", "faro-6"])
def test_the_page_compares_with_what_was_played(
    client: FlaskClient, world: World, preset: str
) -> None:
    record = world.by_preset[preset]
    replay = Page(client.get(f"/games/{record.game}?deal=1&move=9").text)
    answers = [a["value"] for tag, a in replay.elements if tag == "button" and "value" in a]
    options = deal_before(record, 1, 9).legal()
    assert answers == list(map(option_text, options))
    for answer in answers:
        page = Page(client.get(f"/games/{record.game}/what-if?deal=1&move=9&play={answer}").text)
        assert list(page.all("data-pile"))
        found = what_if(record, 1, 9, answer or "")
        for points in found.chosen.points:
            assert f"{points:.1f}" in page.text
        assert "in the game" in page.text
        assert f"/games/{record.game}?deal=1&move=9" in page.links()


def test_answers_that_could_not_be_given(client: FlaskClient, world: World) -> None:
    record = world.by_preset["kseri"]
    with pytest.raises(NoSuchOption):
        what_if(record, 1, 0, "XX")
    address = f"/games/{record.game}/what-if"
    for query, sentence in (
        ("deal=1&move=0&play=<b>", "&lt;b&gt;"),
        ("deal=1&move=48", "the deal is over there"),
        ("deal=1&move=49", "no play 49"),
        ("deal=1&move=3&seat=0", "What a seat does not know it can"),
    ):
        answer = client.get(f"{address}?{query}")
        assert answer.status_code == 404
        assert sentence in answer.text
        assert "<b>" not in answer.text


def test_a_game_whose_decks_are_in_play_has_no_what_if(client: FlaskClient, world: World) -> None:
    answer = client.get(f"/games/{world.open_game.game}/what-if?deal=1&move=0")
    assert answer.status_code == 404
    assert "once every game on the same decks is over" in answer.text
    assert "data-card" not in answer.text


def test_a_seats_view_offers_none(client: FlaskClient, world: World) -> None:
    """It would tell what the others hold."""
    text = client.get(f"/games/{world.by_preset['kseri'].game}?deal=1&move=3&seat=0").text
    assert "what-if" not in text
