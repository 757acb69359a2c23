"""Convert lineage in plain dicts to typed facets and datasets, with a finding for each invalid part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.errors.findings import (
    EventError,
    Finding,
    describe,
    invalid,
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

    @contextmanager
    def at(self, pointer: str, within: str = "") -> Iterator[None]:
        """Add findings for what is raised while a value is read, which may be an object of any class.

        Args:
            pointer: JSON Pointer of the value. Those of an `EventError` are relative to it.
            within: JSON Pointer, relative to `pointer`, for exceptions other than `EventError`.
        """
        try:
            with _under(pointer):
                yield
        except EventError as error:
            self.extend(error.findings)
        except Exception as error:
            self.raised = self.raised or error
            found = f"a value that raises {type(error).__name__}"
            self.append(Finding(pointer + within, "a readable value", found))


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


@contextmanager
def _under(pointer: str) -> Iterator[None]:
    """Prefix the pointers of an `EventError` with `pointer`."""
    try:
        yield
    except EventError as error:
        moved = [replace(finding, pointer=pointer + finding.pointer) for finding in error.findings]
        raise EventError(moved) from error.__cause__


def text_keyed(fields: Mapping[Any, Any], pointer: str, findings: FindingCollector) -> dict[str, Any]:
    """Return the fields whose names are strings; the others become findings."""
    findings.extend(
        Finding(pointer, "field names that are strings", f"the name {describe(name)}")
        for name in fields
        if not isinstance(name, str)
    )
    return {name: value for name, value in fields.items() if isinstance(name, str)}


def _facets(
    container: type[FacetMap[Any]], value: Any, pointer: str, findings: FindingCollector
) -> FacetMap[Any]:
    facets: dict[str, FacetModel] = {}
    with findings.at(pointer):
        if isinstance(value, Mapping):
            for key, facet in list(value.items()):
                if isinstance(key, str):
                    with findings.at(pointer, json_pointer([key])):
                        facets[key] = _facet(container, key, facet)
                else:
                    findings.append(
                        Finding(pointer, "facet keys that are strings", f"the key {describe(key)}")
                    )
        elif isinstance(value, Iterable) and not isinstance(value, (str, bytes, Model)):
            for facet in value:
                with findings.at(pointer):
                    ((key, composed),) = container([facet]).items()
                    if key in facets:
                        hint = "facets are not merged: remove one"
                        place = pointer + json_pointer([key])
                        findings.append(Finding(place, "one facet with this key", "two", hint))
                    facets[key] = composed
        else:
            container(value)
    return container(facets)


def _facet(container: type[FacetMap[Any]], key: str, value: Any) -> FacetModel:
    """Return the typed facet for a key of a container, from a facet or a plain dict."""
    place = json_pointer([key])
    if is_client_object(value):
        value = client_value(value)
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise invalid(place, "field names that are strings", f"the name {describe(name)}")
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
        raise invalid(place, "a facet", describe(value), "pass a facet or a dict of its fields")
    facet: FacetModel = container({key: value})[key]
    return facet


def _datasets(
    kind: type[InputDataset] | type[OutputDataset], value: Any, pointer: str, findings: FindingCollector
) -> list[InputDataset | OutputDataset]:
    if isinstance(value, (str, bytes, Mapping, Model)) or not isinstance(value, Iterable):
        findings.append(
            Finding(pointer, "a list of datasets", describe(value), "wrap a single dataset in a list")
        )
        return []
    datasets: list[InputDataset | OutputDataset] = []
    with findings.at(pointer):
        for number, item in enumerate(value):
            place = f"{pointer}/{number}"
            with findings.at("", place):
                datasets += _dataset(kind, item, place, findings)
    return datasets


def _dataset(
    kind: type[InputDataset] | type[OutputDataset], value: Any, pointer: str, findings: FindingCollector
) -> Iterator[InputDataset | OutputDataset]:
    """Yield a dataset, if it is valid."""
    if is_client_object(value):
        value = client_value(value)
    if isinstance(value, kind):
        yield value
    elif isinstance(value, Mapping):
        yield from _composed_dataset(kind, value, pointer, findings)
    else:
        found = with_article(type(value).__name__) if isinstance(value, Model) else describe(value)
        expected = with_article(kind.__name__)
        findings.append(Finding(pointer, expected, found, f"compose {expected} with a namespace and a name"))


def _composed_dataset(
    kind: type[InputDataset] | type[OutputDataset],
    fields: Mapping[Any, Any],
    pointer: str,
    findings: FindingCollector,
) -> Iterator[InputDataset | OutputDataset]:
    """Yield a dataset of the known fields, if it is valid. Unknown fields become findings."""
    names = wire_names(kind)
    known: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for name, value in text_keyed(fields, pointer, findings).items():
        if (wire := names.get(name, name)) not in names.values():
            unknown[name] = value
        elif wire in _FACETS_OF_DATASETS and value is not None:
            place = pointer + json_pointer([wire])
            known[wire] = _facets(_FACETS_OF_DATASETS[wire], value, place, findings)
        else:
            known[wire] = value
    with findings.at(pointer):
        yield kind(**known)
        for name, value in unknown.items():
            with findings.at(pointer):
                kind(**known, **{name: value})
