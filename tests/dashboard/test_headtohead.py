"""Two entrants: the page says what their games say, in either order."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from arena.standings import standings
from arena.store import Reader
from arena.tournament import annul_game
from dashboard.head_to_head import HeadToHead, head_to_head
from protocol.records import GameRecord
from tests.dashboard.conftest import World
from tests.dashboard.cups import LABELS, Cups
from tests.dashboard.made import MARKUP
from tests.dashboard.page import Page
from tests.tournament.made_up import MadeUp, entered, played


def compared(cups: Cups, number: int, a: str, b: str) -> HeadToHead:
    with Reader(cups.path) as reader:
        return head_to_head(reader, standings(reader, number), number, a, b)


def games_of(cups: Cups, number: int, a: str, b: str) -> list[GameRecord]:
    """The games in which the two were opponents, in the schedule's order."""
    with Reader(cups.path) as reader:
        records = list(reader.records(number, canonical=True))
    found = []
    for record in records:
        sides = {seat.bot: seat.side for seat in record.seats}
        if {a, b} <= sides.keys() and sides[a] != sides[b]:
            found.append(record)
    return found


def score(record: GameRecord, a: str, b: str) -> float:
    sides = {seat.bot: seat.side for seat in record.seats}
    own, other = record.ranks[sides[a]], record.ranks[sides[b]]
    return 0.5 if own == other else float(own < other)


@pytest.mark.parametrize("name", ["cup", "swiss", "at_four", "drawn"])
def test_it_counts_the_games_of_the_two_by_seat_too(cups: Cups, name: str) -> None:
    number: int = getattr(cups, name)
    met = 0
    for a, b in combinations(LABELS[:5], 2):
        found, games = compared(cups, number, a, b), games_of(cups, number, a, b)
        if not games:
            assert found.result is None
            continue
        met += 1
        scores = [score(game, a, b) for game in games]
        result = found.result
        assert result is not None
        assert (result.wins, result.draws, result.losses) == (
            scores.count(1),
            scores.count(0.5),
            scores.count(0),
        )
        assert found.strength is not None
        assert found.strength.share == pytest.approx(sum(scores) / len(scores))
        for line in found.seats:
            here = [s for s, g in zip(scores, games, strict=True) if seat_of(g, a) == line.seat]
            assert (line.wins, line.draws, line.losses) == (
                here.count(1),
                here.count(0.5),
                here.count(0),
            )
        assert sum(line.games for line in found.seats) == len(games)
        listed = [one.game for one in found.games]
        assert set(listed) <= {game.game for game in games}
        assert len(listed) == min(len(games), 24)
    assert met >= 5


def seat_of(game: GameRecord, label: str) -> int:
    return [seat.bot for seat in game.seats].index(label)


def test_from_the_other_side_everything_is_turned_round(cups: Cups) -> None:
    one, other = compared(cups, cups.cup, "ace", "dog"), compared(cups, cups.cup, "dog", "ace")
    assert one.result
    assert other.result
    assert (one.result.wins, one.result.losses) == (other.result.losses, other.result.wins)
    assert one.result.residual == pytest.approx(-(other.result.residual or 0))
    assert one.strength
    assert other.strength
    assert one.strength.elo == pytest.approx(-(other.strength.elo or 0))
    assert one.strength.superiority == pytest.approx(1 - (other.strength.superiority or 0))
    assert one.superiority == pytest.approx(1 - (other.superiority or 0))
    assert one.points
    assert other.points
    assert one.points.margin == pytest.approx(-other.points.margin)
    assert [game.game for game in one.games] == [game.game for game in other.games]
    assert all(a.own == b.other for a, b in zip(one.games, other.games, strict=True))


def test_who_beats_the_favourite_is_likely_to_be_weaker_all_the_same(cups: Cups) -> None:
    """By their own games dog is the stronger one, by all games ace is."""
    found = compared(cups, cups.cup, "dog", "ace")
    assert found.strength
    assert (found.strength.superiority or 0) > 0.95
    assert (found.superiority or 1) < 0.5


def test_points_a_deal_leave_out_forfeited_games(cups: Cups) -> None:
    found = compared(cups, cups.cup, "ace", "fly")
    games = games_of(cups, cups.cup, "ace", "fly")
    played = [game for game in games if game.reason != "forfeit"]
    assert len(played) < len(games)
    margins = []
    for game in played:
        sides = {seat.bot: seat.side for seat in game.seats}
        margins.append(game.scores[sides["ace"]] - game.scores[sides["fly"]])
    assert found.points
    assert found.points.deals == len(played)
    assert found.points.margin == pytest.approx(sum(margins) / len(margins))


def test_a_game_moves_the_rating_by_what_it_was_beyond_expectation(cups: Cups) -> None:
    found = compared(cups, cups.cup, "cat", "boss")
    assert found.result
    assert found.result.expected is not None
    moved = {game.score: game.moved for game in found.games}
    assert moved[1] is not None
    assert moved[0] is not None
    share = found.result.expected / 100
    assert moved[1] > 0 > moved[0]
    assert moved[1] / -moved[0] == pytest.approx((1 - share) / share)
    if 0.5 in moved:
        assert moved[0.5] == pytest.approx((moved[1] + moved[0]) / 2)


def test_partners_that_are_drawn_move_nobodys_rating_alone(cups: Cups) -> None:
    found = compared(cups, cups.drawn, "ace", "boss")
    assert found.result
    assert {game.moved for game in found.games} == {None}


def test_the_page_says_all_of_it(cup_client: FlaskClient, cups: Cups) -> None:
    answer = cup_client.get(f"/tournaments/{cups.cup}/head-to-head?a=ace&b=dog")
    text = Page(answer.text).text
    found = compared(cups, cups.cup, "ace", "dog")
    assert found.result
    assert found.strength
    r = found.result
    assert f"{found.matches}, {r.games}" in text
    assert f"{r.wins}-{r.draws}-{r.losses}" in text
    assert f"{r.percent:.1f} % ± {100 * (found.strength.error or 0):.1f}" in text
    assert f"The ratings let expect {r.expected:.1f} %" in text
    assert f"{found.strength.elo:+.0f}".replace("-", "−") in text
    for line in found.seats:
        assert f"{line.seat} {line.games} {line.wins}-{line.draws}-{line.losses}" in text
    games = re.findall(r'href="/games/([0-9a-f]+)"', answer.text)
    assert games == [game.game for game in found.games]
    assert "pairing=ace,dog" in answer.text.replace("%2C", ",")
    assert "a=dog&amp;b=ace" in answer.text


def test_by_numbers_it_is_the_same_page(cup_client: FlaskClient, cups: Cups) -> None:
    by_label = cup_client.get(f"/tournaments/{cups.cup}/head-to-head?a=boss&b=elk").text
    with Reader(cups.path) as reader:
        labels = [entrant.label for entrant in reader.entrants(cups.cup)]
    a, b = labels.index("boss") + 1, labels.index("elk") + 1
    assert cup_client.get(f"/tournaments/{cups.cup}/{a}-{b}").text == by_label


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "Choose two bots of this tournament."),
        ("a=ace", "Choose two bots of this tournament."),
        ("a=ace&b=ace", "Choose two different bots."),
    ],
)
def test_a_choice_that_is_not_made_yet(
    cup_client: FlaskClient, cups: Cups, query: str, sentence: str
) -> None:
    answer = cup_client.get(f"/tournaments/{cups.cup}/head-to-head?{query}")
    assert answer.status_code == 200
    assert sentence in Page(answer.text).text
    assert answer.text.count("<option") == 2 * (len(LABELS) + 1)


def test_who_never_met_has_no_result(cup_client: FlaskClient, cups: Cups) -> None:
    labels = (*LABELS, "gnu")
    with Reader(cups.path) as reader:
        met = {(row.a, row.b) for row in reader.meetings(cups.swiss)}
    a, b = next(pair for pair in combinations(labels, 2) if pair not in met)
    text = Page(cup_client.get(f"/tournaments/{cups.swiss}/head-to-head?a={a}&b={b}").text).text
    assert f"{a} and {b} have no complete match against each other." in text
    assert "Latest games" not in text


def test_a_bot_named_like_markup_stays_text(client: FlaskClient, world: World) -> None:
    with Reader(world.path) as reader:
        hostile = next(row.id for row in reader.tournaments() if row.name.startswith(MARKUP))
    both = {"a": MARKUP, "b": "b"}
    answer = client.get(f"/tournaments/{hostile}/head-to-head", query_string=both)
    assert f"{MARKUP} against b" in Page(answer.text).text
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("head-to-head?a=zebra&b=ace", "a: nobody of that name"),
        ("head-to-head?a=ace&b=zebra", "b: nobody of that name"),
        ("0-1", "Entrants have numbers from 1 to 6 here."),
        ("1-7", "Entrants have numbers from 1 to 6 here."),
        ("1-99999999999999999999999", "Entrants have numbers"),
    ],
)
def test_what_is_not_there(
    cup_client: FlaskClient, cups: Cups, address: str, sentence: str
) -> None:
    answer = cup_client.get(f"/tournaments/{cups.cup}/{address}")
    assert answer.status_code == 404
    assert sentence in answer.text


def test_what_is_annulled_while_it_is_read_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    played(path, entered(path, "a", "b"), MadeUp())
    read = Reader.meeting

    def meeting(reader: Reader, *words: Any) -> Any:
        found = read(reader, *words)
        annul_game(path, 1, "a", "a test")
        return found

    with Reader(path) as reader:
        found = standings(reader, 1)
        monkeypatch.setattr(Reader, "meeting", meeting)
        assert head_to_head(reader, found, 1, "a", "b").matches == 1
