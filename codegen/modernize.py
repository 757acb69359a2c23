"""Rewrite schemas of other drafts and older layouts in the form that the later passes read.

Each function is pure: it returns changed copies. JSON Pointers stay those of the file, except that
`definitions` becomes `$defs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import pointer_of
from .keywords import (
    ASSERTED_FORMATS,
    CONSTRAINTS,
    FACET_FILE_KEYWORDS,
    NOT_ENFORCED,
    SCHEMA_KEYWORDS,
    WITHOUT_EFFECT,
    is_typed_map,
    meant_keyword,
    pattern_problem,
    reference_of,
    required_names,
    with_objects_changed,
    with_subschemas_changed,
)

Notes = list[tuple[str, str]]
"""JSON Pointers and what was changed there."""


def modern_schema(schema: Mapping[str, Any], *, lenient: bool = False) -> tuple[dict[str, Any], Notes]:
    """Return a schema file with the keywords of JSON Schema 2020-12, and notes about what is not enforced.

    Args:
        schema: The content of the file.
        lenient: Whether to remove keywords that generated classes cannot enforce; each gets a note.
    """
    notes: Notes = []
    return _Rewriting(lenient, notes).schema(schema, ""), notes


class _Rewriting:
    def __init__(self, lenient: bool, notes: Notes) -> None:
        self._lenient = lenient
        self._notes = notes

    def schema(self, schema: Any, pointer: str, *, is_part: bool = False) -> Any:
        """Return the rewritten schema.

        Args:
            schema: The schema.
            pointer: Its JSON Pointer.
            is_part: Whether it is a member of an `allOf`.
        """
        if not isinstance(schema, Mapping):
            return schema
        schema = _with_current_id(schema, is_root=not pointer)
        rewritten: dict[str, Any] = {}
        for keyword, value in schema.items():
            place = pointer + pointer_of([keyword])
            if _has_no_effect(keyword, value):
                continue
            if self._lenient and self._is_dropped(keyword, value, schema, is_part):
                is_known = keyword in NOT_ENFORCED or keyword in SCHEMA_KEYWORDS or keyword in _READ_HERE
                problem = "is not enforced" if is_known else "is unknown and left out"
                self._notes.append((place, f"{keyword!r} {problem}"))
                continue
            if keyword == "definitions" and ("$defs" not in schema or has_distinct_definitions(schema)):
                keyword = "$defs"
            if keyword == "dependencies" and _is_names_by_name(value) and "dependentRequired" not in schema:
                keyword = "dependentRequired"
            if keyword == "$ref" and isinstance(value, str):
                value = re.sub(r"\A([^#]*#/)definitions/", r"\1$defs/", value)
            inner = self._with_inner(keyword, value, place)
            if keyword == "$defs" and keyword in rewritten:
                inner = {keyword: rewritten[keyword] | inner[keyword]}
            rewritten |= inner
        return _with_exclusive_bounds(rewritten)

    def _with_inner(self, keyword: str, value: Any, place: str) -> dict[str, Any]:
        """Return a keyword with the schemas in its value rewritten."""

        def rewrite(steps: tuple[str, ...], inner: Any) -> Any:
            return self.schema(inner, place + pointer_of(steps[1:]), is_part=keyword == "allOf")

        return with_subschemas_changed({keyword: value}, rewrite)

    def _is_dropped(self, keyword: str, value: Any, schema: Mapping[str, Any], is_part: bool) -> bool:
        if keyword in NOT_ENFORCED or _is_annotation(keyword):
            return True
        if keyword in _OF_EVERY_BRANCH and _has_branches(schema):
            return keyword != "format" or value in ASSERTED_FORMATS
        if keyword == "patternProperties":
            return is_part or not is_typed_map(schema)
        if keyword == "pattern":
            return isinstance(value, str) and pattern_problem(value) is not None
        if keyword == "not":
            return not isinstance(value, Mapping) or set(value) != {"required"}
        if keyword == "dependencies":
            return not _is_names_by_name(value)
        if keyword == "items":
            return isinstance(value, list)
        if keyword == "additionalProperties":
            # The properties of a base, or of patterns that are left out, would not be allowed.
            is_closed = value is False and ("$ref" in schema or "allOf" in schema or is_part)
            is_rest = "patternProperties" in schema and (is_part or not is_typed_map(schema))
            return is_closed or is_rest
        return False


_READ_HERE = FACET_FILE_KEYWORDS | {
    "$anchor",
    "$id",
    "definitions",
    "dependencies",
    "id",
    "patternProperties",
}
"""Further keywords, which this pass or an earlier one replaces."""

_OF_EVERY_BRANCH = frozenset(CONSTRAINTS) | {"additionalProperties", "format", "items"}
"""Keywords that classes cannot enforce next to several branches."""


def _is_annotation(keyword: str) -> bool:
    """Return whether a keyword is that of another tool, and no misspelled one of JSON Schema."""
    known = SCHEMA_KEYWORDS | _READ_HERE
    return keyword not in known and not keyword.startswith("$") and meant_keyword(keyword, known) is None


def _has_branches(schema: Mapping[str, Any]) -> bool:
    choices = [schema[keyword] for keyword in ("oneOf", "anyOf") if isinstance(schema.get(keyword), list)]
    return any(len(branches) > 1 and not required_names(branches) for branches in choices)


def _has_no_effect(keyword: str, value: Any) -> bool:
    return (
        keyword.startswith("x-") or keyword in WITHOUT_EFFECT or (keyword == "uniqueItems" and value is False)
    )


def _is_names_by_name(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(names, list) for names in value.values())


def has_distinct_definitions(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema has `definitions` and `$defs` with different names."""
    older, current = schema.get("definitions"), schema.get("$defs")
    return isinstance(older, Mapping) and isinstance(current, Mapping) and older.keys().isdisjoint(current)


_ANCHOR = re.compile(r"#([A-Za-z_][-A-Za-z0-9._]*)")


def _with_current_id(schema: Mapping[str, Any], *, is_root: bool) -> Mapping[str, Any]:
    """Return a schema with the `id` of draft 4 as `$id`, and with the fragment of draft 7 as `$anchor`.

    A fragment that is a JSON Pointer names what can be referred to without it.
    """
    keyword = "$id" if "$id" in schema else "id"
    schema_id = schema.get(keyword)
    if not isinstance(schema_id, str):
        return schema
    rest = {name: value for name, value in schema.items() if name != keyword}
    if is_root or not schema_id.startswith("#"):
        return {"$id": schema_id, **rest}
    anchor = _ANCHOR.fullmatch(schema_id)
    return {"$anchor": anchor[1], **rest} if anchor else rest


def _with_exclusive_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with the exclusive bounds of draft 4, which are flags, as numbers."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(schema.get(exclusive), bool):
            is_exclusive = schema.pop(exclusive)
            if is_exclusive and bound in schema:
                schema[exclusive] = schema.pop(bound)
    return schema


# -- older releases of the core ---------------------------------------------------------------------


def modern_core(core: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the core document of any release in the form of the current ones, and its facets.

    Before 2-0-0 there is no `BaseEvent`. Until 2-0-0 the facet maps list facet files in an `anyOf` whose
    first branch already accepts every facet. Before 1-0-2 the core defines the facets itself, and no base
    for each entity.

    Returns:
        The core document, and a schema file for each facet that it defined, by class name.
    """
    definitions = core.get("$defs")
    if not isinstance(definitions, Mapping):
        return dict(core), {}
    definitions = with_objects_changed(definitions, _with_plain_facet_map)
    claims: dict[str, tuple[str, str]] = {}
    for base, facet_map in _facet_maps(definitions):
        known = facet_map.get("properties")
        for key, facet in known.items() if isinstance(known, Mapping) else ():
            reference = reference_of(facet)
            if reference is not None and reference.removeprefix("#/$defs/") in definitions:
                claims[reference.removeprefix("#/$defs/")] = base, key
    facets = {
        name: _facet_file(core["$id"], name, definitions[name], base, key, claims)
        for name, (base, key) in claims.items()
    }
    definitions = {name: schema for name, schema in definitions.items() if name not in claims}
    if facets:
        definitions = {name: _without_known_facets(name, schema) for name, schema in definitions.items()}
        definitions |= {
            base: {"type": "object", "allOf": [{"$ref": "#/$defs/BaseFacet"}]}
            for base, _ in _facet_maps(definitions)
            if base not in definitions
        }
    return {**core, "$defs": _with_base_event(definitions)}, facets


_FACET_FIELDS = ("facets", "inputFacets", "outputFacets")

_EVENT_FIELDS = ("eventTime", "producer", "schemaURL")


def _with_base_event(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return definitions in which a RunEvent with the fields of BaseEvent extends it."""
    event = definitions.get("RunEvent")
    properties = event.get("properties") if isinstance(event, Mapping) else None
    if "BaseEvent" in definitions or not isinstance(event, Mapping) or not isinstance(properties, Mapping):
        return definitions
    if not all(name in properties for name in _EVENT_FIELDS):
        return definitions
    base = {
        "type": "object",
        "properties": {name: properties[name] for name in _EVENT_FIELDS},
        "required": [*_EVENT_FIELDS],
    }
    own = {
        **{name: value for name, value in event.items() if name != "description"},
        "properties": {name: schema for name, schema in properties.items() if name not in _EVENT_FIELDS},
        "required": [name for name in event.get("required", ()) if name not in _EVENT_FIELDS],
    }
    described = {"description": event["description"]} if "description" in event else {}
    extended = {**described, "allOf": [{"$ref": "#/$defs/BaseEvent"}, own]}
    return {"BaseEvent": base, **definitions, "RunEvent": extended}


def _with_plain_facet_map(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in which `anyOf` a map or base facet and whole facet files is the first of these."""
    branches = schema.get("anyOf")
    if isinstance(branches, list) and len(branches) > 1 and all(map(_is_file, branches[1:])):
        first = branches[0]
        if isinstance(first, Mapping) and (_is_map(first) or "$ref" in first):
            return {**{name: value for name, value in schema.items() if name != "anyOf"}, **first}
    return schema


def _is_map(schema: Mapping[str, Any]) -> bool:
    return isinstance(schema.get("additionalProperties"), Mapping)


def _is_file(schema: Any) -> bool:
    return (reference_of(schema) or "").endswith(".json")


def _facet_maps(definitions: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the base facet that belongs to each entity, and the schema of the entity's facets."""
    for name, schema in definitions.items():
        if not isinstance(schema, Mapping):
            continue
        for part in (schema, *(schema.get("allOf") or ())):
            properties = part.get("properties") if isinstance(part, Mapping) else None
            for field in _FACET_FIELDS:
                facets = properties.get(field) if isinstance(properties, Mapping) else None
                if isinstance(facets, Mapping):
                    yield f"{name}Facet", facets


def _without_known_facets(name: str, schema: Any) -> Any:
    """Return an entity whose facet map contains facets of its base."""

    def changed(properties: dict[str, Any]) -> dict[str, Any]:
        for field in _FACET_FIELDS:
            facets = properties.get(field)
            if isinstance(facets, Mapping) and _is_map(facets):
                plain = {key: value for key, value in facets.items() if key != "properties"}
                properties[field] = {**plain, "additionalProperties": {"$ref": f"#/$defs/{name}Facet"}}
        return properties

    return with_objects_changed(schema, changed)


def _facet_file(
    core_id: str, name: str, schema: Any, base: str, key: str, claims: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the schema file of a facet that the core defines."""

    def moved(inner: dict[str, Any]) -> dict[str, Any]:
        file, is_own, target = (reference_of(inner) or "").partition("#/$defs/")
        if is_own and not file:
            owner = _facet_file_id(core_id, target) if target in claims else core_id
            inner["$ref"] = f"{owner}#/$defs/{base if target == 'BaseFacet' else target}"
        return inner

    return {
        "$id": _facet_file_id(core_id, name),
        "$defs": {name: with_objects_changed(schema, moved)},
        "type": "object",
        "properties": {key: {"$ref": f"#/$defs/{name}"}},
    }


def _facet_file_id(core_id: str, name: str) -> str:
    """Return the `$id` under which a facet of an old core document is loaded."""
    return f"{core_id.rpartition('/')[0]}/facets/{name}.json"
