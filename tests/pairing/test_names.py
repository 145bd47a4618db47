"""What other packages may use."""

from __future__ import annotations

from arena import pairing
from arena.pairing import knockout, league, swiss


def test_the_names_of_the_package() -> None:
    assert pairing.__all__ == [
        "Bracket",
        "Member",
        "Met",
        "NoPairing",
        "Pairing",
        "Place",
        "Side",
        "SwissLine",
        "Tie",
        "gauntlet",
        "knockout",
        "league",
        "round_robin",
        "swiss",
        "with_partners",
    ]
    assert all(hasattr(pairing, name) for name in pairing.__all__)


def test_the_names_of_the_kinds_that_go_round_by_round() -> None:
    assert swiss.__all__ == [
        "NoPairing",
        "SwissLine",
        "most_rounds",
        "next_round",
        "table",
        "usual_rounds",
    ]
    assert knockout.__all__ == [
        "MOST_EXTRA_MATCHES",
        "Bracket",
        "Place",
        "Side",
        "Slot",
        "Source",
        "Tie",
        "bracket",
        "next_round",
        "places",
    ]
    assert callable(league.next_batch)
