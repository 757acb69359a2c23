"""The schemas in `spec/` and the locations of facets, read without the generator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.conftest import ROOT

SPEC = ROOT / "spec"

DOCUMENTS: dict[str, Any] = {}
"""Every schema file by its `$id`."""

PROPOSED: set[str] = set()
"""The `$id`s of the schemas that are not yet in the standard."""

for _path in sorted(SPEC.rglob("*.json")):
    _document = json.loads(_path.read_text(encoding="utf-8"))
    DOCUMENTS[_document["$id"]] = _document
    if _path.is_relative_to(SPEC / "proposals"):
        PROPOSED.add(_document["$id"])

CORE = next(url for url, document in DOCUMENTS.items() if "BaseFacet" in document["$defs"])
"""The `$id` of the core schema."""

KINDS = tuple(branch["$ref"].rpartition("/")[2] for branch in DOCUMENTS[CORE]["oneOf"])
"""The definitions of the core schema that an event may be."""


class Place(NamedTuple):
    """The location of a facet: the base facet of the entity's facets, and the key."""

    base: str
    key: str


class Definition(NamedTuple):
    """One entry of a schema file's `$defs`."""

    document: str
    name: str

    @property
    def url(self) -> str:
        return f"{self.document}#/$defs/{self.name}"

    @property
    def schema(self) -> Any:
        return DOCUMENTS[self.document]["$defs"][self.name]

    @property
    def file(self) -> str:
        return self.document.rpartition("/")[2]


def resolve(document: str, ref: str) -> Definition:
    """Return the definition that `ref` names, seen from the schema file `document`."""
    url, _, name = ref.partition("#/$defs/")
    target = Definition(url or document, name)
    assert name in DOCUMENTS[target.document]["$defs"], f"{ref} in {document} leads nowhere"
    return target


def core(name: str) -> Definition:
    """Return a definition of the core schema."""
    return Definition(CORE, name)


def _bases_of_maps(schema: Any) -> Iterator[str]:
    """Find the base facet of every map of facets in a schema of the core."""
    if isinstance(schema, dict):
        held = schema.get("additionalProperties")
        if isinstance(held, dict) and "$ref" in held:
            yield resolve(CORE, held["$ref"]).name
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _bases_of_maps(part)


BASES = tuple(sorted(set(_bases_of_maps(DOCUMENTS[CORE]))))
"""The base facet of each map of facets: RunFacet, JobFacet, DatasetFacet, ..."""


def _alternatives(document: str, schema: Any) -> Iterator[Definition]:
    """Find the definitions that a key of a facet file may hold, through references and choices."""
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if "$ref" in schema:
        target = resolve(document, schema["$ref"])
        inner = [*target.schema.get("anyOf", ()), *target.schema.get("oneOf", ())]
        if not inner:
            yield target
        choices += inner
    for choice in choices:
        yield from _alternatives(document, choice)


def extended(definition: Definition) -> Iterator[Definition]:
    """Find every definition that one extends by `allOf`."""
    for part in definition.schema.get("allOf", ()):
        if "$ref" in part:
            base = resolve(definition.document, part["$ref"])
            yield base
            yield from extended(base)


def base_of(definition: Definition) -> str | None:
    """Return the base facet that a definition extends, None where it is no facet."""
    bases = [other.name for other in extended(definition) if other.document == CORE and other.name in BASES]
    return bases[0] if bases else None


def _facets(documents: Iterator[str]) -> dict[Place, Definition]:
    table: dict[Place, Definition] = {}
    for document in documents:
        if document == CORE:
            continue
        for key, schema in DOCUMENTS[document].get("properties", {}).items():
            for facet in _alternatives(document, schema):
                base = base_of(facet)
                assert base is not None, f"{facet.url} extends no base facet"
                assert Place(base, key) not in table, f"two facets under {key} of {base}"
                table[Place(base, key)] = facet
    return table


_STANDARD = _facets(document for document in DOCUMENTS if document not in PROPOSED)
_PROPOSED = _facets(document for document in DOCUMENTS if document in PROPOSED)

RELEASED = {**_PROPOSED, **_STANDARD}
"""The facet of each location: of the standard, of a registry, or of a proposal without a competitor."""

PROPOSALS = {location: facet for location, facet in _PROPOSED.items() if location in _STANDARD}
"""The proposed facet that a location also allows."""

FACETS = (*RELEASED.items(), *PROPOSALS.items())
"""Every facet with its place."""
