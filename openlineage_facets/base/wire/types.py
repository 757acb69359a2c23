"""Scalar types with the semantics of JSON Schema: no coercion, no loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from operator import index
from types import MappingProxyType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, TypeVar, Union, get_args, get_origin
from uuid import UUID

from pydantic import StrictStr
from pydantic_core import PydanticCustomError, core_schema

from openlineage_facets.base.errors.findings import describe, is_too_long
from openlineage_facets.base.wire.core_schemas import FunctionRole, inside_nullable
from openlineage_facets.base.wire.json_schema_keywords import bounds_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
    from pydantic.json_schema import JsonSchemaValue


T = TypeVar("T")

_UUID = r"^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"


class _NeverNull:
    """Validate `X | None` as X: None means absent, and null is invalid in the wire format."""

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return inside_nullable(handler(source))


class _Scalar:
    """The base of types that are described by keywords of JSON Schema and the bounds of the field."""

    keywords: ClassVar[dict[str, Any]] = {}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**cls.keywords, **bounds_schema(schema)}


class _IntegerSchema(_Scalar):
    """JSON Schema's integer: any number without a fraction. 10.0 is one, true is not.

    1e308 is one, too. It stays a float: the 309 digits of the int were not written.
    """

    keywords: ClassVar = {"type": "integer"}

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        whole = core_schema.no_info_after_validator_function(_whole, _FLOAT)
        return core_schema.union_schema(
            [_SMALL_INTEGER, _INTEGER, whole],
            mode="left_to_right",
            custom_error_type="int_type",
            serialization=core_schema.simple_ser_schema("any"),
        )


class _NumberSchema(_Scalar):
    """JSON Schema's number. An int stays an int and keeps all digits."""

    keywords: ClassVar = {"type": "number"}

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.union_schema(
            [_SMALL_INTEGER, _INTEGER, _FLOAT], mode="left_to_right", custom_error_type="float_type"
        )


_EXACT_FLOATS = 2.0**53
"""Below this number, floats have the digits of the number that was written."""


_WAS_A_FLOAT: ContextVar[bool] = ContextVar("_WAS_A_FLOAT", default=False)


def integer_was_a_float() -> bool:
    """Return whether an integer was read from a float since the last call."""
    was_a_float = _WAS_A_FLOAT.get()
    if was_a_float:
        _WAS_A_FLOAT.set(False)
    return was_a_float


@FunctionRole.RETURNS_JSON.mark
def _whole(number: float) -> int | float:
    if not number.is_integer():
        raise ValueError("not a whole number")
    _WAS_A_FLOAT.set(True)  # Whether its text has a fraction is unknown here.
    return int(number) if abs(number) < _EXACT_FLOATS else number


@FunctionRole.RETURNS_JSON.mark
def _exact(value: Any) -> Any:
    """Return an integer of another library, such as NumPy's int64, as an int."""
    number = value
    if hasattr(value, "__index__") and not isinstance(value, int):
        try:
            number = index(value)
        except TypeError:  # NumPy arrays have the method, but only those with one number support it.
            return value
    if isinstance(number, int) and is_too_long(number):
        raise ValueError("more digits than JSON parsers accept")
    return number


_INTEGER = core_schema.json_or_python_schema(
    json_schema=core_schema.int_schema(strict=True),
    python_schema=core_schema.no_info_before_validator_function(_exact, core_schema.int_schema(strict=True)),
)

_SMALL_INTEGER = core_schema.int_schema(strict=True, ge=-(2**63), lt=2**63)
"""The fast path: no Python function is called."""

# When composing, pydantic's strict float accepts Decimals and rounds them; this accepts only floats.
_FLOAT = core_schema.json_or_python_schema(
    json_schema=core_schema.float_schema(strict=True, allow_inf_nan=False),
    python_schema=core_schema.chain_schema(
        [core_schema.is_instance_schema(float), core_schema.float_schema(allow_inf_nan=False)]
    ),
)


class _UuidSchema(_Scalar):
    """A UUID as unchanged text; composing also accepts a `uuid.UUID`."""

    keywords: ClassVar = {"type": "string", "format": "uuid"}

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        text = core_schema.custom_error_schema(
            core_schema.str_schema(strict=True, pattern=_UUID),
            custom_error_type="uuid",
            custom_error_message="a UUID, such as 0198c5a2-7c1e-7bd1-9d5e-1f2f3a4b5c6d",
        )
        return core_schema.json_or_python_schema(
            json_schema=text, python_schema=core_schema.no_info_before_validator_function(_uuid_text, text)
        )


@FunctionRole.RETURNS_JSON.mark
def _uuid_text(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


class _JsonValue:
    """Any JSON value, from the wire or composed; the numbers JSON has no words for are refused."""

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        value = core_schema.definition_reference_schema(_JSON_REF)
        schema = core_schema.union_schema(
            [
                _TEXT,
                _INTEGER,
                _FLOAT,
                core_schema.bool_schema(strict=True),
                core_schema.none_schema(),
                core_schema.dict_schema(_TEXT, value, strict=True),
                core_schema.list_schema(value, strict=True),
            ],
            mode="left_to_right",
            custom_error_type="json_value",
            custom_error_message="a finite JSON value (string, number, true, false, null, array, object)",
            ref=_JSON_REF,
            serialization=core_schema.simple_ser_schema("any"),
        )
        return core_schema.definitions_schema(value, [schema])


class _JsonSchema(_Scalar):
    """Validate as `_JsonValue`. A separate class, since only a class can define a reference."""

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return handler.generate_schema(_JsonValue)


_TEXT = core_schema.str_schema(strict=True, min_length=0)
"""Text without lone surrogates: pydantic detects them when it checks the length."""

_JSON_REF = "openlineage_facets.Json"


class _ExactValue:
    """One of several constants, compared as in JSON: 1 equals 1.0, but not true."""

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        constants = get_args(source)

        def constant(value: Any) -> Any:
            for constant in constants:
                if constant == value and isinstance(constant, bool) == isinstance(value, bool):
                    return value
            *others, last = map(describe, constants)
            expected = f"one of {', '.join(others)} or {last}" if others else last
            raise PydanticCustomError("literal_error", "{expected}", {"expected": expected})

        return core_schema.no_info_plain_validator_function(
            constant,
            json_schema_input_schema=handler(source),
            serialization=core_schema.simple_ser_schema("any"),
        )


_BRANCHES: ContextVar[Mapping[Any, list[TypeAdapter[Any]]]] = ContextVar(
    "_BRANCHES", default=MappingProxyType({})
)
"""The branches of each `OneOf` that is being built, for branches that contain it again."""


def _evaluated(annotation: Any) -> Any:
    """Return a value that is the same each time the text of an annotation is evaluated."""
    from pydantic.fields import FieldInfo

    parts = get_args(annotation)
    if parts:
        return get_origin(annotation), *map(_evaluated, parts)
    return type(annotation), repr(annotation) if isinstance(annotation, FieldInfo) else annotation


@dataclass(frozen=True)
class _ExactlyOne:
    """JSON Schema's oneOf without a discriminator: exactly one branch must match."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        from pydantic import TypeAdapter

        union = handler(source)
        known = _BRANCHES.get()
        key = _evaluated(source)
        branches = known.get(key)
        if branches is None:
            branches = []
            token = _BRANCHES.set({**known, key: branches})
            try:
                branches += [TypeAdapter(branch) for branch in get_args(source)]
            finally:
                _BRANCHES.reset(token)

        def exactly_one(value: Any) -> Any:
            held = []
            for branch in branches:
                try:
                    held.append(branch.validate_python(value))
                except ValueError:
                    continue
            if len(held) != 1:
                names = " | ".join(_name_of(branch) for branch in get_args(source))
                raise PydanticCustomError(
                    "one_of",
                    "exactly one of {names}, but {count} of them match",
                    {"names": names, "count": len(held)},
                )
            return held[0]

        return core_schema.no_info_plain_validator_function(
            exactly_one, json_schema_input_schema=union, serialization=core_schema.simple_ser_schema("any")
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        described = handler(schema)
        branches = described.pop("anyOf", None)
        return described if branches is None else {**described, "oneOf": branches}


class _BranchSchema:
    """A branch of a `OneOf` that pydantic would merge with another one."""

    @staticmethod
    def __get_pydantic_json_schema__(
        schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        described = handler(schema)
        return {"allOf": [described]}


class _UriSchema:
    """Mark text as a URI, which validators report if it is none."""

    @staticmethod
    def __get_pydantic_json_schema__(
        schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), "format": "uri"}


WRITE_AS_READ = (_IntegerSchema, _NumberSchema, _UuidSchema, _JsonSchema, _ExactValue)
"""The metadata of types whose values are written as they were read."""

_NAMES: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_NAMES |= {tuple: "array", list: "array", dict: "object"}


def _name_of(annotation: Any) -> str:
    """Return the name of a type in a message: that of JSON Schema, or of the class."""
    markers = {_IntegerSchema: "integer", _NumberSchema: "number", _UuidSchema: "UUID", _JsonSchema: "any"}
    if get_origin(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        named = [markers[type(marker)] for marker in metadata if type(marker) in markers]
        return named[0] if named else _name_of(inner)
    if get_origin(annotation) in (Union, UnionType):
        return " | ".join(dict.fromkeys(_name_of(argument) for argument in get_args(annotation)))
    kind = get_origin(annotation) or annotation
    return _NAMES.get(kind) or str(getattr(kind, "__name__", kind))


def bare(annotation: Any) -> Any:
    """Return the type in an annotation, without metadata, and without None if one other type remains."""
    if get_origin(annotation) is Annotated:
        return bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        present = [argument for argument in get_args(annotation) if argument is not type(None)]
        return bare(present[0]) if len(present) == 1 else annotation
    return annotation


def classes_in(
    annotation: Any, around: tuple[type[Any], ...] = ()
) -> Iterator[tuple[type[Any], tuple[type[Any], ...]]]:
    """Yield the classes in an annotation, each with the generic classes that contain it, outermost first.

    Example:
        >>> list(classes_in(dict[str, tuple[int, ...]] | None))
        [(str, (dict,)), (int, (dict, tuple)), (NoneType, ())]
    """
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is None and isinstance(annotation, type):
        yield annotation, around
    if origin is Annotated:
        parts = parts[:1]
    for part in parts:
        yield from classes_in(part, (*around, origin) if isinstance(origin, type) else around)


FILLED_IN: Any = ...
"""The default of a required field that composing fills in. Only type checkers see a default."""

Maybe: TypeAlias = Annotated[T | None, _NeverNull()]
"""An optional field: None in Python if absent, never null in the wire format."""

Branch: TypeAlias = Annotated[T, _BranchSchema()]
"""A union that is one branch of a `OneOf`. Python would merge two bare unions."""

Exactly: TypeAlias = Annotated[T, _ExactValue()]
"""A Literal whose constants are also distinguished by JSON type."""

OneOf: TypeAlias = Annotated[T, _ExactlyOne()]
"""A union of which exactly one branch must match."""

Integer: TypeAlias = Annotated[int, _IntegerSchema()]
"""A whole number of any size. One above 2**53 that is written as `1e308` stays a float."""

Number: TypeAlias = Annotated[int | float, _NumberSchema()]
"""A finite number; integers keep all digits."""

URI = _UriSchema()
"""The metadata of `UriText`."""

UriText: TypeAlias = Annotated[StrictStr, URI]
"""Text with the format `uri` in the schema. Any text is accepted; validation warns about invalid URIs."""

UuidText: TypeAlias = Annotated[str, _UuidSchema()]
"""The text of a UUID."""

Json: TypeAlias = Annotated[Any, _JsonSchema()]
"""Any JSON value."""

JsonObject: TypeAlias = dict[str, Json]
"""Any JSON object."""
