"""What tools show of a class: its constructor's signature, its fields' docstrings, its JSON Schema."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.model.class_building import resolve_fields
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.wire.json_schema_keywords import rules_schema, with_named_bounds
from openlineage_facets.base.wire.pydantic_internals import declared_fields, model_validators

if TYPE_CHECKING:
    from pydantic import BaseModel, GetJsonSchemaHandler
    from pydantic.fields import FieldInfo
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


def constructor_signature(cls: Any) -> Signature:
    """Return the keyword parameters of a class's constructor: its fields by Python name, required ones first.

    The default of optional parameters, and of those that composing fills in, is None.
    """
    resolve_fields(cls)
    required: list[Parameter] = []
    optional: list[Parameter] = []
    for name, field in declared_fields(cls).items():
        is_optional = not field.is_required() or (field.alias or name) in cls.__defaults__
        parameter = Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=None if is_optional else Parameter.empty,
            annotation=field.annotation,
        )
        (optional if is_optional else required).append(parameter)
    unknown = [Parameter("unknown_fields", Parameter.VAR_KEYWORD, annotation=Any)] if cls.__open__ else []
    return Signature([*required, *optional, *unknown], return_annotation=None)


def described_fields(cls: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields of a class by Python name; the docstring below each is its description."""
    fields = declared_fields(cls)
    if any(field.description is None for field in fields.values()):
        docs = field_docs(cls)
        for name, field in fields.items():
            if field.description is None:
                field.description = docs.get(name)
    return fields


def described_schema(
    cls: type[BaseModel], schema: CoreSchema, handler: GetJsonSchemaHandler
) -> JsonSchemaValue:
    """Return the JSON Schema of a class with its rules and the docstrings of its fields."""
    described = handler(schema)
    definition = handler.resolve_ref_schema(described)
    definition.update(with_named_bounds(definition))
    definition.update(rules_schema([validator.func for validator in model_validators(cls)]))
    properties = definition.get("properties", {})
    docs = field_docs(cls)
    for name, wire in wire_names(cls).items():
        if name in docs and wire in properties:
            properties[wire].setdefault("description", docs[name])
    for described_field in properties.values():
        if described_field.get("default", "") is None:
            del described_field["default"]  # None means absent; it is not a valid value.
    return described


def field_docs(cls: type) -> dict[str, str]:
    """Return the docstring below each field of `cls` by attribute name, inherited fields included.

    Python does not keep these docstrings at run time, and repeating them in `Field(...)` would slow down
    imports. Without source code, the result is empty.
    """
    docs: dict[str, str] = {}
    for owner in reversed(cls.__mro__):
        docs.update(_module_docs(owner.__module__).get(owner.__qualname__, {}))
    return docs


@cache
def _module_docs(module: str) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError, SyntaxError):  # KeyError: a script of runpy.run_path has ended.
        return {}
    return {node.name: _class_docs(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _class_docs(node: ast.ClassDef) -> dict[str, str]:
    docs = {}
    for field, below in zip(node.body, node.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            docs[field.target.id] = inspect.cleandoc(str(below.value.value))
    return docs
