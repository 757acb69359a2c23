"""Validate events against the exact schema versions that they and their facets name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.schemas.jsonschema_errors import findings_of_schema
from openlineage_facets.validation.schemas.schema_files import own_schemas, read_schemas, same_schema
from openlineage_facets.validation.standard_facets import (
    SchemaUrl,
    base_class_name,
    is_typed,
    standard_facets_at,
)
from openlineage_facets.version import install_command

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


_EVENTS = {"run": "RunEvent", "job": "JobEvent", "dataset": "DatasetEvent"}


class SchemaSet:
    """A set of JSON Schemas: any versions of the specification, and custom facets.

    An event is validated against the version in its `schemaURL`, and each facet against the version in its
    `_schemaURL`, if these are in the set. Everything else is validated as without the set. Schemas are never
    downloaded.

    Args:
        schemas: The schemas by `$id`.
        files: Their files, for messages.

    Raises:
        SchemaSetError: A schema is invalid, or refers to a schema that is not in the set.
        ImportError: The package `jsonschema` is not installed.
    """

    def __init__(self, schemas: dict[str, dict[str, Any]], files: dict[str, Path] | None = None) -> None:
        try:
            from openlineage_facets.validation.schemas.validators import Validators
        except ImportError as error:
            raise ImportError(f"schemas need the package jsonschema: {install_command('cli')}") from error
        own = own_schemas()
        self._schemas = schemas
        self._generated = {url for url in schemas if url in own and same_schema(own[url], schemas[url])}
        """Schemas of the generated classes: strict parsing has already validated against them."""
        self._validators = Validators({**own, **schemas}, {url: (files or {}).get(url) for url in schemas})
        self._of_facets: dict[tuple[str, str, str], Validator | None] = {}

    @classmethod
    def load(cls, folders: Iterable[Path | str], *, id_base: str | None = None) -> SchemaSet:
        """Read all schemas below `folders`, in any layout.

        Args:
            folders: Folders, or single files.
            id_base: URL of the folders, for schemas without `$id`: their path is appended to it.

        Raises:
            SchemaSetError: A file or folder cannot be used; one line for each problem.
            ImportError: The package `jsonschema` is not installed.

        Example:
            >>> validate(event, schemas=SchemaSet.load(["acme_schemas/"]))
            []
        """
        return cls(*read_schemas(folders, id_base=id_base))

    def __len__(self) -> int:
        return len(self._schemas)

    def __contains__(self, url: object) -> bool:
        """Return whether the set contains the document of a schema URL."""
        return isinstance(url, str) and SchemaUrl.parse(url).document in self._schemas

    def covers(self, facet: Facet) -> bool:
        """Return whether the set contains the schema that a facet names."""
        return self._reference(facet) is not None

    def without_known_urls(self, document: Document, warnings: list[Finding]) -> list[Finding]:
        """Return warnings without those about URLs of facets that the set shows to be right."""
        # The facet was validated against another version than it names; its URL names no definition.
        refuted_by = {"OL205": self.covers, "OL203": self._is_whole_document}
        if not any(warning.code in refuted_by for warning in warnings):
            return warnings
        refuted = {
            (code, f"{facet.pointer}/_schemaURL")
            for facet in document.facets
            for code, refutes in refuted_by.items()
            if refutes(facet)
        }
        return [warning for warning in warnings if (warning.code, warning.pointer) not in refuted]

    def _is_whole_document(self, facet: Facet) -> bool:
        """Return whether the schema that a facet names is a whole document, not one of its definitions."""
        document, _, pointer = (self._reference(facet) or "#/").partition("#")
        return not pointer and _describes_fields(self._schemas[document])

    def check(self, document: Document, errors: list[Finding]) -> list[Finding]:
        """Return the schema errors of an event.

        Args:
            document: The event.
            errors: The errors of strict parsing.
        """
        core = self._event_validator(document)
        by_core = [] if core is None else _errors_of(core, document.value, "")
        found: list[Finding] = []
        validated: set[str] = set()
        for facet in document.facets:
            validator = self._facet_validator(facet)
            if validator is not None:
                validated.add(facet.pointer)
                found += _errors_of(validator, facet.value, facet.pointer)
            elif facet.schema_url in self and self._is_unknown_definition(facet):
                found.append(_unknown_definition(facet))
        facets = {facet.pointer: facet for facet in document.facets} if errors else {}
        others = [error for error in errors if _still_applies(error, facets, core is not None, validated)]
        unique: list[Finding] = []
        known: set[tuple[str, str]] = set()
        for group in (found, by_core, others):  # One schema may have several findings of a code in one place.
            unique += [finding for finding in group if (finding.pointer, finding.code) not in known]
            known.update((finding.pointer, finding.code) for finding in group)
        return unique

    def _is_unknown_definition(self, facet: Facet) -> bool:
        """Return whether a facet names a definition that its document in the set does not have."""
        url = SchemaUrl.parse(facet.schema_url or "")
        return url.is_pointer and _definition(self._schemas[url.document], url.definition) is None

    def _event_validator(self, document: Document) -> Validator | None:
        """Return the validator of the event, None if strict parsing has validated it."""
        url = document.value.get("schemaURL")
        if not isinstance(url, str):
            return None
        name = SchemaUrl.parse(url).document
        if name not in self._schemas or name in self._generated:
            return None
        definition = _EVENTS.get(document.kind or "")
        two_kinds = document.kind == "job" and "dataset" in document.value
        steps = None if two_kinds or definition is None else _definition(self._schemas[name], definition)
        return self._validators.at(f"{name}#{json_pointer(steps or ())}")

    def _facet_validator(self, facet: Facet) -> Validator | None:
        """Return the validator of a facet, None if strict parsing has validated it."""
        reference = self._reference(facet)
        if reference is None:
            return None
        name = reference.partition("#")[0]
        if name in self._generated and any(
            SchemaUrl.parse(entry.schema_url).document == name for entry in standard_facets_at(facet.label)
        ):
            return None
        return self._validators.at(reference)

    def _reference(self, facet: Facet) -> str | None:
        """Return the URL of the definition in the set that a facet names, None if there is none."""
        if facet.schema_url is None:
            return None
        if facet.container in ("JobFacets", "DatasetFacets") and facet.value.get("_deleted") is True:
            return None  # A tombstone has no content to validate.
        url = SchemaUrl.parse(facet.schema_url)
        schema = self._schemas.get(url.document)
        if schema is None or url.definition in (base_class_name(facet.container), "BaseFacet"):
            return None  # A base facet does not describe the content of this facet.
        steps = _definition(schema, url.definition)
        if steps is None and not url.is_pointer:
            # The URL of a whole document: published ones define each facet key in `properties`.
            defines_key = isinstance(schema.get("properties"), dict) and facet.key in schema["properties"]
            steps = ("properties", facet.key) if defines_key else ()
        return None if steps is None else f"{url.document}#{json_pointer(steps)}"


def _still_applies(
    error: Finding, facets: dict[str, Facet], is_core_validated: bool, validated: set[str]
) -> bool:
    """Return whether no schema of the set has validated the location of a strict parsing error.

    Args:
        error: The error.
        facets: The facets of the event by their pointers.
        is_core_validated: Whether the core schema of the event's version has validated it.
        validated: The pointers of the facets that schemas have validated.
    """
    steps = error.pointer.split("/")
    outer = ("/".join(steps[:count]) for count in (4, 5))  # "/run/facets/sql", "/inputs/0/facets/sql"
    pointer = next((pointer for pointer in outer if pointer in facets), None)
    if pointer is None:
        return not is_core_validated
    # The core schema also validates the base fields of custom facets.
    return pointer not in validated and (not is_core_validated or is_typed(facets[pointer].label))


def _definition(schema: dict[str, Any], name: str) -> tuple[str, ...] | None:
    """Return the steps to a definition, in `$defs` or, in older drafts, `definitions`."""
    for keyword in ("$defs", "definitions"):
        definitions = schema.get(keyword)
        if isinstance(definitions, dict) and name in definitions:
            return keyword, name
    return None


def _describes_fields(schema: dict[str, Any]) -> bool:
    """Return whether a schema is that of an object, not only a collection of definitions."""
    properties = schema.get("properties")
    own = properties.values() if isinstance(properties, dict) else ()
    return "allOf" in schema or any(not isinstance(part, dict) or "$ref" not in part for part in own)


def _unknown_definition(facet: Facet) -> Finding:
    url = SchemaUrl.parse(facet.schema_url or "")
    return Finding(
        f"{facet.pointer}/_schemaURL",
        f"a definition of {url.document}",
        f"{describe(url.definition)}, which does not exist",
        "the facet is not validated; check the name and the version",
        code="OL211",
        severity="warning",
    )


def _errors_of(validator: Validator, value: Any, pointer: str) -> list[Finding]:
    from openlineage_facets.validation.schemas.bounded_keywords import MOST_STEPS, TooManySteps, limited_steps

    try:
        with limited_steps():
            valid = validator.is_valid(value)  # Faster than iter_errors for valid values.
            return [] if valid else findings_of_schema(validator.iter_errors(value), pointer)
    except RecursionError:
        return [
            Finding(pointer, "a value that can be validated", "one that is nested too deeply", code="OL001")
        ]
    except TooManySteps:
        return [
            Finding(
                pointer,
                f"a value that its schema validates in {MOST_STEPS} steps",
                "one that takes more",
                "remove alternatives of the schema that refer to each other",
                code="OL001",
            )
        ]
