"""The schema files that were read: documents by their `$id`, and what their references refer to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from .errors import SchemaError, located, pointer_of, steps_of
from .keywords import references

CORE_FILE = "OpenLineage.json"
"""The document that defines events, entities and base facets."""

PROPOSALS = "proposals"
"""The folder of schemas that may share a facet key with a released facet."""

Version = tuple[int, int, int]

Key = tuple[str, str]
"""A definition: the `$id` of its document, and its name under `$defs`."""


@dataclass(frozen=True)
class Document:
    """One schema file.

    Args:
        path: Where it was read, relative to the spec folder.
        schema_id: Its `$id`.
        schema: Its content in the form of JSON Schema 2020-12 and of the current releases.
        published_at: The URL of the file that contains its definitions, if that is another document.
        is_base: Whether it was only read because other documents extend it.
        unenforced: The values of keywords that were left out because classes cannot enforce them, by their
            JSON Pointers.
        moved: Where in the file schemas are that were moved to `$defs`, by their JSON Pointers here.
        copies: The `$id` of copies of it, which mean this document.
    """

    path: Path
    schema_id: str
    schema: Mapping[str, Any]
    published_at: str = ""
    is_base: bool = False
    unenforced: Mapping[str, Any] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    copies: tuple[str, ...] = ()

    @cached_property
    def is_core(self) -> bool:
        """Whether this is the core document: a facet in a file of that name refers to the core."""
        files = (reference.partition("#")[0] for reference in references(self.schema))
        return self.path.name == CORE_FILE and not any(file.endswith(CORE_FILE) for file in files)

    @property
    def is_proposal(self) -> bool:
        """Whether the schema is a proposal, not released."""
        return PROPOSALS in self.path.parts[:-1]

    @property
    def url(self) -> str:
        """The URL of the file that contains its definitions."""
        return self.published_at or self.schema_id

    @property
    def definitions(self) -> Mapping[str, Any]:
        """The schemas under `$defs`."""
        definitions: Mapping[str, Any] = self.schema.get("$defs", {})
        return definitions

    def error(self, pointer: str, message: str) -> SchemaError:
        """Return an error about a place in this file."""
        return SchemaError(self.path, pointer, message)

    def note(self, pointer: str, message: str) -> Note:
        """Return a note about a place in this file."""
        return Note(self.path, pointer, message)

    def unenforced_at(self, pointer: str) -> dict[str, Any]:
        """Return the keywords of a schema, or of the parts of its `allOf`, that were left out."""
        if not self.unenforced:
            return {}
        place = re.escape(self.pointer_in_file(pointer))
        keyword = re.compile(rf"{place}(?:/allOf/\d+)*/([^/]+)")
        matches = ((keyword.fullmatch(other), value) for other, value in self.unenforced.items())
        return {match[1]: value for match, value in matches if match}

    def pointer_in_file(self, pointer: str) -> str:
        """Return the JSON Pointer in the file to what `pointer` refers to in `schema`."""
        around = [place for place in self.moved if f"{pointer}/".startswith(f"{place}/")]
        innermost = max(around, key=len, default="")
        return self.moved.get(innermost, "") + pointer.removeprefix(innermost)


@dataclass(frozen=True)
class Note:
    """What was ignored or replaced while reading a file, without effect on valid events.

    Args:
        path: The file.
        pointer: JSON Pointer into the file; "" for the whole file.
        message: What was done, and why.
    """

    path: Path
    pointer: str
    message: str

    def __str__(self) -> str:
        return located(self.path, self.pointer, self.message)


@dataclass(frozen=True)
class Spec:
    """Every document of a spec folder, in the order of their paths.

    Attributes:
        folder: The folder.
        documents: Its schemas.
        notes: What was ignored or replaced.
    """

    folder: Path
    documents: tuple[Document, ...]
    notes: tuple[Note, ...] = ()

    @cached_property
    def core(self) -> Document:
        """The core document."""
        return next(document for document in self.documents if document.is_core)

    @cached_property
    def by_id(self) -> Mapping[str, Document]:
        """The documents by `$id`."""
        return {
            schema_id: document
            for document in self.documents
            for schema_id in (document.schema_id, *document.copies)
        }

    @cached_property
    def types(self) -> dict[Key, frozenset[str]]:
        """The JSON types that definitions allow, as far as `normalize.py` needs them: filled there."""
        return {}

    def file_of(self, document: Document) -> Path:
        """Return the path of a document, that of the folder if it is a single file."""
        return self.folder if self.folder.is_file() else self.folder / document.path

    def resolve(self, document: Document, reference: str, pointer: str) -> tuple[Document, str]:
        """Return the document and the name under `$defs` that a `$ref` in `document` refers to.

        Raises:
            SchemaError: It refers to nothing, or to something other than a definition.
        """
        target, _, fragment = reference.partition("#")
        try:
            target = urljoin(document.schema_id, target) if target else document.schema_id
        except ValueError as error:
            raise document.error(pointer, f"$ref {reference!r} is not a valid URL: {error}") from None
        owner = self.by_id.get(target) or self._other_version(target, reference)
        if owner is None:
            file = target.rpartition("/")[2]
            near = [other.schema_id for other in self.documents if other.path.name == file]
            fix = f"did you mean {near[0]}?" if near else "add the file, or refer to another"
            raise document.error(pointer, f"$ref {reference!r} refers to a schema outside the folder; {fix}")
        pointer_in_target = unquote(fragment)
        steps = steps_of(pointer_in_target)
        if not pointer_in_target.startswith("/$defs/") or len(steps) != 2:
            message = f"$ref {reference!r} does not refer to a definition; expected '#/$defs/Name'"
            raise document.error(pointer, message)
        definition = steps[1]
        if definition not in owner.definitions:
            fix = f"add it to {owner.path.as_posix()}"
            if owner.is_base:
                near = get_close_matches(definition, sorted(owner.definitions), n=1, cutoff=0.6)
                fix = f"did you mean {near[0]!r}?" if near else "refer to one that the specification defines"
            raise document.error(pointer, f"$ref {reference!r} refers to a missing definition; {fix}")
        return owner, definition

    def _other_version(self, target: str, reference: str) -> Document | None:
        """Return the document that another version of a published schema, or a relative path, refers to."""
        file = target.rpartition("/")[2]
        if file == CORE_FILE:
            return self.core if _PUBLISHED.match(target) or "://" not in reference else None
        files = self._published_files.get(file, ()) if _PUBLISHED.match(target) else ()
        return files[0] if len(files) == 1 else None

    @cached_property
    def _published_files(self) -> Mapping[str, tuple[Document, ...]]:
        """The documents of the specification by file name."""
        files: dict[str, tuple[Document, ...]] = {}
        for document in self.documents:
            if _PUBLISHED.match(document.schema_id):
                files[document.path.name] = (*files.get(document.path.name, ()), document)
        return files

    def replaced_reference(self, document: Document, reference: str) -> str | None:
        """Return the `$id` of the document that a `$ref` to another version refers to here, else None."""
        try:
            target = urljoin(document.schema_id, reference)
        except ValueError:
            return None
        if target in self.by_id or not reference:
            return None
        used = self._other_version(target, reference)
        return None if used is None else used.schema_id


_PUBLISHED = re.compile(
    r"https?://(openlineage\.io/spec/"
    r"|raw\.githubusercontent\.com/OpenLineage/OpenLineage/"
    r"|github\.com/OpenLineage/OpenLineage/(blob|raw)/)"
)
"""Where the specification is published."""


def version_of(schema_id: str) -> Version | None:
    """Return the version in a schema URL such as `.../facets/1-0-2/SQLJobFacet.json`, None without one."""
    match = re.search(r"/(\d{1,9})-(\d{1,9})-(\d{1,9})/", schema_id)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def without_version(schema_id: str) -> str:
    """Return what the URLs of all versions of a schema have in common."""
    version = version_of(schema_id)
    return schema_id if version is None else schema_id.replace(f"/{version_text(version)}/", "/", 1)


def version_text(version: Version | None) -> str:
    """Return a version as it appears in URLs, "" for None."""
    return "" if version is None else "-".join(map(str, version))


def same_file(schema_id: str, other: str) -> bool:
    """Return whether two URLs are those of versions of one published schema."""
    if schema_id.rpartition("/")[2] != other.rpartition("/")[2]:
        return False
    return schema_id == other or bool(_PUBLISHED.match(schema_id) and _PUBLISHED.match(other))


def base_facets(document: Document, schema: Any, spec: Spec, pointer: str) -> list[str]:
    """Return the names of the core's definitions that a schema extends or is one of, sorted.

    Raises:
        SchemaError: A reference cannot be resolved.
    """
    reached = reached_definitions(spec, (document, schema, pointer), _is_of_core, is_extended=True)
    return sorted(name for _, name in reached)


def _is_of_core(document: Document, _: str) -> bool:
    return document.is_core


def reached_definitions(
    spec: Spec,
    place: tuple[Document, Any, str],
    is_last: Callable[[Document, str], bool],
    *,
    is_extended: bool = False,
) -> Iterator[tuple[Document, str]]:
    """Yield the definitions that a schema refers to or is one of, each once, in their order in the schema.

    Args:
        spec: The documents.
        place: The document, the schema, and its JSON Pointer.
        is_last: Whether to yield a definition; otherwise, to yield those that it refers to.
        is_extended: Whether a schema is one of several members of an `allOf`, too.

    Raises:
        SchemaError: A reference cannot be resolved.
    """
    waiting = [place]
    seen: set[Key] = set()
    while waiting:
        owner, schema, pointer = waiting.pop()
        if not isinstance(schema, Mapping):
            continue
        inner: list[tuple[Document, Any, str]] = []
        if isinstance(schema.get("$ref"), str):
            target, name = spec.resolve(owner, schema["$ref"], f"{pointer}/$ref")
            if (target.schema_id, name) not in seen:
                seen.add((target.schema_id, name))
                if is_last(target, name):
                    yield target, name
                else:
                    inner.append((target, target.definitions[name], pointer_of(["$defs", name])))
        for keyword in ("allOf", "anyOf", "oneOf"):
            members = schema.get(keyword, ())
            if keyword != "allOf" or is_extended or len(members) == 1:
                places = (f"{pointer}/{keyword}/{number}" for number in range(len(members)))
                inner += [(owner, member, at) for member, at in zip(members, places, strict=True)]
        waiting += reversed(inner)
