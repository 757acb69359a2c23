"""Generate a package of custom facets, whose classes extend those of `openlineage_facets`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from openlineage_facets.schema_folder import read_schema_folder

from . import ir
from .assemble import assemble
from .documents import Document, Note, Spec, same_file
from .errors import SchemaError, steps_of
from .facet_rules import naming_errors, naming_notes, notes_without_effect
from .generate import verified_and_formatted
from .keywords import SINGLE_SCHEMAS, subschemas, with_subschemas_changed
from .load import (
    assert_id,
    assert_json_schema,
    ignored_notes,
    invalid_files,
    load,
    older_versions,
    repeated_id,
    unchecked_document,
    version_notes,
)
from .name import name
from .normalize import normalize, normalized_definitions
from .references import with_definitions_only
from .render.builders import EXPORTED, render_custom_builders
from .render.exports import render_exports
from .render.models import render_module
from .render.registry import render_registry

MOST_ERRORS = 100
"""How many errors of one file are reported."""


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
    errors, notes = invalid_files(read), ignored_notes(folder, read)
    documents: list[Document] = []
    invalid: list[Document] = []
    for file in read.files:
        document, unenforced = unchecked_document(file, id_base=id_base, lenient=lenient)
        problems, rest = _json_schema_errors(document)
        published_copy = next((other for other in base if _is_copy(document, other)), None)
        if problems:
            errors += problems
            invalid += [] if rest is None else [rest]
        elif published_copy is not None:
            notes.append(
                document.note("", f"is published as {published_copy.schema_id}, which is used instead")
            )
            copied = replace(published_copy, copies=(*published_copy.copies, document.schema_id))
            base[base.index(published_copy)] = copied
        else:
            notes += unenforced
            documents.append(document)
    documents, id_errors, copy_notes = _with_unique_ids(documents)
    errors += id_errors
    notes += copy_notes
    for older, error in older_versions(documents):
        documents.remove(older)
        errors.append(error)
    rewritten, key_notes = with_definitions_only([*base, *documents, *invalid])
    documents = rewritten[len(base) : len(base) + len(documents)]
    invalid = rewritten[len(base) + len(documents) :]
    notes += key_notes
    usable, library, further_errors = _assembled(folder, base, documents, invalid)
    errors += further_errors
    notes += version_notes(Spec(folder, (*base, *usable)), usable)
    notes += [*naming_notes(usable), *notes_without_effect(usable)]
    by_path = {document.path: document for document in (*usable, *documents, *invalid)}

    def in_file(path: Path, pointer: str) -> str:
        """Return the pointer to the place in the file."""
        return by_path[path].pointer_in_file(pointer) if path in by_path else pointer

    order = {file.path: number for number, file in enumerate(read.files)}
    return CustomFacets(
        library,
        tuple(replace(note, pointer=in_file(note.path, note.pointer)) for note in notes),
        tuple(
            SchemaError(error.path, in_file(Path(error.path), error.pointer), error.message)
            for error in sorted(errors, key=lambda error: order.get(Path(error.path), -1))
        ),
    )


def _is_copy(document: Document, published: Document) -> bool:
    """Return whether a document is a version of a published one, or the core under another URL."""
    return same_file(document.schema_id, published.schema_id) or (document.is_core and published.is_core)


def _json_schema_errors(document: Document) -> tuple[list[SchemaError], Document | None]:
    """Return why a file is not a valid JSON Schema with an `$id`, and the rest of it to check further."""
    id_errors: list[SchemaError] = []
    try:
        assert_id(document, takes_id_base=True)
    except SchemaError as error:
        id_errors.append(error)
        document = replace(document, schema_id=f"https://schema.invalid/{document.path.as_posix()}")
    errors, rest = _every_error(document, assert_json_schema)
    return [*id_errors, *errors], rest


def _with_unique_ids(
    documents: list[Document],
) -> tuple[list[Document], list[SchemaError], list[Note]]:
    """Return one document for each `$id`, the errors of others, and notes about copies."""
    owners: dict[str, Document] = {}
    errors: list[SchemaError] = []
    notes: list[Note] = []
    for document in documents:
        other = owners.setdefault(document.schema_id, document)
        if other is document:
            continue
        if document.schema == other.schema:
            notes.append(document.note("", f"is a copy of {other.path.as_posix()}, which is used"))
        else:
            errors.append(repeated_id(document, other))
    return list(owners.values()), errors, notes


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
        keyword_errors, rest = _every_error(document, lambda part: normalized_definitions(whole, part))
        errors[document.path] += keyword_errors
        if errors[document.path] or document in invalid:
            broken += [] if rest is None else [rest]
        else:
            usable.append(document)

    def reference_error(document: Document) -> SchemaError | None:
        """Return the error of a document that refers to a file with errors."""
        try:
            normalized_definitions(Spec(folder, (*base, *usable, document)), document)
        except SchemaError as error:
            message = "the file that this refers to has errors; correct it"
            return SchemaError(error.path, error.pointer, message)
        return None

    def library_without_failing(
        candidates: list[Document], others: list[Document], report: Callable[[Document, SchemaError], None]
    ) -> ir.Library:
        """Remove the candidates that cannot be assembled, and return what the others define."""
        while True:
            try:
                normalized = normalize(Spec(folder, (*base, *others, *candidates)))
                return assemble(normalized, name(normalized))
            except SchemaError as error:
                failed = [document for document in candidates if str(document.path) == error.path]
                if not failed:
                    raise
                candidates.remove(failed[0])
                report(failed[0], error)

    def report_unusable(document: Document, error: SchemaError) -> None:
        errors[document.path].append(reference_error(document) or error)
        rest = _without(document, error)
        broken.extend([] if rest is None else [rest])

    library = library_without_failing(usable, [], report_unusable)
    # Read last, so that a conflict with a valid file is an error of the other one.
    checked = [
        document
        for document in broken
        if _has_all_definitions(document) and reference_error(document) is None
    ]

    def report_further(document: Document, error: SchemaError) -> None:
        known = errors[document.path]
        if len(known) < MOST_ERRORS and str(error) not in map(str, known):
            known.append(error)
        rest = _without(document, error)
        checked.extend([rest] if rest is not None and _has_all_definitions(rest) else [])

    if checked:
        with suppress(SchemaError):  # An error of another file, which is reported there.
            library_without_failing(checked, usable, report_further)
    return usable, library, [error for of_file in errors.values() for error in of_file]


def _has_all_definitions(document: Document) -> bool:
    """Return whether no definition as a whole was left out because of an error."""
    return not any(definition is True for definition in document.definitions.values())


def _every_error(
    document: Document, check: Callable[[Document], object]
) -> tuple[list[SchemaError], Document | None]:
    """Return the errors that a check raises for a document, and the document without what is wrong in it.

    Args:
        document: The document.
        check: Raises a SchemaError for the first error that it finds. Errors of other files end the search.

    Returns:
        The errors, and the rest of the document, None if nothing can be left out.
    """
    errors: list[SchemaError] = []
    while len(errors) < MOST_ERRORS:
        try:
            check(document)
        except SchemaError as error:
            if error.path != str(document.path) or str(error) in map(str, errors):
                break
            errors.append(error)
            rest = _without(document, error)
            if rest is None:
                break
            document = rest
        else:
            return errors, document
    return errors, None


def _without(document: Document, error: SchemaError) -> Document | None:
    """Return a document without the keyword that an error is about, None if there is none.

    A schema without its type would have other errors, so it is replaced as a whole by one that allows every
    value.
    """
    schema, steps = document.schema, steps_of(error.pointer)
    keys = schema.get("properties")
    if len(steps) == 2 and steps[0] == "properties" and isinstance(keys, Mapping):
        rest: Any = {**schema, "properties": {key: keys[key] for key in keys if key != steps[1]}}
    else:
        rest = _schema_without(schema, steps)
    return replace(document, schema=rest) if isinstance(rest, dict) and rest != schema else None


def _schema_without(schema: Any, steps: list[str]) -> Any:
    if not steps or not isinstance(schema, Mapping):
        return True
    keyword = steps[0]
    if keyword not in schema:
        return schema
    inner = steps[1:] if keyword in SINGLE_SCHEMAS else steps[2:]
    place = tuple(steps[: len(steps) - len(inner)])
    if (inner or len(place) == 2) and place in dict(subschemas(schema)):
        return with_subschemas_changed(
            schema, lambda at, part: _schema_without(part, inner) if at == place else part
        )
    if keyword == "type":
        return True
    return {name: value for name, value in schema.items() if name != keyword}


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
