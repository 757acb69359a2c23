"""Create and cache validators of the `jsonschema` package for the definitions in a set of schemas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import UnknownDialect, specification_with

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.base.errors.json_pointer import json_pointer, steps_of, value_at
from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.base.wire.linear_patterns import UnsupportedPattern, matcher_of
from openlineage_facets.validation.schemas.bounded_keywords import bounded
from openlineage_facets.validation.schemas.schema_files import (
    NAMED_SCHEMA_KEYWORDS,
    VALUE_KEYWORDS,
    SchemaSetError,
    references,
    schemas_in,
)
from openlineage_facets.validation.standard_facets import SchemaUrl, spec_version

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from referencing._core import Resolver


_FACET_NEXT_TO_CORE = re.compile(r"https://openlineage\.io/spec/[0-9-]+/(?P<file>facets/\w+\.json)")
"""How core documents before 2-0-2 refer to facets: by URLs that were never published."""

_PUBLISHED = re.compile(r"https://openlineage\.io/spec/(?:facets/)?[0-9-]+/(?P<file>\w+\.json)")
"""Where the core document and the facets of each version are published."""

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

_NEWEST = "https://json-schema.org/draft/2020-12/schema"

_UNASSERTED = {"date-time", "iri", "iri-reference", "uri", "uri-reference", "uri-template", "uuid"}
"""Formats not checked by `jsonschema`: invalid URIs are warnings; `date-time` and `uuid` are replaced."""


class Validators:
    """Validators by the URL of a definition.

    Args:
        schemas: All schemas, by their `$id`.
        files: The `$id`s of those to check, with their files.

    Raises:
        SchemaSetError: A schema is invalid or refers to a missing schema; one line for each problem.
    """

    def __init__(self, schemas: Mapping[str, dict[str, Any]], files: Mapping[str, Path | None]) -> None:
        self._schemas = schemas
        self._made: dict[str, Validator] = {}
        self._formats = _formats()
        problems: list[str] = []
        resources = []
        for url, schema in schemas.items():
            draft: Any = schema.get("$schema", _NEWEST)
            try:
                specification = specification_with(draft)
            except (UnknownDialect, AttributeError):
                found = describe(draft)
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
            inlined = _inlined(target.contents, target.resolver, _ignores_siblings(schema), {})
            made = bounded(_draft(schema))(inlined, registry=self._registry, format_checker=self._formats)
            self._made[reference] = made
        return made

    def _problems(self, url: str) -> Iterator[str]:
        """Yield the problems of one schema."""
        schema = self._schemas[url]
        draft = bounded(_draft(schema))
        error = next(draft(draft.META_SCHEMA).iter_errors(schema), None)
        if error is not None:
            pointer = json_pointer(error.absolute_path)
            reason = f"{error.validator} of its metaschema"
            found = describe(error.instance)
            yield f"{pointer or '(root)'}: expected a JSON Schema, found {found} ({reason})"
            return
        for pointer, pattern in _patterns(schema):
            try:
                matcher_of(pattern)
            except UnsupportedPattern as unsupported:
                yield (
                    f"{pointer}: expected a regular expression without look-around and backreferences, "
                    f"found {describe(pattern)} ({unsupported}); rewrite it so that it runs in linear time"
                )
        resolver = self._registry.resolver(base_uri=url)
        for pointer, reference in references(schema):
            try:
                resolver.lookup(reference)
            except (Unresolvable, ValueError):
                yield (
                    f"{pointer}: cannot resolve the reference {describe(reference)}; "
                    "add the folder that contains its target"
                )
            else:
                parent = value_at(schema, steps_of(pointer)[:-1])
                if self._is_circular(parent, resolver):
                    yield (
                        f"{pointer}: circular reference {describe(reference)}; "
                        "remove it, or refer to the schema from a property or an item"
                    )

    def _is_circular(self, schema: Any, resolver: Resolver[Any]) -> bool:
        """Return whether validating a value against `schema` validates the same value against it again."""
        pending, seen = [(schema, resolver)], {id(schema)}
        while pending:
            for inner, inner_resolver in _schemas_for_same_value(*pending.pop()):
                if inner is schema:
                    return True
                if isinstance(inner, dict) and id(inner) not in seen:
                    seen.add(id(inner))
                    pending.append((inner, inner_resolver))
        return False


def _inlined(schema: Any, resolver: Resolver[Any], alone: bool, made_by_id: dict[int, dict[str, Any]]) -> Any:
    """Return `schema` with each reference replaced by its target.

    Resolving references takes most of the time of `jsonschema`. Each definition is one object, so a
    recursive schema becomes a recursive object.

    Args:
        schema: The schema, or a part of it.
        resolver: Resolves its references.
        alone: Whether keywords next to `$ref` are ignored.
        made_by_id: What the schemas, by their ids, have become. Not shared between calls of other threads,
            which would use incomplete schemas, and these accept everything.
    """
    if isinstance(schema, list):
        return [_inlined(inner_schema, resolver, alone, made_by_id) for inner_schema in schema]
    if not isinstance(schema, dict):
        return schema
    cached = made_by_id.get(id(schema))
    if cached is not None:
        return cached
    made: dict[str, Any] = {}
    made_by_id[id(schema)] = made
    reference = schema.get("$ref")
    is_reference = isinstance(reference, str)
    if isinstance(reference, str):
        target = resolver.lookup(reference)
        made["allOf"] = [_inlined(target.contents, target.resolver, alone, made_by_id)]
    for key, value in schema.items():
        if key in ("$id", "$schema") or (is_reference and (key == "$ref" or alone)):
            continue
        if key in NAMED_SCHEMA_KEYWORDS and isinstance(value, dict):
            inner: Any = {name: _inlined(part, resolver, alone, made_by_id) for name, part in value.items()}
        else:
            inner = value if key in VALUE_KEYWORDS else _inlined(value, resolver, alone, made_by_id)
        made[key] = [*made["allOf"], *inner] if is_reference and key == "allOf" else inner
    return made


def _schemas_for_same_value(
    schema: dict[str, Any], resolver: Resolver[Any]
) -> Iterator[tuple[Any, Resolver[Any]]]:
    """Yield the subschemas that `schema` applies to the same value."""
    if isinstance(schema.get("$ref"), str):
        try:
            target = resolver.lookup(schema["$ref"])
        except (Unresolvable, ValueError):
            return  # Reported where the reference is.
        yield target.contents, target.resolver
    for keyword in ("allOf", "anyOf", "oneOf"):
        inner = schema.get(keyword)
        yield from ((inner_schema, resolver) for inner_schema in (inner if isinstance(inner, list) else ()))
    for keyword in ("not", "if", "then", "else"):
        yield schema.get(keyword), resolver


def _aliases(schemas: Mapping[str, dict[str, Any]]) -> dict[str, str]:
    """Return the URLs of published schemas that are missing, but referred to, with those of what they mean.

    The core refers to facets by URLs that were never published. They mean the file in the repository at that
    time, which is usually the first version. Other versions than those in the set mean the newest one in it.
    """
    aliases: dict[str, str] = {}
    for url, schema in schemas.items():
        for _, reference in references(schema):
            target = urljoin(url, reference.partition("#")[0])
            if target in schemas or target in aliases:
                continue
            next_to_core = _FACET_NEXT_TO_CORE.fullmatch(target) if SchemaUrl.parse(url).is_official else None
            published = _PUBLISHED.fullmatch(target)
            if next_to_core:
                versions = _versions(schemas, next_to_core["file"].rpartition("/")[2], "/facets/")
                aliases |= {target: versions[0]} if versions else {}
            elif published:
                versions = _versions(schemas, published["file"])
                aliases |= {target: versions[-1]} if versions else {}
    return aliases


def _versions(schemas: Mapping[str, Any], file: str, part: str = "") -> list[str]:
    """Return the URLs of the versions of a published file, oldest first."""
    found = [url for url in schemas if _PUBLISHED.fullmatch(url) and url.endswith(f"/{file}") and part in url]
    return sorted(found, key=lambda url: spec_version(url) or ())


def _patterns(schema: Any) -> Iterator[tuple[str, str]]:
    """Yield each regular expression of a schema, with the JSON Pointer to it."""
    for steps, part in schemas_in(schema):
        if isinstance(part.get("pattern"), str):
            yield json_pointer((*steps, "pattern")), part["pattern"]
        properties = part.get("patternProperties")
        if isinstance(properties, dict):
            for pattern in properties:
                yield json_pointer((*steps, "patternProperties", pattern)), pattern


def _draft(schema: Mapping[str, Any]) -> Any:
    """Return the validator class for the draft of a schema."""
    return validator_for(schema, default=Draft202012Validator)


def _ignores_siblings(schema: Mapping[str, Any]) -> bool:
    """Return whether the draft of a schema ignores keywords next to `$ref`, as in draft 7 and earlier."""
    return re.search(r"draft-0[3467]", str(schema.get("$schema"))) is not None


def _formats() -> FormatChecker:
    """Return a format checker that checks `date-time` and `uuid` like strict parsing."""
    formats = FormatChecker(set(Draft202012Validator.FORMAT_CHECKER.checkers) - _UNASSERTED)
    for name in _SHORT_FORMATS & formats.checkers.keys():
        check, raises = formats.checkers[name]
        formats.checks(name, raises=raises)(_of_short_text(check))
    formats.checks("date-time", raises=ValueError)(_is_date_time)
    formats.checks("uuid")(_is_uuid)
    return formats


_SHORT_FORMATS = frozenset(
    ("date", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6", "regex", "time")
)
_LONGEST_FORMAT_TEXT = 10_000


def _of_short_text(check: Callable[[object], bool]) -> Callable[[object], bool]:
    """Wrap the check of a format so that long text fails, since the check may not be linear."""

    def checked(value: object) -> bool:
        return check(value) if not isinstance(value, str) or len(value) <= _LONGEST_FORMAT_TEXT else False

    return checked


def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or bool(Timestamp(value))


def _is_uuid(value: object) -> bool:
    return not isinstance(value, str) or _UUID.fullmatch(value) is not None
