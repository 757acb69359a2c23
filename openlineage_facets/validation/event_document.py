"""A view of the raw JSON of one event, valid or not: its entities, its facets and their content.

The same facet occurs in many events: the schema of a dataset in every event of the jobs that use it. What
depends only on a facet's label and content is computed once for all of them.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from openlineage_facets.base.containers.registered_facets import forget_on_registration
from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.base.errors.json_pointer import json_pointer, redacted_pointer, steps_of, unescaped
from openlineage_facets.event_kind import EventKind, kind_of


class FacetLabel(NamedTuple):
    """The location of a facet and the schema it names, without its content."""

    container: str
    """Name of the container class, such as `RunFacets`."""
    key: str
    """The facet key."""
    schema_url: str | None
    """Its `_schemaURL`, None if it is missing or not a string."""
    deleted: bool = False
    """Whether it is a tombstone (`_deleted: true`)."""


class FacetContent(NamedTuple):
    """The label of a facet, and results that depend only on its label and content."""

    label: FacetLabel
    results: dict[Any, Any]
    """The results, by the function that computed each."""


class _Contents:
    """The contents of recent facets, in bounded memory."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._contents: dict[tuple[str, str, bytes], FacetContent] = {}
        self._bytes = 0

    def of(self, container: str, key: str, value: dict[str, Any]) -> FacetContent:
        """Return the content of a facet, the same object for equal facets."""
        try:
            # Different values have different bytes. JSON would take several times as long to write.
            identity = container, key, marshal.dumps(value)
        except ValueError:  # It is not plain JSON, or nested too deeply.
            return _new_content(container, key, value)
        content = self._contents.get(identity)
        if content is None:
            content = _new_content(container, key, value)
            size = len(identity[2]) + _BYTES_OF_RESULTS
            if size < self._most_bytes / 10:
                if self._bytes + size > self._most_bytes:
                    self.clear()
                self._bytes += size
                self._contents[identity] = content
        return content

    def clear(self) -> None:
        """Forget all contents."""
        self._contents.clear()
        self._bytes = 0


_BYTES_OF_RESULTS = 1_000
"""The typical size of a content with its results."""

_CONTENTS = _Contents(most_bytes=10_000_000)

content_of = _CONTENTS.of

forget_on_registration(_CONTENTS.clear)


def _new_content(container: str, key: str, value: dict[str, Any]) -> FacetContent:
    url = value.get("_schemaURL")
    schema_url = url if isinstance(url, str) else None
    return FacetContent(FacetLabel(container, key, schema_url, value.get("_deleted") is True), {})


T = TypeVar("T")

_Place: TypeAlias = tuple[tuple[int, ...], Any]
"""The position of a value in its document, as a sort key, and the value; None for a missing one."""

_new = tuple.__new__

FACET_FIELDS = {
    "run": (("facets", "RunFacets"),),
    "job": (("facets", "JobFacets"),),
    "dataset": (("facets", "DatasetFacets"),),
    "input": (("facets", "DatasetFacets"), ("inputFacets", "InputDatasetFacets")),
    "output": (("facets", "DatasetFacets"), ("outputFacets", "OutputDatasetFacets")),
}
"""The facet fields of each kind of entity, with their container classes; its own container is the last."""


def objects_in(holder: dict[str, Any], field: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects of the list in a field, each with its index; none if it is missing or no list."""
    items = holder.get(field)
    if not isinstance(items, list):
        return []
    return [(index, item) for index, item in enumerate(items) if isinstance(item, dict)]


class DatasetName(NamedTuple):
    """Namespace and name of a dataset."""

    namespace: str
    name: str


class Entity:
    """A run, a job or a dataset of an event.

    Args:
        kind: "run", "job", "dataset", "input" or "output".
        pointer: JSON Pointer to the entity.
        value: Its JSON object.

    Attributes:
        is_dataset: Whether it is a dataset, an input or an output.
        identity: Namespace and name, None if either is missing or not a string.
    """

    __slots__ = ("identity", "is_dataset", "kind", "pointer", "value")

    def __init__(self, kind: str, pointer: str, value: dict[str, Any]) -> None:
        self.kind = kind
        self.pointer = pointer
        self.value = value
        self.is_dataset = kind not in ("run", "job")
        self.identity = _name_of(value)

    def facet(self, key: str) -> dict[str, Any]:
        """Return the facet under `key` of `facets`, an empty object if it is missing or not an object."""
        facets = self.value.get("facets")
        facet = facets.get(key) if isinstance(facets, dict) else None
        return facet if isinstance(facet, dict) else {}

    def __repr__(self) -> str:
        return f"Entity({self.kind!r}, {redacted_pointer(self.pointer)!r})"


def _name_of(entity: dict[str, Any]) -> DatasetName | None:
    namespace, name = entity.get("namespace"), entity.get("name")
    if isinstance(namespace, str) and isinstance(name, str):
        return _new(DatasetName, (namespace, name))  # Several times faster than calling the class.
    return None


class Facet:
    """A facet of an event.

    Args:
        entity: The entity it belongs to.
        field: The entity's field that contains it: "facets", "inputFacets" or "outputFacets".
        content: Its location, the schema it names, and what was derived from equal facets.
        value: Its JSON object.
    """

    __slots__ = ("_content", "entity", "field", "label", "value")

    def __init__(self, entity: Entity, field: str, content: FacetContent, value: dict[str, Any]) -> None:
        self.entity = entity
        self.field = field
        self.label = content.label
        self.value = value
        self._content = content

    def cached(self, function: Callable[[Facet], T]) -> T:
        """Return `function(self)`, computed once for equal facets, also of other events.

        Args:
            function: A function of the facet's label and value; it must not use its entity.
        """
        results = self._content.results
        try:
            result: T = results[function]
        except KeyError:
            result = results[function] = function(self)
        return result

    @property
    def container(self) -> str:
        """Name of the container class, such as `RunFacets`."""
        return self.label.container

    @property
    def key(self) -> str:
        """The facet key."""
        return self.label.key

    @property
    def schema_url(self) -> str | None:
        """Its `_schemaURL`, None if it is missing or not a string."""
        return self.label.schema_url

    @property
    def pointer(self) -> str:
        """JSON Pointer to the facet."""
        return self.entity.pointer + json_pointer((self.field, self.label.key))

    def __repr__(self) -> str:
        return f"Facet({redacted_pointer(self.pointer)!r})"


class Document:
    """One event as JSON, with its entities and facets.

    Accepts any JSON value. Entities and facets that are not JSON objects are ignored; the schemas report
    them.

    Attributes:
        raw: The JSON value.
        value: The event, an empty object if the JSON value is not an object.
        kind: "run", "job" or "dataset"; None if the event has none of them.
        run: The run, None if there is none.
        job: The job, None if there is none.
        inputs: The input datasets.
        outputs: The output datasets.
        datasets: The inputs and outputs, or the dataset of a dataset event.
        entities: Its run, job and datasets.
        facets: The facets of all entities.

    Args:
        value: The event as returned by `json.loads`. It is not copied and must not be changed.

    Example:
        >>> [facet.pointer for facet in Document({"run": {"facets": {"parent": {}}}}).facets]
        ['/run/facets/parent']
    """

    def __init__(self, value: Any) -> None:
        self.raw = value
        self.value: dict[str, Any] = value if isinstance(value, dict) else {}
        self.kind: EventKind | None = kind_of(self.value)
        self.run: Entity | None = None
        self.job: Entity | None = None
        self.inputs: list[Entity] = []
        self.outputs: list[Entity] = []
        if self.kind == "dataset":
            dataset = self._entity("dataset")
            self.datasets = [] if dataset is None else [dataset]
        else:
            self.run, self.job = self._entity("run"), self._entity("job")
            self.inputs, self.outputs = self._datasets("input"), self._datasets("output")
            self.datasets = self.inputs + self.outputs
        self.entities = [entity for entity in (self.run, self.job) if entity is not None] + self.datasets
        self.facets = self._facets()
        self._cache: dict[Any, Any] = {}
        self._places: dict[str, _Place] = {}
        self._orders: dict[int, dict[str, int]] = {}

    def cached(self, function: Callable[[Document], T]) -> T:
        """Return `function(self)`, computed once for all rules that need it."""
        try:
            result: T = self._cache[function]
        except KeyError:
            result = self._cache[function] = function(self)
        return result

    def _entity(self, kind: str) -> Entity | None:
        value = self.value.get(kind)
        return Entity(kind, f"/{kind}", value) if isinstance(value, dict) else None

    def _datasets(self, kind: str) -> list[Entity]:
        values = self.value.get(f"{kind}s")
        return [
            Entity(kind, f"/{kind}s/{index}", value)
            for index, value in enumerate(values if isinstance(values, list) else ())
            if isinstance(value, dict)
        ]

    def _facets(self) -> list[Facet]:
        found = []
        for entity in self.entities:
            for field, container in FACET_FIELDS[entity.kind]:
                facets = entity.value.get(field)
                if isinstance(facets, dict):
                    for key, value in facets.items():
                        if isinstance(value, dict):
                            content = content_of(container, key, value)
                            found.append(Facet(entity, field, content, value))
        return found

    def position(self, finding: Finding) -> tuple[int, ...]:
        """Return the position of a finding in the document, as a sort key."""
        parent, slash, step = finding.pointer.rpartition("/")
        if not slash:
            return ()
        place = self._places.get(parent)
        if place is None:  # Many findings have the same parent.
            place = (), self.raw
            for key in steps_of(parent):
                place = self._inside(place, key)
            self._places[parent] = place
        return self._inside(place, unescaped(step))[0]

    def _inside(self, place: _Place, key: str) -> _Place:
        """Return the position of a value inside another one; of a missing one, that of the other one."""
        position, value = place
        if isinstance(value, dict) and key in value:
            return (*position, self._order(value)[key]), value[key]
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            return (*position, int(key)), value[int(key)]
        return position, None

    def _order(self, value: dict[str, Any]) -> dict[str, int]:
        """Return the position of each key of an object in this document."""
        order = self._orders.get(id(value))
        if order is None:
            order = self._orders[id(value)] = {key: number for number, key in enumerate(value)}
        return order

    def __repr__(self) -> str:
        return f"<{self.kind or 'unknown'} event with {len(self.facets)} facets>"
