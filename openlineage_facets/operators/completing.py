"""Lineage in plain dicts, completed to typed facets and datasets; each thing that is wrong is one finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from openlineage_facets.base.containers import FacetMap
from openlineage_facets.base.entities import FacetModel
from openlineage_facets.base.errors import EventError, Finding, an, json_pointer, shown
from openlineage_facets.base.model import Model, wire_names
from openlineage_facets.base.producer import current_producer
from openlineage_facets.generated.containers import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)
from openlineage_facets.generated.open_lineage import InputDataset, OutputDataset
from openlineage_facets.operators.airflow_provider import is_official, plain_dataset, plain_facet

__all__ = ["Wrongs", "completed_lineage"]

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


class Wrongs(list[Finding]):
    """What is wrong with a lineage: a finding for each thing."""

    raised: Exception | None = None
    """The first exception that a part of the lineage raised while it was read, for its traceback."""

    def add_raised(self, pointer: str, error: Exception) -> None:
        """Add that what stands at a place raised when it was read."""
        self.raised = self.raised or error
        self.append(Finding(pointer, "a value that can be read", f"one that raises {type(error).__name__}"))


def completed_lineage(fields: Mapping[str, Any], findings: Wrongs) -> dict[str, Any]:
    """Return the fields of a lineage with every plain dict made a typed value.

    A plain facet without a `_schemaURL` is composed: it gets the producer in force and the schema URL of
    its class, and a field that the class does not have is an error. A facet that brings a `_schemaURL`
    is taken as that schema's, unknown fields and all. What is wrong is left out of the result.

    Args:
        fields: The fields by wire name; those that are no part of a lineage pass unchanged.
        findings: Where to add what is wrong, by JSON Pointer.
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


def _attempt(make: Callable[[], T], pointer: str, findings: Wrongs, within: str = "") -> T | None:
    """Return what `make` makes, or None where it is refused, and why among the findings.

    What an operator tells may hold objects of any class, which may raise anything when they are read.

    Args:
        make: Makes it; its errors name places under `pointer`.
        pointer: JSON Pointer to where `make` starts.
        findings: Where to add what is wrong.
        within: What `make` reads, seen from there: the place of what raises anything else.
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
    """Let an error name its place from further out."""
    try:
        yield
    except EventError as error:
        moved = [replace(one, pointer=pointer + one.pointer) for one in error.findings]
        raise EventError(moved) from error.__cause__


def _items(given: Mapping[Any, Any], pointer: str, findings: Wrongs) -> list[tuple[Any, Any]]:
    """Return names and values of an object, none where it raises."""
    return _attempt(lambda: list(given.items()), pointer, findings) or []


def _each(given: Iterable[Any], pointer: str, findings: Wrongs) -> Iterator[Any]:
    """Return what an iterable gives, up to where it raises."""
    try:
        yield from given
    except Exception as error:
        findings.add_raised(pointer, error)


def _facets(container: type[FacetMap[Any]], given: Any, pointer: str, findings: Wrongs) -> FacetMap[Any]:
    held: dict[str, FacetModel] = {}
    if isinstance(given, Mapping):
        for key, facet in _items(given, pointer, findings):
            if isinstance(key, str):
                within = json_pointer([key])
                own = _attempt(lambda: _facet(container, key, facet), pointer, findings, within)  # noqa: B023
                if own is not None:
                    held[key] = own
            else:
                findings.append(Finding(pointer, "keys that are text", f"the key {shown(key)}"))
    elif isinstance(given, Iterable) and not isinstance(given, (str, bytes, Model)):
        for facet in _each(given, pointer, findings):
            one = _attempt(lambda: container([facet]), pointer, findings)  # noqa: B023
            for key in one or ():
                if key in held:
                    place = pointer + json_pointer([key])
                    hint = "a facet is replaced, never merged: leave one out"
                    findings.append(Finding(place, "one facet under this key", "two", hint))
            held.update(one or {})
    else:
        _attempt(lambda: container(given), pointer, findings)
    return container(held)


def _facet(container: type[FacetMap[Any]], key: str, given: Any) -> FacetModel:
    """Return a facet, typed or plain, as it stands under a key of a container."""
    place = json_pointer([key])
    if is_official(given):
        given = plain_facet(given)
    if isinstance(given, Mapping):
        _assert_names(given, place)
        base: Any = container.base_facet()
        slot = container.__slots_by_key__.get(key)
        deleted = "deleted" in base.model_fields and given.get("_deleted") is True
        if slot is not None and not deleted and given.get("_schemaURL") is None:
            with _under(place):
                given = slot.facet_class(**given)
        else:
            told = {name: value for name, value in given.items() if value is not None or name[:1] != "_"}
            given = {"_producer": current_producer(), "_schemaURL": base.__schema_url__, **told}
            with _under(place):
                base.__check_composed__(given)
    elif not isinstance(given, FacetModel):
        raise EventError(
            [Finding(place, "a facet", shown(given), "give the facet, or an object of its fields")]
        )
    facet: FacetModel = container({key: given})[key]
    return facet


def _assert_names(given: Mapping[Any, Any], pointer: str) -> None:
    wrong = [name for name in given if not isinstance(name, str)]
    if wrong:
        raise EventError([Finding(pointer, "names that are text", f"the name {shown(wrong[0])}")])


def _datasets(
    kind: type[InputDataset] | type[OutputDataset], given: Any, pointer: str, findings: Wrongs
) -> list[InputDataset | OutputDataset]:
    if isinstance(given, (str, bytes, Mapping, Model)) or not isinstance(given, Iterable):
        findings.append(
            Finding(pointer, "a list of datasets", shown(given), "wrap a single dataset in a list")
        )
        return []
    datasets: list[InputDataset | OutputDataset] = []
    for number, one in enumerate(_each(given, pointer, findings)):
        place = f"{pointer}/{number}"
        dataset = _attempt(lambda: _dataset(kind, one, place, findings), "", findings, place)  # noqa: B023
        datasets += [dataset] if dataset is not None else []
    return datasets


def _dataset(
    kind: type[InputDataset] | type[OutputDataset], given: Any, pointer: str, findings: Wrongs
) -> InputDataset | OutputDataset | None:
    if is_official(given):
        given = plain_dataset(given)
    if isinstance(given, kind):
        return given
    if isinstance(given, Mapping):
        return _composed_dataset(kind, given, pointer, findings)
    found = an(type(given).__name__) if isinstance(given, Model) else shown(given)
    hint = f"compose {an(kind.__name__)} of its namespace and name"
    findings.append(Finding(pointer, an(kind.__name__), found, hint))
    return None


def _composed_dataset(
    kind: type[InputDataset] | type[OutputDataset],
    given: Mapping[Any, Any],
    pointer: str,
    findings: Wrongs,
) -> InputDataset | OutputDataset | None:
    """Return a dataset of its plain form; fields it does not have are left out, and found."""
    names = wire_names(kind)
    known: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for name, value in given.items():
        if not isinstance(name, str):
            findings.append(Finding(pointer, "names that are text", f"the name {shown(name)}"))
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
