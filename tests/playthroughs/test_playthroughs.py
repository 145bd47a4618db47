"""The golden games: any change of rules, shuffle or scores shows as a change of these files."""

import pytest

from protocol.rules import PRESETS
from tests.playthroughs.renew import FOLDER, playthrough


@pytest.mark.parametrize("preset", PRESETS)
def test_game_is_played_as_it_was(preset):
    golden = (FOLDER / f"{preset}.txt").read_text(encoding="utf-8")
    assert playthrough(preset) == golden, (
        "if this change is wanted: python -m tests.playthroughs.renew, and read the difference"
    )


def test_every_preset_has_its_file_and_no_other():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PRESETS)


@pytest.mark.parametrize(
    "event",
    [
        "buried J",
        "attempt 0",
        "face down",
        "bottom card",
        "is laid (its choice)",
        "(its choice), kseri 10",
        "double_kseri 20",
        "jack_on_jack 10",
        "jack_on_jack 20",
        "two_of_clubs_match 2",
        "marker",
        "left to side",
        "last_capture 10",
        "majority 3",
    ],
)
def test_files_show_every_kind_of_event(event):
    texts = "".join((FOLDER / f"{preset}.txt").read_text(encoding="utf-8") for preset in PRESETS)
    assert event in texts
