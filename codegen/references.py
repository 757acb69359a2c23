"""Rewrite references to whole files, anchors, embedded and nested schemas as references to definitions.

The later passes read one form: a file with definitions under `$defs`, and `$ref` to these. A schema at the
root of a file, or one inside another that a `$ref` refers to, becomes a definition. Nothing is rejected here:
what refers to nothing stays as it is, and is an error when it is resolved.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urljoin

from .documents import Document, Note
from .errors import pointer_of, steps_of
from .identifiers import pascal_case, singular
from .keywords import (
    ANNOTATIONS,
    FACET_FILE_KEYWORDS,
    SCHEMA_KEYWORDS,
    reference_of,
    references,
    subschemas,
    with_objects_changed,
    with_subschemas_changed,
)
from .new_facet import base_of, class_of, key_of

_VALUE_KEYWORDS = SCHEMA_KEYWORDS - FACET_FILE_KEYWORDS - ANNOTATIONS | {"patternProperties"}
"""Keywords at the top level of a file which say that it describes a value, not only the keys of facets."""

_OF_FILES = ("$schema", "$id", "$defs")
"""Keywords that stay at the top level of a file."""


def with_definitions_only(documents: Sequence[Document]) -> tuple[list[Document], list[Note]]:
    """Return the documents with references to definitions only, and notes about keys that were chosen.

    Args:
        documents: Files that are valid JSON Schemas, those of the specification included.
    """
    whole = {file for document in documents if not document.is_base for file in _whole_files(document)}
    roots = {
        document.schema_id: _root_name(document)
        for document in documents
        if _describes_a_value(document, whole)
    }
    notes: list[Note] = []
    changed: list[Document] = []
    for document in documents:
        name = roots.get(document.schema_id)
        if name is not None:
            document, key = _with_root_definition(document, name)
            if key:
                message = f"no facet key; takes {key!r} from its name, define another one under 'properties'"
                notes.append(document.note("", message))
        changed.append(document)
    return _Rewriting(changed, roots).documents(), notes


# -- schemas at the root of a file --------------------------------------------------------------------


def _describes_a_value(document: Document, referred: Container[str]) -> bool:
    """Return whether the top level of a file is a facet, or another schema that references refer to."""
    if document.is_core or document.is_base or document.published_at:
        return False
    schema = document.schema
    if _extended_base(schema) is not None:
        return True
    keys = schema.get("properties", {}).values()
    if document.schema_id not in referred or any(map(_refers_to_facets, keys)):
        return False
    return bool(_VALUE_KEYWORDS & schema.keys()) or "type" in schema or "properties" in schema


def _refers_to_facets(schema: Any) -> bool:
    """Return whether a property is the key of a facet."""
    return (reference_of(schema) or "").endswith("Facet")


def _whole_files(document: Document) -> Iterator[str]:
    """Yield the URLs of the files that the references of a document refer to as a whole, or to a part of."""
    for reference in references(document.schema):
        target, _, fragment = reference.partition("#")
        if not fragment.startswith(("/$defs/", "/definitions/")):
            with suppress(ValueError):
                yield urljoin(document.schema_id, target) if target else document.schema_id


def _root_name(document: Document) -> str:
    """Return the name of the definition at the root of a file: its title, or the name of the file."""
    title, stem = document.schema.get("title"), document.path.name.partition(".")[0]
    is_name = isinstance(title, str) and re.fullmatch(r"[A-Z][0-9A-Za-z]*", title)
    name = str(title) if is_name else pascal_case(stem)
    base = _extended_base(document.schema)
    if base is not None:
        name = class_of(name.removesuffix(base), base)
    return _free(name, document.definitions)


def _extended_base(schema: Any) -> str | None:
    """Return the base facet that a schema at the root of a file extends, None if it is not a facet."""
    if not isinstance(schema, Mapping):
        return None
    reference = reference_of(schema)
    if reference is not None:
        file, _, fragment = reference.partition("#")
        name = fragment.rpartition("/")[2] or file.rpartition("/")[2].removesuffix(".json")
        base = base_of(name)
        if base is not None:
            return base
    return next(filter(None, map(_extended_base, schema.get("allOf", ()))), None)


def _with_root_definition(document: Document, name: str) -> tuple[Document, str]:
    """Return a document whose root is a definition, and the key of the facet that it is, "" for no facet."""
    root = {keyword: value for keyword, value in document.schema.items() if keyword not in _OF_FILES}
    kept = {keyword: value for keyword, value in document.schema.items() if keyword in _OF_FILES}
    base = base_of(name)
    key = ""
    if base is not None:
        try:
            key = key_of(name.removesuffix(base), None)
        except ValueError:
            key = name.removesuffix(base)[:1].lower() + name.removesuffix(base)[1:]
    definitions = {**document.definitions, name: root}
    keys = {"properties": {key: {"$ref": f"#/$defs/{name}"}}} if key else {}
    moved = {**document.moved, pointer_of(["$defs", name]): ""}
    return replace(document, schema={**kept, "$defs": definitions, **keys}, moved=moved), key


# -- references ---------------------------------------------------------------------------------------


class _Rewriting:
    """Rewrites the references of documents.

    Args:
        documents: The documents, each root a definition.
        roots: The names of these definitions, by `$id`.
    """

    def __init__(self, documents: Sequence[Document], roots: Mapping[str, str]) -> None:
        self._roots = roots
        self._documents = {document.schema_id: document for document in documents}
        self._order = documents
        self._resources: dict[str, tuple[str, str]] = {}
        self._anchors: dict[tuple[str, str], tuple[str, str]] = {}
        self._hoisted: dict[str, dict[str, str]] = {}
        for document in documents:
            if not document.is_base:
                self._find_names(document)

    def documents(self) -> list[Document]:
        """Return the documents, in which every `$ref` that refers to a schema refers to a definition."""
        referred: dict[str, set[str]] = {}
        for document in self._order:
            if not document.is_base:
                for _, schema, base in self._schemas(document):
                    place = self._place(document, schema.get("$ref"), base)
                    if place is not None and not _is_definition(place[1]):
                        referred.setdefault(place[0], set()).add(place[1])
        for schema_id, pointers in referred.items():
            if not self._documents[schema_id].is_base:
                names = dict(self._documents[schema_id].definitions)
                hoisted = self._hoisted[schema_id] = {}
                for pointer in sorted(pointers):
                    hoisted[pointer] = _free(_nested_name(pointer), names)
                    names[hoisted[pointer]] = True
        return [self._rewritten(document) for document in self._order]

    def _find_names(self, document: Document) -> None:
        """Remember the embedded `$id` and the anchors of a document."""
        for pointer, schema, base in self._schemas(document):
            own = base or document.schema_id
            if pointer and isinstance(schema.get("$id"), str):
                self._resources[own.removesuffix("#")] = (document.schema_id, pointer)
            if isinstance(schema.get("$anchor"), str):
                self._anchors[own.partition("#")[0], schema["$anchor"]] = (document.schema_id, pointer)

    def _schemas(self, document: Document) -> Iterator[tuple[str, Mapping[str, Any], str]]:
        """Yield every schema of a document with its pointer, and the base URL of its references."""
        waiting: list[tuple[str, Any, str]] = [("", document.schema, document.schema_id)]
        while waiting:
            pointer, schema, base = waiting.pop()
            if not isinstance(schema, Mapping):
                continue
            base = _base_url(schema, base) if pointer else base
            yield pointer, schema, base
            waiting += [(pointer + pointer_of(steps), inner, base) for steps, inner in subschemas(schema)]

    def _place(self, document: Document, reference: Any, base: str) -> tuple[str, str] | None:
        """Return the `$id` of the document and the pointer that a `$ref` refers to, None for neither."""
        if not isinstance(reference, str):
            return None
        target, _, fragment = reference.partition("#")
        try:
            url = urljoin(base, target) if target else base.partition("#")[0]
        except ValueError:
            return None
        if fragment and not fragment.startswith("/"):
            return self._anchors.get((url, fragment))
        schema_id, prefix = self._resources.get(url, (url, ""))
        if schema_id not in self._documents:
            return None
        pointer = prefix + unquote(fragment)
        if pointer.startswith("/definitions/"):
            pointer = f"/$defs/{pointer.removeprefix('/definitions/')}"
        root = self._roots.get(schema_id)
        if root is not None and not pointer.startswith("/$defs/"):
            pointer = pointer_of(["$defs", root]) + pointer
        if isinstance(_at(self._documents[schema_id].schema, pointer), (Mapping, bool)) and pointer:
            return schema_id, pointer
        return None

    def _rewritten(self, document: Document) -> Document:
        own = self._hoisted.get(document.schema_id, {})
        if document.is_base:
            return document
        copied: dict[tuple[str, str], str] = {}
        definitions: dict[str, Any] = {}
        moved = dict(document.moved)

        def rewrite(schema: Any, pointer: str, base: str, is_moved: bool = False) -> Any:
            if not isinstance(schema, Mapping):
                return schema
            if pointer in own and not is_moved:
                name = own[pointer]
                moved[pointer_of(["$defs", name])] = document.pointer_in_file(pointer)
                definitions[name] = rewrite(schema, pointer, base, is_moved=True)
                return {"$ref": f"#/$defs/{name}"}
            names: tuple[str, ...] = ()
            if pointer:
                base, names = _base_url(schema, base), ("$anchor", "$id")
            kept = {keyword: value for keyword, value in schema.items() if keyword not in names}
            if "$ref" in kept:
                kept["$ref"] = definition_reference(kept["$ref"], base)
            result = with_subschemas_changed(
                kept, lambda steps, inner: rewrite(inner, pointer + pointer_of(steps), base)
            )
            if pointer and any(place.startswith(f"{pointer}/$defs/") for place in own):
                del result["$defs"]  # They are definitions of the file now.
            return result

        def definition_reference(reference: Any, base: str) -> Any:
            """Return a `$ref` to a definition, or the `$ref` itself if it is one, or refers to nothing."""
            place = self._place(document, reference, base)
            if place is None:
                return reference
            schema_id, pointer = place
            target = self._documents[schema_id]
            if _is_definition(pointer):
                if base == document.schema_id and reference.endswith(f"#{pointer}"):
                    return reference
            elif target.is_base:
                if place not in copied:
                    copied[place] = _free(_nested_name(pointer), {**document.definitions, **definitions})
                    definitions[copied[place]] = _absolute(_at(target.schema, pointer), schema_id)
                return f"#/$defs/{copied[place]}"
            else:
                pointer = pointer_of(["$defs", self._hoisted[schema_id][pointer]])
            return f"#{pointer}" if schema_id == document.schema_id else f"{schema_id}#{pointer}"

        schema = rewrite(document.schema, "", document.schema_id)
        schema["$defs"] = {**schema.get("$defs", {}), **definitions}
        return replace(document, schema=schema, moved=moved)


_DEFINITION = re.compile(r"/\$defs/[^/]*")


def _is_definition(pointer: str) -> bool:
    return _DEFINITION.fullmatch(pointer) is not None


def _base_url(schema: Mapping[str, Any], base: str) -> str:
    """Return the URL that references inside a schema are relative to."""
    own = schema.get("$id")
    if not isinstance(own, str):
        return base
    try:
        return urljoin(base, own)
    except ValueError:
        return base


def _at(schema: Any, pointer: str) -> Any:
    """Return the schema at a JSON Pointer, None if there is none; what is no schema is not returned."""
    steps = steps_of(pointer)
    while steps:
        inner = dict(subschemas(schema)) if isinstance(schema, Mapping) else {}
        for size in (1, 2):
            if tuple(steps[:size]) in inner:
                schema, steps = inner[tuple(steps[:size])], steps[size:]
                break
        else:
            return None
    return schema


def _nested_name(pointer: str) -> str:
    """Return the name of a nested schema: that of its property."""
    steps = steps_of(pointer)
    if steps[-1] == "items":
        return pascal_case(singular(_nested_name(pointer_of(steps[:-1])) if len(steps) > 1 else "Item"))
    return pascal_case(steps[-1]) if len(steps) > 1 else "Root"


def _free(name: str, taken: Mapping[str, Any]) -> str:
    while name in taken:
        name = f"{name}Object"
    return name


def _absolute(schema: Any, base: str) -> Any:
    """Return a copy of a schema of another file whose references are absolute."""

    def changed(inner: dict[str, Any]) -> dict[str, Any]:
        reference = reference_of(inner)
        return inner if reference is None else {**inner, "$ref": urljoin(base, reference)}

    return with_objects_changed(schema, changed)
