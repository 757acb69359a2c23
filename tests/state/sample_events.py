"""Sample events for state tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from openlineage_facets import (
    DatasetEvent,
    Event,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    Run,
    RunEvent,
    StaticDataset,
)
from openlineage_facets.facets import DocumentationDatasetFacet, DocumentationJobFacet

RUN = "01950000-0000-7000-8000-000000000001"
OTHER_RUN = "01950000-0000-7000-8000-000000000002"


def at(second: int | str) -> str:
    return f"2026-01-01T00:00:{second:0>2}Z"


def job_event(
    second: int | str, *facets: Any, inputs: Iterable[str] = (), outputs: Iterable[str] = ()
) -> Event:
    return JobEvent(
        event_time=at(second),
        job=Job(namespace="etl", name="load", facets=facets),
        inputs=[InputDataset(namespace="db", name=name) for name in inputs],
        outputs=[OutputDataset(namespace="db", name=name) for name in outputs],
    )


def dataset_event(second: int | str, *facets: Any, name: str = "orders", **by_key: Any) -> Event:
    return DatasetEvent(
        event_time=at(second), dataset=StaticDataset(namespace="db", name=name, facets=by_key or facets)
    )


def run_event(second: int | str, event_type: Any, run: str = RUN, **parts: Any) -> Event:
    facets = parts.pop("run_facets", ())
    job = Job(namespace="etl", name="load", facets=parts.pop("job_facets", ()))
    return RunEvent(
        event_time=at(second), event_type=event_type, run=Run(run_id=run, facets=facets), job=job, **parts
    )


def reading(*facets: Any, name: str = "orders", **parts: Any) -> list[InputDataset]:
    return [InputDataset(namespace="db", name=name, facets=facets, **parts)]


def writing(*facets: Any, name: str = "orders", **parts: Any) -> list[OutputDataset]:
    return [OutputDataset(namespace="db", name=name, facets=facets, **parts)]


def documented(text: str) -> DocumentationDatasetFacet:
    return DocumentationDatasetFacet(description=text)


def job_documented(text: str) -> DocumentationJobFacet:
    return DocumentationJobFacet(description=text)


def documentation_of(facets: Any) -> str | None:
    return facets.documentation.description if facets.documentation else None
