"""For all tests: none is skipped unseen, and none leaves its orphans to the next.

Where `KSERI_NO_SKIP` is set, what would be skipped fails and says why. Without it pytest's own
report (`-ra`) lists every skip with its reason.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator

import pytest

from arena.sandbox.orphans import adopt_orphans

NO_SKIP = "KSERI_NO_SKIP"


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    # A failure that was expected is reported as skipped too.
    if not os.environ.get(NO_SKIP) or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid} may not be skipped where {NO_SKIP} is set: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Judge a test that has run, or was marked to be skipped."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Judge a whole module that is skipped while it is being imported."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.fixture(autouse=True)
def no_adoption_after_a_test() -> Iterator[None]:
    """An arena within this process adopts orphans; those of commands in later tests are init's.

    Here they would never be reaped, and stand among what later arenas leave behind.
    """
    yield
    adopt_orphans(False)
