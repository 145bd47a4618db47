"""Records as rows and back: nothing is lost, whatever a record holds."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import DECK
from arena.store.plays import plays_to_text, text_to_plays
from arena.store.rows import Played, to_record, to_row
from protocol.messages import Limits
from protocol.records import DealRecord, Fault, GameRecord, PlayedRules, PlayRecord, SeatRecord

CARDS = st.sampled_from(DECK)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
"""Anything a bot can have written: its lines are decoded as UTF-8, which has no surrogates."""
LARGE = st.integers(0, 2**53)


@st.composite
def deals(draw: st.DrawFn, seats: int) -> list[DealRecord]:
    """Deals whose seats follow from the dealer, as they do in every game."""
    found = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        dealer = draw(st.integers(0, seats - 1))
        play = st.tuples(CARDS, st.booleans(), LARGE, st.booleans(), st.integers(1, 1024))
        plays = draw(st.lists(play, max_size=8))
        record = DealRecord(
            number=number,
            attempt=draw(st.integers(0, 3)),
            dealer=dealer,
            plays=[
                PlayRecord(
                    seat=(dealer + 1 + turn) % seats,
                    card=card,
                    capture=capture,
                    elapsed_us=elapsed_us,
                    forced=forced,
                    turns=turns,
                )
                for turn, (card, capture, elapsed_us, forced, turns) in enumerate(plays)
            ],
        )
        found.append(record)
    return found


@given(st.integers(2, 6).flatmap(lambda seats: st.tuples(st.just(seats), deals(seats))))
def test_plays_come_back_from_their_text(case: tuple[int, list[DealRecord]]) -> None:
    seats, played = case
    assert text_to_plays(plays_to_text(played), seats) == played


def test_the_text_of_plays_can_be_read() -> None:
    plays = [
        PlayRecord(seat=0, card="7H", capture=False, elapsed_us=184),
        PlayRecord(seat=1, card="QH", capture=True, elapsed_us=92),
        PlayRecord(seat=0, card="JC", capture=True, elapsed_us=0, forced=True),
        PlayRecord(seat=1, card="2H", capture=False, elapsed_us=7, turns=32),
        PlayRecord(seat=0, card="2S", capture=False, elapsed_us=8, turns=32),
        PlayRecord(seat=1, card="3S", capture=False, elapsed_us=9),
    ]
    deal = DealRecord(number=1, attempt=2, dealer=1, plays=plays)
    unplayed = DealRecord(number=2, attempt=0, dealer=0, plays=[])
    text = plays_to_text([deal, unplayed])
    assert text == "dealer=1 attempt=2 7H:184 QHx92 JCx0! /32 2H:7 2S:8 /1 3S:9\ndealer=0"


@pytest.mark.parametrize(
    "text",
    [
        "dealer=0 7X:1",
        "dealer=0 7H1",
        "dealer=0 7H:",
        "dealer=0 7H:1/2",
        "dealer=0 /2 /3 7H:1",
        "dealer=0 7H:1 /2",
        "what",
    ],
)
def test_text_that_is_no_play_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a (play|deal)"):
        text_to_plays(text, 2)


FAULTS = st.builds(
    Fault,
    seat=st.integers(0, 5),
    deal=st.integers(1, 9),
    turn=st.integers(1, 999),
    kind=st.sampled_from(["illegal", "malformed", "timeout", "crash", "flood", "memory"]),
    detail=TEXTS,
    got=TEXTS,
    played=st.none() | CARDS,
)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Any record that `to_row` may be given: without the scores of deals."""
    sides = draw(st.integers(2, 6))
    labels = [f"bot-{side}" for side in range(sides)]
    seats = [
        SeatRecord(
            bot=label,
            version="1.0 ✓",
            hash="ab" * 32,
            side=side,
            bot_seed=draw(st.integers(0, 2**31 - 1)),
            process=f"0.1.{side}.1",
            nth=draw(st.integers(1, 99)),
            batch=draw(st.integers(1, 1024)),
            boot_us=draw(LARGE),
            cpu_us=draw(LARGE),
            overruns=draw(LARGE),
            max_rss_kb=draw(LARGE),
        )
        for side, label in enumerate(labels)
    ]
    return GameRecord(
        game=draw(st.binary(min_size=8, max_size=8)).hex(),
        tournament=draw(st.none() | TEXTS.filter(bool)),
        pairing=labels,
        match=draw(st.integers(1, 10**6)),
        rotation=draw(st.integers(0, 5)),
        replay=draw(st.integers(0, 3)),
        names_hidden=draw(st.booleans()),
        rated=draw(st.booleans()),
        master_commitment="cd" * 32,
        rules=PlayedRules(
            preset="kseri", overrides=draw(st.dictionaries(TEXTS, LARGE | TEXTS)), version=1
        ),
        seats=seats,
        seed=draw(st.binary(min_size=32, max_size=32)).hex(),
        salt=draw(st.binary(min_size=16, max_size=16)).hex(),
        commitment="ef" * 32,
        deals=draw(deals(sides)),
        scores=draw(st.lists(LARGE, min_size=sides, max_size=sides)),
        winner=draw(st.none() | st.integers(0, sides - 1)),
        ranks=draw(st.lists(st.integers(1, 6), min_size=sides, max_size=sides)),
        reason=draw(st.sampled_from(["target", "deals", "max_deals", "forfeit"])),
        faults=draw(st.lists(FAULTS, max_size=3)),
        limits=draw(
            st.sampled_from([Limits(), Limits(tick_ms=50), Limits(faults_allowed=3, batch=2)])
        ),
        isolation="none",
        practice=draw(st.booleans()),
        started="2026-01-01T12:00:00Z",
        elapsed_ms=draw(LARGE),
        arena="0.1.0",
    )


def tournament_row(record: GameRecord) -> dict[str, Any]:
    """What the table of tournaments has of a record."""
    rules = {"preset": record.rules.preset, "overrides": record.rules.overrides}
    return {
        "name": record.tournament or "t",
        "kind": "play" if record.tournament is None else "round-robin",
        "names_hidden": int(record.names_hidden),
        "rated": int(record.rated),
        "practice": int(record.practice),
        "master_commitment": record.master_commitment,
        "rules": msgspec.json.encode(rules).decode(),
        "rules_version": record.rules.version,
        "sides": len(record.scores),
        "rotations": len(record.scores),
    }


@given(records())
def test_a_record_comes_back_from_its_row(record: GameRecord) -> None:
    row = to_row(record, 1)
    with sqlite3.connect(":memory:") as db:
        db.row_factory = sqlite3.Row
        db.execute(f"CREATE TABLE games ({', '.join(row)})")
        db.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", list(row.values()))
        stored = dict(db.execute("SELECT * FROM games").fetchone())
    db.close()
    bots = {seat.bot: {"version": seat.version, "hash": seat.hash} for seat in record.seats}
    assert to_record(stored, Played.of(tournament_row(record)), bots) == record
