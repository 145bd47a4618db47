"""The position on the page is the engine's."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient

from arena.game import Deal, Game
from arena.replay import rules_of_record, with_sides
from arena.standings import cached_standings, refresh
from arena.store import Reader
from arena.verify import problems
from dashboard import create_app
from dashboard.cards import card_name
from dashboard.logs import shortened
from dashboard.positions import deal_view
from dashboard.replay import NoSuchPosition, position_page
from dashboard.summary import DEALS_SHOWN, deals_near
from dashboard.telling import telling
from dashboard.ways import ways_from
from protocol.records import BotLog, Fault, GameRecord
from protocol.rules import PRESETS
from tests.dashboard.conftest import World
from tests.dashboard.made import Made
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
    while (page := position_page(record, deal, move)).ways.next:
        deal, move = (int(part.split("=")[1]) for part in page.ways.next.strip("?").split("&"))
        following = position_page(record, deal, move)
        assert following.ways.previous == f"?deal={page.deal}&move={page.move}"
        seen += 1
    assert seen == positions
    assert page.ended
    assert page.ways.final is None
    first = position_page(record, 1, 0)
    assert (first.ways.first, first.ways.previous) == (None, None)
    assert first.ways.final == f"?deal={deal}&move={move}"


def test_every_card_is_somewhere(world: World) -> None:
    for record in world.by_preset.values():
        rules = rules_of_record(record)
        for position in deal_view(record, 1).positions:
            lying = len(position.pile) if position.left_to is None else 0
            held = sum(map(len, position.hands)) + len(position.hidden_centre)
            assert (
                held + lying + position.stock + sum(map(len, position.captured)) == 52 * rules.decks
            )


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


def test_commands_are_of_the_seat_that_was_at_fault_and_name_the_database(tmp_path: Path) -> None:
    cup = Made(tmp_path / "cup.db", "Cup", ["heron", "pike"])
    fault = Fault(
        seat=1, deal=1, turn=2, kind="boot", detail="no answer", used_us=900_000, limit_us=900_000
    )
    game = cup.game(1, 0, faults=[fault])
    cup.game(1, 1)
    cup.finish()
    client = create_app(cup.path).test_client()
    for address in (f"/games/{game.game}", f"/bots/{game.seats[1].bot}"):
        text = Page(client.get(address).text).text
        assert f"kseri rerun {game.game} --seat 1 --db cup.db" in text
        assert "seat 1, turn 2 of the game, in deal 1, while it started" in text
        assert "900.0 of 900 ms (start, first answer and bank together)" in text
        assert "--seat 0" not in text
        assert str(tmp_path) not in text


def test_a_fault_leads_to_its_play(client: FlaskClient, world: World) -> None:
    page = Page(client.get(f"/games/{world.hostile.game}").text)
    assert "?deal=1&move=2" in page.links()
    assert "deal 1, turn 3" in page.text


def test_the_position_as_json_is_that_of_the_page(client: FlaskClient, world: World) -> None:
    record = world.by_preset["faro-6"]
    found = client.get(f"/games/{record.game}/position.json?deal=2&move=40").json
    _, deal = played_to(record, 2, 40)
    assert found["position"]["hands"] == deal.hands
    assert found["position"]["captured"] == deal.captured
    assert [move["card"] for move in found["moves"]] == [
        play.card for play in record.deals[1].plays
    ]
    assert client.get(f"/games/{world.open_game.game}/position.json").status_code == 404


def test_captured_cards_are_told_by_side(client: FlaskClient, world: World) -> None:
    record = world.by_preset["kseri-partners"]
    _, deal = played_to(record, 1, 30)
    text = client.get(f"/games/{record.game}?deal=1&move=30").text
    named = re.findall(r'class="cards" role="img" aria-label="([^"]*)"', text)
    for cards in deal.captured:
        if cards:
            assert ", ".join(map(card_name, cards)) in named


def test_a_position_is_told_in_words(world: World) -> None:
    record = world.by_preset["kseri-short"]
    names = [seat.bot for seat in record.seats]
    whole = deal_view(record, 1)
    assert telling(position_page(record, 1, 0)).startswith("Deal 1, dealt by ")
    for move in whole.moves:
        said = telling(position_page(record, 1, move.number))
        assert said.startswith(f"Play {move.number}: {names[move.seat]}, {card_name(move.card)}")
        assert (f"takes {len(move.taken) - 1} card" in said) == bool(move.taken)
        for points in move.bonus.values():
            assert f"{points} points" in said
    assert "The deal is over." in said


def test_the_deals_to_go_to_are_few_however_many_there_were(world: World) -> None:
    record = with_sides(world.by_preset["kseri-short"])
    many = msgspec.structs.replace(
        record,
        deals=[msgspec.structs.replace(record.deals[0], number=n) for n in range(1, 9_001)],
    )
    # The record's own deals are all that the engine can check; this is about the way to others.
    ways = ways_from(many, 4_000, 3, None, 48)
    assert ways.deals == [1, *range(3_988, 4_013), 9_000]
    assert (ways.deal_before, ways.deal_after) == ("?deal=3999&move=0", "?deal=4001&move=0")
    lines = deals_near(many, 4_000)
    assert len(lines) == DEALS_SHOWN
    assert 4_000 in [line.deal.number for line in lines]
    assert deals_near(many, 9_000)[-1].deal.number == 9_000
    assert deals_near(record, 1)[0].deal.number == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_a_page_is_light(client: FlaskClient, world: World, preset: str) -> None:
    record = world.by_preset[preset]
    for query in ("?deal=1&move=20", "?deal=1&move=20&seat=1", f"?deal={len(record.deals)}"):
        assert len(client.get(f"/games/{record.game}{query}").data) < 150_000


def test_a_page_stays_light_whatever_bots_wrote(tmp_path: Path) -> None:
    """65 KB of stderr that takes five times as much room on a page, faults without end."""
    made = Made(tmp_path / "noise.db", "noise", ["a", "b"], seed=3)
    faults = [
        Fault(seat=0, deal=1, turn=3, kind="illegal", detail="'" * 200, got="'" * 200)
        for _ in range(300)
    ]
    game = made.game(1, 0, faults=faults, stderr="'\x1b" * 32_000, notes="'" * 1_000).game
    made.game(1, 1)
    made.finish()
    page = create_app(made.path).test_client().get(f"/games/{game}")
    assert len(page.data) < 150_000
    assert "The first 12 of 300" in page.text
    assert f"kseri log {game} --db noise.db" in page.text


def test_the_end_of_stderr_is_what_is_kept_of_it() -> None:
    log = BotLog(game="x", seat=0, stderr="first " + "é" * 60_000 + " last")
    (short,) = shortened([log])
    assert short.stderr.endswith(" last")
    assert "first" not in short.stderr
    assert 30_000 < len(short.stderr.encode()) <= 36_000


def test_a_game_that_is_not_public_says_what_it_waits_for(
    client: FlaskClient, world: World
) -> None:
    text = Page(client.get(f"/games/{world.open_game.game}").text).text
    assert "1 of 2 is over." in text


def test_ratings_that_were_kept_are_told_beside_the_names(tmp_path: Path) -> None:
    made = Made(tmp_path / "rated.db", "rated", ["a", "b"], "kseri-short", seed=5, matches=12)
    games = [made.game(match, rotation).game for match in range(1, 13) for rotation in (0, 1)]
    made.finish()
    client = create_app(made.path).test_client()
    address = f"/games/{games[0]}?deal=1&move=3"
    assert "±" not in client.get(address).text
    refresh(made.path, made.id)
    with Reader(made.path) as reader:
        lines = cached_standings(reader, made.id).lines
    for line in lines:
        assert f"{line.elo_text} ±{line.error:.0f}" in Page(client.get(address).text).text
    assert "±" not in client.get(f"{address}&seat=0").text


def test_why_there_are_no_cards_yet_can_be_asked_for_again(
    client: FlaskClient, world: World
) -> None:
    waiting = Page(client.get(f"/games/{world.open_game.game}").text)
    fragment = waiting.one("data-fragment")
    assert waiting.one("data-live") == f"tournament:{world.running.id}"
    assert "1 of 2 is over." in client.get(fragment).text
    over = fragment.replace(world.open_game.game, world.closed_game.game)
    assert f'<a href="/games/{world.closed_game.game}">show the game</a>' in client.get(over).text
