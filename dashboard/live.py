"""What has changed, told to open pages while it happens: server-sent events.

One thread looks at the database and wakes all streams. An event says where something changed,
never what: the page fetches anew what it shows of that (`static/live.js`).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from flask import Blueprint, Response, current_app, request
from msgspec import Meta

from arena.store import Event
from arena.store.changes import Changes
from dashboard.database import database
from dashboard.described import described

MOST_STREAMS = 32
"""Half of the server's threads: the others write pages."""
_LOOK_S = 0.2
_WAIT_S = 1.0
"""How long a stream sleeps at most before it looks whether its page is still there."""
_HEARTBEAT_S = 8.0
_LONGEST_S = 600.0
"""Then a stream ends, and a page that is still there opens another: one of a computer that was
taken off the network would hold its place for long."""
_MOST_MISSED = 500
"""Of more events that a page has missed it is told only to show all anew."""
_KEPT = 2_000
_RETRY_S = 10

pages = Blueprint("live", __name__)


class Feed:
    """The latest events of a database, and the streams that wait for more."""

    def __init__(self, path: Path) -> None:
        self.stopped = threading.Event()
        """Whether all streams are to end."""
        self.life = 0
        """Rises when all may be different, and no event tells how."""
        self.latest = 0
        """The id of the latest event."""
        self._path = path
        self._events: deque[Event] = deque(maxlen=_KEPT)
        self._changed = threading.Condition()
        self._looked = threading.Event()
        self._streams = 0
        self._thread: threading.Thread | None = None

    def enter(self) -> bool:
        """Take one of the places for streams; False where all are taken."""
        with self._changed:
            if self._streams >= MOST_STREAMS or self.stopped.is_set():
                return False
            self._streams += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="live", daemon=True)
                self._thread.start()
        self._looked.wait(_WAIT_S)
        return True

    def leave(self) -> None:
        """Give back a place."""
        with self._changed:
            self._streams -= 1

    def after(self, last: int, life: int, seconds: float) -> list[Event] | None:
        """The events after that one, as soon as there are any; none after so many seconds.

        `life`: the feed's, when that event was the last. None where all may be different.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self.stopped.is_set() or self.life != life or self.latest > last, seconds
            )
            overflown = len(self._events) == _KEPT and last < self._events[0].id - 1
            if self.life != life or overflown:
                return None
            return [event for event in self._events if event.id > last]

    def stop(self) -> None:
        """End all streams at once, and the thread."""
        self.stopped.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        changes = Changes(self._path)
        while not self.stopped.is_set():
            self._take(changes.look(), changes.latest)
            self._looked.set()
            self.stopped.wait(_LOOK_S)
        changes.close()

    def _take(self, events: list[Event] | None, latest: int) -> None:
        if events == []:
            return
        with self._changed:
            self.latest = latest
            if events is None:
                self.life += 1
                self._events.clear()
            else:
                self._events.extend(events)
            self._changed.notify_all()


@pages.get("/events")
def events() -> Response:
    """A stream of events after the one that the browser, or the address, names."""
    feed: Feed = current_app.config["FEED"]
    if not feed.enter():
        return Response("Too many open pages: ask /events.json now and then.\n", 503, _LATER)
    try:
        life, missed = feed.life, _missed(_since())
    except BaseException:
        feed.leave()
        raise
    is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(_stream(feed, life, missed, is_gone), mimetype="text/event-stream")
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.call_on_close(feed.leave)
    return response


_LATER = {"Retry-After": str(_RETRY_S), "Content-Type": "text/plain; charset=utf-8"}


class Missed(msgspec.Struct, frozen=True):
    """What has happened since an event."""

    latest: int
    """The id of the latest event."""
    events: list[Event] | None
    """In order; null where all may be different."""


class Since(msgspec.Struct, frozen=True):
    """Where events are to begin."""

    since: Annotated[
        str,
        Meta(description="The id of an event: those after it; without it only the latest id."),
    ] = ""


@pages.get("/events.json")
@described("/events.json", Since, Missed)
def events_json() -> Response:
    """What has changed after an event, for whoever has no stream.

    The stream itself, for programs too, is at `/events`.
    """
    data = msgspec.json.encode(_missed(_since()))
    return Response(
        data + b"\n", mimetype="application/json", headers={"Cache-Control": "no-store"}
    )


def _since() -> int | None:
    """After which event; None: after the latest."""
    text = request.headers.get("Last-Event-ID") or request.args.get("since", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        return None
    return int(text)


def _missed(since: int | None) -> Missed:
    with database() as reader:
        if since is None:
            return Missed(reader.latest_event(), [])
        found = reader.events_since(since, _MOST_MISSED)
        latest = reader.latest_event() if found is None else since
        return Missed(found[-1].id if found else latest, found)


def _stream(feed: Feed, life: int, missed: Missed, is_gone: Callable[[], bool]) -> Iterator[str]:
    """What goes over the wire, as long as somebody is there to read it."""
    last, until, spoke = missed.latest, time.monotonic() + _LONGEST_S, time.monotonic()
    yield "retry: 1000\n\n" + _told(missed.events, last)
    while not (feed.stopped.is_set() or is_gone() or time.monotonic() > until):
        found = feed.after(last, life, _WAIT_S)
        if found is None:
            life, last = feed.life, feed.latest
            yield _told(None, last)
        elif found:
            last = found[-1].id
            yield _told(found, last)
        elif time.monotonic() - spoke < _HEARTBEAT_S:
            continue
        else:
            yield ":\n\n"
        spoke = time.monotonic()


def _told(events: list[Event] | None, latest: int) -> str:
    if events is None:
        return f"event: reset\nid: {latest}\ndata: {latest}\n\n"
    return "".join(
        f"id: {event.id}\ndata: {msgspec.json.encode(event).decode()}\n\n" for event in events
    )
