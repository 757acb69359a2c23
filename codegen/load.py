"""Read a folder of JSON Schemas: each document by its `$id`, each valid JSON Schema, nothing fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from openlineage_facets.schema_folder import SchemaFolder, read_schema_folder, with_id

from .documents import CORE_FILE, PROPOSALS, Document, Note, Spec
from .errors import SchemaError, SchemaErrors, steps_of
from .file_versions import older_versions
from .metaschema import metaschema_error, truncated_repr
from .modernize import modern_core, modern_schema
from .references import with_definitions_only
from .traversal import references


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
    documents = list(_documents(read))
    notes = ignored_notes(folder, read)
    if proposals is not None and not any(document.is_proposal for document in documents):
        added = _documents(read_schema_folder(proposals))
        documents += [replace(document, path=Path(PROPOSALS, document.path)) for document in added]
    if not any(document.is_core for document in documents):
        raise SchemaError(folder, "", f"missing {CORE_FILE}; add it: facets extend its base facets")
    assert_unique_ids(documents)
    documents, found = with_definitions_only(documents)
    spec = Spec(folder, tuple(documents))
    return replace(spec, notes=(*notes, *found, *version_notes(spec, spec.documents)))


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
    errors = [SchemaError(file.path, "", file.problem) for file in read.invalid]
    documents: list[Document] = []
    for path, schema in read.files:
        try:
            documents += _checked_documents(path, with_id(schema, path, id_base), lenient=lenient)
        except SchemaError as error:
            errors.append(with_id_option(error, schema))
    if not documents and not errors:
        errors.append(SchemaError(folder, "", "no JSON Schemas found; a schema has an '$id'"))
    errors += [error for _, error in older_versions(documents)]
    try:
        assert_unique_ids(documents)
    except SchemaError as error:
        errors.append(error)
    if errors:
        raise SchemaErrors(errors)
    if not any(document.is_core for document in documents):
        files = {document.path.name for document in documents}
        bases = _documents(read_schema_folder(published))
        documents += [replace(base, is_base=True) for base in bases if base.path.name not in files]
    documents, _ = with_definitions_only(documents)
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
            raise document.error(
                "/$id",
                f"{document.schema_id!r} is also the $id of {other.path.as_posix()}; change one of them",
            )


_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[^\s#<>\"\\^`{|}\[\]]+")
"""The `$id` of a schema: a URI with a scheme, without a fragment."""


def _documents(read: SchemaFolder) -> Iterator[Document]:
    for invalid in read.invalid:
        raise SchemaError(invalid.path, "", invalid.problem)
    for path, schema in read.files:
        yield from _checked_documents(path, schema)


def _checked_documents(path: Path, schema: Mapping[str, Any], *, lenient: bool = False) -> list[Document]:
    """Return a schema file as a document, that of a core document together with the facets it defines.

    Raises:
        SchemaError: It is not a valid JSON Schema, or has no absolute `$id`.
    """
    document, _ = unchecked_document(path, schema, lenient=lenient)
    assert_id(document)
    assert_json_schema(document)
    return _with_facet_files(document) if document.is_core else [document]


def unchecked_document(
    path: Path, schema: Mapping[str, Any], *, lenient: bool
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
    return document, [Note(path, *place_and_reason) for place_and_reason in dropped]


def _value_at(schema: Any, pointer: str) -> Any:
    for name in steps_of(pointer):
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
    raise document.error("/$id", message)


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
            facet["$id"],
            facet,
            published_at=core.schema_id,
            defined_under=core.defined_under,
        )
        for name, facet in facets.items()
    ]
    return [replace(core, schema=schema), *files]


def version_notes(spec: Spec, documents: Iterable[Document]) -> list[Note]:
    """Return a note for each reference of `documents` to another version of a document of `spec`."""
    replaced: dict[tuple[str, str], list[Document]] = {}
    for document in documents:
        for reference in dict.fromkeys(
            reference.partition("#")[0] for reference in references(document.schema)
        ):
            found = spec.replaced_reference(document, reference)
            if found is not None:
                replaced.setdefault((reference, found), []).append(document)
    return [
        Note(by[0].path, "", f"refers to {reference}{_and_others(len(by) - 1)}; uses {found}")
        for (reference, found), by in sorted(replaced.items())
    ]


def _and_others(count: int) -> str:
    return f", and {count} other{'s'[: count - 1]}" if count else ""
