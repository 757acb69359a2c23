"""Write the JSON Schema of a hand-written facet class, and find what it checks that no schema says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from openlineage_facets.base.model.class_building import resolve_fields
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.wire.pydantic_internals import core_schema_of, declared_fields, is_built
from openlineage_facets.base.wire.types import classes_in
from openlineage_facets.generated import open_lineage

_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}

_DIGITS = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


class StrictJsonSchema(GenerateJsonSchema):
    """Generates the JSON Schema of what strict parsing accepts."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Return a schema that accepts a number within the bounds, or one as text."""
        given: Mapping[str, Any] = schema
        bounds = {keyword: float(given[name]) for name, keyword in _BOUNDS.items() if name in given}
        number = {"type": "number", **bounds}
        is_negative = not any(bounds.get(bound, -1) >= 0 for bound in ("minimum", "exclusiveMinimum"))
        text = {"type": "string", "pattern": f"^[+-]?{_DIGITS}$" if is_negative else rf"^\+?{_DIGITS}$"}
        return self.get_flattened_anyof([number, text])

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """Return the schema of an object: pydantic omits that keys of another pattern are refused."""
        written = super().dict_schema(schema)
        return {**written, "additionalProperties": False} if "patternProperties" in written else written

    def set_schema(self, schema: core_schema.SetSchema) -> JsonSchemaValue:
        """Return the schema of an array: duplicates are accepted, and read once."""
        return _with_duplicates(super().set_schema(schema))

    def frozenset_schema(self, schema: core_schema.FrozenSetSchema) -> JsonSchemaValue:
        """Return the schema of an array: duplicates are accepted, and read once."""
        return _with_duplicates(super().frozenset_schema(schema))


def _with_duplicates(schema: JsonSchemaValue) -> JsonSchemaValue:
    return {keyword: value for keyword, value in schema.items() if keyword != "uniqueItems"}


_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_UNDOCUMENTED = "(undocumented)"
"""The docstring of classes without a description that earlier versions generated."""


def facet_schema(cls: type[FacetModel], schema_id: str | None = None) -> dict[str, Any]:
    """Return the JSON Schema of a custom facet, which extends the published base facet.

    Args:
        cls: The class of the facet.
        schema_id: The `$id`. Default: the document in the `__schema_url__` of the class.

    Raises:
        ValueError: The class has no key or no schema URL, or a type without a JSON Schema.
    """
    key = cls.__facet_key__
    if key is None:
        raise ValueError(f"{cls.__name__} has no facet key; set __facet_key__ to a key such as 'acme_cost'")
    base = _base_facet(cls)
    if base is open_lineage.BaseFacet:
        raise ValueError(f"{cls.__name__} extends no entity's base facet; extend one such as RunFacet")
    if not cls.__name__.endswith((base.__name__, _entity(base.__name__))):
        raise ValueError(
            f"{cls.__name__} extends {base.__name__}; rename it to end in {base.__name__}, "
            f"as in Acme{base.__name__}"
        )
    if schema_id is None:
        if cls.__schema_url__ == base.__schema_url__:
            raise ValueError(f"{cls.__name__} has no __schema_url__; set it, or pass the $id with --id URL")
        schema_id = cls.__schema_url__.partition("#")[0]
    try:
        described = cls.model_json_schema(by_alias=True, schema_generator=StrictJsonSchema)
    except Exception as error:  # pydantic raises errors of several classes.
        text = " ".join(str(error).split())
        raise ValueError(f"{cls.__name__} has a field without a JSON Schema: {text}") from None
    classes = {
        name: nested_class
        for nested_class in _classes_in(cls, {cls})
        for name in (nested_class.__name__, _qualified(nested_class))
    }
    published = {
        name: url for name, nested_class in classes.items() if (url := _url_of(nested_class)) is not None
    }
    definitions = described.pop("$defs", {})
    described = definitions.pop(cls.__name__, described)
    described.setdefault("description", f"The facet {key}.")
    facet = _plain(_extending(described, cls), published)
    nested = {
        name: _plain(_extending(definition, classes.get(name)), published)
        for name, definition in definitions.items()
        if name not in published
    }
    reachable = _reachable(facet, nested)
    return {
        "$schema": _DIALECT,
        "$id": schema_id,
        "$defs": {
            cls.__name__: facet,
            **{name: definition for name, definition in nested.items() if name in reachable},
        },
        "type": "object",
        "properties": {key: {"$ref": f"#/$defs/{cls.__name__}"}},
    }


def _entity(base: str) -> str:
    """Return the shortest ending of the names of facets that extend a base facet."""
    return "DatasetFacet" if base.endswith("DatasetFacet") else base


def _base_facet(cls: type[FacetModel]) -> type[FacetModel]:
    """Return the class of the core that a facet extends."""
    return next(base for base in cls.__mro__ if base.__module__ == open_lineage.__name__)


def _extending(described: dict[str, Any], cls: type[BaseModel] | None) -> dict[str, Any]:
    """Return the schema of a class; that of a facet refers to its base facet."""
    if cls is None or not issubclass(cls, FacetModel):
        return described
    base = _base_facet(cls)
    parts = [{"$ref": base.__schema_url__}, _own_fields(described, base)]
    about = {"description": described["description"]} if "description" in described else {}
    return {**about, "type": "object", "allOf": parts}


def _own_fields(described: dict[str, Any], base: type[FacetModel]) -> dict[str, Any]:
    """Return the object with the fields and rules that the base facet does not have."""
    inherited = {field.alias or name: field.is_required() for name, field in declared_fields(base).items()}
    every_field = described.get("properties", {})
    properties = {name: field for name, field in every_field.items() if name not in inherited}
    required = [name for name in described.get("required", ()) if not inherited.get(name)]
    own = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    return own | {keyword: value for keyword, value in described.items() if keyword not in _OF_THE_WHOLE}


_OF_THE_WHOLE = frozenset({"title", "description", "type", "properties", "required", "deprecated"})
"""Keywords that are not copied from the schema of a class to the object with its own fields."""


def _classes_in(cls: type[BaseModel], seen: set[type]) -> Iterator[type[BaseModel]]:
    """Yield the classes of the values that a class contains, directly or not, except those seen before."""
    resolve_fields(cls)
    for field in declared_fields(cls).values():
        for nested_class, _ in classes_in(field.annotation):
            if nested_class not in seen and issubclass(nested_class, BaseModel):
                seen.add(nested_class)
                yield nested_class
                yield from _classes_in(nested_class, seen)


def _qualified(cls: type) -> str:
    """Return the name that pydantic gives to one of several classes with the same name."""
    return f"{cls.__module__}.{cls.__qualname__}".replace(".", "__")


def _url_of(cls: type[BaseModel]) -> str | None:
    """Return the URL of a facet, or of a class of the core; None for classes nested in others."""
    if issubclass(cls, FacetModel) and (cls.__facet_key__ is not None or not cls.__custom__):
        has_own_url = cls.__schema_url__ != _base_facet(cls).__schema_url__ or not cls.__custom__
        file, _, pointer = cls.__schema_url__.partition("#")
        return f"{file}#{pointer or f'/$defs/{cls.__name__}'}" if has_own_url else None
    if cls.__module__ == open_lineage.__name__:
        return f"{open_lineage.BaseFacet.__schema_url__.partition('#')[0]}#/$defs/{cls.__name__}"
    return None


_WITHOUT_EFFECT: tuple[tuple[str, Any], ...] = (
    ("additionalProperties", {}),
    ("additionalProperties", True),
    ("properties", {}),
)


def _plain(schema: Any, published: dict[str, str]) -> Any:
    """Return a schema without what pydantic adds, referring to published definitions by their URLs."""
    if isinstance(schema, list):
        return [_plain(inner, published) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    plain: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in ("title", "default", "discriminator") or (keyword, value) in _WITHOUT_EFFECT:
            continue
        if keyword in ("properties", "patternProperties", "dependentRequired"):
            plain[keyword] = {name: _plain(inner, published) for name, inner in value.items()}
        elif keyword == "$ref":
            plain[keyword] = published.get(value.removeprefix("#/$defs/"), value)
        elif keyword == "description":
            if value != _UNDOCUMENTED:
                plain[keyword] = " ".join(value.split())
        elif keyword in ("enum", "const", "examples"):
            plain[keyword] = value
        else:
            plain[keyword] = _plain(value, published)
    return plain


def _reachable(schema: Any, definitions: dict[str, Any]) -> set[str]:
    """Return the definitions that a schema refers to, directly or not."""
    names: set[str] = set()
    parts = [schema]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions and name not in names:
                names.add(name)
                parts.append(definitions[name])
            parts += part.values()
        elif isinstance(part, list):
            parts += part
    return names


_OURS = ("openlineage_facets.", "pydantic.", "pydantic_core.", "annotated_types")
"""Modules whose functions are written as keywords, or whose types are described below."""

_FORMATS = {"date": "date", "time": "time", "timedelta": "duration", "url": "uri", "multi-host-url": "uri"}
"""Types that are text of a format which validators of JSON Schema need not check."""


def unwritten_checks(cls: type[FacetModel]) -> list[str]:
    """Return one sentence for each check of a class, and of those it contains, that its schema lacks."""
    if not is_built(cls):
        cls.model_rebuild()
    schema: Any = core_schema_of(cls)
    return list(dict.fromkeys(_Search(schema).found(schema, cls.__name__)))


class _Search:
    """Search a core schema of pydantic.

    Args:
        schema: The whole schema.
    """

    def __init__(self, schema: Any) -> None:
        self._definitions = {definition["ref"]: definition for definition in schema.get("definitions", ())}
        self._seen: set[str] = set()

    def found(self, schema: Any, place: str) -> Iterator[str]:
        """Yield the sentences about a schema; `place` is the class or the field that has it."""
        kind = schema["type"]
        if kind == "definition-ref":
            if schema["schema_ref"] not in self._seen:
                self._seen.add(schema["schema_ref"])
                yield from self.found(self._definitions[schema["schema_ref"]], place)
            return
        if "cls" in schema and kind in ("model", "dataclass", "typed-dict"):
            if schema["cls"].__module__.startswith("openlineage_facets.generated."):
                return
            place = schema["cls"].__name__
        yield from _own(schema, place)
        for name, part in schema.items():
            if name in ("definitions", "metadata", "serialization"):
                continue
            if name == "fields" and kind != "dataclass":  # Which lists only their names.
                by_name = part if isinstance(part, Mapping) else {listed["name"]: listed for listed in part}
                for field, described in by_name.items():
                    yield from self.found(described["schema"], f"{place}.{field}")
            elif isinstance(part, dict) and "type" in part:
                yield from self.found(part, place)
            elif name in ("choices", "items_schema", "steps"):
                choices = part.values() if isinstance(part, Mapping) else part
                for choice in choices:
                    yield from self.found(choice[0] if isinstance(choice, tuple) else choice, place)


def _own(schema: Any, place: str) -> Iterator[str]:
    """Yield the sentences about a schema itself, without those about its parts."""
    kind = schema["type"]
    if kind.startswith("function-"):
        name = _users_function(schema["function"]["function"], place)
        if name:
            yield f"JSON Schema cannot express the validator {name}"
    serializer = schema.get("serialization", {}).get("function")
    if serializer is not None:
        name = _users_function(serializer, place)
        if name:
            yield f"{name} may write another form than the schema describes"
    if kind == "decimal":
        digits = [name for name in ("max_digits", "decimal_places") if name in schema]
        if digits:
            yield f"JSON Schema cannot express {' and '.join(digits)} of {place}"
        if "le" in schema or "lt" in schema or schema.get("ge") or schema.get("gt"):  # A sign expresses 0.
            yield f"JSON Schema cannot express the bounds of {place} for text"
    if kind in _FORMATS:
        yield f"validators need not check the format {_FORMATS[kind]!r} of {place}; a pattern enforces it"


def _users_function(function: Any, place: str) -> str:
    """Return the name of a user's function with its class or field, "" for one of ours or of pydantic."""
    while isinstance(function, partial):
        function = function.func
    module = getattr(function, "__module__", None) or ""
    if f"{module}.".startswith(_OURS):
        return ""
    name = getattr(function, "__name__", type(function).__name__)
    owner = place.partition(".")[0]
    is_method = f"{owner}." in getattr(function, "__qualname__", "")
    return f"{owner}.{name}" if is_method else f"{name} of {place}"
