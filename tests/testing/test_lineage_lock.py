"""The fixture `lineage_lock` compares the jobs of a test with the lock file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from openlineage_facets.review import lock_text
from openlineage_facets.testing import LineageEvents, LineageLock
from tests.graphs.sample_graphs import dataset, orders, orders_events
from tests.testing.test_plugin import outcome


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[LineageLock]:
    """Return the lock of two jobs, without events."""
    path = tmp_path / "lineage.lock.json"
    path.write_text(lock_text(orders()))
    events = LineageEvents(tmp_path)
    yield LineageLock(events, path)
    events.stop()


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


def test_the_naming_file_of_the_environment_applies_also_where_the_test_uses_its_own(
    lock: LineageLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    naming = lock.path.with_name("naming.toml")
    naming.write_text('[namespaces]\n"old-db" = "db"\n')
    monkeypatch.setenv("OPENLINEAGE_NAMING", str(naming))
    for _ in range(2):
        lock._events.use_environment()
    lock._events.emit(json.dumps(orders_events()[1]).replace('"db"', '"old-db"'))
    lock.assert_unchanged()


def test_a_test_without_events_fails(lock: LineageLock) -> None:
    with pytest.raises(AssertionError, match="expected events"):
        lock.assert_unchanged()


@pytest.fixture
def catalog_lock(lock: LineageLock) -> LineageLock:
    """Return a lock with owners, tags and descriptions of a catalog, and capture a job without them."""
    facets = {
        "ownership": {"owners": [{"name": "team:grid"}]},
        "tags": {"tags": [{"key": "pii", "value": "true", "field": "customer"}]},
        "documentation": {"description": "from the catalog"},
    }
    lineage = orders()
    jobs = tuple(replace(job, facets={**job.facets, **facets}) for job in lineage.jobs)
    datasets = tuple(replace(one, facets={**one.facets, **facets}) for one in lineage.datasets)
    lock.path.write_text(lock_text(replace(lineage, jobs=jobs, datasets=datasets)))
    return lock


def test_what_only_a_catalog_says_is_no_difference(catalog_lock: LineageLock) -> None:
    catalog_lock._events.emit(orders_events()[1])
    catalog_lock.assert_unchanged()


def test_owners_that_a_job_states_are_compared(catalog_lock: LineageLock) -> None:
    event = orders_events()[1]
    event["outputs"][0].setdefault("facets", {})["ownership"] = {"owners": [{"name": "team:core"}]}
    catalog_lock._events.emit(event)
    with pytest.raises(AssertionError, match="owners   team:grid -> team:core"):
        catalog_lock.assert_unchanged()


def test_a_test_of_no_job_of_the_lock_fails(lock: LineageLock) -> None:
    event = orders_events()[1]
    event["job"]["name"] = "other"
    lock._events.emit(event)
    with pytest.raises(AssertionError, match="expected events of a job that is in .* other; if that"):
        lock.assert_unchanged()


def test_a_test_of_datasets_only_fails(lock: LineageLock) -> None:
    event = orders_events()[1]
    lock._events.emit({"eventTime": event["eventTime"], "dataset": event["outputs"][0]})
    with pytest.raises(AssertionError, match="found those of no job"):
        lock.assert_unchanged()


def test_the_message_has_the_command_that_updates_the_lock(lock: LineageLock) -> None:
    naming = lock.path.with_name("my naming.toml")
    naming.write_text("")
    event = orders_events()[1]
    event["outputs"][0] = dataset("curated/daily", ("customer", "day"))
    lock._events.emit(event)
    with pytest.raises(AssertionError) as error:
        LineageLock(lock._events, lock.path, naming).assert_unchanged()
    assert f"openlineage-facets lock events/ --naming '{naming}' -o {lock.path}`" in str(error.value)


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
