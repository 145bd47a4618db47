"""The position on the page is the engine's."""

from __future__ import annotations

import msgspec
import pytest
from flask.testing import FlaskClient

from arena.game import Deal, Game
from arena.replay import rules_of_record
from arena.store import Reader
from arena.verify import problems
from dashboard.positions import deal_view
from dashboard.replay import NoSuchPosition, position_page
from protocol.records import GameRecord
from protocol.rules import PRESETS
from tests.dashboard.conftest import World
from tests.dashboard.page import Page


def played_to(record: GameRecord, number: int, move: int) -> tuple[Game, Deal]:
    """The engine's own state after some plays of a deal."""
    game = Game(rules_of_record(record), bytes.fromhex(record.seed))
    for deal_record in record.deals[: number - 1]:
        for play in deal_record.plays:
            game.deal.play(play.card, play.capture)
        game.finish_deal()
    deal = game.deal
    for play in record.deals[number - 1].plays[:move]:
        deal.play(play.card, play.capture)
    return game, deal


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("move", [0, 17, -1])
def test_without_script_the_page_shows_the_engines_state(
    client: FlaskClient, world: World, preset: str, move: int
) -> None:
    record = world.by_preset[preset]
    number = len(record.deals)
    move = len(record.deals[-1].plays) if move == -1 else move
    _, deal = played_to(record, number, move)
    address = f"/games/{record.game}?deal={number}&move={move}&part=1"
    page = Page(client.get(address).text)
    hands = dict(zip(page.all("data-seat"), page.all("data-hand"), strict=True))
    assert hands == {str(seat): " ".join(hand) for seat, hand in enumerate(deal.hands)}
    assert page.one("data-pile") == " ".join(deal.pile)
    assert f"{len(deal.stock)} in stock" in page.text
    assert list(page.all("data-bottom")) == ([deal.bottom] if deal.bottom and deal.stock else [])
    if deal.hidden_centre:
        assert f"{len(deal.hidden_centre)} face down" in page.text


def test_scores_run_from_those_before_the_deal_to_those_after_it(world: World) -> None:
    record = world.by_preset["kseri"]
    start = position_page(record, 2, 0)
    end = position_page(record, 2, len(start.moves))
    after, _ = played_to(record, 3, 0)
    before, _ = played_to(record, 2, 0)
    assert [side.total for side in start.sides] == before.scores
    assert [side.total for side in end.sides] == after.scores


def test_previous_and_next_lead_through_the_whole_game(world: World) -> None:
    record = world.by_preset["kseri-short"]
    positions = sum(len(deal.plays) + 1 for deal in record.deals)
    seen, deal, move = 1, 1, 0
    while (page := position_page(record, deal, move)).next:
        deal, move = (int(part.split("=")[1]) for part in page.next.strip("?").split("&"))
        following = position_page(record, deal, move)
        assert following.previous == f"?deal={page.deal}&move={page.move}"
        seen += 1
    assert seen == positions
    assert page.ended
    assert page.final == f"?deal={deal}&move={move}"


def test_every_card_is_somewhere(world: World) -> None:
    for record in world.by_preset.values():
        rules = rules_of_record(record)
        for position in deal_view(record, 1).positions:
            lying = len(position.pile) if position.left_to is None else 0
            held = sum(map(len, position.hands)) + len(position.hidden_centre)
            assert held + lying + position.stock + sum(position.captured) == 52 * rules.decks


def test_moves_carry_captures_bonuses_and_times(client: FlaskClient, world: World) -> None:
    record = next(
        record
        for record in world.by_preset.values()
        if any(move.bonus for move in deal_view(record, 1).moves)
    )
    page = Page(client.get(f"/games/{record.game}?deal=1&move=1").text)
    moves = deal_view(record, 1).moves
    # The list of plays, and nothing else, names every play by its number.
    assert list(page.all("data-move"))[1:] == [str(move.number) for move in moves]
    captures = [move for move in moves if move.taken]
    assert len(list(page.all("data-capture"))) == len(captures)
    assert "kseri" in page.text
    assert " µs" in page.text


@pytest.mark.parametrize(
    ("seats", "top", "bottom"),
    [
        ("kseri", [1], [0]),
        ("kseri-3", [1, 2], [0]),
        ("kseri-partners", [1, 2, 3], [0]),
        ("pisti", [3, 2, 1], [0]),
        ("faro-5", [2, 3], [1, 0, 4]),
        ("faro-6", [2, 3, 4], [1, 0, 5]),
    ],
)
def test_seats_go_around_the_table_in_the_direction_of_play(
    world: World, seats: str, top: list[int], bottom: list[int]
) -> None:
    page = position_page(world.by_preset[seats], 1, 0)
    assert [panel.seat for panel in page.top] == top
    assert [panel.seat for panel in page.bottom] == bottom


def test_the_part_is_the_page_without_its_frame(client: FlaskClient, world: World) -> None:
    address = f"/games/{world.by_preset['kseri'].game}?deal=1&move=5"
    part = client.get(f"{address}&part=1").text
    assert part.strip() in client.get(address).text
    assert "<html" not in part


def test_positions_that_do_not_exist(client: FlaskClient, world: World) -> None:
    record = world.by_preset["kseri"]
    with pytest.raises(NoSuchPosition):
        position_page(record, 0, 0)
    for query, sentence in (
        ("deal=99", f"no deal 99: it has {len(record.deals)}"),
        ("deal=0", "no deal 0"),
        ("move=49", "no play 49: it has 48"),
        ("move=-1", "move: expected a whole number"),
        ("deal=x", "deal: expected a whole number"),
        ("deal=" + "9" * 5000, "deal: expected a whole number"),
    ):
        answer = client.get(f"/games/{record.game}?{query}")
        assert answer.status_code == 404
        assert sentence in answer.text


def test_a_wrong_record_is_told_and_not_played(world: World) -> None:
    record = world.by_preset["kseri"]
    wrong = msgspec.structs.replace(record, seed="00" * 32)
    with pytest.raises(ValueError, match="deal 1"):
        position_page(wrong, 1, 0)


def test_the_command_on_the_page_verifies_what_is_in_the_database(
    client: FlaskClient, world: World
) -> None:
    record = world.by_preset["pisti"]
    text = Page(client.get(f"/games/{record.game}").text).text
    assert f"kseri verify {record.game} --db pages.db" in text
    with Reader(world.path) as reader:
        assert problems(reader.game(record.game)) == []


def test_a_fault_leads_to_its_play(client: FlaskClient, world: World) -> None:
    page = Page(client.get(f"/games/{world.hostile.game}").text)
    assert "?deal=1&move=2" in page.links()
    assert "deal 1, turn 3" in page.text
