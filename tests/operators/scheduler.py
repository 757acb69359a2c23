"""A minimal scheduler: DAG runs, task instances and operators that report lineage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

from openlineage_facets import RunEvent, parse_event
from openlineage_facets.operators import ExtractorRegistry, TaskInstanceListener

NAMESPACE = "airflow-prod"
MIDNIGHT = datetime(2026, 11, 21, tzinfo=timezone.utc)
START = MIDNIGHT + timedelta(hours=25, microseconds=250)
END = START + timedelta(minutes=3)


@dataclass
class SilentOperator:
    """An operator without lineage."""

    task_id: str = "load_orders"


@dataclass
class Try:
    """A task instance, as in Airflow."""

    task: Any = field(default_factory=SilentOperator)
    dag_id: str = "shop"
    task_id: str = "load_orders"
    run_id: str = "scheduled__2026-11-21T00:00:00+00:00"
    try_number: int = 1
    start_date: datetime | None = START
    end_date: datetime | None = None
    map_index: int = -1


def operator(**methods: Callable[..., Any]) -> Any:
    """Return an operator with these methods, called without `self`."""
    named = {f"get_openlineage_facets_{name}": staticmethod(method) for name, method in methods.items()}
    return type("LoadOperator", (SilentOperator,), named)()


class Recorder:
    """A listener and its emitted events, parsed strictly."""

    def __init__(self, **settings: Any) -> None:
        self.events: list[RunEvent] = []
        settings = {"namespace": NAMESPACE, "extractors": ExtractorRegistry(), **settings}
        self.listener = TaskInstanceListener(self._keep, **settings)

    def _keep(self, event: RunEvent) -> None:
        read = parse_event(event.to_json())
        assert isinstance(read, RunEvent)
        assert read == event
        self.events.append(read)

    def start(self, reported: Any) -> RunEvent:
        """Return the event of an operator that starts and reports lineage."""
        self.listener.on_start(Try(operator(on_start=lambda ti: reported)))
        return self.events[-1]

    def life(self, task: Any, error: BaseException | str | None = None) -> list[RunEvent]:
        """Return the events of a task instance that starts and succeeds, or fails if there is an error."""
        self.listener.on_start(Try(task=task))
        ended = Try(task=task, end_date=END)
        if error is None:
            self.listener.on_complete(ended)
        else:
            self.listener.on_failure(ended, error)
        return self.events


def bare(value: Any) -> Any:
    """Return a JSON value without the producers and schema URLs of facets."""
    if isinstance(value, list):
        return [bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: bare(item) for name, item in value.items() if name not in ("_producer", "_schemaURL")}


def lineage_in(event: RunEvent) -> dict[str, Any]:
    """Return the lineage that an operator reported, as a plain dict: without what the listener adds."""
    wire = bare(event.to_dict())
    run_facets = {key: facet for key, facet in wire["run"]["facets"].items() if key != "parent"}
    parts = {"runFacets": run_facets, "jobFacets": wire["job"].get("facets")}
    parts |= {name: wire.get(name) for name in ("inputs", "outputs")}
    return {name: part for name, part in parts.items() if part}
