"""What every test may ask for."""

from __future__ import annotations

import gc
import os
import shlex
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests import cases, hypothesis_profiles

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

SHARED = ROOT.parent / "shared" / "openlineage"
"""The published schemas and real events, where they stand beside the checkout."""

LONG_FILES = frozenset(
    {
        "test_action.py",
        "test_blocks.py",
        "test_checkers.py",
        "test_executors.py",
        "test_fold.py",
        "test_growth.py",
        "test_historical_states.py",
        "test_kafka_streams.py",
        "test_lake_tables.py",
        "test_launched_runs.py",
        "test_long_runs.py",
        "test_many_event_orders.py",
        "test_memory.py",
        "test_process_kills.py",
        "test_restricted_jobs.py",
        "test_saved_tables.py",
        "test_skew.py",
        "test_standalone_cluster.py",
        "test_state_tables.py",
        "test_streams.py",
        "test_strategies.py",
    }
)
"""Files that take longer than half a minute. At the end, one of them would run while other processes wait."""


hypothesis_profiles.register()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that selects an example of a table."""
    cases.add_option(parser)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the longest files."""
    items.sort(key=lambda item: item.path.name not in LONG_FILES)


def pytest_configure() -> None:
    """Ignore the lineage settings of this machine, and collect no garbage while tests are collected."""
    for name in [name for name in os.environ if name.upper().startswith("OPENLINEAGE")]:
        del os.environ[name]
    gc.disable()  # Hardly any garbage exists.


def pytest_collection_finish() -> None:
    """Let the garbage collector skip what exists when all tests are collected, and run less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print each reason for skipped tests once, and a command for each failure that repeats it alone."""
    reasons = Counter(reason_of(report) for report in terminalreporter.getreports("skipped"))
    if reasons:
        terminalreporter.section("skipped tests")
        for reason, count in reasons.most_common():
            terminalreporter.write_line(f"{count}: {reason}")
    commands = {
        f"{sys.executable} -m pytest {shlex.quote(report.nodeid)} {example_of(report)}".rstrip()
        for outcome in ("failed", "error")
        for report in terminalreporter.getreports(outcome)
        if not getattr(report, "longreprtext", "").startswith("contains ")  # The subtests are listed.
    }
    if commands:
        terminalreporter.section("to repeat a failure alone")
        for command in sorted(commands):
            terminalreporter.write_line(command)


def reason_of(report: pytest.TestReport) -> str:
    """Return why a test or a module was skipped."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    return reason.removeprefix("Skipped: ")


def example_of(report: pytest.TestReport) -> str:
    """Return the option that selects the example of a failed subtest."""
    message = getattr(getattr(report, "context", None), "msg", None) or ""
    return message if message.startswith(cases.CASE) else ""


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of published schemas and real events, or skip the test where there is none."""
    if not SHARED.is_dir():
        pytest.skip(f"no published schemas and events at {SHARED}: conformance against them is not checked")
    return SHARED
