"""Hostile bots through the real arena, in every sandbox, as root and as an ordinary user."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.play import Bot
from arena.sandbox import can_hold_processes
from arena.sandbox.limits import limits
from arena.sandbox.other_users import is_open
from arena.store import Reader
from protocol.records import GameRecord
from tests.cli.program import shared
from tests.e2e.isolated import (
    ARENAS,
    GOOD,
    MEMORY_MB,
    PATIENT,
    SHORT,
    Ground,
    followed,
    ground,
)
from tests.e2e.isolated_arena import Game, Table, Told, groups_of
from tests.sandbox.ordinary import as_user, check_modules

pytestmark = [pytest.mark.e2e, pytest.mark.hostile, pytest.mark.sandbox]

every_arena = pytest.mark.parametrize(("isolation", "user"), ARENAS)
GROUPED = ("bubblewrap", "as it is")
"""Where bots are put into control groups, if this is root."""

TRIES = {
    "forks": ("forks: 0",),
    "detaches": ("detaches: 0",),
    "threads": tuple(f"threads: {number}" for number in range(40, 65)),
    "shares": ("shares: 0",),
    "writes": ("writes: 0",),
    # The first process of a name space takes no signal of its own.
    "signals 9": ("signals: nobody", "signals: parent"),
    "reads OPPONENT ARENA": ("reads: nothing",),
    "world": ("world: HOME LANG PATH PWD PYTHONUNBUFFERED\n",),
    "limits": ("limits: ",),
    "wakes_itself": ("wakes_itself: 0",),
    "spins": ("spins: on",),
    "outlives": ("outlives: on",),
    "floods_errors": ("",),
    "closes_everything": ("closes_everything: on",),
}
"""What bots try that play well beside it, and how far they may get."""
FORFEITS = {
    "hoards": ("crash", "memory"),
    "seals": ("memory",),
    "floods-lines": ("flood",),
    "floods-line": ("malformed",),
    "closes": ("timeout",),
    "stops": ("timeout",),
    "kills-itself": ("crash",),
    # Those of a launcher that fails, of a command that isn't there, of a signal.
    **{f"exits {status}": ("crash",) for status in (1, 125, 126, 127, 137)},
    **{f"exits-at-once {status}": ("boot",) for status in (1, 125, 126, 127, 137)},
}
"""What ends a game, and as which fault; memory that is refused, or taken, ends a bot either way."""
SUCCEEDS = {
    "forks": "forks: 128",
    "detaches": "detaches: 128",
    "threads": "threads: 128",
    "shares": "shares: 384",
    "wakes_itself": "wakes_itself: 2",
    "signals 0": "signals: parent all",
    "reads OPPONENT ARENA": "reads: OPPONENT ARENA",
}
"""Of the above, what nothing stops where nothing isolates."""


def hostile(ground: Ground, words: str) -> Bot:
    file = "deeds" if words.split()[0] in {key.split()[0] for key in TRIES} else "forfeits"
    filled = words.replace("OPPONENT", str(ground.opponent)).replace("ARENA", __file__)
    return ground.python(file, *filled.split(), name=words.split()[0] + words.split()[-1][:6])


def table(ground: Ground, words: str) -> Table:
    """One game of a hostile bot with a good one, which takes its time where that is the point."""
    slow = words in ("spins", "wakes_itself")
    opponent = ground.python("naps") if slow else ground.quick()
    limits = SHORT if words in ("closes", "stops") else PATIENT
    return Table([hostile(ground, words), opponent], limits)


@pytest.fixture(scope="session")
def place() -> Iterator[Ground]:
    """Where bots and arenas are."""
    with ground() as made:
        yield made


@pytest.fixture(scope="session")
def told(
    place: Ground, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, str], dict[str, Game]]:
    """`told(isolation, user)`: what came of every hostile bot's game, all in one arena."""

    def of(isolation: str, user: str) -> dict[str, Game]:
        names = [*TRIES, *FORFEITS]

        def make(folder: Path) -> None:
            tables = [table(place, words) for words in names]
            answer = place.play(isolation, user, tables)
            (folder / "told.json").write_bytes(msgspec.json.encode(answer))

        folder = shared(tmp_path_factory, f"isolated-{isolation}-{user.replace(' ', '-')}", make)
        answer = msgspec.json.decode((folder / "told.json").read_bytes(), type=Told)
        assert answer.void == []
        return {words: games[0] for words, games in zip(names, answer.games, strict=True)}

    return of


@pytest.mark.parametrize("words", TRIES)
@every_arena
def test_a_bot_that_tries_and_plays_on_gets_nowhere(
    told: Any, isolation: str, user: str, words: str
) -> None:
    game = told(isolation, user)[words]
    assert game.faults == []
    assert game.record.isolation == isolation
    assert game.stderr(0).startswith(TRIES[words]), game.stderr(0)[:500]
    assert len(game.stderr(0)) <= 64 * 1024


@every_arena
def test_a_bot_runs_under_all_limits(told: Any, isolation: str, user: str) -> None:
    found = set(told(isolation, user)["limits"].stderr(0).split())
    expected = limits(MEMORY_MB, None, "play")
    if isolation == "landlock" and (user == "ordinary" or os.geteuid()):
        # The kernel counts all threads of the user there.
        del expected["nproc"]
    assert {f"{name}={soft}:{hard}" for name, (soft, hard) in expected.items()} <= found


@pytest.mark.parametrize("words", FORFEITS)
@every_arena
def test_each_misbehaviour_is_the_fault_that_it_is_without_a_sandbox(
    told: Any, isolation: str, user: str, words: str
) -> None:
    game = told(isolation, user)[words]
    [(_, kind)] = game.faults
    assert kind in FORFEITS[words]
    assert (game.record.reason, game.record.winner) == ("forfeit", 1)


@pytest.mark.parametrize("words", ["spins", "wakes_itself"])
@every_arena
def test_nobody_computes_while_the_opponent_does(
    told: Any, isolation: str, user: str, words: str
) -> None:
    """The opponent sleeps for a second in all; two threads could work all the while."""
    game = told(isolation, user)[words]
    seats = game.record.seats
    [naps] = [number for number, seat in enumerate(seats) if seat.bot == "naps"]
    elapsed = [play for deal in game.record.deals for play in deal.plays if play.seat == naps]
    # The first nap is counted from when `ready` was read, which a busy arena does late.
    assert sum(play.elapsed_us for play in elapsed) > 900_000
    own = [play for deal in game.record.deals for play in deal.plays if play.seat != naps]
    # What it uses while nobody waits for it: a few ms before it is stopped, in each of its turns.
    assert seats[1 - naps].cpu_us < sum(play.elapsed_us for play in own) + 700_000


@pytest.mark.parametrize("words", ["seals", "hoards"])
@every_arena
def test_memory_ends_near_its_limit(told: Any, isolation: str, user: str, words: str) -> None:
    """What the arena sees to by itself it looks at every 50 ms."""
    game = told(isolation, user)[words]
    most_mb = MEMORY_MB + (16 if (isolation, user) == GROUPED or words == "hoards" else 512)
    assert game.record.seats[0].max_rss_kb < most_mb * 1024


def test_what_is_tried_succeeds_where_nothing_isolates(place: Ground) -> None:
    """None of it may be a dud: what can't succeed would prove nothing where it is stopped."""
    tables = [table(place, words) for words in SUCCEEDS]
    answer = place.play("none", "as it is", tables)
    for (words, expected), [game] in zip(SUCCEEDS.items(), answer.games, strict=True):
        filled = expected.replace("OPPONENT", str(place.opponent)).replace("ARENA", __file__)
        assert game.stderr(0).startswith(filled), words


BESIDE = ("floods-lines", "hoards", "seals")


@every_arena
def test_good_bots_are_not_hurt_by_what_plays_beside_them(
    place: Ground, isolation: str, user: str
) -> None:
    """200 games, beside a flooder, bombs of processes, threads and memory, and one that spins."""
    good = [Table([place.quick("one"), place.quick("two")], GOOD, games=50)] * 4
    bad = [
        *(hostile(place, words) for words in BESIDE),
        *(hostile(place, words) for words in ("forks", "threads", "spins", "floods_errors")),
    ]
    fresh = [msgspec.structs.replace(bot, reuse=False) for bot in bad]
    beside = [Table([bot, place.quick()], PATIENT, games=3) for bot in fresh]
    answer = place.play(isolation, user, [*beside, *good], concurrency=len(beside) + len(good))
    assert answer.void == []
    games = [game for table in answer.games[-4:] for game in table]
    assert len(games) == 200
    for game in games:
        assert game.faults == []
        plays = [play for deal in game.record.deals for play in deal.plays]
        # One bot at a time is asked, so that their times cannot be more than the game's.
        assert sum(play.elapsed_us for play in plays) // 1000 <= game.record.elapsed_ms
        assert all(play.elapsed_us < GOOD.move_ms * 1000 for play in plays)
    kinds = [[kind for _, kind in game.faults] for [game, *_] in answer.games[: len(BESIDE)]]
    assert kinds[0] == ["flood"]
    assert kinds[2] == ["memory"]


# Killed


@every_arena
def test_nothing_is_left_of_an_arena_that_is_killed(
    place: Ground, isolation: str, user: str
) -> None:
    """In the middle of games of bots that mind neither signals nor the end of their input."""
    pair = [place.closed(hostile(place, "outlives"), user), place.closed(place.quick(), user)]
    table = Table(pair, PATIENT, games=100_000)
    with place.arena(isolation, user, [table, table], turns=True) as (run, order):
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(order)
        run.stdin.close()
        first = run.stdout.read(500)
        if first.startswith(b"{"):
            pytest.skip(f"no such sandbox here: {first.decode()}")
        with followed(run.pid) as ends:
            if (isolation, user) == GROUPED and can_hold_processes("bubblewrap"):
                assert groups_of(run.pid)
            run.kill()
            ends()
        assert groups_of(run.pid) == []


# By the command


def played_by_command(
    place: Ground, isolation: str, user: str, *words: str
) -> tuple[subprocess.CompletedProcess[str], list[GameRecord]]:
    """`kseri play` as this user, and the games that it stored; nothing of them may be left."""
    python, identity = as_user(user)
    with place.home(user) as environment:
        if identity:
            check_modules(python, environment)
        database = Path(environment["HOME"], "games.db")
        command = [python, "-m", "arena.cli", "play", *words, "--isolation", isolation]
        done = subprocess.run(
            [*command, "--db", str(database), "--set", "deals=1", "--workers", "1"],
            env=environment,
            cwd=environment["HOME"],
            capture_output=True,
            text=True,
            timeout=240,
            **identity,
        )
        if "can't isolate bots" in done.stderr:
            pytest.skip(done.stderr)
        assert done.returncode == 0, done.stderr
        with Reader(database) as reader:
            [tournament] = reader.tournaments()
            return done, list(reader.records(tournament.id))


@pytest.mark.toolchain
@every_arena
def test_built_bots_are_built_and_play_in_the_sandbox(
    place: Ground, isolation: str, user: str
) -> None:
    """C and Java, and Rust where its toolchain may be entered by who builds."""
    with place.home(user) as environment:
        path = environment["PATH"]
    for program in ("cc", "javac", "java"):
        if not shutil.which(program, path=path):
            pytest.skip(f"{program} is not installed")
    # As root, Landlock's builds are somebody else's, who may not enter a closed folder.
    rust = shutil.which("rustc", path=path)
    closed = rust is not None and not is_open(Path(rust))
    third = "crab" if rust and not (closed and isolation == "landlock") else "greedy"
    names = ("pike", "otter", third)
    _, records = played_by_command(place, isolation, user, *names, "--rules", "kseri-3")
    assert len(records) == 3
    for record in records:
        assert (record.isolation, record.faults) == (isolation, [])
        assert {seat.bot for seat in record.seats} == set(names)
