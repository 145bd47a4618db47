"""What comes of a deal of a recorded game that other bots go on with."""

from __future__ import annotations

import msgspec

from protocol.records import DealRecord, Fault

TIMES = 8
"""How often a deal is gone on with: bots may be random."""


class Continued(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One way in which bots went on with a deal."""

    deal: DealRecord
    """With the plays that were made before they came; without `sides` where one of them
    forfeited before it was over."""
    faults: list[Fault] = []
    """Theirs."""
