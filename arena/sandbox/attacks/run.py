"""The attacking program itself: names as arguments, targets on standard input, verdicts out."""

from __future__ import annotations

import json
import sys

from . import ATTACKS
from .registry import Targets, attempt


def main() -> None:
    """Try each attack named by an argument; without any, all that leave their process whole."""
    names = sys.argv[1:] or [name for name, entry in ATTACKS.items() if not entry.alone]
    targets = Targets(json.loads(sys.stdin.readline() or "{}"))
    for name in names:
        verdict, detail = attempt(name, targets)
        print(json.dumps({"attack": name, "verdict": verdict, "detail": detail}), flush=True)
