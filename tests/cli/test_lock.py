"""`openlineage-facets lock`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from openlineage_facets.review import lock_text
from openlineage_facets.review.lock import LOCK_FORMAT
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, lines
from tests.events import folded
from tests.graphs.sample_graphs import dataset, orders, orders_events, run_event


@pytest.fixture
def events(command: Command) -> Path:
    path = Path("events.ndjson")
    path.write_bytes(lines(*orders_events("COMPLETE")))
    return path


def test_the_lock_is_printed_or_written_and_replaced(command: Command, events: Path) -> None:
    printed = command("lock", events)
    assert (printed.code, printed.out, printed.err) == (0, lock_text(orders()), "")
    for _ in range(2):
        written = command("lock", events, "-o", "lineage.lock.json")
        assert (written.code, written.out, written.err) == (0, "lineage.lock.json\n", "")
        assert Path("lineage.lock.json").read_text() == lock_text(orders())


def test_a_file_of_somebody_else_is_kept(command: Command, events: Path) -> None:
    Path("package-lock.json").write_text("{}")
    result = command("lock", events, "-o", "package-lock.json")
    assert result.code == 2
    assert "package-lock.json exists and is not a lock file" in result.err


@each("indent", [None, 2])
def test_a_lock_with_sorted_keys_is_one(command: Command, events: Path, indent: int | None) -> None:
    lock = Path("lineage.lock.json")
    command("lock", events, "-o", lock)
    text = lock.read_text()
    lock.write_text(json.dumps(json.loads(text), sort_keys=True, indent=indent))
    assert command("compare", lock, events, "--locked").code == 0
    assert command("lock", lock).out == text
    assert command("lock", events, "-o", lock).code == 0
    assert lock.read_text() == text


def test_a_lock_of_incomplete_events_is_not_written(command: Command, events: Path) -> None:
    events.write_bytes(events.read_bytes() + lines(invalid_event()))
    result = command("lock", events, "-o", "lineage.lock.json")
    assert result.code == 1
    assert "events.ndjson:4: skipped: /eventTime" in result.err
    assert not Path("lineage.lock.json").exists()


def test_locks_and_saved_states_are_locked_like_their_events(command: Command, events: Path) -> None:
    command("lock", events, "-o", "lineage.lock.json")
    lock = Path("lineage.lock.json").read_text()
    state = folded(*orders_events("COMPLETE"))
    Path("state.json").write_text(json.dumps(state.to_dict()))
    Path("sorted.json").write_text(json.dumps(state.to_dict(), sort_keys=True))
    for path in ("lineage.lock.json", "state.json", "sorted.json"):
        assert command("lock", path).out == lock
    for path in ("lineage.lock.json", "state.json"):
        Path(f"{path}.gz").write_bytes(gzip.compress(Path(path).read_bytes()))
        assert command("lock", f"{path}.gz").out == lock
        assert command("lock", "-", stdin=Path(path).read_bytes()).out == lock
    Path("more").mkdir()
    Path("more/events.ndjson").write_bytes(lines(run_event("more", [dataset("reports/weekly")], [])))
    both = command("lock", "lineage.lock.json", "more")
    assert both.out == command("lock", events, "more").out


def test_a_lock_is_drawn_and_shown(command: Command, events: Path) -> None:
    command("lock", events, "-o", "lineage.lock.json")
    drawn = command("graph", "lineage.lock.json")
    assert drawn.code == 0
    assert drawn.out == command("graph", events).out.replace(":::failed", ":::job")
    shown = command("show", "lineage.lock.json")
    assert (shown.code, shown.err) == (0, "")
    lock = Path("lineage.lock.json").read_bytes()
    Path("lineage.lock.json.gz").write_bytes(gzip.compress(lock))
    assert command("show", "lineage.lock.json.gz") == command("show", "-", stdin=lock) == shown
    assert shown.out == (
        "job  etl  orders.daily\n"
        "  reads   db  raw/customers\n"
        "  reads   db  raw/orders\n"
        "  writes  db  curated/daily\n"
        "\n"
        "job  etl  reports.weekly\n"
        "  reads   db  curated/daily\n"
        "  writes  db  reports/weekly\n"
        "\n"
        "dataset  db  curated/daily  3 columns\n"
        "  [1] db  raw/customers\n"
        "  [2] db  raw/orders\n"
        "  customer <- [1].email (IDENTITY)\n"
        "  amount <- [2].amount (IDENTITY)\n"
        "\n"
        "dataset  db  raw/customers  2 columns\n"
        "\n"
        "dataset  db  raw/orders  2 columns\n"
        "\n"
        "dataset  db  reports/weekly  1 column\n"
        "  [1] db  curated/daily\n"
        "  total <- [1].amount (IDENTITY)\n"
    )


@each("state", ["START", "RUNNING", "FAIL", "ABORT"])
def test_jobs_whose_last_run_is_not_complete_are_named(command: Command, state: str) -> None:
    earlier = run_event("reports.weekly", [], [], "COMPLETE", 1)
    last = run_event("reports.weekly", [], [dataset("reports/weekly")], state, 2)
    Path("events.ndjson").write_bytes(lines(earlier, last))
    result = command("lock", "events.ndjson")
    assert result.code == 0
    assert result.err == (
        "openlineage-facets: the last run of 1 job is not COMPLETE, so lineage may be missing: "
        f"etl/reports.weekly ({state})\n"
    )


def test_a_damaged_lock_is_one_message(command: Command, events: Path) -> None:
    command("lock", events, "-o", "lineage.lock.json")
    text = Path("lineage.lock.json").read_text()
    Path("lineage.lock.json").write_text(text.replace('"namespace"', '"nmspace"', 1))
    for name in ("graph", "lock", "show"):
        result = command(name, "lineage.lock.json")
        assert result.code == 1
        assert result.err == (
            "openlineage-facets: lineage.lock.json: expected a lock file: /jobs/0/namespace: field required; "
            "`openlineage-facets lock` writes it again\n"
        )


def test_temporary_paths_are_named(command: Command) -> None:
    event = run_event("load", [dataset("/tmp/pytest-1/orders")], [])
    event["inputs"][0]["namespace"] = "file"
    Path("events.ndjson").write_bytes(lines(event))
    result = command("lock", "events.ndjson", "-o", "lineage.lock.json")
    assert (result.code, result.err) == (
        0,
        "openlineage-facets: 1 dataset has a temporary path, such as /tmp/pytest-1/orders: "
        "let jobs write to a fixed path, or each lock differs\n",
    )


def test_paths_of_this_machine_are_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/runner")
    event = run_event("load", [dataset("/home/runner/work/lake/orders")], [])
    event["inputs"][0]["namespace"] = "file"
    Path("events.ndjson").write_bytes(lines(event))
    assert command("lock", "events.ndjson", "-o", "lineage.lock.json").err == (
        "openlineage-facets: 1 dataset has a local path, such as /home/runner/work/lake/orders: "
        "map such paths with --naming, or the lock differs on other machines\n"
    )


def test_a_lock_in_a_folder_that_is_read_would_be_part_of_the_next_one(
    command: Command, events: Path
) -> None:
    Path("folder").mkdir()
    events.rename("folder/events.ndjson")
    result = command("lock", "folder", "-o", "folder/lineage.lock.json")
    assert (result.code, result.err) == (
        2,
        "openlineage-facets: folder/lineage.lock.json: expected a file outside of folder, "
        "which is for events; write it to another folder, such as lineage.lock.json\n",
    )
    command("lock", "folder", "-o", "lineage.lock.json")
    Path("lineage.lock.json").rename("folder/lineage.lock.json")
    result = command("compare", "folder/lineage.lock.json", "folder", "--locked")
    assert (result.code, result.err) == (
        2,
        "openlineage-facets: folder: contains the lock file folder/lineage.lock.json, which is no "
        "event file; move the lock file to another folder, or pass the event files\n",
    )


def test_without_events_nothing_is_locked(command: Command) -> None:
    Path("events.ndjson").write_bytes(b"")
    assert command("lock", "events.ndjson").err == (
        "events.ndjson: contains no events\nopenlineage-facets: expected events to lock, found none\n"
    )


def test_columns_of_a_lock_that_are_computed_from_a_whole_dataset_are_shown(command: Command) -> None:
    source = {"namespace": "db", "name": "a", "by": [{"type": "INDIRECT", "subtype": "FILTER"}]}
    columns = [{"name": "c", "sources": [source]}]
    datasets = [{"namespace": "db", "name": "a"}, {"namespace": "db", "name": "b", "columns": columns}]
    Path("l.json").write_text(
        json.dumps({"format": LOCK_FORMAT, "jobs": [], "datasets": datasets}), encoding="utf-8"
    )
    assert "  c <- [1] (FILTER)\n" in command("show", "l.json").out
