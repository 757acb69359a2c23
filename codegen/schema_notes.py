"""Notes about what a schema says that generated classes do not have, or have under another name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from .documents import Document, Note
from .errors import pointer_of
from .identifiers import attribute_names, snake_case
from .keywords import ASSERTED_FORMATS
from .metaschema import schemas_in

_URI = "uri"
"""A format that validation reports if a value violates it."""

_INHERITED = frozenset({"_producer", "_schemaURL", "_deleted"})
"""The properties of base facets."""


def notes_without_effect(documents: Iterable[Document]) -> Iterator[Note]:
    """Yield formats that are not enforced, required properties that are not defined, and equal names."""
    for document in documents:
        for pointer, schema in schemas_in(document.schema):
            if pointer:  # The top level of a file describes no value.
                yield from _formats(document, pointer, schema)
                yield from _required(document, pointer, schema)
                yield from _equal_names(document, pointer, schema)


def _formats(document: Document, pointer: str, schema: Mapping[str, Any]) -> Iterator[Note]:
    found = schema.get("format")
    if not isinstance(found, str) or found in ASSERTED_FORMATS or found == _URI:
        return
    near = get_close_matches(found, sorted(ASSERTED_FORMATS), n=1, cutoff=0.8)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    yield Note(document.path, f"{pointer}/format", f"the format {found!r} is not enforced{hint}")


def _required(document: Document, pointer: str, schema: Mapping[str, Any]) -> Iterator[Note]:
    if "properties" not in schema or "$ref" in schema or "allOf" in schema:
        return
    for name in schema.get("required", ()):
        if name not in schema["properties"] and name not in _INHERITED:
            near = get_close_matches(name, sorted(schema["properties"]), n=1, cutoff=0.8)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            place = pointer + pointer_of(["required"])
            yield Note(document.path, place, f"{name!r} is required but not among the properties{hint}")


def _equal_names(document: Document, pointer: str, schema: Mapping[str, Any]) -> Iterator[Note]:
    """Yield the properties that another one has the same Python name as: theirs get an underscore."""
    if not isinstance(schema.get("properties"), Mapping):
        return
    names = attribute_names(schema["properties"])
    owners = {names[wire]: wire for wire in names}
    for wire, name in names.items():
        other = owners.get(snake_case(wire), wire)
        if other != wire:
            message = (
                f"{wire!r} becomes {name}, because {other!r} becomes {snake_case(wire)}; rename one of them"
            )
            yield Note(document.path, pointer + pointer_of(["properties", wire]), message)
