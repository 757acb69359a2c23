"""The base of every generated class: compose, parse and change values."""

# No postponed annotations here: pydantic reads the type of unknown fields off this class for every
# subclass, and would look up the postponed name in the subclass's module.

from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import SchemaSerializer
from typing_extensions import Self

from openlineage_facets.base.errors.findings import EventError, describe, missing_name
from openlineage_facets.base.errors.name_suggestions import similar_name
from openlineage_facets.base.json.json_input import json_text, json_value
from openlineage_facets.base.model.class_building import build, is_building, resolve_fields, stop_after_fields
from openlineage_facets.base.model.composing import compose_by_class, compose_by_schema
from openlineage_facets.base.model.field_names import field_names, wire_fields, wire_names
from openlineage_facets.base.model.pydantic_methods import (
    UNUSABLE_METHODS,
    PydanticMethods,
    validate_last_keys,
)
from openlineage_facets.base.model.writing import Writing
from openlineage_facets.base.redaction.redacted_keys import redact_key
from openlineage_facets.base.wire.lazy_items import LazyItems
from openlineage_facets.base.wire.pydantic_internals import (
    FrozenModelMeta,
    called_only_to_compose,
    definitions_of,
    unknown_fields,
    validator_of,
)
from openlineage_facets.base.wire.types import Json
from openlineage_facets.base.wire.wire_serialization import with_wire_format, write_definitions

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.fields import FieldInfo
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


class Model(Writing, PydanticMethods, BaseModel, metaclass=FrozenModelMeta):
    """An immutable value of the OpenLineage specification.

    The constructor accepts each field by its Python name or wire name, fills in defaults, and raises
    `EventError` for invalid values (see `base/model/composing.py`). `from_json` accepts only wire names, and
    exactly what the JSON Schema accepts, unknown fields included.
    """

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        defer_build=True,
        protected_namespaces=(),
        serialize_by_alias=True,
        ser_json_inf_nan="constants",  # None are composed, nor read but tolerantly, which keeps what came.
        allow_inf_nan=False,
        hide_input_in_errors=True,  # It may contain secrets.
        str_min_length=0,  # Any length will do; to measure it, pydantic looks for lone surrogates.
    )

    if not TYPE_CHECKING:
        __pydantic_extra__: dict[str, Json]

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {}
    """Defaults for composing: a factory for each wire name, called with the class."""

    __open__ = False
    """Whether composing accepts fields that the class does not declare."""

    __outermost__ = False
    """Whether values of the class are never nested in others: all its serializers write the wire format."""

    __wire_serializer__: ClassVar[SchemaSerializer | None] = None
    """Serializes values of the class; None until first use."""

    __custom__ = False
    """Whether a user wrote the class, whose fields may be of types that accept more than JSON."""

    def _assert_json(self) -> None:
        """Validate that a value of a custom class can be serialized; raise `EventError` if not."""

    @classmethod
    def __check_composed__(cls, wire: dict[str, Any]) -> None:
        """Validate what composing guarantees beyond the schema; raise `EventError` if it fails."""

    # pydantic would call an __init__ for every value it parses, if it was not marked: parsing stays in
    # pydantic-core.
    if not TYPE_CHECKING:

        @called_only_to_compose
        def __init__(self, /, *positional: Any, **fields: Any) -> None:
            cls = type(self)
            if positional:
                raise TypeError(_fields_by_name(cls, positional[0]))
            names = field_names(cls)
            wire = wire_fields(cls, fields)
            for key, default in cls.__defaults__.items():
                if wire.get(key) is None:
                    wire[key] = default(cls)
            self._compose(wire)
            if names.is_plain:
                _use_generated_constructor(cls)

        __init__.__signature__ = Signature(
            [
                Parameter("self", Parameter.POSITIONAL_ONLY),
                Parameter("fields", Parameter.VAR_KEYWORD, annotation=Any),
            ],
            return_annotation=None,
        )

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                if name.startswith("_"):
                    raise
                similar = similar_name(name, wire_names(type(self)))
                hint = f"; did you mean {similar!r}?" if similar else ""
                problem = f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
                raise AttributeError(problem, name=name, obj=self) from None

        def __setattr__(self, name: str, value: object) -> None:
            if name.startswith("_"):
                super().__setattr__(name, value)
            else:
                hint = f"replace({name}=...) returns a changed copy"
                raise AttributeError(f"{type(self).__name__} is immutable; {hint}")

        def __delattr__(self, name: str) -> None:
            if name.startswith("_"):
                super().__delattr__(name)
            else:
                hint = f"replace({name}=None) returns a copy without an optional field"
                raise AttributeError(f"{type(self).__name__} is immutable; {hint}")

    @classmethod
    def _constructor_signature(cls, is_ours: bool) -> Signature:
        """Return the signature of the class, for `inspect.signature`.

        Args:
            is_ours: Whether the class has no constructor of its own.
        """
        if is_ours:
            from openlineage_facets.base.model.class_descriptions import (
                constructor_signature,  # Rarely needed.
            )

            return constructor_signature(cls)
        _, *parameters = signature(cls.__init__).parameters.values()
        return Signature(parameters, return_annotation=None)

    @classmethod
    def _described_fields(cls) -> "dict[str, FieldInfo]":
        """Return the fields of the class with their descriptions, for `model_fields`."""
        from openlineage_facets.base.model.class_descriptions import described_fields  # Rarely needed.

        return described_fields(cls)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in UNUSABLE_METHODS]

    @classmethod
    def from_json(cls, data: str | bytes | bytearray | Mapping[str, Any]) -> Self:
        """Parse one value in the wire format, strictly and without loss.

        Args:
            data: JSON text, or a JSON object as returned by `json.loads`.

        Raises:
            EventError: The text is not valid JSON, or the value does not match the schema.
        """
        text = json_text(data)
        validate = validator_of(cls).validate_json
        try:
            value: Self = validate_last_keys(lambda json_text: validate(json_text, strict=True), text)
        except ValidationError as error:
            raise parsing_error(error, json_value(text)) from None
        return value

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, validated like a new value.

        Args:
            changes: New values by Python name or wire name; None removes an optional field.

        Raises:
            EventError: A changed value is invalid.
        """
        cls = type(self)
        names, optional = wire_names(cls), field_names(cls).optional
        kept = {names[name]: self.__dict__[name] for name in self.model_fields_set if name in names}
        changed = wire_fields(cls, changes, with_absent=True)
        wire = {**kept, **(unknown_fields(self) or {}), **changed}
        copy = cls.__new__(cls)
        copy._compose(
            {name: value for name, value in wire.items() if value is not None or name not in optional}
        )
        return copy

    def _compose(self, wire: dict[str, Any]) -> None:
        """Validate fields by wire name and initialize this value with them."""
        cls = type(self)
        cls.__check_composed__(wire)
        names = field_names(cls)
        if names.identity and "" in map(wire.get, names.identity):
            raise EventError(missing_name(name, "") for name in names.identity if wire.get(name) == "")
        if not (names.holds_facets and compose_by_class(self, wire, names)):
            compose_by_schema(self, wire, names)
            if cls.__custom__:
                self._assert_json()

    def _wire_names_set(self) -> set[str]:
        """Return the wire names of the fields that are set, unknown ones included."""
        unknown = unknown_fields(self) or {}
        held = {
            wire
            for name, wire in wire_names(type(self)).items()
            if name in self.model_fields_set and (name not in unknown or self.__dict__[name] is not None)
        }
        return held.union(unknown)

    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 2,
        _types_namespace: Mapping[str, Any] | None = None,
    ) -> bool | None:
        """Build the class, in the scope that defines it; pydantic calls this on first use.

        Args:
            force: Whether to build a class again that is built already.
            raise_errors: Whether to raise for a name that is not defined yet.
            _parent_namespace_depth: Ignored; the caller's names replace none of the class's own.
            _types_namespace: Names that replace those of the class's scope.

        Returns:
            None where nothing was to be done, else whether the class is built.
        """
        built = build(
            cls, super().model_rebuild, force=force, raise_errors=raise_errors, names=_types_namespace
        )
        if built:
            cls.__wire_serializer__ = None
        return built

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        stop_after_fields(cls)
        resolve_fields(cls)
        schema = handler(source)
        if not is_building():
            write_definitions(definitions_of(handler))
        return schema if is_building() and not cls.__outermost__ else with_wire_format(schema)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.__module__.startswith("openlineage_facets."):
            # Otherwise pydantic looks up the names of inherited fields in the module of the subclass.
            for base in cls.__bases__:
                if issubclass(base, Model):
                    resolve_fields(base)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls.__wire_serializer__ = None  # The serializer of the base omits the fields that the class adds.

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: "CoreSchema", handler: "GetJsonSchemaHandler"
    ) -> "JsonSchemaValue":
        # Rarely needed, and slow to import.
        from openlineage_facets.base.model.class_descriptions import described_schema

        return described_schema(cls, schema, handler)

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        # Composing needs none.
        from openlineage_facets.base.display.short_values import (
            MOST_PARTS,
            Rest,
            TruncatedRepr,
            redacted_items,
        )

        fields = self._shown_fields()
        rest = Rest(len(fields))
        shown = redacted_items(fields, MOST_PARTS)
        parts = [(redact_key(name), TruncatedRepr(value)) for name, value in shown]
        return [*parts, *([(None, rest)] if rest else ())]

    def _shown_fields(self) -> list[tuple[str, Any]]:
        """Return the fields that identify the value, and unknown ones, for display. They are not redacted."""
        held = [
            (name, value.values() if type(value) is LazyItems else value)
            for name, value in self.__dict__.items()
            if name in self.model_fields_set
        ]
        wire = wire_names(type(self))
        shown = [
            (name, value)
            for name, value in held
            if wire[name] not in self.__defaults__ or name in ("event_time", "run_id")
        ]
        return [*shown, *(unknown_fields(self) or {}).items()]

    def _repr_html_(self) -> str:
        """Return a table of the fields, for notebooks."""
        from openlineage_facets.base.display.notebook_html import MOST_ROWS, field_lines, notebook_table
        from openlineage_facets.base.display.short_values import redacted_items

        fields = self._shown_fields()
        rows = [(name, field_lines(value)) for name, value in redacted_items(fields, MOST_ROWS)]
        return notebook_table(type(self).__name__, rows, total=len(fields))


def parsing_error(error: ValidationError, document: Any) -> EventError:
    """Return the error of a value that was parsed, in the wire format."""
    from openlineage_facets.base.model.pydantic_errors import event_error  # Loaded only for errors.

    return event_error(error, document)


def _fields_by_name(cls: type[Model], given: object) -> str:
    """Return the message for a positional argument."""
    names = field_names(cls)
    filled = names.optional.union(cls.__defaults__)
    required = [name for wire, name in names.by_wire_name.items() if wire not in filled]
    example = f"{cls.__name__}({', '.join(f'{name}=...' for name in required) or '...'})"
    found = f"found the positional argument {describe(given)}"
    return f"{cls.__name__} accepts only keyword arguments, as in {example}; {found}"


@cache
def _use_generated_constructor(cls: type[Model]) -> None:
    """Use the generated constructor of a class of items, once the class was built for its first value."""
    from openlineage_facets.base.model.item_constructors import use_generated_constructor  # Only for items.

    use_generated_constructor(cls, Model.__init__)
