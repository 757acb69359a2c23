"""The examples of the operators proposal, with fixed syntax, composed with this package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from openlineage_facets.operators import TaskInstanceLineage
from tests.cases import each
from tests.operators.scheduler import Recorder, bare, operator
from tests.oracle.expected_results import oracle_result

EXAMPLES = sorted(Path(__file__).with_name("proposal").glob("*.json"))

each_example = each("path", EXAMPLES, ids=lambda path: path.stem)


def example(path: Path) -> dict[str, Any]:
    lineage: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return lineage


def told_by(event: dict[str, Any]) -> dict[str, Any]:
    """Return the lineage an event holds, in its plain form: all but what the listener adds."""
    run = {key: facet for key, facet in event["run"]["facets"].items() if key != "parent"}
    parts = {
        "runFacets": run,
        "jobFacets": event["job"].get("facets"),
        "inputs": event.get("inputs"),
        "outputs": event.get("outputs"),
    }
    return {name: part for name, part in bare(parts).items() if part}


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 8


@each_example
def test_only_producers_and_schema_urls_are_added_to_an_example(path: Path) -> None:
    assert bare(TaskInstanceLineage.from_dict(example(path)).to_dict()) == bare(example(path))


@each_example
def test_an_operator_that_reports_an_example_emits_valid_events(path: Path) -> None:
    events = Recorder().life(operator(on_start=lambda ti: example(path)))
    assert [event.event_type for event in events] == ["START", "COMPLETE"]
    for event in events:
        assert oracle_result(event.to_dict()).valid, oracle_result(event.to_dict())
        assert told_by(event.to_dict()) == bare(example(path))


@each_example
def test_typed_and_plain_lineage_result_in_the_same_event(path: Path) -> None:
    (plain, _), (typed, _) = (
        Recorder().life(operator(on_start=lambda ti, reported=reported: reported))
        for reported in (example(path), TaskInstanceLineage.from_dict(example(path)))
    )
    assert plain == typed


@each_example
def test_lineage_survives_serialization(path: Path) -> None:
    lineage = TaskInstanceLineage.from_dict(example(path))
    assert TaskInstanceLineage.from_json(lineage.to_json()) == lineage
    assert TaskInstanceLineage.from_dict(lineage.to_dict()) == lineage
