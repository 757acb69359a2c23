"""Generate a package of custom facets, whose classes extend those of `openlineage_facets`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from openlineage_facets.schema_folder import read_schema_folder, with_id

from . import ir
from .assemble import assemble
from .documents import Document, Note, Spec, same_file
from .errors import SchemaError
from .every_error import MOST, every_error, without
from .facet_rules import naming_errors, naming_notes, notes_without_effect
from .file_versions import older_versions
from .generate import verified_and_formatted
from .load import (
    assert_id,
    assert_json_schema,
    ignored_notes,
    load,
    unchecked_document,
    version_notes,
    with_id_option,
)
from .name import name
from .normalize import normalize, normalized_definitions
from .references import with_definitions_only
from .render.custom_builders import EXPORTED, render_custom_builders
from .render.exports import render_exports
from .render.models import render_module
from .render.registry import render_registry


@dataclass(frozen=True)
class CustomFacets:
    """What was read from a folder of custom facets.

    Attributes:
        library: What to render, without the files that have errors.
        notes: What was ignored, replaced or is not enforced.
        errors: Why files cannot be used.
    """

    library: ir.Library
    notes: tuple[Note, ...]
    errors: tuple[SchemaError, ...]


def read_custom_facets(
    folder: Path, published: Path, *, id_base: str | None = None, lenient: bool = False
) -> CustomFacets:
    """Read the schemas of custom facets.

    Args:
        folder: Their folder, or one file.
        published: The folder of the schemas of the specification.
        id_base: URL that the path of a schema without `$id` is appended to.
        lenient: Whether to leave out keywords that classes cannot enforce; each gets a note.

    Raises:
        SchemaError: The folder does not exist, or contains no schema.
    """
    if not folder.exists():
        raise SchemaError(folder, "", "no such file or folder; pass the folder that contains the schemas")
    base = [
        replace(document, path=Path("published", document.path), is_base=True)
        for document in load(published).documents
    ]
    read = read_schema_folder(folder)
    if not read.files and not read.invalid:
        raise SchemaError(folder, "", "no JSON Schemas found; a schema has an '$id'")
    errors = [SchemaError(file.path, "", file.problem) for file in read.invalid]
    notes = ignored_notes(folder, read)
    documents: list[Document] = []
    invalid: list[Document] = []
    for path, schema in read.files:
        document, dropped = unchecked_document(path, with_id(schema, path, id_base), lenient=lenient)
        problems, rest = _invalid_json_schema(document)
        if problems:
            errors += problems
            invalid += [] if rest is None else [rest]
            continue
        known = _published(document, base)
        if known is not None:
            notes.append(Note(path, "", f"is published as {known.schema_id}, which is used instead"))
            continue
        notes += dropped
        documents.append(document)
    documents, twice, copies = _with_unique_ids(documents, base)
    errors += twice
    notes += copies
    for older, error in older_versions(documents):
        documents.remove(older)
        errors.append(error)
    rewritten, keys = with_definitions_only([*base, *documents, *invalid])
    documents = rewritten[len(base) : len(base) + len(documents)]
    invalid = rewritten[len(base) + len(documents) :]
    notes += keys
    usable, library, found = _assembled(folder, base, documents, invalid)
    errors += found
    spec = Spec(folder, (*base, *usable))
    notes += [*version_notes(spec, usable), *naming_notes(usable), *notes_without_effect(usable)]
    by_path = {document.path: document for document in (*usable, *documents, *invalid)}
    notes = [_note_in_file(note, by_path.get(note.path)) for note in notes]
    errors = [_error_in_file(error, by_path.get(Path(error.path))) for error in errors]
    order = {path: number for number, (path, _) in enumerate(read.files)}
    errors.sort(key=lambda error: order.get(Path(error.path), -1))
    return CustomFacets(library, tuple(notes), tuple(errors))


def _note_in_file(note: Note, document: Document | None) -> Note:
    """Return a note with the pointer to the place in the file."""
    return note if document is None else replace(note, pointer=document.pointer_in_file(note.pointer))


def _error_in_file(error: SchemaError, document: Document | None) -> SchemaError:
    """Return an error with the pointer to the place in the file."""
    if document is None:
        return error
    return SchemaError(error.path, document.pointer_in_file(error.pointer), error.message)


def _invalid_json_schema(document: Document) -> tuple[list[SchemaError], Document | None]:
    """Return why a file is not a valid JSON Schema with an `$id`, and the rest of it to check further."""
    problems: list[SchemaError] = []
    try:
        assert_id(document)
    except SchemaError as error:
        problems.append(with_id_option(error, document.schema))
        document = replace(document, schema_id=f"https://schema.invalid/{document.path.as_posix()}")
    found, rest = every_error(document, assert_json_schema)
    return [*problems, *found], rest


def _published(document: Document, base: Iterable[Document]) -> Document | None:
    """Return the document of the specification that a file is a copy of, in any version."""
    return next((published for published in base if same_file(document.schema_id, published.schema_id)), None)


def _with_unique_ids(
    documents: list[Document], base: Iterable[Document]
) -> tuple[list[Document], list[SchemaError], list[Note]]:
    """Return one document for each `$id`, the errors of others, and notes about copies."""
    owners = {document.schema_id: document for document in base}
    kept, errors, notes = [], [], []
    for document in documents:
        other = owners.setdefault(document.schema_id, document)
        if other is document:
            kept.append(document)
        elif document.schema == other.schema:
            notes.append(document.note("", f"is a copy of {other.path.as_posix()}, which is used"))
        else:
            message = f"{document.schema_id!r} is also the $id of {other.path.as_posix()}; change one of them"
            errors.append(document.error("/$id", message))
    return kept, errors, notes


def _assembled(
    folder: Path, base: list[Document], documents: list[Document], invalid: list[Document]
) -> tuple[list[Document], ir.Library, list[SchemaError]]:
    """Return the documents without errors, what they define, and the errors of the others.

    Args:
        folder: The folder, for messages.
        base: The documents of the specification.
        documents: Those of the custom facets.
        invalid: What is left of those that are no valid JSON Schemas, to find their other errors.
    """
    whole = Spec(folder, (*base, *documents, *invalid))
    errors = {document.path: list(naming_errors(document, whole)) for document in (*documents, *invalid)}
    usable, broken = [], []
    for document in (*documents, *invalid):
        found, rest = every_error(document, lambda checked: normalized_definitions(whole, checked))
        errors[document.path] += found
        if errors[document.path] or document in invalid:
            broken += [] if rest is None else [rest]
        else:
            usable.append(document)

    def reference_error(document: Document) -> SchemaError | None:
        """Return the error of a document that refers to a file with errors."""
        try:
            normalized_definitions(Spec(folder, (*base, *usable, document)), document)
        except SchemaError as error:
            return SchemaError(
                error.path, error.pointer, "the file that this refers to has errors; correct it"
            )
        return None

    while True:
        try:
            library = _library(folder, (*base, *usable))
            break
        except SchemaError as error:
            failed = _document_of(error, usable)
            if failed is None:
                raise
            usable.remove(failed)
            errors[failed.path].append(reference_error(failed) or error)
            rest = without(failed, error)
            broken += [] if rest is None else [rest]
    # Read last, so that a conflict with a valid file is an error of the other one.
    checked = [
        document
        for document in broken
        if _has_all_definitions(document) and reference_error(document) is None
    ]
    while checked:
        try:
            _library(folder, (*base, *usable, *checked))
            break
        except SchemaError as error:
            failed = _document_of(error, checked)
            if failed is None:
                break
            checked.remove(failed)
            known = errors[failed.path]
            if len(known) < MOST and str(error) not in map(str, known):
                known.append(error)
            rest = without(failed, error)
            checked += [rest] if rest is not None and _has_all_definitions(rest) else []
    return usable, library, [error for found in errors.values() for error in found]


def _document_of(error: SchemaError, documents: Iterable[Document]) -> Document | None:
    """Return the document that an error is about, None for another one."""
    return next((document for document in documents if str(document.path) == error.path), None)


def _has_all_definitions(document: Document) -> bool:
    """Return whether no definition as a whole was left out because of an error."""
    return not any(definition is True for definition in document.definitions.values())


def _library(folder: Path, documents: tuple[Document, ...]) -> ir.Library:
    normalized = normalize(Spec(folder, documents))
    return assemble(normalized, name(normalized))


def render_custom_facets(custom: CustomFacets, package: str) -> dict[str, str]:
    """Return the files of the package by name.

    Args:
        custom: The facets.
        package: The import path of the package.

    Raises:
        GeneratorError: The generator is at fault.
    """
    library = custom.library
    sources = {f"{module.name}.py": render_module(module, library, package) for module in library.own_modules}
    exported = {"FACETS": "registry", **dict.fromkeys(EXPORTED, "builders")}
    sources["builders.py"] = render_custom_builders(library, package)
    sources["registry.py"] = render_registry(library, package)
    sources["__init__.py"] = render_exports(library, package, exported)
    return {**verified_and_formatted(sources, library), "py.typed": ""}
