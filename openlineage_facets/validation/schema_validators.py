"""Validators of the `jsonschema` package for the definitions in a set of schemas, made once each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import UnknownDialect, specification_with

from openlineage_facets.base.errors import json_pointer, shown
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.validation.pointers import steps_of, value_at
from openlineage_facets.validation.schema_files import SchemaSetError, references
from openlineage_facets.validation.schema_url import SchemaUrl, spec_version

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from referencing._core import Resolver

__all__ = ["Validators"]

_BESIDE_THE_CORE = re.compile(r"https://openlineage\.io/spec/[0-9-]+/(?P<file>facets/\w+\.json)")
"""How core documents before 2-0-2 refer to facets: to where no document was ever published."""

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

_NEWEST = "https://json-schema.org/draft/2020-12/schema"

_UNASSERTED = {"date-time", "iri", "iri-reference", "uri", "uri-reference", "uri-template", "uuid"}
"""Formats not left to `jsonschema`: what is no URI is a warning, and the two others are stricter here."""


class Validators:
    """Validators by the URL of a definition.

    Args:
        schemas: All schemas, by their `$id`.
        files: The `$id`s of those to check, with the files they stand in.

    Raises:
        SchemaSetError: With a line for each schema that is none, or refers to what is not there.
    """

    def __init__(self, schemas: Mapping[str, dict[str, Any]], files: Mapping[str, Path | None]) -> None:
        self._schemas = schemas
        self._made: dict[str, Validator] = {}
        self._inlined_by_id: dict[int, dict[str, Any]] = {}
        self._formats = _formats()
        problems: list[str] = []
        resources = []
        for url, schema in schemas.items():
            draft: Any = schema.get("$schema", _NEWEST)
            try:
                specification = specification_with(draft)
            except (UnknownDialect, AttributeError):
                found = shown(draft)
                problems.append(f"{files.get(url)}: /$schema: expected a draft of JSON Schema, found {found}")
            else:
                resources.append((url, specification.create_resource(schema)))
        named = dict(resources)
        resources += [(alias, named[url]) for alias, url in _aliases(schemas).items() if url in named]
        self._registry: Registry[Any] = Registry().with_resources(resources).crawl()
        for url, file in files.items() if not problems else ():
            problems += [f"{file or url}: {problem}" for problem in self._problems(url)]
        if problems:
            raise SchemaSetError(problems)

    def at(self, reference: str) -> Validator:
        """Return the validator of a definition, such as `https://.../A.json#/$defs/A`."""
        made = self._made.get(reference)
        if made is None:
            schema = self._schemas[reference.partition("#")[0]]
            target = self._registry.resolver().lookup(reference)
            inlined = self._inlined(target.contents, target.resolver, _ignores_siblings(schema))
            made = _draft(schema)(inlined, registry=self._registry, format_checker=self._formats)
            self._made[reference] = made
        return made

    def _inlined(self, schema: Any, resolver: Resolver[Any], alone: bool) -> Any:
        """Return `schema` with what it refers to in the place of each reference.

        `jsonschema` looks up each reference each time it meets it, which takes most of its time. Each
        definition is one object here, wherever it is referred to, so recursive schemas are recursive
        objects.
        """
        if isinstance(schema, list):
            return [self._inlined(one, resolver, alone) for one in schema]
        if not isinstance(schema, dict):
            return schema
        known = self._inlined_by_id.get(id(schema))
        if known is not None:
            return known
        made: dict[str, Any] = {}
        self._inlined_by_id[id(schema)] = made
        reference = schema.get("$ref")
        is_reference = isinstance(reference, str)
        if isinstance(reference, str):
            target = resolver.lookup(reference)
            made["allOf"] = [self._inlined(target.contents, target.resolver, alone)]
        for key, value in schema.items():
            if key in ("$id", "$schema") or (is_reference and (key == "$ref" or alone)):
                continue
            inner = value if key in ("const", "enum") else self._inlined(value, resolver, alone)
            made[key] = [*made["allOf"], *inner] if is_reference and key == "allOf" else inner
        return made

    def _problems(self, url: str) -> Iterator[str]:
        """Say what is wrong with one schema."""
        schema = self._schemas[url]
        try:
            _draft(schema).check_schema(schema, format_checker=FormatChecker(["regex"]))
        except SchemaError as error:
            place = json_pointer(error.absolute_path)
            reason = _line(error.message)
            yield f"{place or '(root)'}: expected a JSON Schema, found {shown(error.instance)} ({reason})"
            return
        resolver = self._registry.resolver(base_uri=url)
        for pointer, reference in references(schema):
            try:
                resolver.lookup(reference)
            except (Unresolvable, ValueError):
                yield (
                    f"{pointer}: expected a reference to a schema that is given, found {shown(reference)}; "
                    "give the folder that holds it, too"
                )
            else:
                holder = value_at(schema, steps_of(pointer)[:-1])
                if self._leads_back(holder, resolver):
                    yield (
                        f"{pointer}: expected a reference to what says something of a value, "
                        f"found {shown(reference)}, which leads back to this very place"
                    )

    def _leads_back(self, schema: Any, resolver: Resolver[Any]) -> bool:
        """Tell whether judging a value by `schema` comes back to it without a step into the value."""
        waiting, seen = [(schema, resolver)], {id(schema)}
        while waiting:
            for inner, where in _in_the_same_place(*waiting.pop()):
                if inner is schema:
                    return True
                if isinstance(inner, dict) and id(inner) not in seen:
                    seen.add(id(inner))
                    waiting.append((inner, where))
        return False


def _in_the_same_place(
    schema: dict[str, Any], resolver: Resolver[Any]
) -> Iterator[tuple[Any, Resolver[Any]]]:
    """Yield the schemas by which `schema` has the same value judged."""
    if isinstance(schema.get("$ref"), str):
        try:
            target = resolver.lookup(schema["$ref"])
        except (Unresolvable, ValueError):
            return  # Which is told where it stands.
        yield target.contents, target.resolver
    for keyword in ("allOf", "anyOf", "oneOf"):
        inner = schema.get(keyword)
        yield from ((one, resolver) for one in (inner if isinstance(inner, list) else ()))
    for keyword in ("not", "if", "then", "else"):
        yield schema.get(keyword), resolver


def _aliases(schemas: Mapping[str, dict[str, Any]]) -> dict[str, str]:
    """Return the URLs by which core documents refer to facets, and what they mean by them.

    That is what stood beside the core document in its repository then: the first version, as a rule.
    """
    aliases: dict[str, str] = {}
    for url, schema in schemas.items():
        for _, reference in references(schema) if SchemaUrl.of(url).is_official else ():
            named = urljoin(url, reference.partition("#")[0])
            beside = _BESIDE_THE_CORE.fullmatch(named)
            if beside and named not in schemas:
                file = "/" + beside["file"].rpartition("/")[2]
                versions = [one for one in schemas if "/facets/" in one and one.endswith(file)]
                if versions:
                    aliases[named] = min(versions, key=lambda one: spec_version(one) or ())
    return aliases


def _draft(schema: Mapping[str, Any]) -> Any:
    """Return the validator class of the draft that a schema is written to."""
    return validator_for(schema, default=Draft202012Validator)


def _ignores_siblings(schema: Mapping[str, Any]) -> bool:
    """Tell whether the draft of a schema ignores what stands beside a reference, as all did up to 7."""
    return re.search(r"draft-0[3467]", str(schema.get("$schema"))) is not None


def _line(text: str) -> str:
    return " ".join(text.split())[:200]


def _formats() -> FormatChecker:
    """Return what asserts formats: as the strict reader does, and those the specification does not use."""
    formats = FormatChecker(set(Draft202012Validator.FORMAT_CHECKER.checkers) - _UNASSERTED)
    formats.checks("date-time", raises=ValueError)(_is_date_time)
    formats.checks("uuid")(_is_uuid)
    return formats


def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or bool(Timestamp(value))


def _is_uuid(value: object) -> bool:
    return not isinstance(value, str) or _UUID.fullmatch(value) is not None
