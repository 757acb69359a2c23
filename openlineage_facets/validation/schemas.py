"""Judges events by the very versions of the schemas that they and their facets name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.errors import EventError, Finding, json_pointer, shown
from openlineage_facets.parsing import parse_event
from openlineage_facets.validation.document import Document, Facet
from openlineage_facets.validation.known_facets import base_facet, entries_at
from openlineage_facets.validation.schema_errors import findings_of_schema
from openlineage_facets.validation.schema_files import (
    NO_SUCH_DEFINITION,
    SchemaSetError,
    own_schemas,
    read_schemas,
    same_schema,
)
from openlineage_facets.validation.schema_url import SchemaUrl

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

__all__ = ["SchemaSet", "SchemaSetError"]

_EVENTS = {"run": "RunEvent", "job": "JobEvent", "dataset": "DatasetEvent"}


class SchemaSet:
    """JSON Schemas, of the specification in any versions and of custom facets.

    An event is judged by the version that its `schemaURL` names, and each facet by the one that its
    `_schemaURL` names, as far as they are in the set; all else as without it. Nothing is ever fetched.

    Args:
        schemas: The schemas by their `$id`.
        files: Where they come from, for messages.

    Raises:
        SchemaSetError: A schema is none, or refers to what is not in the set.
        ImportError: The package `jsonschema` is not installed.
    """

    def __init__(self, schemas: dict[str, dict[str, Any]], files: dict[str, Path] | None = None) -> None:
        try:
            from openlineage_facets.validation.schema_validators import Validators
        except ImportError as error:
            raise ImportError(
                'schemas need the package jsonschema: pip install "openlineage-facets[cli]"'
            ) from error
        own = own_schemas()
        self._schemas = schemas
        self._read_strictly = {url for url in schemas if url in own and same_schema(own[url], schemas[url])}
        """Schemas that the generated classes were made from: the strict reader has judged by them."""
        self._validators = Validators({**own, **schemas}, {url: (files or {}).get(url) for url in schemas})
        self._of_facets: dict[tuple[str, str, str], Validator | None] = {}

    @classmethod
    def load(cls, folders: Iterable[Path | str]) -> SchemaSet:
        """Read the schemas below `folders`, found by their `$id` whatever the layout.

        Args:
            folders: Folders, or single files.

        Raises:
            SchemaSetError: With a line for each file that can't be used.
            ImportError: The package `jsonschema` is not installed.

        Example:
            >>> validate(event, schemas=SchemaSet.load(["acme_schemas/"]))
            []
        """
        return cls(*read_schemas(folders))

    def __len__(self) -> int:
        return len(self._schemas)

    def __contains__(self, url: object) -> bool:
        """Tell whether the document that `url` names is in the set."""
        return isinstance(url, str) and SchemaUrl.of(url).document in self._schemas

    def judges(self, facet: Facet) -> bool:
        """Tell whether the schema that a facet names is in the set."""
        return self._reference(facet) is not None

    def check(self, document: Document, errors: list[Finding] | None = None) -> list[Finding]:
        """Return what the schemas forbid in an event.

        Args:
            document: The event.
            errors: What the strict reader found in it; found out here if left out.
        """
        errors = _strictly(document) if errors is None else errors
        core = self._of_event(document)
        found = [] if core is None else _errors_of(core, document.value, "")
        judged: set[str] = set()
        for facet in document.facets:
            validator = self._of_facet(facet)
            if validator is not None:
                judged.add(facet.pointer)
                found += _errors_of(validator, facet.value, facet.pointer)
            elif facet.schema_url in self and self._names_nothing(facet):
                found.append(_names_nothing(facet))
        if core is None and not judged and not found:
            return errors
        kept = [error for error in errors if self._still_holds(error, document, core is not None, judged)]
        unique = {(finding.pointer, finding.code): finding for finding in [*found, *kept]}
        return list(unique.values())

    def _still_holds(self, error: Finding, document: Document, by_core: bool, judged: set[str]) -> bool:
        """Tell whether what the strict reader found stands in a place that no schema of the set judges."""
        for facet in document.facets:
            pointer = facet.pointer
            if error.pointer == pointer or error.pointer.startswith(f"{pointer}/"):
                # What a custom facet needs at least is said by the core schema of the event's version.
                return pointer not in judged and not (by_core and not entries_at(facet.label))
        return not by_core

    def _names_nothing(self, facet: Facet) -> bool:
        """Tell whether a facet names a definition that its schema, which is in the set, does not have."""
        url = SchemaUrl.of(facet.schema_url or "")
        return url.is_pointer and _definition(self._schemas[url.document], url.definition) is None

    def _of_event(self, document: Document) -> Validator | None:
        """Return what judges the event itself; None where the strict reader did."""
        url = document.value.get("schemaURL")
        if not isinstance(url, str):
            return None
        name = SchemaUrl.of(url).document
        if name not in self._schemas or name in self._read_strictly:
            return None
        definition = _EVENTS.get(document.kind or "")
        two_kinds = document.kind == "job" and "dataset" in document.value
        steps = None if two_kinds or definition is None else _definition(self._schemas[name], definition)
        return self._validators.at(f"{name}#{json_pointer(steps or ())}")

    def _of_facet(self, facet: Facet) -> Validator | None:
        """Return what judges a facet; None where the strict reader did."""
        reference = self._reference(facet)
        if reference is None:
            return None
        name = reference.partition("#")[0]
        if name in self._read_strictly and any(
            SchemaUrl.of(entry.schema_url).document == name for entry in entries_at(facet.label)
        ):
            return None
        return self._validators.at(reference)

    def _reference(self, facet: Facet) -> str | None:
        """Return the definition in the set that a facet names, None where there is none."""
        if facet.schema_url is None:
            return None
        if facet.container in ("JobFacets", "DatasetFacets") and facet.value.get("_deleted") is True:
            return None  # A deleted facet has no content to judge.
        url = SchemaUrl.of(facet.schema_url)
        schema = self._schemas.get(url.document)
        if schema is None or url.definition in (base_facet(facet.container), "BaseFacet"):
            return None  # The base of all facets says nothing of this one.
        steps = _definition(schema, url.definition)
        if steps is None and not url.is_pointer:
            # The URL of a whole document: published ones say by `properties` what stands under which key.
            under_key = isinstance(schema.get("properties"), dict) and facet.key in schema["properties"]
            steps = ("properties", facet.key) if under_key else ()
        return None if steps is None else f"{url.document}#{json_pointer(steps)}"


def _definition(schema: dict[str, Any], name: str) -> tuple[str, ...] | None:
    """Return the steps to the definition of this name: drafts differ in where definitions stand."""
    for place in ("$defs", "definitions"):
        definitions = schema.get(place)
        if isinstance(definitions, dict) and name in definitions:
            return place, name
    return None


def _names_nothing(facet: Facet) -> Finding:
    url = SchemaUrl.of(facet.schema_url or "")
    return Finding(
        f"{facet.pointer}/_schemaURL",
        f"a definition of {url.document}",
        f"{shown(url.definition)}, which is none",
        "the facet is not checked by any schema",
        code=NO_SUCH_DEFINITION.code,
        severity=NO_SUCH_DEFINITION.severity,
    )


def _strictly(document: Document) -> list[Finding]:
    try:
        parse_event(document.value)
    except EventError as error:
        return list(error.findings)
    return []


def _errors_of(validator: Validator, value: Any, pointer: str) -> list[Finding]:
    try:
        valid = validator.is_valid(value)  # Stops at the first error, and makes no more of it than that.
        return [] if valid else findings_of_schema(validator.iter_errors(value), pointer)
    except RecursionError:
        return [
            Finding(pointer, "a value that can be checked", "one that is nested too deeply", code="OL001")
        ]
