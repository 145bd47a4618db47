"""A database made for the pages: games by the rules engine, stored by the arena's own functions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from arena.bots import BotFiles
from arena.game import Game, commitment
from arena.schedule import GameKey, Secret, master_of_seed, pairing_text, seating
from arena.store import begin_tournament, finish_tournament, open_for_writing, store_games
from protocol.manifest import Manifest
from protocol.messages import Limits
from protocol.records import (
    BotLog,
    DealRecord,
    Fault,
    GameRecord,
    PlayedRules,
    PlayRecord,
    SeatRecord,
)
from protocol.rules import RULES_VERSION, RuleSet, make_rules
from protocol.tournament import Tournament

MARKUP = "<script>alert('x')</script>"
"""What must never stand on a page as it is."""
TURNED = "\u202egnp.exe\x1b[31m"
"""Characters that turn text around and colour terminals."""
STARTED = "2026-01-01T12:00:00Z"


def bot(name: str, version: str = "1.0", run: str = "./bot") -> BotFiles:
    """A bot that nobody starts; `run`: what would start it."""
    manifest = Manifest(name=name, version=version, run=[run])
    toml = f"name = {name!r}\nversion = {version!r}\nrun = [{run!r}]\n"
    files = {"bot": f"{name} {version}", "bot.toml": toml}
    return BotFiles(
        manifest, {path: (path == "bot", text.encode()) for path, text in files.items()}
    )


class Made:
    """One tournament in the database, filled game by game."""

    def __init__(
        self,
        path: Path,
        name: str,
        labels: Sequence[str],
        preset: str = "kseri",
        *,
        seed: int = 1,
        matches: int = 1,
        rated: bool = False,
        version: str = "1.0",
        run: str = "./bot",
    ) -> None:
        self.path, self.labels = path, labels
        self.rules = make_rules(preset)
        self.master = master_of_seed(seed)
        self.secret = Secret(self.master)
        tournament = Tournament(name=name, bots=list(labels), rules=preset, rated=rated)
        with open_for_writing(path) as db:
            self.id = begin_tournament(
                db,
                tournament=tournament,
                rules=self.rules,
                kind="round-robin",
                bots={label: bot(label, version, run) for label in labels},
                master=self.master,
                practice=False,
                isolation="bubblewrap",
                games_planned=matches * self.rules.sides,
                rotations=self.rules.sides,
            )
        self.rated = rated

    def game(
        self,
        match: int,
        rotation: int,
        *,
        pairing: Sequence[str] | None = None,
        faults: Sequence[Fault] = (),
        stderr: str = "",
        notes: str = "",
    ) -> GameRecord:
        """Play one game at random and store it; `faults` must not be fatal."""
        pairing = list(pairing or self.labels[: self.rules.sides])
        record = self._record(pairing, GameKey(match, 0, rotation), list(faults))
        log = BotLog(game=record.game, seat=0, stderr=stderr, notes={"1": notes} if notes else {})
        with open_for_writing(self.path) as db:
            store_games(db, self.id, [(record, [log] if stderr or notes else [])])
        return record

    def finish(self) -> None:
        """Close the tournament."""
        with open_for_writing(self.path) as db:
            finish_tournament(db, self.id)

    def _record(self, pairing: list[str], key: GameKey, faults: list[Fault]) -> GameRecord:
        text = pairing_text(pairing)
        seed, salt = self.secret.seed(text, key), self.secret.salt(text, key)
        game, deals = played(self.rules, seed)
        seats = seating(pairing, key.rotation, self.rules)
        return GameRecord(
            game=self.secret.game_id(text, key),
            tournament="",
            pairing=pairing,
            match=key.match,
            rotation=key.rotation,
            replay=0,
            names_hidden=False,
            rated=self.rated,
            master_commitment=self.secret.commitment,
            rules=PlayedRules(preset=self.rules.preset, version=RULES_VERSION),
            seats=[
                SeatRecord(
                    bot=label,
                    version="1.0",
                    hash="",
                    side=self.rules.side_of[seat],
                    bot_seed=self.secret.bot_seed(text, key, seat),
                    process=f"p{seat}",
                    nth=1,
                    max_rss_kb=10_240,
                )
                for seat, label in enumerate(seats)
            ],
            seed=seed.hex(),
            salt=salt.hex(),
            commitment=commitment(salt, seed),
            deals=deals,
            scores=game.scores,
            winner=game.winner,
            ranks=game.ranks(),
            reason=game.reason or "void",
            faults=faults,
            limits=Limits(faults_allowed=len(faults)),
            isolation="bubblewrap",
            practice=False,
            started=STARTED,
            elapsed_ms=7,
            arena="test",
        )


def played(rules: RuleSet, seed: bytes) -> tuple[Game, list[DealRecord]]:
    """A whole game, every play drawn at random."""
    draw = random.Random(seed)
    game = Game(rules, seed)
    deals = []
    while game.reason is None:
        deal, plays = game.deal, []
        while not deal.over:
            seat = deal.seat
            card, capture = draw.choice(deal.legal())
            deal.play(card, capture)
            took = bool(deal.taken[-1])
            time_us = draw.randrange(20, 3_000)
            plays.append(PlayRecord(seat=seat, card=card, capture=took, elapsed_us=time_us))
        deals.append(
            DealRecord(number=deal.number, attempt=deal.attempt, dealer=deal.dealer, plays=plays)
        )
        game.finish_deal()
    return game, deals
