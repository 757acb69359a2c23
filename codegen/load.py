"""Read a folder of JSON Schemas: each document by its `$id`, each valid JSON Schema, nothing fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from openlineage_facets.schema_folder import SchemaFile, SchemaFolder, read_schema_folder, with_id

from .documents import CORE_FILE, PROPOSALS, Document, Note, Spec, version_of, version_text, without_version
from .errors import SchemaError, SchemaErrors, pointer_of, steps_of, truncated_repr
from .keywords import references
from .metaschema import metaschema_error
from .modernize import has_distinct_definitions, modern_core, modern_schema
from .references import with_definitions_only


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
    documents = _valid_documents(read)
    if proposals is not None and not any(document.is_proposal for document in documents):
        proposed = _valid_documents(read_schema_folder(proposals))
        documents += [replace(document, path=Path(PROPOSALS, document.path)) for document in proposed]
    if not any(document.is_core for document in documents):
        raise SchemaError(folder, "", f"missing {CORE_FILE}; add it: facets extend its base facets")
    for error in _repeated_ids(documents):
        raise error
    documents, key_notes = with_definitions_only(documents)
    spec = Spec(folder, tuple(documents))
    return replace(spec, notes=(*ignored_notes(folder, read), *key_notes, *version_notes(spec, documents)))


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
    documents, errors = _checked_documents(read, id_base=id_base, lenient=lenient, takes_id_base=True)
    if not documents and not errors:
        errors.append(SchemaError(folder, "", "no JSON Schemas found; a schema has an '$id'"))
    errors += [error for _, error in older_versions(documents)]
    errors += list(_repeated_ids(documents))[:1]
    if errors:
        raise SchemaErrors(errors)
    if not any(document.is_core for document in documents):
        files = {document.path.name for document in documents}
        bases = _valid_documents(read_schema_folder(published))
        documents += [
            replace(base, is_base=True) for base in bases if base.is_core or base.path.name not in files
        ]
    documents, _ = with_definitions_only(documents)
    return Spec(folder, tuple(documents), tuple(ignored_notes(folder, read)))


def _valid_documents(read: SchemaFolder) -> list[Document]:
    """Return the documents of a folder.

    Raises:
        SchemaError: A file is not a valid schema.
    """
    documents, errors = _checked_documents(read)
    for error in errors:
        raise error
    return documents


def _checked_documents(
    read: SchemaFolder, *, id_base: str | None = None, lenient: bool = False, takes_id_base: bool = False
) -> tuple[list[Document], list[SchemaError]]:
    """Return the documents of a folder, and the errors of files that are not valid schemas.

    A core document is followed by the facets that it defines.
    """
    documents: list[Document] = []
    errors = invalid_files(read)
    for file in read.files:
        document, _ = unchecked_document(file, id_base=id_base, lenient=lenient)
        try:
            assert_id(document, takes_id_base=takes_id_base)
            assert_json_schema(document)
        except SchemaError as error:
            errors.append(error)
        else:
            documents += _with_facet_files(document) if document.is_core else [document]
    return documents, errors


def invalid_files(read: SchemaFolder) -> list[SchemaError]:
    """Return the errors of the files of a folder that are not JSON."""
    return [SchemaError(file.path, "", file.problem) for file in read.invalid]


def ignored_notes(folder: Path, read: SchemaFolder) -> list[Note]:
    """Return a note about the JSON files of a folder that are not schemas."""
    if not read.ignored:
        return []
    first, *others = (path.as_posix() for path in read.ignored)
    return [Note(folder, "", f"not a JSON Schema, ignored: {first}{_and_others(len(others))}")]


def unchecked_document(
    file: SchemaFile, *, id_base: str | None, lenient: bool
) -> tuple[Document, list[Note]]:
    """Return a schema file as a document without checking it, and notes about what is not enforced.

    Its `schema_id` is "" if it has none.
    """
    schema = with_id(file.schema, file.path, id_base)
    modern, dropped = modern_schema(schema, lenient=lenient)
    schema_id = modern.get("$id")
    document = Document(
        file.path,
        schema_id.removesuffix("#") if isinstance(schema_id, str) else "",
        modern,
        unenforced={pointer: _value_at(schema, pointer) for pointer, _ in dropped},
        moved=_moved_definitions(schema),
    )
    return document, [document.note(*place_and_reason) for place_and_reason in dropped]


def _moved_definitions(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return where in a file the definitions are that are read as `$defs`, by their JSON Pointers here."""
    if "$defs" not in schema:
        return {"/$defs": "/definitions"} if "definitions" in schema else {}
    names = schema["definitions"] if has_distinct_definitions(schema) else ()
    return {pointer_of(["$defs", name]): pointer_of(["definitions", name]) for name in names}


def _value_at(schema: Any, pointer: str) -> Any:
    for name in steps_of(pointer):
        schema = schema[int(name)] if isinstance(schema, list) else schema[name]
    return schema


_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[^\s#<>\"\\^`{|}\[\]]+")
"""The `$id` of a schema: a URI with a scheme, without a fragment."""


def assert_id(document: Document, *, takes_id_base: bool = False) -> None:
    """Reject a document whose `$id` is not an absolute URL.

    Args:
        document: The document.
        takes_id_base: Whether the command has the option --id-base.

    Raises:
        SchemaError: It has no `$id`, or one that is relative or not a URL.
    """
    if _ABSOLUTE.fullmatch(document.schema_id):
        return
    message = "expected the absolute URL of this schema, found no '$id'; add it"
    if "$id" in document.schema:
        found = truncated_repr(document.schema["$id"])
        example = "https://acme.example.com/1-0-0/X.json"
        message = f"expected the absolute URL of this schema, found {found}; use one such as {example}"
    elif document.is_core:
        message = "missing; states of the specification before 0.3.0 are not supported, use a newer one"
    if takes_id_base and not document.schema.keys() & {"$id", "id"}:
        message += ", or pass --id-base URL"
    raise document.error("/$id", message)


def assert_json_schema(document: Document) -> None:
    """Reject a document that is not a valid JSON Schema.

    Raises:
        SchemaError: It violates the metaschema.
    """
    invalid = metaschema_error(document.schema)
    if invalid is not None:
        raise document.error(*invalid)


def _repeated_ids(documents: Iterable[Document]) -> Iterator[SchemaError]:
    """Yield an error for each document whose `$id` is that of another one before it."""
    owners: dict[str, Document] = {}
    for document in documents:
        other = owners.setdefault(document.schema_id, document)
        if other is not document:
            yield repeated_id(document, other)


def repeated_id(document: Document, other: Document) -> SchemaError:
    """Return the error of a document with the `$id` of another one."""
    message = f"{document.schema_id!r} is also the $id of {other.path.as_posix()}; change one of them"
    return document.error("/$id", message)


def older_versions(documents: Iterable[Document]) -> Iterator[tuple[Document, SchemaError]]:
    """Yield each document of which there is a newer version, and why it cannot be used.

    Versions of a schema have the same URL but for the version in it.
    """
    families: dict[str, list[Document]] = {}
    for document in documents:
        if version_of(document.schema_id) is not None:
            families.setdefault(without_version(document.schema_id), []).append(document)
    for versions in families.values():
        *older, newest = sorted(versions, key=lambda document: version_of(document.schema_id) or ())
        for document in older:
            message = (
                f"version {version_text(version_of(document.schema_id))} of a schema of which "
                f"{newest.path.as_posix()} is version {version_text(version_of(newest.schema_id))}; "
                "pass the folder of one version"
            )
            yield document, document.error("/$id", message)


def _with_facet_files(core: Document) -> list[Document]:
    """Return the core document in its current form, and a document for each facet that it defines."""
    schema, facets = modern_core(core.schema)
    files = [
        Document(
            core.path.parent / "facets" / f"{name}.json",
            facet["$id"],
            facet,
            published_at=core.schema_id,
            moved=core.moved,
        )
        for name, facet in facets.items()
    ]
    return [replace(core, schema=schema), *files]


def version_notes(spec: Spec, documents: Iterable[Document]) -> list[Note]:
    """Return a note for each reference of `documents` to another version of a document of `spec`."""
    users: dict[tuple[str, str], list[Document]] = {}
    for document in documents:
        for url in dict.fromkeys(reference.partition("#")[0] for reference in references(document.schema)):
            used = spec.replaced_reference(document, url)
            if used is not None:
                users.setdefault((url, used), []).append(document)
    return [
        by[0].note("", f"refers to {url}{_and_others(len(by) - 1)}; uses {used}")
        for (url, used), by in sorted(users.items())
    ]


def _and_others(count: int) -> str:
    return f", and {count} other{'s'[: count - 1]}" if count else ""
