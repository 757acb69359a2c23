"""Warnings for events of real producers; each expected warning was verified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.ruleset import check_document

WITHOUT_A_PREFIX = {
    "airflow",
    "airflowDagRun",
    "airflowState",
    "environment-properties",
    "spark.logicalPlan",
    "unknownSourceAttribute",
}
WITHOUT_A_SCHEMA = WITHOUT_A_PREFIX | {"spark_jobDetails", "spark_unknown"}
AIRFLOW_AND_SPARK = {"OL101": WITHOUT_A_PREFIX, "OL207": WITHOUT_A_SCHEMA, "OL306": {"columnLineage"}}
"""The facet keys with findings, by code."""

MARQUEZ = {"OL101", "OL103", "OL203", "OL208", "OL210", "OL405"}
"""Facets `additionalProp1` of a `MyCustomJobFacet` on a web page, a version 2-8-9, names that are URIs."""


def events(folder: Path) -> list[Any]:
    """Return every event below a folder; files hold one each, or a list, or no JSON."""
    found: list[Any] = []
    for path in sorted(folder.rglob("*.json")):
        try:
            value = json.loads(path.read_bytes())
        except ValueError:
            continue
        found += value if isinstance(value, list) else [value]
    assert found
    return found


def test_warnings_for_airflow_and_spark_events(shared: Path) -> None:
    keys: dict[str, set[str]] = {}
    for event in events(shared / "events" / "compatibility-tests"):
        for finding in check_document(Document(event)):
            steps = finding.pointer.split("/")
            keys.setdefault(finding.code, set()).add(steps[steps.index("facets") + 1])
    assert keys == AIRFLOW_AND_SPARK


def test_warnings_for_handwritten_events(shared: Path) -> None:
    found = {
        finding.code
        for event in events(shared / "events" / "marquez")
        for finding in check_document(Document(event))
    }
    assert found == MARQUEZ


def test_warnings_for_the_example_of_the_specification(shared: Path) -> None:
    event = json.loads((shared / "current" / "tests" / "example_full_event.json").read_bytes())
    assert {finding.code for finding in check_document(Document(event))} == {"OL202", "OL203"}
