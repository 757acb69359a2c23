"""The attributes of pydantic's classes and values that its documentation does not describe.

Only this module reads and writes `__pydantic_*__`. Elsewhere, classes only override the methods that pydantic
calls, such as `__get_pydantic_core_schema__`. An attribute of a class is read with `attrgetter`, which costs
no Python call.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import VERSION, BaseModel

PYDANTIC = tuple(map(int, VERSION.split(".")[:2]))
"""The version of pydantic: major and minor."""

if TYPE_CHECKING:
    from pydantic import Field, GetCoreSchemaHandler, PrivateAttr
    from pydantic._internal._model_construction import ModelMetaclass
    from pydantic.fields import FieldInfo
    from pydantic_core import CoreSchema, SchemaSerializer, SchemaValidator
    from typing_extensions import dataclass_transform

    # Type checkers take the fields of a pydantic model for assignable, whatever its config says.
    @dataclass_transform(
        kw_only_default=True, frozen_default=True, eq_default=False, field_specifiers=(Field, PrivateAttr)
    )
    class FrozenModelMeta(ModelMetaclass):
        """The metaclass of our models."""
else:

    class FrozenModelMeta(type(BaseModel)):
        """Keep the validators of a class while it is built, and its serializer elsewhere.

        Before 2.12, pydantic deletes the validators before it builds the class, also before it builds a class
        again. Another thread would find the validator of the base class, and parse a value of the base.

        `TypeAdapter` takes a serializer that it finds among the attributes of a class, and generates a
        schema otherwise. The serializer of a class writes absent fields as null; the generated schema
        writes the wire format (`base/wire/wire_serialization.py`).

        Before 2.13, pydantic evaluates the annotations of all bases where a class is defined. In a
        function with a local `Field`, that calls the user's `Field`.

        Values find the serializer of their class where pydantic looks for it, also if a model of pydantic is
        the first base of the class: its serializer would write only the fields of that base.
        """

        __pydantic_serializer__ = property(
            attrgetter("__value_serializer__"),
            lambda cls, serializer: type.__setattr__(cls, "__value_serializer__", serializer),
        )

        # pydantic sets a signature when it builds a class; until then it would be that of `__init__`.
        __signature__ = property(
            lambda cls: cls._constructor_signature(is_called_only_to_compose(cls.__init__)),
            lambda cls, signature: None,
        )

        # Set when they are read: setting the description of every field would slow down imports.
        model_fields = property(lambda cls: cls._described_fields())

        @classmethod
        def __prepare__(cls, name: str, bases: tuple[type, ...], /, **options: Any) -> Any:
            if PYDANTIC < (2, 13):
                for base in {known for parent in bases for known in parent.__mro__ if isinstance(known, cls)}:
                    _evaluate_annotations(base)
            namespace = super().__prepare__(name, bases, **options)
            if any(issubclass(base, BaseModel) and not isinstance(base, cls) for base in bases):
                namespace["__pydantic_serializer__"] = property(attrgetter("__value_serializer__"))
            return namespace

        def __delattr__(cls, name: str) -> None:
            is_deferred = name == "__pydantic_core_schema__" and not cls.__pydantic_complete__
            if name not in ("__pydantic_validator__", "__pydantic_serializer__") and not is_deferred:
                super().__delattr__(name)


def _evaluate_annotations(cls: type) -> None:
    """Replace the texts of a class's annotations by the types that they name in the module of the class."""
    module = sys.modules.get(cls.__module__)
    for name, annotation in cls.__annotations__.items():
        if isinstance(annotation, str) and module is not None:
            with suppress(NameError):  # Defined later, or in the function that defines the class.
                cls.__annotations__[name] = eval(annotation, vars(module), dict(vars(cls)))


M = TypeVar("M", bound=BaseModel)
F = TypeVar("F", bound=Callable[..., Any])

is_built: Callable[[type[BaseModel]], bool] = attrgetter("__pydantic_complete__")
"""Return whether a class has its schema, validator and serializer."""

are_fields_resolved: Callable[[type[BaseModel]], bool] = attrgetter("__pydantic_fields_complete__")
"""Return whether every name in the annotations of a class's fields was found."""

declared_fields: Callable[[type[BaseModel]], dict[str, FieldInfo]] = attrgetter("__pydantic_fields__")
"""Return the fields of a class by Python name. `model_fields` also sets their descriptions."""

core_schema_of: Callable[[type[BaseModel]], CoreSchema] = attrgetter("__pydantic_core_schema__")
"""Return the schema of a built class."""

validator_of: Callable[[BaseModel | type[BaseModel]], SchemaValidator] = attrgetter("__pydantic_validator__")
"""Return the validator of a class or value. That of a deferred class builds the class on first use."""

serializer_of: Callable[[type[BaseModel]], SchemaSerializer] = attrgetter("__pydantic_serializer__")
"""Return the serializer that pydantic uses for values of a class."""

unknown_fields: Callable[[BaseModel], dict[str, Any] | None] = attrgetter("__pydantic_extra__")
"""Return the fields of a value that its class does not declare, by wire name."""

_SLOTS: dict[str, Any] = dict(vars(BaseModel))

# Initialize a value without calling `__setattr__`.
set_values: Callable[[BaseModel, dict[str, Any]], None] = _SLOTS["__dict__"].__set__
set_fields_set: Callable[[BaseModel, set[str]], None] = _SLOTS["__pydantic_fields_set__"].__set__
set_unknown_fields: Callable[[BaseModel, dict[str, Any]], None] = _SLOTS["__pydantic_extra__"].__set__
set_private_attributes: Callable[[BaseModel, None], None] = _SLOTS["__pydantic_private__"].__set__


def definitions_of(handler: GetCoreSchemaHandler) -> dict[str, CoreSchema]:
    """Return the definitions of the schema that is being generated, by reference; they can be replaced."""
    found: dict[str, CoreSchema] = attrgetter("_generate_schema.defs._definitions")(handler)
    return found


def set_serializer(cls: type[BaseModel], serializer: SchemaSerializer) -> None:
    """Replace the serializer that pydantic uses for values of a class."""
    cls.__pydantic_serializer__ = serializer


def called_only_to_compose(init: F) -> F:
    """Mark an `__init__` as the base's own, so that pydantic-core does not call it when it parses a value."""
    init.__pydantic_base_init__ = True  # type: ignore[attr-defined]
    return init


def is_called_only_to_compose(init: Any) -> bool:
    """Return whether an `__init__` is marked as the base's own."""
    return getattr(init, "__pydantic_base_init__", False) is True


def model_validators(cls: type[BaseModel]) -> Iterable[Any]:
    """Return the model validators of a class: `func`, and `info.mode`."""
    return cls.__pydantic_decorators__.model_validators.values()


def field_validators(cls: type[BaseModel]) -> Iterable[Any]:
    """Return the validators of single fields of a class."""
    return cls.__pydantic_decorators__.field_validators.values()


def has_serializers(cls: type[BaseModel]) -> bool:
    """Return whether a class writes its fields with methods of its own, or computed fields."""
    methods = cls.__pydantic_decorators__
    return bool(methods.field_serializers or methods.model_serializers or methods.computed_fields)


def unknown_fields_annotation(cls: type[BaseModel]) -> tuple[type, Any] | None:
    """Return the annotation of a class's unknown fields and the class that has it, or None."""
    for owner in cls.__mro__:
        annotation = inspect.get_annotations(owner).get("__pydantic_extra__")
        if annotation is not None and owner is not BaseModel:
            return owner, annotation
    return None


def without_validation(
    cls: type[M], values: dict[str, Any], fields_set: set[str], unknown: dict[str, Any]
) -> M:
    """Return a value with exactly these fields, like `model_construct`, but without adding defaults.

    Args:
        cls: The class.
        values: The value of each declared field, by Python name.
        fields_set: The Python names of those that are set.
        unknown: The unknown fields.
    """
    value = cls.__new__(cls)
    set_values(value, values)
    set_fields_set(value, fields_set)
    set_unknown_fields(value, unknown)
    set_private_attributes(value, None)
    return value
