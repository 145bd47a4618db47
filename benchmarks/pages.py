"""How long the server takes for every page and every answer of the API, and what pages weigh.

A database of 1,000 bots and 1,000,000 games is made first, or kept in `--db` for the next time.
Medians of 50; a page weighs what a browser loads for it, uncompressed, without what is asked for
as JSON. The exit status is 1 where an aim is missed.

Run from the root while nothing else runs:
python -m benchmarks.pages [--db FILE] [--bots N] [--repeats N] [--only WORD]
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from arena.store import Reader
from benchmarks.crowd import CROWD, JOB_KEY, make_crowd
from dashboard import create_app

MOST_MS = 50
MOST_KB = 150
_UNTIMED = {
    "static",
    "live.events",
    "submit.submission_json",
    "play.seat",
    "games.went_on",
    "games.went_on_json",
}
"""Files, a stream without an end, and what a visitor has begun; of a submission there is a page."""

ADDRESSES: dict[str, list[str]] = {
    "tournaments.home": ["/"],
    "tournaments.tournament": [
        "/tournaments/{crowd}/",
        "/tournaments/{crowd}/?sort=points&page=8",
        "/tournaments/{crowd}/?find=77",
        "/tournaments/{swiss}/",
    ],
    "tournaments.curves": ["/tournaments/{table}/curves", "/tournaments/{swiss}/curves"],
    "tournaments.crosstable": [
        "/tournaments/{table}/crosstable",
        "/tournaments/{table}/crosstable?residuals=1&columns=2",
    ],
    "tournaments.head_to_head": [
        "/tournaments/{crowd}/head-to-head",
        "/tournaments/{crowd}/head-to-head?a={a}&b={b}",
    ],
    "tournaments.by_number": ["/tournaments/{crowd}/1-2"],
    "tournaments.rounds": [
        "/tournaments/{swiss}/rounds",
        "/tournaments/{swiss}/rounds?round=2&page=5",
        "/tournaments/{knockout}/rounds",
        "/tournaments/{knockout}/rounds?round=1",
        "/tournaments/{double}/rounds",
        "/tournaments/{league}/rounds",
    ],
    "tournaments.live": ["/tournaments/{crowd}/live", "/tournaments/{league}/live"],
    "tournaments.explain": [
        "/tournaments/{crowd}/explain?bot={a}",
        "/tournaments/{crowd}/explain?bot={a}&without={b}",
    ],
    "games.games": [
        "/games/",
        "/games/?tournament={crowd}&before=500000",
        "/games/?bot={a}",
        "/games/?tournament={crowd}&bot={b}&before=1000",
        "/games/?fault=any",
        "/games/?pairing={a},{b}",
        "/games/?bot={a}&result=lost",
        "/games/?bot=nobody",
    ],
    "games.as_json": ["/games.json?limit=50"],
    "games.as_csv": ["/games.csv?limit=50"],
    "games.replay": ["/games/{game}?deal=1&move=9", "/games/{game}?deal=1&move=9&seat=1"],
    "games.record": ["/games/{game}.json"],
    "games.position": ["/games/{game}/position.json?deal=1&move=9"],
    "games.what_if": ["/games/{game}/what-if?deal=1&move=9"],
    "games.other_bots": ["/games/{game}/other-bots?deal=1&move=9"],
    "games.own_logs": ["/games/{game}/logs"],
    "games.logs_json": ["/games/{game}/logs.json"],
    "bots.bots": ["/bots/", "/bots/?begins=bot-05"],
    "bots.entrant": ["/tournaments/{crowd}/bots/{a}", "/tournaments/{crowd}/bots/{c}"],
    "bots.bot": ["/bots/{a}"],
    "docs.rules": ["/rules/"],
    "docs.protocol": ["/protocol/"],
    "docs.numbers": ["/numbers/"],
    "submit.form": ["/submit"],
    "submit.submission": ["/submit/{job}"],
    "play.room": ["/play/"],
    "live.events_json": ["/events.json"],
    "healthz": ["/healthz"],
    "api.page": ["/api/", "/api/?show=standings"],
    "api.openapi": ["/api/openapi.json"],
    "api.bots": ["/api/bots"],
    "api.bot": ["/api/bots/{a}"],
    "api.games": ["/api/games"],
    "api.game": ["/api/games/{game}"],
    "api.rules": ["/api/rules"],
    "api.rule_set": ["/api/rules/pisti"],
    "api.schemas": ["/api/schemas"],
    "api.schema": ["/api/schemas/from-bot"],
    "api.tables": ["/api/tables"],
    "api.tournaments": ["/api/tournaments"],
    "api.tournament": ["/api/tournaments/{crowd}"],
    "api.entrant": ["/api/tournaments/{crowd}/bots/{a}"],
    "api.crosstable_of": ["/api/tournaments/{table}/crosstable"],
    "api.curves_of": ["/api/tournaments/{table}/curves"],
    "api.two_entrants": ["/api/tournaments/{crowd}/head-to-head?a={a}&b={b}"],
    "api.rating": ["/api/tournaments/{crowd}/ratings/{a}"],
    "api.rounds": ["/api/tournaments/{swiss}/rounds"],
    "api.one_round": ["/api/tournaments/{swiss}/rounds/1"],
    "api.standings": ["/api/tournaments/{crowd}/standings"],
    "api.standings_csv": ["/api/tournaments/{crowd}/standings.csv"],
}
"""By endpoint; what stands between braces is of the database at hand."""


def addresses(app: Flask, database: Path) -> dict[str, list[str]]:
    """All addresses to ask for, by endpoint. Raises `SystemExit` where an endpoint has none."""
    gets = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    if missing := gets - _UNTIMED - set(ADDRESSES):
        raise SystemExit(f"no address for {', '.join(sorted(missing))}: see ADDRESSES")
    names = _names(database)
    return {
        endpoint: [address.format(**names) for address in found]
        for endpoint, found in ADDRESSES.items()
    }


def _names(database: Path) -> dict[str, object]:
    with Reader(database) as reader:
        rows = {row.name: row.id for row in reader.tournaments()}
        [game] = reader.games(tournament_id=rows[CROWD], limit=1)
        labels = [entrant.label for entrant in reader.entrants(rows[CROWD])]
    return {
        "crowd": rows[CROWD],
        "table": rows["Table"],
        "swiss": rows["Swiss"],
        "knockout": rows["Knockout"],
        "double": rows["Double-knockout"],
        "league": rows["League"],
        "game": game.game,
        "a": labels[0],
        "b": labels[1],
        "c": labels[-1],
        "job": JOB_KEY,
    }


@contextmanager
def crowd(database: Path | None, bots: int) -> Iterator[Path]:
    """The database: that file, which is made where it is not there, or one for this time only."""
    with tempfile.TemporaryDirectory() as folder:
        path = database or Path(folder) / "crowd.db"
        if not path.exists():
            print(f"Filling {path.name} …", file=sys.stderr, flush=True)
            make_crowd(path, bots)
        yield path


def _asked(client: FlaskClient, address: str, repeats: int) -> tuple[float, float, float, str]:
    """The first time and the median in ms, the median of the processor's time, and the text."""
    taken: list[tuple[float, float]] = []
    for _ in range(repeats + 1):
        begin = time.perf_counter(), time.process_time()
        with client.get(address) as answer:
            text = answer.text
        taken.append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
        if answer.status_code != 200:
            raise SystemExit(f"{address}: {answer.status}")
    wall, cpu = (statistics.median(times[1:]) * 1000 for times in zip(*taken, strict=True))
    return taken[0][0] * 1000, wall, cpu, text


def _weight(client: FlaskClient, text: str) -> float:
    """Of a page with its styles and scripts, in KB."""
    weight = len(text.encode())
    for address in re.findall(r'(?:href|src)="(/static/[^"]*)"', text):
        with client.get(address) as answer:
            weight += len(answer.data)
    return weight / 1000


def measure(app: Flask, database: Path, repeats: int, only: str) -> int:
    """Print a line for every address; returns how many miss an aim."""
    client, missed = app.test_client(), 0
    print(f"{'first':>8} {'median':>7} {'CPU':>7} ms {'KB':>7}  (aims: {MOST_MS} ms, {MOST_KB} KB)")
    for endpoint, found in addresses(app, database).items():
        for address in found:
            if only not in address and only not in endpoint:
                continue
            first, wall, cpu, text = _asked(client, address, repeats)
            is_page = text.startswith("<!doctype html>")
            weight = _weight(client, text) if is_page else len(text.encode()) / 1000
            is_missed = wall >= MOST_MS or (is_page and weight >= MOST_KB)
            missed += is_missed
            figures = f"{first:>8.1f} {wall:>7.1f} {cpu:>7.1f}    {weight:>7.1f}"
            print(f"{figures} {'!' if is_missed else ' '} {address}", flush=True)
    return missed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--db", type=Path, help="a file for the database, to be used again")
    parser.add_argument("--bots", type=int, default=1_000)
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--only", default="", help="addresses and endpoints with this in them")
    options = parser.parse_args()
    with crowd(options.db, options.bots) as database:
        missed = measure(create_app(database), database, options.repeats, options.only)
    if missed:
        sys.exit(f"{missed} miss an aim")


if __name__ == "__main__":
    main()
