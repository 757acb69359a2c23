"""Airflow runs a DAG whose operators return our lineage; its provider emits it."""

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

pytest.importorskip("airflow")  # `make quick` also collects this file where it is not installed.

HOME = Path(__file__).with_name("home")

DAY = "2026-11-21"
LIVES = {
    ("shop.load_orders", "START"), ("shop.load_orders", "COMPLETE"),
    ("shop.check_orders", "START"), ("shop.check_orders", "FAIL"),
    ("shop.ship_orders", "START"), ("shop.ship_orders", "COMPLETE"),
}  # fmt: skip
"""What becomes of the tasks of the DAG; the last skips itself."""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Run the DAG in an Airflow of its own; return the events that its provider has emitted."""
    home = tmp_path_factory.mktemp("airflow") / "home"
    shutil.copytree(HOME, home, ignore=shutil.ignore_patterns("__pycache__"))
    events = home / "events.ndjson"
    # Settings of another Airflow, such as its database, must not be taken for this one.
    other = {
        name: text for name, text in os.environ.items() if not name.startswith(("AIRFLOW", "OPENLINEAGE"))
    }
    environment = other | {
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__OPENLINEAGE__NAMESPACE": "shop",
        "AIRFLOW__OPENLINEAGE__TRANSPORT": json.dumps(
            {"type": "file", "log_file_path": str(events), "append": True}
        ),
        # The provider gives up an event after ten seconds, which a crowded machine may take.
        "AIRFLOW__OPENLINEAGE__EXECUTION_TIMEOUT": "300",
    }
    for command, code in ((["db", "migrate"], 0), (["dags", "test", "shop", DAY], 1)):  # One task fails.
        ran = subprocess.run(
            [sys.executable, "-m", "airflow", *command],
            env=environment, cwd=home, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert ran.returncode == code, f"{ran.stdout[-3000:]}\n{ran.stderr[-3000:]}"
    return events.read_bytes().splitlines()


@pytest.fixture(scope="module")
def tasks(lines: list[bytes]) -> dict[tuple[str, str], RunEvent]:
    """Return the events of tasks by job and type; the others are those of the DAG run."""
    events: dict[tuple[str, str], RunEvent] = {}
    for line in lines:
        event = parse_event(line)
        if "." in event.job.name and isinstance(event, RunEvent) and event.event_type:
            assert (event.job.name, event.event_type.value) not in events
            events[event.job.name, event.event_type.value] = event
    return events


def run_facets(event: RunEvent) -> Any:
    return event.run.facets


def test_every_task_starts_and_ends(tasks: dict[tuple[str, str], RunEvent]) -> None:
    assert set(tasks) == LIVES


def test_the_events_have_no_errors(lines: list[bytes]) -> None:
    findings = [finding for line in lines for finding in validate(line)]
    assert [str(finding) for finding in findings if finding.severity == "error"] == []


def test_lineage_of_operators_is_emitted(tasks: dict[tuple[str, str], RunEvent]) -> None:
    started, ended = (tasks["shop.load_orders", kind] for kind in ("START", "COMPLETE"))
    assert started.job.facets
    assert started.job.facets.sql
    assert started.job.facets.sql.query == "INSERT INTO orders SELECT * FROM landing"
    assert run_facets(started)["acme_cost"].to_dict()["usd"] == 1.5
    (read,), (written,) = ended.inputs or (), ended.outputs or ()
    assert (read.name, written.name) == ("warehouse.shop.landing", "warehouse.shop.orders")
    assert read.facets
    assert read.facets["schema"].to_dict()["fields"] == [{"name": "id", "type": "bigint"}]
    assert written.output_facets
    assert written.output_facets.output_statistics
    assert written.output_facets.output_statistics.row_count == 365


def test_the_provider_adds_the_parent_and_the_error(tasks: dict[tuple[str, str], RunEvent]) -> None:
    failed = run_facets(tasks["shop.check_orders", "FAIL"])
    assert failed.parent.job.name == "shop"
    assert failed.error_message.message == "an order without a customer"
    assert "ValueError: an order without a customer" in failed.error_message.stack_trace
