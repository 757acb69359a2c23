"""pydantic's own methods write the wire format."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, TypeAdapter

from openlineage_facets import Job, Run, RunEvent, parse_event
from openlineage_facets.base.model.model import Model
from openlineage_facets.facets import (
    NominalTimeRunFacet,
    RunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    schema_dataset,
)
from tests.cases import each
from tests.conftest import ROOT
from tests.events import RUN_ID, on_dataset, on_job, run_event

MARKS = {"_producer": "https://e.com", "_schemaURL": "https://e.com"}
READ = [
    (
        run_event(run={"runId": RUN_ID, "facets": {"tags": {**MARKS, "tags": []}}}),
        "event.model_dump_json({})",
    ),
    (on_job("documentation", {**MARKS, "description": "x"}), "json.dumps(event.model_dump(mode='json', {}))"),
    (on_dataset("schema", {**MARKS, "fields": []}), "TypeAdapter(type(event)).dump_json(event, {})"),
]


@pytest.mark.check
def test_pydantic_writes_what_was_read_with_classes_that_are_not_built() -> None:
    code = "import json\nfrom pydantic import TypeAdapter\nfrom openlineage_facets import parse_event\n"
    for event, written in READ:
        code += f"event = parse_event({json.dumps(event)!r})\n"
        code += f"assert json.loads({written.format('by_alias=True, exclude_unset=True')}) == {event!r}\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


FACET = SQLJobFacet(query="select 1", producer="https://e.com", schema_url="https://e.com")
RUN = Run(facets=[NominalTimeRunFacet(nominal_start_time="2026-01-01T00:00:00Z")])
VALUES = [
    FACET,
    SchemaDatasetFacet(fields=[{"name": "day"}]),
    schema_dataset.SchemaDatasetFacetFields(name="day"),
    RUN,
    Job(namespace="etl", name="orders", facets=[FACET]),
    RunEvent(event_type="START", run=RUN, job=Job(namespace="etl", name="orders")),
]


@each("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_type_adapter_writes_the_wire_format_without_nulls_for_absent_fields(value: Model) -> None:
    type(value).model_rebuild()
    adapter: TypeAdapter[Any] = TypeAdapter(type(value))
    assert json.loads(adapter.dump_json(value)) == value.to_dict()
    assert adapter.dump_python(value, mode="json") == value.to_dict()
    assert adapter.validate_json(adapter.dump_json(value)) == value
    several: TypeAdapter[Any] = TypeAdapter(list[type(value)])  # type: ignore[misc]
    assert json.loads(several.dump_json([value])) == [value.to_dict()]


def test_a_custom_facet_in_a_type_adapter_is_written_in_the_wire_format() -> None:
    class CostRunFacet(RunFacet):
        __facet_key__: ClassVar[str] = "acme_cost"
        __schema_url__: ClassVar[str] = "https://example.com/cost"

        usd: float
        note: str | None = None

    facet = CostRunFacet(usd=1.5)
    assert json.loads(TypeAdapter(CostRunFacet).dump_json(facet)) == facet.to_dict()
    assert "note" not in facet.to_dict()


def test_models_with_an_event_and_values_of_classes_nested_in_it() -> None:
    """A class that is already built brings its definitions of the other classes into the schema."""
    event = VALUES[-1]
    job = Job(namespace="etl", name="orders", facets=[FACET])
    assert parse_event(event.to_json()) == event
    assert parse_event(event.replace(job=job).to_json()).job == job

    class EventFirst(BaseModel):
        event: RunEvent
        facet: SQLJobFacet
        facets: dict[str, SQLJobFacet]
        jobs: list[Job]

    class EventLast(BaseModel):
        facet: SQLJobFacet
        facets: dict[str, SQLJobFacet]
        jobs: list[Job]
        event: RunEvent

    for model in (EventFirst, EventLast):
        value = model(event=event, facet=FACET, facets={"sql": FACET}, jobs=[job])
        wire = {
            "event": event.to_dict(),
            "facet": FACET.to_dict(),
            "facets": {"sql": FACET.to_dict()},
            "jobs": [job.to_dict()],
        }
        assert json.loads(value.model_dump_json()) == value.model_dump(mode="json") == wire
        assert model.model_validate_json(value.model_dump_json()) == value
