"""What came of each host of a cluster: who was slow, lost, void or of no use. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena.executor.frames import Result

SLOW = 1.5
"""So many times the median of a play is slow."""
_FEWEST_S, _MOST_S = 5, 30
"""Chunks of such a length cost nothing to hand out, and little when they are lost."""


@dataclass
class Host:
    """One host's part."""

    workers: set[str] = field(default_factory=set)
    """Addresses of all that ever were hired."""
    games: int = 0
    plays: int = 0
    seconds: float = 0.0
    """Of all its workers together, with the starts and ends of bots."""
    lost: int = 0
    """Workers that went while they had chunks."""
    void: dict[str, int] = field(default_factory=dict)
    """Matches that the arena failed there, by cause."""
    refused: dict[str, set[str]] = field(default_factory=dict)
    """By the reason: addresses of workers there that do not play."""

    @property
    def ms_a_play(self) -> float:
        """The time of a play, in ms; only of hosts that have played."""
        return self.seconds * 1000 / max(1, self.plays)


class Hosts:
    """All hosts of a run, by name."""

    def __init__(self) -> None:
        self._hosts: dict[str, Host] = {}
        self._tasks = 0

    def __getitem__(self, name: str) -> Host:
        return self._hosts.setdefault(name, Host())

    def played(self, name: str, seconds: float, results: Iterable[Result]) -> None:
        """Note what came of a task."""
        host = self[name]
        self._tasks += 1
        host.seconds += seconds
        for result in results:
            if result.game:
                host.games += 1
                host.plays += sum(len(deal.plays) for deal in result.game.record.deals)
            if result.void:
                host.void[result.void.cause] = host.void.get(result.void.cause, 0) + 1

    def refused(self, name: str, address: str, reason: str) -> bool:
        """Note a worker that does not play; whether that is new of its host."""
        is_new = reason not in self[name].refused
        self[name].refused.setdefault(reason, set()).add(address)
        return is_new

    def remarks(self) -> list[str]:
        """A line about all, and one about each host of which there is something to be told."""
        playing = {name: host for name, host in self._hosts.items() if host.games}
        median = statistics.median([host.ms_a_play for host in playing.values()] or [0])
        lines = [line for name in sorted(self._hosts) for line in self._about(name, median)]
        return [*self._summary(list(playing.values())), *lines]

    def _summary(self, playing: Sequence[Host]) -> list[str]:
        if not playing:
            return []
        each_s = sum(host.seconds for host in playing) / self._tasks
        text = (
            f"{sum(host.games for host in playing)} games on {len(playing)} host(s) with "
            f"{sum(len(host.workers) for host in playing)} worker(s), {each_s:.1f} s a chunk"
        )
        if not _FEWEST_S <= each_s <= _MOST_S:
            text += f"; {_FEWEST_S} to {_MOST_S} s are best (chunk_matches in the file)"
        return [text]

    def _about(self, name: str, median: float) -> list[str]:
        host = self._hosts[name]
        lines = [
            f"{name}: {len(workers)} worker(s) refused: {why}"
            for why, workers in host.refused.items()
        ]
        if host.games and host.ms_a_play > SLOW * median:
            lines.append(
                f"{name}: slow, {host.ms_a_play:.2f} ms a play, "
                f"{host.ms_a_play / median:.1f} times the median of hosts"
            )
        lines += [f"{name}: {count} void match(es): {why}" for why, count in host.void.items()]
        if host.lost:
            lines.append(f"{name}: {host.lost} worker(s) lost; their chunks were played again")
        return lines
