"""The first steps of a check: what a bot promises, whether it starts, answers and flushes."""

from __future__ import annotations

import msgspec

from arena.check.first import Listening
from arena.check.steps import Finding, Steps, abridged, failed, fine, unsure
from arena.check.table import Altered
from arena.check.trial import Trial, Tried
from arena.check.verdicts import START_FASTER, came, replaced, why
from arena.diagnosis import Cause, how_to_flush, never_answers
from protocol.codec import quoted
from protocol.rules import PRESETS

_QUIET_S = (1.7, 2.9)
"""Two silences: a program that only slept would not wake at the end of both."""
_NEAR = 0.5
"""From which part of its time to start on there is a warning."""


class Opening:
    """The steps before which nothing else can be tried."""

    def __init__(self, trial: Trial, steps: Steps) -> None:
        self.trial = trial
        self.steps = steps

    def manifest(self) -> Finding:
        """Whether this arena can play what bot.toml promises."""
        manifest = self.trial.manifest
        sent = "Nothing: what bot.toml says"
        claims = f"{manifest.name} {manifest.version}, run {' '.join(manifest.run)}"
        unknown = [name for name in manifest.rules or [] if name not in PRESETS]
        if unknown:
            known = ", ".join(PRESETS)
            return failed(sent, claims, f"no preset is called {unknown[0]!r}; there are {known}")
        if not self.trial.presets:
            return failed(sent, claims, "`rules` is empty: leave it out, or name what it plays")
        if manifest.batch > 1:
            claims += f", batch = {manifest.batch}"
            if not manifest.reuse:
                meaning = "`batch` has no effect where every game gets a process of its own"
                return unsure(sent, claims, meaning)
        plays = "all presets" if manifest.rules is None else ", ".join(self.trial.presets)
        return fine(sent, claims, f"it claims to play {plays}")

    async def first_game(self) -> None:
        """Start, first answer and flush: three steps of one game."""
        self.steps.begin("start")
        tried, first = await self._listen(None if self._is_hurried else _QUIET_S[0])
        if first and first.answered_late:
            tried, first = await self._listen(_QUIET_S[1])
        if first and first.late is not None and not first.answered_late:
            was_silent = not first.late
            tried, first = await self._listen(None)
            if was_silent and tried.problem and tried.problem.cause == "no-flush":
                cause = never_answers(self.trial.program.language)
                tried.problem = replaced(tried.problem, cause)
        if first is None:
            self.steps.add("start", _could_not_start(tried))
            return
        self.steps.add("start", self._started(tried, first))
        if self.steps.first_problem:
            return
        self.steps.add("first answer", _first_answer(tried, first))
        self.steps.add("flush", self._flushed(tried, first))

    @property
    def _is_hurried(self) -> bool:
        """Whether time runs out before a silence would tell anything."""
        limits = self.trial.limits
        return limits.boot_ms + limits.move_ms + limits.bank_ms < 1000 * sum(_QUIET_S)

    async def _listen(self, quiet_s: float | None) -> tuple[Tried, Listening | None]:
        heard: list[Listening] = []

        def make(host: object, launch: object) -> Altered:
            heard.append(Listening(self.trial.start(), quiet_s))
            return heard[-1]

        tried = await self.trial.play(self.trial.table(make), self.trial.preset)
        return tried, heard[0] if heard else None

    def _started(self, tried: Tried, first: Listening) -> Finding:
        sent = abridged(first.sent)
        problem = tried.problem
        if problem and problem.phase == "boot" and not first.answered_late:
            return failed(sent, abridged(first.heard), why(tried), problem)
        most = self.trial.limits.boot_ms
        boot_ms = _boot_ms(tried, first, most)
        took = f"its first line or answer after {boot_ms:.0f} ms"
        if first.answered_late:
            return fine(sent, "a running process", "it started")
        if problem and problem.kind == "boot":
            return fine(sent, "a running process", "it started, and read its first turn")
        if boot_ms > most:
            late = (
                f"more than the {most:,} ms that it has to start: the rest was taken from the time "
                "for its first answer, and from its bank"
            )
            return unsure(sent, took, f"{late}; {START_FASTER}")
        if boot_ms > _NEAR * most:
            return unsure(sent, took, f"of {most} ms: under load that may be too long")
        return fine(sent, took, f"{most:,} ms are allowed to start")

    def _flushed(self, tried: Tried, first: Listening) -> Finding:
        sent = "The first turn; then, if no answer came, the end of its input"
        how = how_to_flush(self.trial.program.language)
        if first.answered_late:
            received = f"nothing until its input was closed, then {abridged(first.late or [])}"
            because = (
                "it had the answer and kept it: it does not flush its output, or it reads to the "
                "end of its input before it answers"
            )
            problem = tried.problem and msgspec.structs.replace(
                replaced(tried.problem, Cause("no-flush", because, f"flush {how}")),
                what="it wrote nothing until its input was closed, and then its answer",
                got=quoted(first.late_answer or b""),
                # It ended as it should: its input had.
                ended="",
                used_us=first.waited_us,
            )
            return failed(sent, received, f"{because}. Flush {how}", problem)
        if tried.problem and not first.heard:
            return unsure(sent, "no answer", "there was nothing to flush")
        return fine(sent, "the answer, while its input was open", "it flushes its output")


def _boot_ms(tried: Tried, first: Listening, most: int) -> float:
    """How long it took to start; a bot that was ready before may have thought long."""
    seats = [seat for game in tried.games for seat in game.record.seats]
    charged_ms = max((seat.boot_us for seat in seats), default=0) / 1000
    return charged_ms if 0 < charged_ms < most else first.boot_ms or 0.0


def _could_not_start(tried: Tried) -> Finding:
    what = tried.problem.what if tried.problem else "no process"
    return failed("Nothing: it could not be started", what, why(tried), tried.problem)


def _first_answer(tried: Tried, first: Listening) -> Finding:
    sent = abridged(first.sent)
    if first.answered_late:
        return unsure(sent, "no answer while its input was open", "see the next step")
    if tried.problem:
        return failed(sent, came(tried, abridged(first.heard)), why(tried), tried.problem)
    return fine(sent, abridged(first.heard), f"legal, as all {tried.plays} answers of that game")
