"""The pages that explain."""

from __future__ import annotations

from flask import Blueprint, render_template, url_for
from markupsafe import Markup

from arena.reference import broken, example_messages, preset_changes
from arena.text import visible
from dashboard.docs.fields import described, message_of, parts_of
from dashboard.docs.markdown import linked, markdown_page, rule_ids
from protocol.messages import PROTOCOL_VERSION
from protocol.rules import PRESETS, make_rules
from protocol.schema import SCHEMAS

pages = Blueprint("docs", __name__)

_FROM_BOT = ("ready", "play", "log")
_MESSAGES = ("Hello", "Turn", "DealEnd", "GameEnd", "Error")
"""The structs that are messages; the others are parts of them."""


@pages.get("/rules/")
def rules() -> str:
    """The rules, the presets and the fields of a rule set."""
    presets = [(make_rules(name), preset_changes(name)) for name in PRESETS]
    return render_template(
        "docs/rules.html",
        text=markdown_page("protocol", "RULES.md"),
        presets=presets,
        tables=[described("rules", "RuleSet"), described("rules", "Points")],
    )


@pages.get("/protocol/")
def protocol() -> str:
    """What the arena and a bot say to each other, by example."""
    messages = [
        (name, message_of(_schema(name), name), broken(example))
        for name, example in example_messages().items()
    ]
    return render_template(
        "docs/protocol.html",
        version=PROTOCOL_VERSION,
        messages=messages,
        from_bot=_FROM_BOT,
        parts=parts_of("from-arena", _MESSAGES),
        schemas={name: title for name, (title, _) in SCHEMAS.items()},
    )


def _schema(message: str) -> str:
    return "from-bot" if message in _FROM_BOT else "from-arena"


@pages.get("/numbers/")
def numbers() -> str:
    """What ratings, intervals and the other numbers of standings mean."""
    return render_template("docs/numbers.html", text=markdown_page("arena.rating", "RATINGS.md"))


@pages.app_template_filter("rules_linked")
def rules_linked(text: str) -> Markup:
    """A sentence whose rule numbers, such as R12, lead to the rules."""

    def address(rule: str) -> str | None:
        found = rule_ids().get(rule)
        return url_for("docs.rules", _anchor=found) if found else None

    return linked(text, r"R\d+", address)


@pages.app_template_filter("parts_linked")
def parts_linked(text: str) -> Markup:
    """What a field holds, a name such as DealInfo leading to its table on the same page."""
    return linked(text, r"[A-Z]\w+", lambda part: f"#{part}")


@pages.app_template_filter("coded")
def coded(text: str) -> Markup:
    """A sentence about a bot in which what stands between backticks is code."""
    return linked(visible(text), _NOTHING, lambda _: None)


_NOTHING = r"(?!)"
"""Matches nowhere."""
