"""What stands below the standings on a terminal: what one has to know to read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from rich.console import Console

from arena.cli.called import at_database, called
from arena.cli.paragraphs import as_it_stands, paragraph
from arena.faults import judged_faults
from arena.standings import Standings
from arena.store import Entrant, GameFilter, GameRow, Reader, StoredTournament
from arena.text import counted, one_line
from protocol.messages import FaultKind
from protocol.records import GameRecord

_LOOKED_AT = 20
"""Games with faults of whoever was set aside, the latest ones; some 5 ms."""


def tell_caption(
    out: Console, reader: Reader, tournament: StoredTournament, found: Standings
) -> None:
    """Print what kind of games the standings count, and who left and why."""
    for line in _about(reader, tournament, found):
        out.print(line)
    told = [
        _tell_departure(out, reader, tournament, entrant)
        for entrant in reader.entrants(tournament.id)
        # In a league there is one more for every version of a bot.
        if entrant.departure not in (None, "replaced")
    ]
    for line in _walkovers(found):
        out.print(line)
    at = at_database(reader.path)
    faulty = reader.if_sound(
        lambda: reader.games(tournament_id=tournament.id, faulty=True, limit=1)
    )
    # A damaged one is one of them.
    if faulty is None or faulty:
        for record in _records(reader, faulty or []):
            if record.seed and record.game not in told:
                out.print("Why the latest fault happened:")
                as_it_stands(out, f"  {called()} log {record.game}{at}")
        out.print("All games with faults:")
        as_it_stands(out, f"  {called()} games --faults --tournament {tournament.id}{at}")
    unplayed = reader.unplayed(tournament.id)
    if unplayed:
        stay = "stays" if unplayed == 1 else "stay"
        matches = counted(unplayed, "match")
        out.print(f"{matches} failed for the arena's fault and {stay} unplayed.")


def _about(reader: Reader, tournament: StoredTournament, found: Standings) -> Iterator[str]:
    row = reader.tournament_row(tournament.id)
    kind = "rated" if tournament.rated else "unrated"
    if tournament.practice:
        kind = "practice"
    played = f"{row.games_played} of {counted(row.games_planned, 'game')}"
    yield (
        f"{one_line(tournament.name)}: {row.rules}, {played}, {kind}, "
        f"isolation: {tournament.isolation}"
    )
    if row.games_played:
        yield (
            "± is a 95 % interval, clustered by match; ranks are ranges that it allows; "
            "prov. = fewer than 10 matches. Points/deal are against an opponent of mean strength."
        )
    yield from _warnings(found)


def _warnings(found: Standings) -> Iterator[str]:
    """What keeps the numbers from being taken at face value."""
    if any(line.all_won for line in found.lines):
        yield "≥: it has won everything: its rating has a lower bound and no upper one."
    if any(line.all_lost for line in found.lines):
        yield "≤: it has lost everything: its rating has an upper bound and no lower one."
    if any(line.all_won for line in found.lines) and any(line.all_lost for line in found.lines):
        yield "Where ≥ and ≤ overlap, they do not say who is stronger; ranks do."
    if any(line.points_disagree for line in found.lines):
        yield "!: points and rating differ by more than 3 standard errors."
    for scale in found.scales:
        if scale.non_transitive:
            yield (
                f"One number a bot does not describe who beats whom here (deviance "
                f"{scale.deviance:.1f} on {scale.df} df): see who scored what against whom."
            )


def _walkovers(found: Standings) -> Iterator[str]:
    for line in found.lines:
        if line.walkovers:
            games = counted(line.walkovers, "more game")
            yield f"{line.label}: {games} won by walkover, not rated."


def _tell_departure(
    out: Console, reader: Reader, tournament: StoredTournament, entrant: Entrant
) -> str | None:
    """Print how somebody left, and of whoever was set aside what went wrong most often.

    Returns the game that is named as an example of that.
    """
    reason = f": {one_line(entrant.reason)}" if entrant.reason else ""
    paragraph(out, "", f"{entrant.label} has left: {entrant.departure}{reason}.")
    if entrant.departure != "set aside":
        return None
    wanted = GameFilter(tournament_id=tournament.id, bot=entrant.label, fault="any")
    found = reader.if_sound(lambda: reader.games_that_fit(wanted, limit=_LOOKED_AT))
    games, older = found or ([], None)
    by_fault: dict[tuple[str, str], list[GameRecord]] = {}
    for record in _records(reader, games):
        for fault in _fatal(record, entrant.label):
            by_fault.setdefault(fault, []).append(record)
    if not by_fault:
        return None
    kind, what = max(by_fault, key=lambda fault: len(by_fault[fault]))
    alike = by_fault[kind, what]
    forfeited = counted(sum(map(len, by_fault.values())), "game")
    said = f": {one_line(what)}" if what else ""
    # What happened in a game can be told once nobody plays on its decks any more.
    example = next((record for record in alike if record.seed), None)
    paragraph(
        out,
        "",
        f"It has forfeited {'at least ' if older else ''}{forfeited}, also those that do not "
        f"count; most often ({len(alike)}) by {kind}{said}.{' Why:' if example else ''}",
    )
    if example is None:
        return None
    as_it_stands(out, f"  {called()} log {example.game}{at_database(reader.path)}")
    return example.game


def _records(reader: Reader, games: Iterable[GameRow]) -> Iterator[GameRecord]:
    """The records of these games, but for damaged ones: the table above has no need of them."""
    for row in games:
        if record := reader.if_sound(partial(reader.game, row.game)):
            yield record


def _fatal(record: GameRecord, label: str) -> list[tuple[FaultKind, str]]:
    """The fault by which somebody forfeited a game, if so: its kind and what happened."""
    return [
        (fault.kind, fault.detail)
        for fault, is_fatal in judged_faults(record)
        if is_fatal and record.seats[fault.seat].bot == label
    ][:1]
