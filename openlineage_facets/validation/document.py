"""A light view on the raw JSON of one event, whatever rubbish it holds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from openlineage_facets.base.errors import Finding, json_pointer

__all__ = ["DatasetName", "Document", "Entity", "Facet", "FacetLabel"]

T = TypeVar("T")
Kind: TypeAlias = Literal["run", "job", "dataset"]

_new = tuple.__new__

_CONTAINERS = {
    "run": (("facets", "RunFacets"),),
    "job": (("facets", "JobFacets"),),
    "dataset": (("facets", "DatasetFacets"),),
    "input": (("facets", "DatasetFacets"), ("inputFacets", "InputDatasetFacets")),
    "output": (("facets", "DatasetFacets"), ("outputFacets", "OutputDatasetFacets")),
}
"""Where an entity of each kind keeps facets: the field, and the container class that reads it."""


class FacetLabel(NamedTuple):
    """What a facet claims to be: where it stands, and which schema it names."""

    container: str
    """Name of the container class, such as `RunFacets`."""
    key: str
    """The key it stands under."""
    schema_url: str | None
    """Its `_schemaURL`, None where that is absent or no text."""
    deleted: bool = False
    """Whether it says of itself that it no longer holds."""


class DatasetName(NamedTuple):
    """What identifies a dataset."""

    namespace: str
    name: str


class Entity:
    """A run, a job or a dataset of an event.

    Args:
        kind: "run", "job", "dataset", "input" or "output".
        pointer: JSON Pointer to the entity.
        value: Its JSON object.
    """

    __slots__ = ("kind", "pointer", "value")

    def __init__(self, kind: str, pointer: str, value: dict[str, Any]) -> None:
        self.kind = kind
        self.pointer = pointer
        self.value = value

    @property
    def is_dataset(self) -> bool:
        """Whether it is a dataset of any kind."""
        return self.kind not in ("run", "job")

    @property
    def identity(self) -> DatasetName | None:
        """Namespace and name, None where either is absent or no text."""
        namespace, name = self.value.get("namespace"), self.value.get("name")
        if isinstance(namespace, str) and isinstance(name, str):
            return _new(DatasetName, (namespace, name))
        return None

    def facet(self, key: str) -> dict[str, Any]:
        """Return the facet under `key` of `facets`, empty where there is none that is an object."""
        facets = self.value.get("facets")
        facet = facets.get(key) if isinstance(facets, dict) else None
        return facet if isinstance(facet, dict) else {}

    def __repr__(self) -> str:
        return f"Entity({self.kind!r}, {self.pointer!r})"


class Facet:
    """A facet of an event: a JSON object under a key of a container.

    Args:
        entity: The entity it belongs to.
        field: The entity's field it stands in: "facets", "inputFacets" or "outputFacets".
        label: Where it stands and which schema it names.
        value: Its JSON object.
    """

    __slots__ = ("entity", "field", "label", "value")

    def __init__(self, entity: Entity, field: str, label: FacetLabel, value: dict[str, Any]) -> None:
        self.entity = entity
        self.field = field
        self.label = label
        self.value = value

    @property
    def container(self) -> str:
        """Name of the container class, such as `RunFacets`."""
        return self.label.container

    @property
    def key(self) -> str:
        """The key it stands under."""
        return self.label.key

    @property
    def schema_url(self) -> str | None:
        """Its `_schemaURL`, None where that is absent or no text."""
        return self.label.schema_url

    @property
    def pointer(self) -> str:
        """JSON Pointer to the facet."""
        return self.entity.pointer + json_pointer((self.field, self.label.key))

    def __repr__(self) -> str:
        return f"Facet({self.pointer!r})"


def _kind(event: dict[str, Any]) -> Kind | None:
    has_run, has_job, has_dataset = "run" in event, "job" in event, "dataset" in event
    if has_run and (has_job or not has_dataset):
        return "run"
    if has_job:
        return "job"
    return "dataset" if has_dataset else None


class Document:
    """One event as JSON, with its entities and facets at hand.

    Any JSON value will do: what is not where the specification puts it is passed over, since saying so
    is the business of the schema.

    Attributes:
        raw: The JSON value.
        value: The event, empty where the JSON value is no object.
        kind: Which kind of event it is, or is meant to be; None where nothing tells.
        entities: Its run, job and datasets, as far as they are objects.
        facets: The facets of all of them, as far as they are objects.

    Args:
        value: The event as `json.loads` gives it; not copied, and not to be changed meanwhile.

    Example:
        >>> [facet.pointer for facet in Document({"run": {"facets": {"parent": {}}}}).facets]
        ['/run/facets/parent']
    """

    def __init__(self, value: Any) -> None:
        self.raw = value
        self.value: dict[str, Any] = value if isinstance(value, dict) else {}
        self.kind = _kind(self.value)
        self.entities = self._entities()
        self.facets = self._facets()
        self._made: dict[Any, Any] = {}

    @property
    def run(self) -> Entity | None:
        """The run, None where there is none."""
        return self._only("run")

    @property
    def job(self) -> Entity | None:
        """The job, None where there is none."""
        return self._only("job")

    @property
    def inputs(self) -> list[Entity]:
        """The input datasets."""
        return [entity for entity in self.entities if entity.kind == "input"]

    @property
    def outputs(self) -> list[Entity]:
        """The output datasets."""
        return [entity for entity in self.entities if entity.kind == "output"]

    def _only(self, kind: str) -> Entity | None:
        return next((entity for entity in self.entities if entity.kind == kind), None)

    def once(self, make: Callable[[Document], T]) -> T:
        """Return `make(self)`, made when it is first asked for: for what several rules need."""
        try:
            made: T = self._made[make]
        except KeyError:
            made = self._made[make] = make(self)
        return made

    def _entities(self) -> list[Entity]:
        found = []
        for kind in ("dataset",) if self.kind == "dataset" else ("run", "job"):
            value = self.value.get(kind)
            if isinstance(value, dict):
                found.append(Entity(kind, f"/{kind}", value))
        if self.kind == "dataset":
            return found
        for kind in ("input", "output"):
            datasets = self.value.get(f"{kind}s")
            if isinstance(datasets, list):
                for index, value in enumerate(datasets):
                    if isinstance(value, dict):
                        found.append(Entity(kind, f"/{kind}s/{index}", value))
        return found

    def _facets(self) -> list[Facet]:
        found = []
        for entity in self.entities:
            for field, container in _CONTAINERS[entity.kind]:
                facets = entity.value.get(field)
                if isinstance(facets, dict):
                    for key, value in facets.items():
                        if isinstance(value, dict):
                            url = value.get("_schemaURL")
                            named = url if isinstance(url, str) else None
                            # Several times as fast as calling the class, and most of the work here.
                            label = _new(FacetLabel, (container, key, named, value.get("_deleted") is True))
                            found.append(Facet(entity, field, label, value))
        return found

    def position(self, finding: Finding) -> tuple[int, ...]:
        """Return where in the document a finding points, so that findings sort as one reads."""
        place: list[int] = []
        value = self.raw
        for step in finding.pointer.split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and key in value:
                place.append(self._order(value)[key])
                value = value[key]
            elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
                place.append(int(key))
                value = value[int(key)]
            else:
                break
        return tuple(place)

    def _order(self, value: dict[str, Any]) -> dict[str, int]:
        """Return the keys of an object of this document with their numbers."""
        order = self._orders.get(id(value))
        if order is None:
            order = self._orders[id(value)] = {key: number for number, key in enumerate(value)}
        return order

    @cached_property
    def _orders(self) -> dict[int, dict[str, int]]:
        return {}

    def __repr__(self) -> str:
        return f"<{self.kind or 'unknown'} event with {len(self.facets)} facets>"
