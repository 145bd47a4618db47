"""Who may import whom: read from the source of every module, and held to one table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import arena
import arena.errors

ROOT = Path(__file__).parent.parent
PACKAGES = ("arena", "protocol", "dashboard")

PURE = "arena.game arena.faults arena.pairing arena.replay arena.schedule protocol"

ONLY = {
    "protocol": "protocol",
    "arena.errors": "",
    "arena.version": "",
    "arena.text": "arena.errors",
    "arena.game": "arena.game protocol.rules",
    "arena.clock": "protocol",
    "arena.faults": "protocol",
    "arena.notebook": "arena.game arena.clock protocol",
    "arena.turn_line": "arena.game protocol",
    "arena.referee": "arena.referee arena.game arena.clock arena.faults arena.notebook "
    "arena.turn_line protocol",
    "arena.pairing": "arena.pairing",
    "arena.schedule": "arena.pairing protocol",
    "arena.rating": "arena.rating protocol",
    "arena.replay": PURE,
    "arena.verify": PURE,
    "arena.transcript": f"{PURE} arena.referee",
    "arena.reference": "arena.referee protocol",
    "arena.luck": "arena.luck arena.game arena.faults arena.replay protocol",
    "arena.seen": "protocol",
    "arena.signals": "arena.game arena.replay protocol",
    "arena.deal_script": PURE,
    "arena.diagnosis": f"{PURE} arena.diagnosis arena.text",
    "arena.sandbox": "arena.sandbox arena.errors arena.version protocol.records",
    "arena.process": "arena.process arena.sandbox arena.errors protocol.codec",
    "arena.play": "arena.play arena.process arena.referee arena.sandbox arena.schedule "
    "arena.errors arena.version protocol",
    "arena.rerun": "arena.rerun arena.faults arena.transcript arena.play arena.process "
    "arena.sandbox arena.errors protocol",
    "arena.continuation": f"{PURE} arena.continuation arena.referee arena.play arena.process "
    "arena.sandbox arena.bots arena.store arena.errors",
    "arena.train": "arena.train arena.game arena.notebook arena.referee arena.schedule protocol",
    "arena.executor": "arena.executor arena.bots arena.play arena.process arena.sandbox "
    "arena.schedule arena.errors arena.version",
    "arena.bots": "arena.bots arena.play arena.sandbox arena.text arena.errors protocol",
    "arena.bots.archive": "arena.bots.limits arena.bots.names",
    "arena.bots.names": "arena.bots.limits",
    "arena.submission": "arena.bots arena.check arena.store arena.person arena.play "
    "arena.errors arena.text protocol",
    "arena.store": "arena.store arena.bots arena.faults arena.pairing arena.replay "
    "arena.schedule arena.errors protocol",
    "arena.check": "arena.check arena.diagnosis arena.play arena.process arena.sandbox "
    "arena.schedule arena.errors arena.text protocol",
    "arena.standings": "arena.standings arena.luck arena.pairing arena.rating arena.schedule "
    "arena.signals arena.store protocol.records",
    "arena.tournament": "arena.tournament arena.executor arena.standings arena.store arena.bots "
    "arena.submission arena.faults arena.game arena.pairing arena.play arena.rating "
    "arena.schedule arena.errors arena.text protocol",
}
"""What of ours a module or package may import at most; whoever is not named is free."""

NEVER = {
    "arena": "dashboard",
    "dashboard": "arena.process arena.play arena.executor arena.referee arena.sandbox "
    "arena.tournament arena.testing arena.bench",
}
"""What a package may not import. `arena.cli.serve` alone starts the dashboard."""

EXCEPT = {("arena.cli.serve", "dashboard")}

USERS = {
    "trio": "arena.process arena.play arena.executor arena.tournament arena.bots arena.check "
    "arena.testing arena.bench arena.rerun arena.cli.running arena.cli.rerun "
    "arena.person arena.continuation arena.store.writer",
    "sqlite3": "arena.store",
    "sqlite_utils": "arena.store",
    "flask": "dashboard",
    "werkzeug": "dashboard",
    "markupsafe": "dashboard",
    "markdown_it": "dashboard.docs",
    "waitress": "dashboard",
    "numpy": "arena.luck arena.rating arena.standings arena.train",
    "distributed": "arena.executor.cluster.connection",
    "dask": "arena.executor.cluster.connection",
    "pettingzoo": "arena.train.env",
    "gymnasium": "arena.train.env",
    "click": "arena.cli",
    "rich": "arena.cli",
    "subprocess": "arena.process arena.sandbox arena.executor arena.bots arena.bench arena.check "
    "arena.cli arena.doctor",
    "random": "arena.bench",
    "asyncio": "",
}
"""Who alone may import a library."""

PURE_MODULES = (
    "arena.game arena.clock arena.faults arena.notebook arena.turn_line arena.referee "
    "arena.pairing arena.schedule "
    "arena.rating arena.replay arena.seen arena.verify arena.transcript arena.deal_script "
    "arena.diagnosis arena.luck arena.signals arena.text"
)
WORLD = {"io", "os", "pathlib", "queue", "select", "signal", "socket", "sys", "tempfile"} | {
    "datetime",
    "threading",
    "time",
}
"""What of the standard library is the world outside: none of it in a pure module."""


def _modules() -> dict[str, Path]:
    """Every module's file by its dotted name; attacks on the sandbox are programs of their own."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if "attacks" not in parts:
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


MODULES = _modules()


def _imports(module: str) -> Iterator[str]:
    """Everything a module imports anywhere in it, as dotted names."""
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            assert node.module is not None
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            # `from arena import text` imports a module, `from arena.text import visible` a name.
            modules = [name for name in named if name in MODULES]
            yield from modules or [node.module]


IMPORTS = {module: sorted(set(_imports(module))) for module in MODULES}


def _is_in(module: str, places: str) -> bool:
    return any(module == place or module.startswith(place + ".") for place in places.split())


def _rules_of(table: Mapping[str, str], module: str) -> list[str]:
    return [places for owner, places in table.items() if _is_in(module, owner)]


@pytest.mark.parametrize("module", MODULES)
def test_imports_of_ours_are_those_that_its_layer_may_have(module: str) -> None:
    ours = [name for name in IMPORTS[module] if _is_in(name, " ".join(PACKAGES))]
    for allowed in _rules_of(ONLY, module):
        wrong = [name for name in ours if not _is_in(name, allowed)]
        assert not wrong, f"{module} imports {wrong}; it may import {allowed or 'nothing of ours'}"
    for forbidden in _rules_of(NEVER, module):
        wrong = [name for name in ours if _is_in(name, forbidden) and (module, name) not in EXCEPT]
        assert not wrong, f"{module} imports {wrong}"


@pytest.mark.parametrize("module", MODULES)
def test_nothing_outside_the_command_line_imports_it(module: str) -> None:
    if not _is_in(module, "arena.cli"):
        assert not [name for name in IMPORTS[module] if _is_in(name, "arena.cli")]


@pytest.mark.parametrize("library", USERS)
def test_libraries_are_used_only_where_they_belong(library: str) -> None:
    users = [module for module, names in IMPORTS.items() if any(_is_in(n, library) for n in names)]
    assert not [module for module in users if not _is_in(module, USERS[library])]


@pytest.mark.parametrize("module", [m for m in MODULES if _is_in(m, PURE_MODULES)])
def test_pure_modules_know_nothing_of_the_world(module: str) -> None:
    assert not {name.split(".")[0] for name in IMPORTS[module]} & WORLD


@pytest.mark.parametrize("module", [m for m in MODULES if _is_in(m, "arena.game")])
def test_the_rules_engine_needs_no_library(module: str) -> None:
    assert not {name.split(".")[0] for name in IMPORTS[module]} & {"msgspec", "json", "numpy"}


def test_the_map_at_the_entrance_names_every_module_and_no_other() -> None:
    assert arena.__doc__
    named = re.findall(r"^    (\w+)  +\S", arena.__doc__, re.MULTILINE)
    tops = {name.split(".")[1] for name in MODULES if name.startswith("arena.")}
    assert sorted(named) == sorted(tops)


def test_the_table_names_only_what_exists() -> None:
    owners = set(ONLY) | set(NEVER)
    assert not [owner for owner in owners if not any(_is_in(m, owner) for m in MODULES)]


def _exceptions() -> set[str]:
    """The names of all exception classes of ours that others can catch."""
    found = {"Exception", "ValueError", "LookupError"}
    classes = [
        (node.name, {base.id for base in node.bases if isinstance(base, ast.Name)})
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    while new := {name for name, bases in classes if bases & found} - found:
        found |= new
    return found & {name for name, _ in classes}


def test_the_tree_of_exceptions_has_every_one() -> None:
    assert arena.errors.__doc__
    assert _exceptions() <= set(re.findall(r"\w+", arena.errors.__doc__))
