"""Tells what a tournament comes to, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.schedule import limits_of, rules_of
from arena.store import Reader, StoredTournament, TournamentRow, is_playing
from arena.text import one_line
from arena.tournament import Outlook
from protocol.tournament import Tournament

_KINDS = {
    "round-robin": "a round robin: everybody meets everybody",
    "gauntlet": "a gauntlet: the challengers meet all others",
    "swiss": "a Swiss: each round pairs bots of about the same score that have not met yet",
    "knockout": "a knockout: who loses a tie is out",
    "double-knockout": "a double knockout: who loses two ties is out",
    "league": "a league: round after round, the least played first; new bots are placed",
}
_DECIDED = {
    "round-robin": "by the rating",
    "gauntlet": "by the rating",
    "league": "by the rating",
    "swiss": "by score, then Buchholz, Sonneborn-Berger, points, seed",
    "knockout": "by the bracket; drawn ties by up to 10 more matches, then points, then seed",
    "double-knockout": "by the bracket; drawn ties by up to 10 more matches, then points, seed",
}


def tell_outlook(out: Console, tournament: Tournament, found: Outlook, workers: int) -> None:
    """Print what is to be expected of a tournament."""
    rules, limits = rules_of(tournament), limits_of(tournament)
    goal = f"exactly {rules.deals} deals" if rules.deals else f"to {rules.target}"
    least = "at least " if found.is_least else ""
    out.print(Text(f"{one_line(tournament.name)}: {_KINDS[tournament.kind]}", style="bold"))
    out.print(_entrants_table(found))
    for labels in found.same_files:
        out.print(f"The same files: {', '.join(labels)}", style="yellow")
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, value in (
        ("Rules", f"{rules.preset}, {goal}, {rules.seats} seats, {rules.sides} sides"),
        *_special(tournament),
        ("Clock", f"{limits.move_ms} ms a play, {limits.bank_ms} ms bank, {limits.clock} time"),
        ("Names", "hidden from bots" if _hides_names(tournament) else "told to bots"),
        ("Games", f"{least}{found.games}, about {found.games_a_bot:.0f} a bot"),
        ("Time", f"about {duration_text(found.expected_s)} with {workers} worker(s)"),
        ("Winner", _DECIDED[tournament.kind]),
        ("Ratings", _sureness(tournament, found)),
    ):
        table.add_row(name, value)
    out.print(table)
    if found.assumed:
        out.print(
            f"Not played yet, taken to need 1 ms a play: {', '.join(found.assumed)}", style="dim"
        )


def _special(tournament: Tournament) -> list[tuple[str, str]]:
    """What is out of the ordinary about who meets whom."""
    found = []
    if tournament.partners == "drawn":
        found.append(("Partners", "drawn: everybody with everybody equally often"))
    if tournament.kind == "league":
        found.append(("Rounds", str(tournament.rounds or "without end; what follows is of one")))
    return found


def _entrants_table(found: Outlook) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("Seed", "Bot", "Version", "Hash"):
        table.add_column(name, justify="right" if name == "Seed" else "left")
    for seed, (label, version, digest) in enumerate(found.entrants, 1):
        table.add_row(str(seed), label, one_line(version), digest[:12])
    return table


def _hides_names(tournament: Tournament) -> bool:
    hidden = tournament.names_hidden
    return tournament.rated if hidden is None else hidden


def _sureness(tournament: Tournament, found: Outlook) -> str:
    if not tournament.rated:
        return "not rated"
    return (
        f"± about {found.error:.0f} Elo, less where luck decides much: bots are told apart that "
        f"are about {found.apart:.0f} Elo apart"
    )


def duration_text(seconds: float) -> str:
    """A time as one says it: `40 s`, `12 min`, `3.5 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def tell_status(out: Console, reader: Reader, tournament: StoredTournament) -> None:
    """Print how far a tournament is."""
    row = reader.tournament_row(tournament.id)
    out.print(Text(one_line(tournament.name), style="bold"))
    rounds = reader.rounds(tournament.id)
    if rounds:
        out.print(f"Round {rounds[-1].number}, " + ("over" if rounds[-1].finished else "going on"))
    if row.rounds_played:
        out.print("That was the last by its file; with more rounds there it goes on")
    out.print(f"{row.games_played} of {row.games_planned} games; {_state(reader, tournament, row)}")
    for entrant in reader.entrants(tournament.id):
        if entrant.departure:
            out.print(f"{entrant.label}: {entrant.departure} ({one_line(entrant.reason or '')})")
    unplayed = reader.unplayed(tournament.id)
    if unplayed:
        out.print(f"{unplayed} match(es) failed for the arena's fault and stay unplayed")
    log = reader.audit(tournament.id)
    if log:
        out.print(Text("Decisions", style="bold"))
    for decision in log:
        out.print(
            f"{decision.time} {decision.action} {one_line(decision.subject)}: "
            f"{one_line(decision.reason)}"
            + (f" ({decision.matches} match(es) annulled)" if decision.matches else "")
        )


def tournaments_table(rows: Sequence[TournamentRow]) -> Table:
    """A list of tournaments."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("No", "Tournament", "Kind", "Rules", "Bots", "Games", "Over"):
        table.add_column(name, justify="right" if name in ("No", "Bots", "Games") else "left")
    for row in rows:
        games = f"{row.games_played}/{row.games_planned}"
        table.add_row(
            str(row.id),
            one_line(row.name),
            row.kind,
            row.rules,
            str(row.entrants),
            games,
            (row.finished or row.rounds_played or "")[:10],
        )
    return table


def _state(reader: Reader, tournament: StoredTournament, row: TournamentRow) -> str:
    if over := tournament.finished or row.rounds_played:
        return f"over since {over}"
    if is_playing(reader.path, tournament.id):
        each_s = reader.pace(tournament.id).seconds_a_game
        left = tournament.games_planned - tournament.games_played
        if each_s is None:
            return "being played"
        return f"being played, about {duration_text(left * each_s)} left"
    return f"paused since {tournament.paused}" if tournament.paused else "not being played"
