"""All facet methods of the builders, with the events that contain the facet."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from openlineage_facets import RunEventBuilder
from openlineage_facets.base.containers.builder import EntityBuilder
from openlineage_facets.base.containers.known_facets import FacetEntry, FacetSlot
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.builders import DatasetBuilder, InputBuilder, JobBuilder, OutputBuilder, RunBuilder
from openlineage_facets.generated import containers
from openlineage_facets.generated.registry import FACETS
from tests.builders.sample_builders import DAILY, LAKE, NOON, RAW, dataset_builder, job_builder, run_builder

Compose = Callable[[EntityBuilder], object]


def _event_of(build: Any, entity: EntityBuilder, compose: Compose) -> Any:
    compose(entity)
    return build.start(NOON) if isinstance(build, RunEventBuilder) else build.build(NOON)


def _run(compose: Compose) -> Any:
    return _event_of(build := run_builder(), build.run, compose)


def _job_of_a_run(compose: Compose) -> Any:
    return _event_of(build := run_builder(), build.job, compose)


def _job(compose: Compose) -> Any:
    return _event_of(build := job_builder(), build.job, compose)


def _input(compose: Compose) -> Any:
    return _event_of(build := run_builder(), build.input(LAKE, RAW), compose)


def _output_of_a_job(compose: Compose) -> Any:
    return _event_of(build := job_builder(), build.output(LAKE, DAILY), compose)


def _dataset(compose: Compose) -> Any:
    return _event_of(build := dataset_builder(), build.dataset, compose)


EVENTS: list[tuple[type[EntityBuilder], Callable[[Compose], Any], tuple[str | int, ...]]] = [
    (RunBuilder, _run, ("run",)),
    (JobBuilder, _job_of_a_run, ("job",)),
    (JobBuilder, _job, ("job",)),
    (InputBuilder, _input, ("inputs", 0)),
    (OutputBuilder, _output_of_a_job, ("outputs", 0)),
    (DatasetBuilder, _dataset, ("dataset",)),
]
"""Each entity builder, an event with its entity, and the path of the entity in the event."""

OTHER_NAMES = {("InputDatasetFacets", "dataQualityMetrics"): "input_data_quality_metrics"}
"""Methods that are not named like the attribute of the container, because of duplicate keys."""


@dataclass(frozen=True)
class Method:
    """A method of an entity builder, and the facet it composes.

    Args:
        builder: The entity builder.
        field: The field of the entity that holds the facet.
        entry: The facet.
        event: What gives an event with the entity that `compose` was called with.
        place: Keys and indexes from the event to the entity.
    """

    builder: type[EntityBuilder]
    field: str
    entry: FacetEntry
    event: Callable[[Compose], Any]
    place: tuple[str | int, ...]

    @property
    def name(self) -> str:
        other = OTHER_NAMES.get((self.entry.container, self.entry.key))
        container = getattr(containers, self.entry.container)
        return other or next(
            name
            for name, slot in vars(container).items()
            if isinstance(slot, FacetSlot) and slot.key == self.entry.key
        )

    @property
    def facet(self) -> Any:
        facet: type[FacetModel] = load_class(
            "openlineage_facets.generated", f"{self.entry.module}:{self.entry.name}"
        )
        return facet

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The parameters by name."""
        signature = inspect.signature(getattr(self.builder, self.name))
        return {name: one for name, one in signature.parameters.items() if name != "self"}

    def composed(self, **values: Any) -> Any:
        """Return an event with the facet composed from `values`."""
        return self.event(lambda builder: getattr(builder, self.name)(**values))

    def facet_in(self, wire: Any) -> Any:
        """Return the wire form of the facet in the wire form of its event."""
        for step in (*self.place, self._wire_field, self.entry.key):
            wire = wire[step]
        return wire

    @property
    def _wire_field(self) -> str:
        return {"input_facets": "inputFacets", "output_facets": "outputFacets"}.get(self.field, self.field)

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.place))}.{self.name}-{self.event.__name__.strip('_')}"


METHODS = [
    Method(builder, field, entry, event, place)
    for builder, event, place in EVENTS
    for field, container in builder.__containers__.items()
    for entry in FACETS
    if entry.container == container and entry.key != "tags"
]
"""The methods of all facets except tags, for every entity and event kind."""
