"""Typed OpenLineage for Python and PySpark.

Compose events from typed facets, serialize them, and parse them without loss:

    >>> from openlineage_facets import Job, Run, RunEvent, parse_event
    >>> event = RunEvent(event_type="START", run=Run(), job=Job(namespace="etl", name="orders.daily"))
    >>> parse_event(event.to_json()) == event
    True

Modules are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openlineage_facets.version import __version__

if TYPE_CHECKING:
    from openlineage_facets.base.containers.registered_facets import register_facets
    from openlineage_facets.base.errors.findings import EventError, Finding
    from openlineage_facets.base.producer import producer
    from openlineage_facets.base.times.timestamp import Timestamp
    from openlineage_facets.builders import DatasetEventBuilder, JobEventBuilder, RunEventBuilder
    from openlineage_facets.generated.open_lineage import (
        DatasetEvent,
        EventType,
        InputDataset,
        Job,
        JobEvent,
        OutputDataset,
        Run,
        RunEvent,
        StaticDataset,
    )
    from openlineage_facets.openlineage_python import to_openlineage
    from openlineage_facets.parsing import Event, parse_event
    from openlineage_facets.validation import FileEvent, ReadResult, read_event, read_events, validate

_EXPORTS = {
    "DatasetEvent": "generated.open_lineage",
    "DatasetEventBuilder": "builders",
    "Event": "parsing",
    "EventError": "base.errors.findings",
    "EventType": "generated.open_lineage",
    "FileEvent": "validation",
    "Finding": "base.errors.findings",
    "InputDataset": "generated.open_lineage",
    "Job": "generated.open_lineage",
    "JobEvent": "generated.open_lineage",
    "JobEventBuilder": "builders",
    "OutputDataset": "generated.open_lineage",
    "ReadResult": "validation",
    "Run": "generated.open_lineage",
    "RunEvent": "generated.open_lineage",
    "RunEventBuilder": "builders",
    "StaticDataset": "generated.open_lineage",
    "Timestamp": "base.times.timestamp",
    "parse_event": "parsing",
    "producer": "base.producer",
    "read_event": "validation",
    "read_events": "validation",
    "register_facets": "base.containers.registered_facets",
    "to_openlineage": "openlineage_python",
    "validate": "validation",
}

__all__ = [
    "DatasetEvent",
    "DatasetEventBuilder",
    "Event",
    "EventError",
    "EventType",
    "FileEvent",
    "Finding",
    "InputDataset",
    "Job",
    "JobEvent",
    "JobEventBuilder",
    "OutputDataset",
    "ReadResult",
    "Run",
    "RunEvent",
    "RunEventBuilder",
    "StaticDataset",
    "Timestamp",
    "__version__",
    "parse_event",
    "producer",
    "read_event",
    "read_events",
    "register_facets",
    "to_openlineage",
    "validate",
]


def __getattr__(name: str) -> Any:
    from openlineage_facets.base.lazy_imports import load_export

    return load_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
