"""Naming rules for custom facets, as errors and notes, and notes about what has no effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

from .documents import Document, Note, Spec, base_facets, reached_definitions
from .errors import SchemaError, pointer_of
from .identifiers import attribute_names, pascal_case, snake_case
from .keywords import ASSERTED_FORMATS, reference_of, references, schemas_in
from .new_facet import base_of, is_placeholder, key_of

_MUTABLE = re.compile(r"/(main|master|latest|HEAD|develop|trunk)/")
"""Parts of a URL whose content changes."""

_IMMUTABLE = re.compile(r"\d+[-.]\d+[-.]\d+|/[0-9a-f]{7,40}/|/v?\d+(\.\d+)*/")
"""A version, a commit or a tag in a URL."""


def naming_errors(document: Document, spec: Spec) -> Iterator[SchemaError]:
    """Yield what contradicts the naming rules: facets of another entity than their names say, or of none."""
    keyed, parts = _keyed(document, spec), _referred([document.definitions, _keys(document)])
    for name, schema in document.definitions.items():
        if not name.endswith("Facet") and name not in keyed:
            continue
        pointer = pointer_of(["$defs", name])
        try:
            bases = base_facets(document, schema, spec, pointer)
        except SchemaError:
            continue  # Reported by the pass that resolves references.
        base = base_of(name)
        if not bases and name in parts and name not in keyed:
            continue  # An object inside a facet.
        if not bases:
            message = f"{name} extends no base facet; add a $ref to one such as RunFacet to 'allOf'"
            yield document.error(pointer, message)
        elif base is not None and not any(extended.endswith(base) for extended in bases):
            fix = f"extend {base}"
            if bases != ["BaseFacet"]:  # Which belongs to no entity.
                fix += f", or rename it to end in {bases[0]}"
            yield document.error(pointer, f"{name} extends {' and '.join(bases)}; {fix}")
        elif base is None and name in keyed and bases != ["BaseFacet"]:
            message = f"{name} extends {' and '.join(bases)}; rename it to end in {bases[0]}"
            yield document.error(pointer, f"{message}, as in {_renamed(name, bases[0])}")
    yield from _similar_keys(document, spec)


def _renamed(name: str, base: str) -> str:
    """Return the name of a facet with the ending of its base."""
    return f"{name.removesuffix('Facet')}{base}"


def _keyed(document: Document, spec: Spec) -> set[str]:
    """Return the definitions that the keys of a document refer to: its facets."""
    names: set[str] = set()
    for schema in _keys(document).values():
        with suppress(SchemaError):  # Reported by the pass that resolves references.
            reached = reached_definitions(spec, (document, schema, ""), lambda *_: True)
            names |= {name for owner, name in reached if owner.schema_id == document.schema_id}
    return names


def _referred(value: object) -> set[str]:
    """Return the definitions of its own file that a value refers to."""
    return {reference.removeprefix("#/$defs/") for reference in references(value)}


def _similar_keys(document: Document, spec: Spec) -> Iterator[SchemaError]:
    """Yield the keys that are spelled almost like one of the specification: parsers take them for typos."""
    published = {
        _folded(key): key for document in spec.documents if document.is_base for key in _keys(document)
    }
    for key in _keys(document):
        other = published.get(_folded(key))
        if other is not None and other != key:
            message = f"the key {key!r} is too similar to the published {other!r}; rename it"
            yield document.error(pointer_of(["properties", key]), message)


def naming_notes(documents: Iterable[Document]) -> Iterator[Note]:
    """Yield what does not follow the recommendations of the specification."""
    for document in documents:
        url = document.schema_id
        if _MUTABLE.search(url) or not _IMMUTABLE.search(url):
            message = f"{url} may change; use a URL with a version such as 1-0-0, a tag or a commit"
            yield document.note("/$id", message)
        for name, schema in document.definitions.items():
            if isinstance(schema, Mapping) and is_placeholder(schema.get("description")):
                place = pointer_of(["$defs", name, "description"])
                yield document.note(place, "a placeholder of the command new; describe the facet")
                for number, part in enumerate(schema.get("allOf", ())):
                    if isinstance(part, Mapping) and part.get("properties") == {}:
                        place = pointer_of(["$defs", name, "allOf", number, "properties"])
                        yield document.note(place, "no properties yet; add those of the facet")
        keys = _keys(document)
        facets = [name for name in document.definitions if name.endswith("Facet")]
        if facets and not keys:
            name = facets[0].removesuffix(base_of(facets[0]) or "Facet")
            try:
                key = key_of(name, None)
            except ValueError:  # There is no prefix.
                key = f"acme_{name[:1].lower()}{name[1:]}"
            message = f"no facet key, so parsers cannot recognise it; add one such as {key!r} with a $ref"
            yield document.note("/properties", message)
        for key, schema in keys.items():
            name = (reference_of(schema) or "").rpartition("/")[2]
            prefix, separator, _ = key.partition("_")
            if not separator or not prefix:
                message = f"the key {key!r} has no prefix; start it with one, as in 'acme_cost'"
                yield document.note(pointer_of(["properties", key]), message)
            elif name and not name.lower().startswith(pascal_case(prefix).lower()):
                message = f"{name} does not start with the prefix of its key {key!r}, {pascal_case(prefix)}"
                yield document.note(pointer_of(["properties", key]), message)


def _keys(document: Document) -> Mapping[str, object]:
    properties = document.schema.get("properties")
    return properties if isinstance(properties, Mapping) and not document.is_core else {}


def _folded(key: str) -> str:
    return re.sub(r"[^0-9a-z]", "", key.lower())


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
    name = schema.get("format")
    if isinstance(name, str) and name not in ASSERTED_FORMATS and name != _URI:
        message = f"the format {name!r} is not enforced{_did_you_mean(name, ASSERTED_FORMATS)}"
        yield document.note(f"{pointer}/format", message)


def _required(document: Document, pointer: str, schema: Mapping[str, Any]) -> Iterator[Note]:
    if "properties" not in schema or "$ref" in schema or "allOf" in schema:
        return
    for name in schema.get("required", ()):
        if name not in schema["properties"] and name not in _INHERITED:
            hint = _did_you_mean(name, schema["properties"])
            place = pointer + pointer_of(["required"])
            yield document.note(place, f"{name!r} is required but not among the properties{hint}")


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(known), n=1, cutoff=0.8)
    return f"; did you mean {near[0]!r}?" if near else ""


def _equal_names(document: Document, pointer: str, schema: Mapping[str, Any]) -> Iterator[Note]:
    """Yield the properties that another one has the same Python name as: theirs get an underscore."""
    if not isinstance(schema.get("properties"), Mapping):
        return
    facet = _OWN_OBJECT.fullmatch(pointer)
    inherited = attribute_names(_INHERITED) if facet and base_of(facet[1]) else {}
    names = attribute_names(schema["properties"].keys() - inherited.keys(), inherited.values())
    owners = {name: wire for wire, name in (inherited | names).items()}
    for wire, name in names.items():
        other = owners.get(snake_case(wire), wire)
        if other != wire:
            fix = "rename it" if other in inherited else "rename one of them"
            message = f"{wire!r} becomes {name}, because {other!r} becomes {snake_case(wire)}; {fix}"
            yield document.note(pointer + pointer_of(["properties", wire]), message)


_OWN_OBJECT = re.compile(r"/\$defs/([^/]+)(?:/allOf/\d+)*")
"""The pointer of a definition, or of what it adds to its base."""
