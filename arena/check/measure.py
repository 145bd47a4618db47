"""What a bot's games cost it: time, memory, standard error."""

from __future__ import annotations

from arena.check.steps import Finding, fine, unsure
from arena.check.table import CheckHost
from arena.check.trial import Tried
from arena.text import counted
from protocol.messages import Limits

_NEAR = 0.5
"""From which part of a limit on a figure is a warning: machines are busier in a tournament."""
_NEAR_MEMORY = 0.8
_STDERR_KEPT = 64 * 1024


def times(tried: Tried, limits: Limits) -> Finding:
    """How long its answers took, and what of its bank they used."""
    taken = sorted(play.elapsed_us for plays in tried.own_plays for play in plays)
    if not taken:
        return unsure("Those games", "no answers", "there is nothing to measure")
    middle, high, most = (taken[int((len(taken) - 1) * part)] / 1000 for part in (0.5, 0.99, 1))
    bank = _bank_used(tried, limits)
    got = f"p50 {middle:.2f} ms, p99 {high:.2f} ms, longest {most:.1f} ms; {bank:.0%} of the bank"
    allowed = f"{limits.move_ms} ms for each answer, and a bank of {limits.bank_ms} ms a game"
    if high > _NEAR * limits.move_ms or bank > _NEAR:
        return unsure(f"Limits: {allowed}", got, "near the limits: think less, or by `clock`")
    return fine(f"Limits: {allowed}", got, "far from the limits")


def _bank_used(tried: Tried, limits: Limits) -> float:
    """The largest part of its bank that it used in one game, from 0 to 1."""
    if not limits.bank_ms:
        return 0.0
    spent = [
        sum(max(0, play.elapsed_us - limits.move_ms * 1000) for play in plays)
        for plays in tried.own_plays
    ]
    return min(1.0, max(spent, default=0) / (limits.bank_ms * 1000))


def memory(tried: Tried, limits: Limits) -> Finding:
    """How much memory it had at most."""
    sent = f"Limit: {limits.memory_mb} MB"
    peaks = [
        seat.max_rss_kb / 1024
        for game in tried.games
        for seat in game.record.seats
        if seat.bot == game.record.pairing[0]
    ]
    most = max(peaks, default=0.0)
    if most > _NEAR_MEMORY * limits.memory_mb:
        return unsure(sent, f"{most:.0f} MB at most", "near the limit")
    if peaks and most > 2 * peaks[0] and most > 100:
        return unsure(sent, f"{peaks[0]:.0f} MB at first, {most:.0f} MB at last", "it grows")
    return fine(sent, f"{most:.0f} MB at most", "enough is left")


def standard_error(tried: Tried, table: CheckHost) -> Finding:
    """How much it wrote to standard error."""
    sent = "Those games"
    size = sum(process.stderr_bytes for process in table.started)
    games = max(1, len(tried.games))
    got = f"{counted(size, 'byte')} in {counted(games, 'game')}"
    if size > games * _STDERR_KEPT:
        return unsure(sent, got, "only the last 64 KiB of a game are kept; it costs time, too")
    return fine(sent, got, "kept for its owner" if size else "it wrote none")
