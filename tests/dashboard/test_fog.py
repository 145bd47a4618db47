"""The view of one seat has what it knew and nothing else, in all that is sent (R30, R31)."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator

import msgspec
import pytest
from flask.testing import FlaskClient

from arena.game import Deal, hidden_centre_cards, make_deal, view
from arena.replay import rules_of_record, with_sides
from arena.store import GameRow, Reader
from dashboard.cards import card_name, card_text
from dashboard.fog import plays_of_a_deal, seen_by
from dashboard.positions import deal_before, deal_view
from protocol.records import DealRecord, Fault, GameRecord, PlayRecord
from protocol.rules import PRESETS
from tests.dashboard.conftest import World
from tests.dashboard.page import Page
from tests.referee.rearranging import rearranged


def every_turn(record: GameRecord, number: int = 1) -> Iterator[tuple[int, Deal]]:
    """Every position of a deal in which a seat is in turn, as the engine has it."""
    for move in range(len(record.deals[number - 1].plays)):
        yield move, deal_before(record, number, move)


@pytest.mark.parametrize("preset", PRESETS)
def test_in_its_turn_a_seat_is_shown_what_it_was_sent(world: World, preset: str) -> None:
    record = world.by_preset[preset]
    rules, whole = rules_of_record(record), deal_view(record, 1)
    for move, deal in every_turn(record):
        sent, side = view(deal), rules.side_of[deal.seat]
        shown = seen_by(whole, rules, deal.seat, move).positions[-1]
        assert shown.hands[deal.seat] == sent.hand
        assert list(map(len, shown.hands)) == sent.hands
        assert shown.legal == sent.legal
        assert (shown.pile, shown.marker, shown.stock) == (sent.pile, sent.marker, sent.stock)
        assert shown.hidden_centre == [None] * sent.hidden_centre
        assert list(map(len, shown.captured)) == sent.captured
        assert shown.points == sent.bonus
        known = [card for cards in shown.captured for card in cards if card]
        if sent.taken_centre is not None:
            assert shown.captured[side][: len(sent.taken_centre)] == sent.taken_centre
        unknown = sum(sent.captured) - len(known)
        assert unknown == (0 if sent.taken_centre is not None else len(deal.taken_centre))


@pytest.mark.parametrize("preset", PRESETS)
def test_no_card_of_another_hand_is_shown_but_the_bottom_card_that_all_saw(
    world: World, preset: str
) -> None:
    record = world.by_preset[preset]
    rules, whole = rules_of_record(record), deal_view(record, 1)
    seen_in_hands = 0
    for move, deal in every_turn(record):
        for seat in range(rules.seats):
            hands = seen_by(whole, rules, seat, move).positions[-1].hands
            assert hands[seat] == deal.hands[seat]
            others = [card for other, hand in enumerate(hands) if other != seat for card in hand]
            known = [card for card in others if card is not None]
            assert known in ([], [deal.bottom])
            if known:
                assert deal.bottom in deal.hands[deal.dealer]
                assert not deal.stock
                seen_in_hands += 1
    assert bool(seen_in_hands) == (rules.bottom_card == "exposed")


def test_the_hidden_centre_is_known_to_the_side_that_took_it_and_at_the_end_to_all(
    world: World,
) -> None:
    record = world.by_preset["pisti"]
    rules, whole = rules_of_record(record), deal_view(record, 1)
    taken = next(move.number for move in whole.moves if move.taken)
    taker = whole.positions[taken].centre_taker
    centre = list(hidden_centre_cards(deal_before(record, 1, taken)))
    assert len(centre) == 3
    for seat in range(rules.seats):
        after = seen_by(whole, rules, seat, taken)
        expected = centre if rules.side_of[seat] == taker else [None] * 3
        assert after.positions[-1].captured[taker][:3] == expected
        assert after.moves[-1].taken[:3] == expected
        end = seen_by(whole, rules, seat, len(whole.moves))
        assert end.positions[-1].captured[taker][:3] == centre
        assert end.moves[taken - 1].taken[:3] == centre
        assert end.positions[-1].points == whole.positions[-1].points


def other_world(
    record: GameRecord, number: int, move: int, seat: int, draw: random.Random
) -> tuple[GameRecord, Deal]:
    """A game that `seat` could not tell from this one at that moment; its deal as it begins.

    What comes later is played at random, and all that it does not see of the plays is different.
    """
    deal = deal_before(record, number, move)
    deal.seat = seat
    start = rearranged(deal, bytes.fromhex(record.seed), draw)
    played = copy.deepcopy(start)
    plays = []
    for old in record.deals[number - 1].plays[:move]:
        played.play(old.card, old.capture)
        own = old.seat == seat
        changes = {} if own else {"elapsed_us": old.elapsed_us + 1, "forced": True}
        plays.append(msgspec.structs.replace(old, **changes))
    while not played.over:
        by = played.seat
        card, capture = draw.choice(played.legal())
        played.play(card, capture)
        took = bool(played.taken[-1])
        plays.append(PlayRecord(seat=by, card=card, capture=took, elapsed_us=draw.randrange(999)))
    last = record.deals[number - 1]
    before = sum(len(each.plays) for each in record.deals[: number - 1])
    now = DealRecord(
        number=number,
        attempt=last.attempt,
        dealer=last.dealer,
        plays=plays,
        sides=last.sides,
    )
    other = msgspec.structs.replace(
        record,
        deals=[*record.deals[: number - 1], now],
        scores=[score + 1 for score in record.scores],
        winner=None,
        ranks=[1] * len(record.ranks),
        reason="forfeit",
        elapsed_ms=record.elapsed_ms + 1,
        faults=[
            Fault(seat=play.seat, deal=number, turn=turn, kind="crash", detail="of another seat")
            for turn, play in enumerate(plays, before + 1)
            if play.seat != seat
        ],
    )
    return other, start


def addresses(game: str, number: int, move: int, seat: int) -> list[str]:
    query = f"deal={number}&move={move}&seat={seat}"
    return [
        f"/games/{game}?{query}",
        f"/games/{game}?{query}&part=1",
        f"/games/{game}/position.json?{query}",
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_byte_is_the_same_whatever_the_seat_did_not_know(
    client: FlaskClient, world: World, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R31 for page, part and JSON: hidden cards, later plays, others' times and faults, the end."""
    record = with_sides(world.by_preset[preset])
    draw = random.Random(preset)
    differs = 0
    for _ in range(6):
        number = draw.choice([1, len(record.deals)])
        seat = draw.randrange(len(record.seats))
        move = draw.randrange(len(record.deals[number - 1].plays))
        asked = addresses(record.game, number, move, seat)
        before = [client.get(address).data for address in asked]
        everything = client.get(asked[0].rpartition("&")[0]).data
        other, start = other_world(record, number, move, seat, draw)

        def deals(*args: object, start: Deal = start, number: int = number) -> Deal:
            return copy.deepcopy(start) if args[2] == number else make_deal(*args)  # type: ignore[arg-type]

        row = msgspec.structs.replace(
            _row(world, record.game), scores=other.scores, winner=None, reason="forfeit", faults=1
        )
        with monkeypatch.context() as patch:
            patch.setattr("dashboard.positions.make_deal", deals)
            patch.setattr(Reader, "game", lambda _, __, other=other: other)
            patch.setattr(Reader, "game_row", lambda _, __, row=row: row)
            assert [client.get(address).data for address in asked] == before
            differs += client.get(asked[0].rpartition("&")[0]).data != everything
    assert differs == 6, "nothing was rearranged, and nothing shown"


def _row(world: World, game: str) -> GameRow:
    with Reader(world.path) as reader:
        return reader.game_row(game)


@pytest.mark.parametrize("preset", ["kseri", "kseri-3", "kseri-partners", "pisti"])
def test_unknown_cards_are_nowhere_in_what_is_sent(
    client: FlaskClient, world: World, preset: str
) -> None:
    """With one deck: neither as drawings nor as words nor as two characters."""
    record = world.by_preset[preset]
    rules = rules_of_record(record)
    for move in (0, 9, 23, 40):
        deal = deal_before(record, 1, move)
        for seat in range(rules.seats):
            own = {*deal.hands[seat], deal.bottom, *deal.buried}
            unknown = {card for hand in deal.hands for card in hand} | set(deal.stock)
            unknown |= set(deal.hidden_centre)
            _, part, as_json = addresses(record.game, 1, move, seat)
            told_as_json = client.get(as_json).json
            del told_as_json["valued"]  # by the rules, wherever they are
            for text in (client.get(part).text, json.dumps(told_as_json, ensure_ascii=False)):
                for card in unknown - own:
                    told = rf"\b{card}\b|{card_name(card)}|\b{card_text(card)}"
                    assert not re.search(told, text), (move, seat, card)


def test_later_plays_are_neither_listed_nor_counted(client: FlaskClient, world: World) -> None:
    record = world.by_preset["kseri"]
    page = Page(client.get(f"/games/{record.game}?deal=1&move=10&seat=1").text)
    assert list(page.all("data-move"))[1:] == [str(number) for number in range(1, 11)]
    assert page.one("data-plays") == str(plays_of_a_deal(rules_of_record(record)))
    assert "Result" not in page.text
    assert "won" not in page.text
    assert "?deal=2&move=0&seat=1" not in page.links()
    end = Page(client.get(f"/games/{record.game}?deal=1&move=48&seat=1").text)
    assert "?deal=2&move=0&seat=1" in end.links()


def test_what_a_seat_said_of_its_play_is_shown_to_itself_alone(
    client: FlaskClient, world: World
) -> None:
    """The note of the first turn is in the log of seat 0, whoever played it in the fixture."""
    record = world.hostile
    first = record.deals[0].plays[0].seat
    for seat in range(2):
        text = client.get(f"/games/{record.game}?deal=1&move=1&seat={seat}").text
        assert ("secret note" in text) == (seat == first)


def test_names_that_were_hidden_from_the_bots_are_hidden_again(
    client: FlaskClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = with_sides(world.by_preset["kseri-3"])
    hidden = msgspec.structs.replace(record, names_hidden=True)
    monkeypatch.setattr(Reader, "game", lambda _, __: hidden)
    page = Page(client.get(f"/games/{record.game}?deal=1&move=3&seat=1").text)
    names = [seat.bot for seat in record.seats]
    assert names[1] in page.words
    assert names[0] not in page.text
    assert names[2] not in page.text
    assert "seat 0" in page.text
    everything = Page(client.get(f"/games/{record.game}?deal=1&move=3").text)
    assert names[0] in everything.text


def test_a_moment_that_a_forfeited_deal_never_had_is_its_last(
    client: FlaskClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the address of the deal's end would tell that it was cut short."""
    record = with_sides(world.by_preset["kseri"])
    last = record.deals[-1]
    cut = msgspec.structs.replace(last, plays=last.plays[:20], sides=None)
    short = msgspec.structs.replace(record, deals=[*record.deals[:-1], cut], reason="forfeit")
    monkeypatch.setattr(Reader, "game", lambda _, __: short)
    number = len(record.deals)
    page = Page(client.get(f"/games/{record.game}?deal={number}&move=10&seat=0").text)
    (final,) = [a["href"] for tag, a in page.elements if a.get("data-go") == "final"]
    assert final == f"?deal={number}&move=48&seat=0"
    end = Page(client.get(f"/games/{record.game}{final}").text)
    assert next(iter(end.all("data-move"))) == "20"


@pytest.mark.parametrize("query", ["seat=2", "seat=x", "deal=99&seat=0"])
def test_seats_that_do_not_exist(client: FlaskClient, world: World, query: str) -> None:
    answer = client.get(f"/games/{world.by_preset['kseri'].game}?{query}")
    assert answer.status_code == 404
    assert "has no" in answer.text or "expected a whole number" in answer.text
