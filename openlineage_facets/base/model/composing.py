"""Compose values in Python: the two ways to validate the fields of a value.

`Model._compose` tries them in this order:

1. `compose_by_class` is for entities and events. Their facets were validated when they were composed, so it
   only checks that each is of the right class, which avoids building the schemas of all facets.
2. `compose_by_schema` is for everything else, and for what the first rejects. It validates the fields by wire
   name with the schema of the class.

The first returns whether it composed the value. Only the second raises an error: which one applies makes no
difference to its message. Nested items have generated constructors, which pass only unusual arguments
to these two (`base/model/item_constructors.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import CoreSchema, PydanticCustomError, SchemaSerializer, SchemaValidator, core_schema

from openlineage_facets.base.errors.findings import EventError, Finding
from openlineage_facets.base.errors.json_pointer import steps_of
from openlineage_facets.base.errors.name_suggestions import did_you_mean
from openlineage_facets.base.json.json_input import assert_nesting
from openlineage_facets.base.model.field_names import (
    FieldNames,
    field_names,
    field_types,
    is_container,
    is_with_facets,
    unknown_field_of,
)
from openlineage_facets.base.wire.core_schemas import Unbuilt
from openlineage_facets.base.wire.pydantic_internals import (
    declared_fields,
    is_built,
    model_validators,
    set_serializer,
    unknown_fields,
    validator_of,
)
from openlineage_facets.base.wire.types import bare, classes_in
from openlineage_facets.base.wire.wire_serialization import wire_format_serializer


def compose_by_class(value: BaseModel, wire: dict[str, Any], names: FieldNames) -> bool:
    """Compose an entity or event, if its facets are of the right classes.

    Args:
        value: The value, not yet initialized.
        wire: Its fields by wire name.
        names: The names of its class's fields.

    Returns:
        Whether the value is composed.
    """
    composer = composer_of(type(value))
    if composer is None or not wire.keys() <= names.by_wire_name.keys():
        return False
    try:
        composer.validate(wire, self_instance=value)
        for rule in composer.rules:
            rule(value)
    except (ValidationError, PydanticCustomError):
        return False
    return True


class Composer(NamedTuple):
    """Validates the fields of a class, by wire name, by their types."""

    validate: Callable[..., Any]
    rules: tuple[Callable[[Any], Any], ...]
    """Model validators of the class, to be called with the created value."""


@cache
def composer_of(cls: type[BaseModel]) -> Composer | None:
    """Return the composer of a class with facets, cached, or None if it needs its own schema."""
    if not cls.__module__.startswith("openlineage_facets."):
        return None  # A user's class may have defaults, validators and private attributes.
    if hasattr(cls, "__facet_key__"):
        return None  # A facet that contains entities has other fields, too, with schemas of any kind.
    from pydantic import TypeAdapter  # Importing a class does not need it.

    fields = {}
    for name, kind in field_types(cls).items():
        field = declared_fields(cls)[name]
        if is_with_facets(kind):
            schema = _by_class(kind)
        else:
            described = (field.annotation, *field.metadata)
            whole: Any = Annotated[described] if field.metadata else field.annotation
            schema = TypeAdapter(whole).core_schema
        if not field.is_required():
            schema = core_schema.with_default_schema(schema, default=None)
        wire = name if field.alias is None else field.alias
        fields[name] = core_schema.model_field(schema, validation_alias=wire, serialization_alias=wire)
    config = core_schema.CoreConfig(
        title=cls.__name__,
        extra_fields_behavior="allow",
        str_min_length=0,
        allow_inf_nan=False,
        ser_json_inf_nan="constants",
    )
    known = core_schema.model_fields_schema(fields, model_name=cls.__name__, extra_behavior="allow")
    if not is_built(cls):  # Until parsing builds the full schema.
        model: Any = cls
        schema = core_schema.model_schema(cls, known, config=config)
        model.__wire_serializer__ = serializer = SchemaSerializer(schema, config)
        set_serializer(cls, wire_format_serializer(config) if model.__outermost__ else serializer)
    validator = SchemaValidator(core_schema.model_schema(Unbuilt, known, config=config))
    return Composer(validator.validate_python, tuple(rule.func for rule in model_validators(cls)))


def _by_class(kind: Any) -> CoreSchema:
    """Return the schema that checks a type with facets by class."""
    kind = bare(kind)
    if get_origin(kind) is tuple:
        return core_schema.tuple_variable_schema(_by_class(get_args(kind)[0]))
    if is_container(kind):
        return core_schema.no_info_plain_validator_function(
            kind._of_facets, serialization=kind._written_as_mapping()
        )
    return core_schema.is_instance_schema(kind)


def compose_by_schema(value: BaseModel, wire: dict[str, Any], names: FieldNames) -> None:
    """Compose a value with the schema of its class.

    Args:
        value: The value, not yet initialized.
        wire: Its fields by wire name.
        names: The names of its class's fields.

    Raises:
        EventError: A field is invalid, or a nested item has an unknown field.
    """
    try:
        validator_of(value).validate_python(wire, self_instance=value)
    except ValidationError as error:
        from openlineage_facets.base.model.pydantic_errors import event_error, validator_exception

        assert_nesting(wire)  # Of a value that contains itself, pydantic reports other errors.
        found = [_with_meant_name(finding, type(value)) for finding in event_error(error, wire).findings]
        raise EventError(found) from validator_exception(error)
    for name, given in wire.items():
        if type(given) in _PLAIN_CONTAINERS:
            _assert_no_unknown_fields(given, value.__dict__.get(names.by_wire_name.get(name, "")), (name,))


def _with_meant_name(finding: Finding, cls: type[BaseModel]) -> Finding:
    """Return a finding; that of an unknown field in a nested dict with a hint, often its wire name.

    Args:
        finding: A finding about a value of the class.
        cls: The class.
    """
    if finding.code != "OL006" or finding.hint:
        return finding
    classes = [cls]
    *steps, name = steps_of(finding.pointer)
    for step in steps:
        names = ((cls, field_names(cls).by_wire_name.get(step)) for cls in classes)
        kinds = [field_types(cls)[name] for cls, name in names if name is not None]
        if kinds:  # Otherwise it is an index, or the key of a map.
            inner = (cls for kind in kinds for cls, _ in classes_in(kind))
            classes = [cls for cls in inner if issubclass(cls, BaseModel)]
    by_python_name = {
        python: wire for cls in classes for python, wire in field_names(cls).by_python_name.items()
    }
    known = [by_python_name[name]] if name in by_python_name else by_python_name.values()
    return replace(finding, hint=did_you_mean(name, known))


_PLAIN_CONTAINERS = frozenset({dict, list, tuple})
"""Types of nested items that are given as plain JSON, and of their containers."""


def _assert_no_unknown_fields(given: Any, made: Any, steps: tuple[str | int, ...]) -> None:
    """Reject unknown fields in nested items that were given as plain dicts.

    Args:
        given: The value that was passed.
        made: The value that was created from it.
        steps: The location in the composed value.

    Raises:
        EventError: A nested item has an unknown field.
    """
    if hasattr(type(made), "__wire_serializer__"):
        if isinstance(given, Mapping):
            cls = type(made)
            for name in unknown_fields(made) or ():
                wire = field_names(cls).by_python_name.get(name)
                if wire is None and cls.__open__:
                    continue
                known = [wire] if wire else field_names(cls).by_wire_name
                raise EventError([unknown_field_of(cls, known, (*steps, name))])
            for name, python in field_names(cls).by_wire_name.items():
                _assert_no_unknown_fields(given.get(name), made.__dict__[python], (*steps, name))
    elif isinstance(made, tuple) and isinstance(given, (list, tuple)):
        for number, (item, value) in enumerate(zip(given, made, strict=False)):
            if not hasattr(type(item), "__wire_serializer__"):
                _assert_no_unknown_fields(item, value, (*steps, number))
    elif isinstance(made, dict) and isinstance(given, Mapping):
        for key, value in made.items():
            item = given.get(key)
            if not hasattr(type(item), "__wire_serializer__"):
                _assert_no_unknown_fields(item, value, (*steps, key))
