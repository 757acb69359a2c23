"""Convert lineage in plain dicts to typed facets and datasets, with a finding for each invalid part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.errors.findings import (
    EventError,
    Finding,
    describe,
    is_client_object,
    with_article,
)
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.json.client_objects import client_value
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.producer import current_producer
from openlineage_facets.base.wire.pydantic_internals import declared_fields
from openlineage_facets.generated.containers import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)
from openlineage_facets.generated.open_lineage import InputDataset, OutputDataset

T = TypeVar("T")

_FACETS: dict[str, type[FacetMap[Any]]] = {"runFacets": RunFacets, "jobFacets": JobFacets}
_DATASETS: dict[str, type[InputDataset] | type[OutputDataset]] = {
    "inputs": InputDataset,
    "outputs": OutputDataset,
}
_FACETS_OF_DATASETS: dict[str, type[FacetMap[Any]]] = {
    "facets": DatasetFacets,
    "inputFacets": InputDatasetFacets,
    "outputFacets": OutputDatasetFacets,
}


class FindingCollector(list[Finding]):
    """The findings of lineage, and the first exception raised by its values."""

    raised: Exception | None = None
    """The first exception that reading a value raised, for its traceback."""

    def add_raised(self, pointer: str, error: Exception) -> None:
        """Add a finding for a value that raised an exception when it was read."""
        self.raised = self.raised or error
        self.append(Finding(pointer, "a readable value", f"a value that raises {type(error).__name__}"))


def completed_fields(fields: Mapping[str, Any], findings: FindingCollector) -> dict[str, Any]:
    """Convert the plain dicts in the fields of lineage to typed values.

    A plain facet without `_schemaURL` is composed: it gets the current producer and the schema URL of its
    class, and unknown fields are invalid. A facet with `_schemaURL` may have unknown fields. Invalid parts
    are left out.

    Args:
        fields: The fields by wire name. Unknown fields are returned unchanged.
        findings: Collects a finding for each invalid part.
    """
    completed: dict[str, Any] = {}
    for name, value in fields.items():
        if name in _FACETS:
            completed[name] = _facets(_FACETS[name], value, json_pointer([name]), findings)
        elif name in _DATASETS:
            completed[name] = _datasets(_DATASETS[name], value, json_pointer([name]), findings)
        else:
            completed[name] = value
    return completed


def _attempt(make: Callable[[], T], pointer: str, findings: FindingCollector, within: str = "") -> T | None:
    """Return the result of `make`, or None and add its error to the findings.

    Lineage may contain objects of any class, so reading them may raise any exception.

    Args:
        make: Creates a value. The pointers of its `EventError` are relative to `pointer`.
        pointer: JSON Pointer of the value.
        findings: Collects the findings.
        within: JSON Pointer, relative to `pointer`, for exceptions other than `EventError`.
    """
    try:
        with _under(pointer):
            return make()
    except EventError as error:
        findings.extend(error.findings)
    except Exception as error:
        findings.add_raised(pointer + within, error)
    return None


@contextmanager
def _under(pointer: str) -> Iterator[None]:
    """Prefix the pointers of an `EventError` with `pointer`."""
    try:
        yield
    except EventError as error:
        moved = [replace(finding, pointer=pointer + finding.pointer) for finding in error.findings]
        raise EventError(moved) from error.__cause__


def _items(value: Mapping[Any, Any], pointer: str, findings: FindingCollector) -> list[tuple[Any, Any]]:
    """Return the items of a mapping, none if it raises."""
    return _attempt(lambda: list(value.items()), pointer, findings) or []


def _each(value: Iterable[Any], pointer: str, findings: FindingCollector) -> Iterator[Any]:
    """Yield the items of an iterable until it raises."""
    try:
        yield from value
    except Exception as error:
        findings.add_raised(pointer, error)


def _facets(
    container: type[FacetMap[Any]], value: Any, pointer: str, findings: FindingCollector
) -> FacetMap[Any]:
    facets: dict[str, FacetModel] = {}
    if isinstance(value, Mapping):
        for key, facet in _items(value, pointer, findings):
            if isinstance(key, str):
                within = json_pointer([key])
                own = _attempt(lambda: _facet(container, key, facet), pointer, findings, within)  # noqa: B023
                if own is not None:
                    facets[key] = own
            else:
                findings.append(Finding(pointer, "facet keys that are strings", f"the key {describe(key)}"))
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes, Model)):
        for facet in _each(value, pointer, findings):
            composed = _attempt(lambda: container([facet]), pointer, findings)  # noqa: B023
            for key in composed or ():
                if key in facets:
                    place = pointer + json_pointer([key])
                    hint = "facets are not merged: remove one"
                    findings.append(Finding(place, "one facet with this key", "two", hint))
            facets.update(composed or {})
    else:
        _attempt(lambda: container(value), pointer, findings)
    return container(facets)


def _facet(container: type[FacetMap[Any]], key: str, value: Any) -> FacetModel:
    """Return the typed facet for a key of a container, from a facet or a plain dict."""
    place = json_pointer([key])
    if is_client_object(value):
        value = client_value(value)
    if isinstance(value, Mapping):
        _assert_names(value, place)
        base: Any = container._base_facet()
        slot = container.__slots_by_key__.get(key)
        deleted = "deleted" in declared_fields(base) and value.get("_deleted") is True
        if slot is not None and slot.classes() and not deleted and value.get("_schemaURL") is None:
            with _under(place):
                value = slot.facet_class(**value)
        else:
            entries = {name: value for name, value in value.items() if value is not None or name[:1] != "_"}
            value = {"_producer": current_producer(), "_schemaURL": base.__schema_url__, **entries}
            with _under(place):
                base.__check_composed__(value)
    elif not isinstance(value, FacetModel):
        raise EventError([Finding(place, "a facet", describe(value), "pass a facet or a dict of its fields")])
    facet: FacetModel = container({key: value})[key]
    return facet


def _assert_names(value: Mapping[Any, Any], pointer: str) -> None:
    wrong = [name for name in value if not isinstance(name, str)]
    if wrong:
        raise EventError([Finding(pointer, "field names that are strings", f"the name {describe(wrong[0])}")])


def _datasets(
    kind: type[InputDataset] | type[OutputDataset], value: Any, pointer: str, findings: FindingCollector
) -> list[InputDataset | OutputDataset]:
    if isinstance(value, (str, bytes, Mapping, Model)) or not isinstance(value, Iterable):
        findings.append(
            Finding(pointer, "a list of datasets", describe(value), "wrap a single dataset in a list")
        )
        return []
    datasets: list[InputDataset | OutputDataset] = []
    for number, item in enumerate(_each(value, pointer, findings)):
        place = f"{pointer}/{number}"
        dataset = _attempt(lambda: _dataset(kind, item, place, findings), "", findings, place)  # noqa: B023
        datasets += [dataset] if dataset is not None else []
    return datasets


def _dataset(
    kind: type[InputDataset] | type[OutputDataset], value: Any, pointer: str, findings: FindingCollector
) -> InputDataset | OutputDataset | None:
    if is_client_object(value):
        value = client_value(value)
    if isinstance(value, kind):
        return value
    if isinstance(value, Mapping):
        return _composed_dataset(kind, value, pointer, findings)
    found = with_article(type(value).__name__) if isinstance(value, Model) else describe(value)
    hint = f"compose {with_article(kind.__name__)} with a namespace and a name"
    findings.append(Finding(pointer, with_article(kind.__name__), found, hint))
    return None


def _composed_dataset(
    kind: type[InputDataset] | type[OutputDataset],
    fields: Mapping[Any, Any],
    pointer: str,
    findings: FindingCollector,
) -> InputDataset | OutputDataset | None:
    """Compose a dataset from its fields, without unknown fields, which become findings."""
    names = wire_names(kind)
    known: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for name, value in fields.items():
        if not isinstance(name, str):
            findings.append(Finding(pointer, "field names that are strings", f"the name {describe(name)}"))
        elif (wire := names.get(name, name)) not in names.values():
            unknown[name] = value
        elif wire in _FACETS_OF_DATASETS and value is not None:
            place = pointer + json_pointer([wire])
            known[wire] = _facets(_FACETS_OF_DATASETS[wire], value, place, findings)
        else:
            known[wire] = value
    dataset = _attempt(lambda: kind(**known), pointer, findings)
    for name, value in unknown.items() if dataset else ():
        _attempt(lambda: kind(**known, **{name: value}), pointer, findings)  # noqa: B023
    return dataset
