"""The fixture `lineage_lock` compares the jobs of a test with the lock file."""

from __future__ import annotations

from pathlib import Path

import pytest

from openlineage_facets.review import lock_text
from openlineage_facets.testing import LineageEvents, LineageLock
from tests.graphs.sample_graphs import dataset, orders, orders_events
from tests.testing.test_plugin import outcome


@pytest.fixture
def lock(tmp_path: Path) -> LineageLock:
    """Return the lock of two jobs, without events."""
    path = tmp_path / "lineage.lock.json"
    path.write_text(lock_text(orders()))
    return LineageLock(LineageEvents(tmp_path), path)


def test_the_events_of_some_jobs_of_the_lock_are_unchanged(lock: LineageLock) -> None:
    for event in orders_events()[:2]:
        lock._events.emit(event)
    lock.assert_unchanged()
    assert not lock.changes()


def test_changed_lineage_fails_with_all_changes(lock: LineageLock) -> None:
    event = orders_events()[1]
    event["outputs"][0] = dataset("curated/daily", ("customer", "day"))
    lock._events.emit(event)
    with pytest.raises(AssertionError, match="lineage has changed") as error:
        lock.assert_unchanged()
    assert "removed  column amount" in str(error.value)


def test_a_test_without_events_fails(lock: LineageLock) -> None:
    with pytest.raises(AssertionError, match="expected events"):
        lock.assert_unchanged()


@pytest.mark.check
def test_the_fixture_reads_the_lock_file_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "prod.lock.json").write_text(lock_text(orders()))
    test = (
        "def test_job(lineage_events, lineage_lock):\n"
        f"    lineage_events.emit({orders_events()[1]!r})\n"
        "    lineage_lock.assert_unchanged()\n"
    )
    code, printed = outcome(tmp_path, test, "openlineage_facets_lock = prod.lock.json\n")
    assert code == 0, printed
