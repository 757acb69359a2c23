"""Airflow runs a DAG: its provider and our listener emit the same lineage."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import RunEvent, parse_event, validate
from tests.operators.scheduler import bare

HOME = Path(__file__).with_name("home")

DAY = "2026-11-21"
LIVES = {
    ("shop.load_orders", "START"), ("shop.load_orders", "COMPLETE"),
    ("shop.check_orders", "START"), ("shop.check_orders", "FAIL"),
    ("shop.ship_orders", "START"), ("shop.ship_orders", "COMPLETE"),
}  # fmt: skip
"""What becomes of the tasks of the DAG; the last skips itself."""


class Told:
    """The lines that one of the two has written, and what they say of tasks, by job and kind of event."""

    def __init__(self, file: Path) -> None:
        self.lines = file.read_bytes().splitlines()
        events = map(json.loads, self.lines)
        self.tasks = [event for event in events if "." in event["job"]["name"]]  # Else it is the DAG run.
        self.of_tasks = {(event["job"]["name"], event["eventType"]): event for event in self.tasks}

    def event(self, *task: str) -> RunEvent:
        read = parse_event(self.of_tasks[task])
        assert isinstance(read, RunEvent)
        return read


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Told, Told]:
    """Run the DAG in an Airflow of its own; return what our listener and Airflow's provider have told."""
    home = tmp_path_factory.mktemp("airflow") / "home"
    shutil.copytree(HOME, home, ignore=shutil.ignore_patterns("__pycache__"))
    ours, theirs = home / "ours.ndjson", home / "theirs.ndjson"
    # What the environment says of another Airflow, its database for one, must not be taken for this one.
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("AIRFLOW", "OPENLINEAGE"))
    }
    environment = kept | {
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__OPENLINEAGE__NAMESPACE": "shop",
        "AIRFLOW__OPENLINEAGE__TRANSPORT": json.dumps(
            {"type": "file", "log_file_path": str(theirs), "append": True}
        ),
        # The provider gives up an event after ten seconds, which a crowded machine may take.
        "AIRFLOW__OPENLINEAGE__EXECUTION_TIMEOUT": "300",
        "LINEAGE_FILE": str(ours),
    }
    for command, code in ((["db", "migrate"], 0), (["dags", "test", "shop", DAY], 1)):  # One task fails.
        ran = subprocess.run(
            [sys.executable, "-m", "airflow", *command],
            env=environment, cwd=home, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert ran.returncode == code, f"{ran.stdout[-3000:]}\n{ran.stderr[-3000:]}"
    return Told(ours), Told(theirs)


def without_empty(value: Any) -> Any:
    """Return a JSON value without the empty objects and arrays in it, which the provider writes."""
    if isinstance(value, list):
        return [without_empty(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {name: without_empty(item) for name, item in value.items()}
    return {name: item for name, item in kept.items() if item not in ({}, [])}


def test_both_emit_events_for_the_start_and_end_of_every_task(told: tuple[Told, Told]) -> None:
    for side in told:
        assert set(side.of_tasks) == LIVES
        assert len(side.tasks) == len(LIVES)


def test_our_events_have_no_findings_and_theirs_no_errors(told: tuple[Told, Told]) -> None:
    ours, theirs = told
    assert [validate(line) for line in ours.lines] == [[]] * len(LIVES)
    found = [finding for line in theirs.lines for finding in validate(line)]
    assert [str(finding) for finding in found if finding.severity == "error"] == []


@pytest.mark.parametrize("task", sorted(LIVES), ids="-".join)
def test_both_have_the_same_run_and_parent_ids(told: tuple[Told, Told], task: tuple[str, str]) -> None:
    ours, theirs = (side.of_tasks[task] for side in told)
    assert ours["run"]["runId"] == theirs["run"]["runId"]
    assert ours["job"]["namespace"] == theirs["job"]["namespace"] == "shop"
    parent, known = (bare(without_empty(event["run"]["facets"]["parent"])) for event in (ours, theirs))
    assert parent == known


@pytest.mark.parametrize("task", sorted(LIVES), ids="-".join)
def test_both_report_the_same_lineage(told: tuple[Told, Told], task: tuple[str, str]) -> None:
    ours, theirs = (bare(without_empty(side.of_tasks[task])) for side in told)
    for part in ("inputs", "outputs"):
        assert ours.get(part) == theirs.get(part)
    assert ours["job"].get("facets", {}).get("sql") == theirs["job"]["facets"].get("sql")
    assert ours["run"]["facets"].get("acme_cost") == theirs["run"]["facets"].get("acme_cost")


def test_inputs_and_outputs_are_reported(told: tuple[Told, Told]) -> None:
    for side in told:
        started, ended = (side.event("shop.load_orders", kind) for kind in ("START", "COMPLETE"))
        assert started.job.facets
        assert started.job.facets.sql
        assert started.job.facets.sql.query == "INSERT INTO orders SELECT * FROM landing"
        assert started.run.facets
        assert started.run.facets["acme_cost"].to_dict()["usd"] == 1.5
        (read,), (written,) = ended.inputs or (), ended.outputs or ()
        assert (read.name, written.name) == ("warehouse.shop.landing", "warehouse.shop.orders")
        assert read.facets
        assert read.facets["schema"].to_dict()["fields"] == [{"name": "id", "type": "bigint"}]
        assert written.output_facets
        assert written.output_facets.output_statistics
        assert written.output_facets.output_statistics.row_count == 365


def test_a_failure_is_reported_with_its_exception(told: tuple[Told, Told]) -> None:
    for side in told:
        error = side.of_tasks["shop.check_orders", "FAIL"]["run"]["facets"]["errorMessage"]
        assert error["message"] == "an order without a customer"
        assert "ValueError: an order without a customer" in error["stackTrace"]


def test_the_event_time_of_a_start_is_airflows_start_date(told: tuple[Told, Told]) -> None:
    for job in ("shop.load_orders", "shop.check_orders", "shop.ship_orders"):
        ours, theirs = (side.event(job, "START").event_time for side in told)
        assert ours == theirs
