"""The oracle: the result of the `jsonschema` package for an event and each of its facets."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry

from tests.oracle.formats import FORMATS
from tests.oracle.schemas import (
    CORE,
    DOCUMENTS,
    KINDS,
    PROPOSALS,
    RELEASED,
    Definition,
    Place,
    core,
)

_REGISTRY: Registry[Any] = Registry().with_contents(DOCUMENTS.items()).crawl()

# jsonschema needs some ten frames for each level of a document; the documents nest a hundred levels and more.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 12_000))

Path: TypeAlias = "tuple[str | int, ...]"
"""Keys and indexes from the event to a part of it."""


@dataclass(frozen=True)
class OracleResult:
    """The result of the schemas for a document.

    Attributes:
        valid: Whether it is valid.
        kind: What it is by the core schema, facets left aside; None where it is nothing, or two things.
        validated: The path and the definition of every facet that was validated with its schema.
        failed: Where and by which definition it failed, "" where it is valid.
    """

    valid: bool
    kind: str | None
    validated: tuple[tuple[Path, Definition], ...] = ()
    failed: str = ""


def oracle_result(document: Any) -> OracleResult:
    """Return the result on an event of any kind."""
    held = [kind for kind in KINDS if is_valid(core(kind), document)]
    if len(held) != 1:
        return OracleResult(False, None, failed=f"oneOf: {len(held)} of {', '.join(KINDS)} hold")
    return _facet_result(held[0], document)


def oracle_result_as(definition: Definition, document: Any) -> OracleResult:
    """Return the result of one definition for a document."""
    if not is_valid(definition, document):
        return OracleResult(
            False, None, failed=f"it is no {definition.name}: {_why_invalid(definition, document)}"
        )
    if definition.document != CORE:
        return OracleResult(True, definition.name)
    return _facet_result(definition.name, document)


def valid_by_core_schema(document: Any) -> bool:
    """Return whether the core schema accepts a document; slower than validating each branch."""
    return _validator(CORE).is_valid(document)


def is_valid(definition: Definition, document: Any) -> bool:
    """Return whether `document` satisfies one definition."""
    return _validator(definition.url).is_valid(document)


def _why_invalid(definition: Definition, document: Any) -> str:
    """Return the error message of the `jsonschema` package for `document`."""
    error = best_match(_validator(definition.url).iter_errors(document))
    return f"{error.json_path}: {error.message[:300]}" if error else ""


@cache
def _validator(url: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": url}, registry=_REGISTRY, format_checker=FORMATS)


def _facet_result(name: str, value: Any) -> OracleResult:
    validated = []
    for path, base, facets in facet_maps(name, value):
        for key, facet in facets.items():
            definition = schema_of(base, key, facet)
            if definition is None:
                continue
            if not is_valid(definition, facet):
                why = _why_invalid(definition, facet)
                return OracleResult(False, name, failed=f"{[*path, key]} is no {definition.name}: {why}")
            validated.append(((*path, key), definition))
    return OracleResult(True, name, tuple(validated))


_MAPS = {
    "Run": {"facets": "RunFacet"},
    "Job": {"facets": "JobFacet"},
    "Dataset": {"facets": "DatasetFacet"},
    "StaticDataset": {"facets": "DatasetFacet"},
    "InputDataset": {"facets": "DatasetFacet", "inputFacets": "InputDatasetFacet"},
    "OutputDataset": {"facets": "DatasetFacet", "outputFacets": "OutputDatasetFacet"},
}
"""The maps of facets that each entity has, and the base facet each holds."""

_PARTS = {
    "RunEvent": {"run": "Run", "job": "Job", "inputs": "InputDataset", "outputs": "OutputDataset"},
    "JobEvent": {"job": "Job", "inputs": "InputDataset", "outputs": "OutputDataset"},
    "DatasetEvent": {"dataset": "StaticDataset"},
}
"""The entities that an event of each kind holds."""


def facet_maps(name: str, value: Any, path: Path = ()) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """Yield path, base facet and content of every map of facets in a valid event or entity."""
    for field, base in _MAPS.get(name, {}).items():
        yield (*path, field), base, value.get(field, {})
    for field, entity in _PARTS.get(name, {}).items():
        held = value.get(field, [])
        if isinstance(held, list):
            for number, item in enumerate(held):
                yield from facet_maps(entity, item, (*path, field, number))
        else:
            yield from facet_maps(entity, held, (*path, field))


def schema_of(base: str, key: str, facet: dict[str, Any]) -> Definition | None:
    """Return the definition of a facet, None for one that only has to satisfy its base facet.

    A deleted facet only has to satisfy its base facet. The file in the `_schemaURL` of a facet shows
    whether it has the format of a proposal.
    """
    place = Place(base, key)
    if place not in RELEASED or (base in ("JobFacet", "DatasetFacet") and facet.get("_deleted") is True):
        return None
    proposal = PROPOSALS.get(place)
    if proposal is not None:
        url = facet["_schemaURL"].partition("#")[0]
        if url.rpartition("/")[2] == proposal.file:
            return proposal
    return RELEASED[place]
