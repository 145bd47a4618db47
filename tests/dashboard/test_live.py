"""What open pages are told: every change, once, in order, and nothing that is secret."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.store import Reader, note_event, open_for_writing, writing
from arena.store.changes import Changes
from arena.store.events import MOST_EVENTS
from dashboard import create_app
from dashboard.live import MOST_STREAMS, Feed
from tests.dashboard.made import Made
from tests.dashboard.server import PATIENCE_S, Server, Stream, serving


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "live.db"
    open_for_writing(found).close()
    return found


def tell(path: Path, *topics: str) -> None:
    with writing(path) as db, db.atomic():
        for topic in topics:
            note_event(db, topic, "games", 1)


# The table


def test_everything_that_a_page_shows_of_a_tournament_is_told(path: Path) -> None:
    made = Made(path, "cup", ["a", "b"], seed=3)
    made.game(1, 0)
    made.game(1, 1)
    made.finish()
    with Reader(path) as reader:
        events = reader.events_since(0, 100) or []
    assert {event.topic for event in events} == {f"tournament:{made.id}"}
    assert [event.kind for event in events] == ["begun", "games", "games", "finished"]


def test_the_oldest_are_forgotten_and_who_missed_them_is_told_so(path: Path) -> None:
    with writing(path) as db, db.atomic():
        for _ in range(MOST_EVENTS + 20):
            note_event(db, "bots", "submitted")
        assert db.execute("SELECT count(*) FROM events").fetchone() == (MOST_EVENTS,)
    with Reader(path) as reader:
        latest = reader.latest_event()
        assert latest == MOST_EVENTS + 20
        assert reader.events_since(19, 10**6) is None
        assert len(reader.events_since(20, 10**6) or []) == MOST_EVENTS
        assert reader.events_since(latest, 10) == []
        assert reader.events_since(latest - 11, 10) is None, "more than were asked for"
        assert reader.events_since(latest + 1, 10) is None, "there was no such event"


def test_the_number_of_an_event_is_never_used_again(path: Path) -> None:
    tell(path, "a", "b")
    with writing(path) as db, db.atomic():
        db.execute("DELETE FROM events")
    tell(path, "c")
    with Reader(path) as reader:
        assert reader.latest_event() == 3


def test_a_change_that_fails_tells_nothing(path: Path) -> None:
    with writing(path) as db, pytest.raises(ZeroDivisionError), db.atomic():
        note_event(db, "a", "games", 1 // 0)
    with Reader(path) as reader:
        assert reader.latest_event() == 0


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(["tell", "look", "move", "remove", "return"]), max_size=12))
def test_whoever_looks_again_and_again_misses_nothing(steps: list[str]) -> None:
    """Every event is either told, or it is said that all may be different."""
    with TemporaryDirectory() as folder:
        _look_again_and_again(Path(folder) / "live.db", steps)


def _look_again_and_again(path: Path, steps: list[str]) -> None:
    away = path.with_suffix(".away")
    open_for_writing(path).close()
    changes, told, heard = Changes(path), 0, 0
    assert changes.look() is None
    for step in [*steps, "return", "look"]:
        if step == "tell" and path.exists():
            tell(path, "a")
            told += 1
        elif step == "move":
            if path.exists():
                shutil.copy(path, away)
                os.replace(away, path)
        elif step == "remove" and path.exists():
            os.replace(path, away)
        elif step == "return" and away.exists():
            os.replace(away, path)
        elif step == "look":
            found = changes.look()
            heard = told if found is None else heard + len(found)
    changes.close()
    assert heard == told


# The feed


def test_a_feed_wakes_whoever_waits(path: Path) -> None:
    feed = Feed(path)
    assert feed.enter()
    life, heard = feed.life, []
    waiting = threading.Thread(target=lambda: heard.extend(feed.after(0, life, PATIENCE_S) or []))
    waiting.start()
    tell(path, "tournament:1")
    waiting.join()
    assert [event.topic for event in heard] == ["tournament:1"]
    assert feed.after(0, life, 0) == heard
    assert feed.after(1, life, 0) == []
    assert feed.after(0, life - 1, 0) is None
    feed.stop()


def test_a_feed_has_so_many_places(path: Path) -> None:
    feed = Feed(path)
    assert [feed.enter() for _ in range(MOST_STREAMS + 1)] == [True] * MOST_STREAMS + [False]
    feed.leave()
    assert feed.enter()
    feed.stop()
    feed.leave()
    assert not feed.enter(), "it is over"


# The wire


def test_a_stream_tells_every_change_as_it_happens_and_resumes_where_it_broke_off(
    path: Path,
) -> None:
    tell(path, "a", "b")
    with serving(path) as server:
        stream = Stream(server, "?since=0")
        assert stream.answer.status == 200
        assert stream.answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert stream.topics(2) == ["a", "b"]
        tell(path, "c")
        event = stream.next()
        assert event["id"] == "3"
        assert json.loads(event["data"]) == {"id": 3, "topic": "c", "kind": "games", "number": 1}
        stream.close()
        tell(path, "d")
        # What the browser has seen last counts more than what the address says.
        again = Stream(server, "?since=0", Last_Event_ID="3")
        assert again.topics(1) == ["d"]
    with serving(path) as server:
        tell(path, "e")
        assert Stream(server, Last_Event_ID="3").topics(2) == ["d", "e"], "also of another server"


def test_who_missed_too_much_is_told_to_show_all_anew(path: Path) -> None:
    tell(path, *["a"] * 501)
    with serving(path) as server:
        for since in ("0", "9999"):
            event = Stream(server, f"?since={since}").next()
            assert (event["event"], event["id"], event["data"]) == ("reset", "501", "501")
        stream = Stream(server)
        tell(path, "b")
        assert stream.topics(1) == ["b"], "who names none hears what comes"


def test_another_database_in_its_place_is_told(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    open_for_writing(other).close()
    with serving(path) as server:
        tell(path, "a")
        stream = Stream(server, "?since=0")
        assert stream.topics(1) == ["a"]
        os.replace(other, path)
        assert stream.next()["event"] == "reset"
        tell(path, "b")
        assert stream.topics(1) == ["b"]


def test_beyond_so_many_streams_a_page_is_told_to_ask_instead(path: Path) -> None:
    with serving(path, "import dashboard.live as live; live.MOST_STREAMS = 3") as server:
        streams = [Stream(server, "?since=0") for _ in range(3)]
        assert [stream.answer.status for stream in streams] == [200] * 3
        refused = server.ask("GET", "/events")
        assert refused.status == 503
        assert int(refused.headers["Retry-After"]) > 0
        assert asked(server, 0) == {"latest": 0, "events": []}
        tell(path, "a", "b")
        assert [event["topic"] for event in asked(server, 1)["events"]] == ["b"]
        assert server.ask("GET", "/submit").status == 200, "pages are still written"
        streams[0].close()
        while (again := server.ask("GET", "/events")).status == 503:
            again.close()
        assert again.status == 200, "its place is free once it has hung up"


def asked(server: Server, since: int) -> dict[str, object]:
    answer = server.ask("GET", f"/events.json?since={since}")
    assert answer.status == 200
    found: dict[str, object] = json.loads(answer.read())
    return found


def test_a_silent_stream_shows_that_it_lives(path: Path) -> None:
    before = "import dashboard.live as live; live._HEARTBEAT_S = 0.1; live._WAIT_S = 0.1"
    with serving(path, before) as server:
        lines = iter(Stream(server).answer.readline, b"")
        assert [next(lines) for _ in range(6)].count(b":\n") >= 2


def test_no_stream_lasts_for_ever(path: Path) -> None:
    before = "import dashboard.live as live; live._LONGEST_S = 0.1; live._WAIT_S = 0.1"
    with serving(path, before) as server:
        stream = Stream(server)
        # To its end; on a busy machine with a word to show all anew, since nobody had looked yet.
        assert stream.answer.read().startswith(b"retry: 1000\n\n")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_open_streams_keep_no_server_from_ending(path: Path, stop: signal.Signals) -> None:
    with serving(path) as server:
        streams = [Stream(server, "?since=0") for _ in range(MOST_STREAMS)]
        server.process.send_signal(stop)
        out, err = server.process.communicate(timeout=PATIENCE_S)
        assert (server.process.returncode, out, err) == (0, "", "")
        for stream in streams:
            assert stream.answer.read().endswith(b"\n\n")


def test_wrong_numbers_are_none(path: Path) -> None:
    tell(path, "a")
    client = create_app(path).test_client()
    for since in ("", "x", "-1", "1" * 40, "1.5", "¹", "0; DROP TABLE events"):
        answer = client.get("/events.json", query_string={"since": since})
        assert answer.json == {"latest": 1, "events": []}, since


def test_events_carry_neither_names_nor_cards(path: Path) -> None:
    made = Made(path, "secret cup", ["hidden-name", "b"], seed=5)
    record = made.game(1, 0)
    text = create_app(path).test_client().get("/events.json?since=0").text
    events = json.loads(text)["events"]
    assert {tuple(sorted(event)) for event in events} == {("id", "kind", "number", "topic")}
    for secret in ("hidden-name", "secret cup", record.game, record.seed):
        assert secret not in text
