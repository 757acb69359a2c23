"""Read a folder of JSON Schemas: each document by its `$id`, each valid JSON Schema, nothing fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from openlineage_facets.schema_folder import SchemaFolder, read_schema_folder, with_id

from .errors import SchemaError, SchemaErrors, one_line
from .file_versions import older_versions
from .metaschema import metaschema_error, truncated_repr
from .modernize import modern_core, modern_schema

CORE_FILE = "OpenLineage.json"
"""The document that defines events, entities and base facets."""

PROPOSALS = "proposals"
"""The folder of schemas that may share a facet key with a released facet."""


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
        defined_under: The keyword of the definitions in the file, which are read as `$defs`.
    """

    path: Path
    schema_id: str
    schema: Mapping[str, Any]
    published_at: str = ""
    is_base: bool = False
    unenforced: Mapping[str, Any] = field(default_factory=dict)
    defined_under: str = "$defs"

    @property
    def is_core(self) -> bool:
        """Whether this is the core document."""
        return self.path.name == CORE_FILE

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

    def pointer_in_file(self, pointer: str) -> str:
        """Return the JSON Pointer in the file to what `pointer` refers to in `schema`."""
        is_defined = pointer == "/$defs" or pointer.startswith("/$defs/")
        return f"/{self.defined_under}{pointer.removeprefix('/$defs')}" if is_defined else pointer


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
        return one_line(f"{self.path}{'#' + self.pointer if self.pointer else ''}: {self.message}")


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
        return {document.schema_id: document for document in self.documents}

    def resolve(self, document: Document, reference: str, pointer: str) -> tuple[Document, str]:
        """Return the document and the name under `$defs` that a `$ref` in `document` refers to.

        Raises:
            SchemaError: It refers to nothing, or to something other than a definition.
        """
        target, _, fragment = reference.partition("#")
        try:
            target = urljoin(document.schema_id, target) if target else document.schema_id
        except ValueError as error:
            raise SchemaError(
                document.path, pointer, f"$ref {reference!r} is not a valid URL: {error}"
            ) from None
        found = self.by_id.get(target) or self._other_version(target, reference)
        if found is None:
            file = target.rpartition("/")[2]
            near = [other.schema_id for other in self.documents if other.path.name == file]
            fix = f"did you mean {near[0]}?" if near else "add the file, or refer to another"
            raise SchemaError(
                document.path, pointer, f"$ref {reference!r} refers to a schema outside the folder; {fix}"
            )
        steps = [step.replace("~1", "/").replace("~0", "~") for step in unquote(fragment).split("/")]
        if len(steps) != 3 or steps[:2] != ["", "$defs"]:
            raise SchemaError(
                document.path,
                pointer,
                f"$ref {reference!r} does not refer to a definition; expected '#/$defs/Name'",
            )
        if steps[2] not in found.definitions:
            fix = f"add it to {found.path.as_posix()}"
            if found.is_base:
                near = get_close_matches(steps[2], sorted(found.definitions), n=1, cutoff=0.6)
                fix = f"did you mean {near[0]!r}?" if near else "refer to one that the specification defines"
            raise SchemaError(
                document.path, pointer, f"$ref {reference!r} refers to a missing definition; {fix}"
            )
        return found, steps[2]

    def _other_version(self, target: str, reference: str) -> Document | None:
        """Return the document that another version of a published schema, or a relative path, refers to."""
        file = target.rpartition("/")[2]
        if file == CORE_FILE:
            return self.core if _PUBLISHED.match(target) or "://" not in reference else None
        found = self._published_files.get(file, ()) if _PUBLISHED.match(target) else ()
        return found[0] if len(found) == 1 else None

    @cached_property
    def _published_files(self) -> Mapping[str, tuple[Document, ...]]:
        """The documents of the specification by file name."""
        found: dict[str, tuple[Document, ...]] = {}
        for one in self.documents:
            if _PUBLISHED.match(one.schema_id):
                found[one.path.name] = (*found.get(one.path.name, ()), one)
        return found

    def replaced_reference(self, document: Document, reference: str) -> str | None:
        """Return the `$id` of the document that a `$ref` to another version refers to here, else None."""
        try:
            target = urljoin(document.schema_id, reference)
        except ValueError:
            return None
        if target in self.by_id or not reference:
            return None
        found = self._other_version(target, reference)
        return None if found is None else found.schema_id


_PUBLISHED = re.compile(
    r"https?://(openlineage\.io/spec/"
    r"|raw\.githubusercontent\.com/OpenLineage/OpenLineage/"
    r"|github\.com/OpenLineage/OpenLineage/(blob|raw)/)"
)
"""Where the specification is published."""


def same_file(schema_id: str, other: str) -> bool:
    """Return whether two URLs are those of versions of one published schema."""
    if schema_id.rpartition("/")[2] != other.rpartition("/")[2]:
        return False
    return schema_id == other or bool(_PUBLISHED.match(schema_id) and _PUBLISHED.match(other))


def load(folder: Path, *, proposals: Path | None = None) -> Spec:
    """Read every schema below `folder`.

    Args:
        folder: A folder of schemas in any layout, such as `spec` in a checkout of OpenLineage.
        proposals: A folder of proposed schemas to read as well, if `folder` has none of its own.

    Raises:
        SchemaError: A file is not a valid schema, two share an `$id`, or the core document is missing.
    """
    if not folder.is_dir():
        raise SchemaError(folder, "", "no such folder; pass the folder that holds the schemas")
    read = read_schema_folder(folder)
    documents = [document for one in _documents(read) for document in one]
    notes = ignored_notes(folder, read)
    if proposals is not None and not any(document.is_proposal for document in documents):
        added = [document for one in _documents(read_schema_folder(proposals)) for document in one]
        documents += [replace(one, path=Path(PROPOSALS, one.path)) for one in added]
    if not any(document.is_core for document in documents):
        raise SchemaError(folder, "", f"missing {CORE_FILE}; add it: facets extend its base facets")
    assert_unique_ids(documents)
    spec = Spec(folder, tuple(documents))
    return replace(spec, notes=(*notes, *version_notes(spec, spec.documents)))


def ignored_notes(folder: Path, read: SchemaFolder) -> list[Note]:
    """Return a note about the JSON files of a folder that are not schemas."""
    if not read.ignored:
        return []
    first, *others = (path.as_posix() for path in read.ignored)
    return [Note(folder, "", f"not a JSON Schema, ignored: {first}{_and_others(len(others))}")]


def load_extending(
    folder: Path, published: Path, *, id_base: str | None = None, lenient: bool = False
) -> Spec:
    """Read the schemas of a folder or a file, which need not contain the core document.

    Args:
        folder: A folder of schemas, or one file.
        published: The folder of the published schemas, for what `folder` does not contain.
        id_base: URL that the path of a schema without `$id` is appended to.
        lenient: Whether to accept keywords that classes cannot enforce.

    Raises:
        SchemaErrors: Files are not valid schemas, or several have one `$id` or are versions of one schema.
    """
    if not folder.exists():
        raise SchemaErrors([SchemaError(folder, "", "no such file or folder")])
    read = read_schema_folder(folder)
    errors = [SchemaError(one.path, "", one.problem) for one in read.invalid]
    documents: list[Document] = []
    for path, schema in read.files:
        try:
            document, _ = read_document(path, with_id(schema, path, id_base), lenient=lenient)
        except SchemaError as error:
            errors.append(with_id_option(error, schema))
            continue
        documents += _with_facet_files(document) if document.is_core else [document]
    if not documents and not errors:
        errors.append(SchemaError(folder, "", "no JSON Schemas found; a schema has an '$id'"))
    errors += [error for _, error in older_versions(documents)]
    try:
        assert_unique_ids(documents)
    except SchemaError as error:
        errors.append(error)
    if errors:
        raise SchemaErrors(errors)
    files = {document.path.name for document in documents}
    bases = [document for one in _documents(read_schema_folder(published)) for document in one]
    if CORE_FILE in files:
        bases = []
    documents += [replace(one, is_base=True) for one in bases if one.path.name not in files]
    return Spec(folder, tuple(documents), tuple(ignored_notes(folder, read)))


def with_id_option(error: SchemaError, schema: Mapping[str, Any]) -> SchemaError:
    """Return the error of a schema, with the option that replaces a missing `$id`."""
    if error.pointer != "/$id" or "$id" in schema or "id" in schema:
        return error
    return SchemaError(error.path, error.pointer, f"{error.message}, or pass --id-base URL")


def assert_unique_ids(documents: Iterable[Document]) -> None:
    """Reject two documents with one `$id`.

    Raises:
        SchemaError: Two documents have the same `$id`.
    """
    ids: dict[str, Document] = {}
    for document in documents:
        other = ids.setdefault(document.schema_id, document)
        if other is not document:
            raise SchemaError(
                document.path,
                "/$id",
                f"{document.schema_id!r} is also the $id of {other.path.as_posix()}; change one of them",
            )


_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[^\s#<>\"\\^`{|}\[\]]+")
"""The `$id` of a schema: a URI with a scheme, without a fragment."""


def _documents(read: SchemaFolder, *, lenient: bool = False) -> Iterator[list[Document]]:
    for invalid in read.invalid:
        raise SchemaError(invalid.path, "", invalid.problem)
    for name, schema in read.files:
        document, _ = read_document(name, schema, lenient=lenient)
        yield _with_facet_files(document) if document.is_core else [document]


def read_document(
    path: Path, schema: Mapping[str, Any], *, lenient: bool = False
) -> tuple[Document, list[Note]]:
    """Return a schema file as a document, and notes about what is not enforced.

    Raises:
        SchemaError: It is not a valid JSON Schema, or has no absolute `$id`.
    """
    document, notes = unchecked_document(path, schema, lenient=lenient)
    assert_id(document)
    assert_json_schema(document)
    return document, notes


def unchecked_document(
    path: Path, schema: Mapping[str, Any], *, lenient: bool = False
) -> tuple[Document, list[Note]]:
    """Return a schema file as a document without checking it, and notes about what is not enforced.

    Its `schema_id` is "" if it has none.
    """
    modern, dropped = modern_schema(schema, lenient=lenient)
    schema_id = modern.get("$id")
    schema_id = schema_id.removesuffix("#") if isinstance(schema_id, str) else ""
    unenforced = {pointer: _value_at(schema, pointer) for pointer, _ in dropped}
    defined_under = "definitions" if "definitions" in schema and "$defs" not in schema else "$defs"
    document = Document(path, schema_id, modern, unenforced=unenforced, defined_under=defined_under)
    return document, [Note(path, *one) for one in dropped]


def _value_at(schema: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        schema = schema[int(name)] if isinstance(schema, list) else schema[name]
    return schema


def assert_id(document: Document) -> None:
    """Reject a document whose `$id` is not an absolute URL.

    Raises:
        SchemaError: It has no `$id`, or one that is relative or not a URL.
    """
    if _ABSOLUTE.fullmatch(document.schema_id):
        return
    if "$id" not in document.schema:
        message = "expected the absolute URL of this schema, found no '$id'; add it"
        if document.is_core:
            message = "missing; states of the specification before 0.3.0 are not supported, use a newer one"
    else:
        found = truncated_repr(document.schema["$id"])
        example = "https://acme.example.com/1-0-0/X.json"
        message = f"expected the absolute URL of this schema, found {found}; use one such as {example}"
    raise SchemaError(document.path, "/$id", message)


def assert_json_schema(document: Document) -> None:
    """Reject a document that is not a valid JSON Schema.

    Raises:
        SchemaError: It violates the metaschema.
    """
    invalid = metaschema_error(document.schema)
    if invalid is not None:
        raise SchemaError(document.path, *invalid)


def _with_facet_files(core: Document) -> list[Document]:
    """Return the core document in its current form, and a document for each facet that it defines."""
    schema, facets = modern_core(core.schema)
    files = [
        Document(
            core.path.parent / "facets" / f"{name}.json",
            one["$id"],
            one,
            published_at=core.schema_id,
            defined_under=core.defined_under,
        )
        for name, one in facets.items()
    ]
    return [replace(core, schema=schema), *files]


def version_notes(spec: Spec, documents: Iterable[Document]) -> list[Note]:
    """Return a note for each reference of `documents` to another version of a document of `spec`."""
    replaced: dict[tuple[str, str], list[Document]] = {}
    for document in documents:
        for reference in dict.fromkeys(one.partition("#")[0] for one in references(document.schema)):
            found = spec.replaced_reference(document, reference)
            if found is not None:
                replaced.setdefault((reference, found), []).append(document)
    return [
        Note(by[0].path, "", f"refers to {reference}{_and_others(len(by) - 1)}; uses {found}")
        for (reference, found), by in sorted(replaced.items())
    ]


def _and_others(count: int) -> str:
    return f", and {count} other{'s'[: count - 1]}" if count else ""


def references(schema: Any) -> Iterator[str]:
    """Yield every `$ref` in a schema."""
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            if isinstance(one.get("$ref"), str):
                yield one["$ref"]
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
