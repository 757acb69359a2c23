"""The alternatives of a value, and which of an old version become which of a new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from .. import ir
from ..documents import without_version
from ..keywords import with_integers
from ..normalize import Schema
from .change import OTHER, Broken, Step, narrowing
from .version import SchemaVersion


@dataclass(frozen=True)
class Alternative:
    """One type of a value, or one branch of `oneOf` or `anyOf`.

    Args:
        schema: Its schema.
        name: Its class, or its type as text.
        types: Its JSON types.
        constants: The constants of its required properties, empty if another alternative has the same ones.
        content: What the schema says, equal in two versions if they say it in the same words.
    """

    schema: Schema
    name: str
    types: frozenset[str]
    constants: Mapping[str, ir.Constants]
    content: Schema


@dataclass(frozen=True)
class Choice:
    """The alternatives of a value, a single one if it has neither branches nor several types.

    Args:
        alternatives: The alternatives.
        is_counted: Whether a value that matches two of them is invalid, and some value could.
    """

    alternatives: tuple[Alternative, ...]
    is_counted: bool

    def __str__(self) -> str:
        text = " or ".join(alternative.name for alternative in self.alternatives) or "any"
        return f"exactly one of {text}" if self.is_counted else text

    def counts(self, alternative: Alternative) -> bool:
        """Return whether a value of an alternative must not match another one, and may do so by its type."""
        others = [other.types for other in self.alternatives if other is not alternative]
        types = with_integers(alternative.types)
        return self.is_counted and not (types and all(other and not types & other for other in others))


def choice_of(schema: Schema, version: SchemaVersion) -> Choice:
    """Return the alternatives of a schema of a version."""
    schemas = _with_joined_constants(_alternatives(schema, version), version)
    tables = [version.constants(part) for part in schemas]
    alternatives = (
        Alternative(
            part,
            version.branch_text(part),
            version.json_types(part),
            table if tables.count(table) == 1 else {},
            _content(version.view(part).schema),
        )
        for part, table in zip(schemas, tables, strict=True)
    )
    return Choice(tuple(alternatives), version.is_counted(schema))


Pair = tuple[Alternative, Alternative]
"""An old alternative, and what it has become."""


def paired(old: Sequence[Alternative], new: Sequence[Alternative]) -> list[Pair]:
    """Return the alternatives to compare: those with the same content, constants, name or JSON type.

    If as many others are left in both versions, they are compared in their order.
    """
    pairs: list[tuple[int, int]] = []
    left, right = list(range(len(old))), list(range(len(new)))

    def pair(position: int, other: int) -> None:
        pairs.append((position, other))
        left.remove(position)
        right.remove(other)

    for key in _KEYS:
        for position in list(left):
            value = key(old[position])
            same = [other for other in right if value and key(new[other]) == value]
            if same:
                pair(position, same[0])
    for position in list(left):
        types = old[position].types
        same = [other for other in right if types <= with_integers(new[other].types)]
        if len(types) == len(same) == 1 and sum(old[another].types == types for another in left) == 1:
            pair(position, same[0])
    if len(left) == len(right):
        pairs += zip(left, right, strict=True)
    return [(old[position], new[other]) for position, other in sorted(pairs)]


_KEYS: tuple[Callable[[Alternative], object], ...] = (
    lambda alternative: alternative.content,
    lambda alternative: alternative.constants,
    lambda alternative: alternative.name,  # Last: that of a schema without a name depends on the others.
)


def effect_of_choices(old: Choice, new: Choice, pairs: Sequence[Pair]) -> tuple[Step, Broken]:
    """Return the version step and who breaks if some alternatives have no pair, or now are counted or not."""
    lost, gained = (
        [other for other in choice.alternatives if not any(other is pair[side] for pair in pairs)]
        for side, choice in enumerate((old, new))
    )
    starts_to_count = new.is_counted and not old.is_counted
    stops_to_count = old.is_counted and not new.is_counted
    is_wider = not (lost or starts_to_count or any(map(new.counts, gained)))
    is_tighter = not (gained or stops_to_count or any(map(old.counts, lost)))
    return narrowing(is_tighter) if is_wider or is_tighter else OTHER


def _alternatives(schema: Schema, version: SchemaVersion) -> tuple[Schema, ...]:
    """Return a schema for each of several types, and for each alternative."""
    if not schema.branches:
        return schema.of_each_type()
    single: list[Schema] = []
    for branch in schema.branches:
        is_single = bool(branch.branches) and version.is_counted(replace(branch, exactly_one=True))
        single += [branch] if is_single else _alternatives(branch, version)
    return tuple(single)


def _with_joined_constants(schemas: Sequence[Schema], version: SchemaVersion) -> list[Schema]:
    """Return schemas with the constants of each JSON type as one: `enum` and several `const` are the same."""
    groups: dict[object, list[Schema]] = {}
    for position, schema in enumerate(schemas):
        types = version.json_types(schema)
        is_constant = version.view(schema).schema.values is not None and len(types) == 1
        groups.setdefault(types if is_constant else position, []).append(schema)
    return [part for group in groups.values() for part in _joined(group, version)]


def _joined(schemas: list[Schema], version: SchemaVersion) -> list[Schema]:
    """Return constants as one schema, unless some are in two of them or several have a class."""
    resolved = [version.view(schema).schema for schema in schemas]
    values = [value for schema in resolved for value in schema.values or ()]
    enumerations = [schema for schema in resolved if version.class_of(schema)]
    if len(schemas) == 1 or len(enumerations) > 1 or len({*values}) < len(values):
        return schemas
    return [replace((enumerations or resolved)[0], values=ir.Constants(values))]


def _content(schema: Schema) -> Schema:
    """Return a schema without descriptions, orders, and versions in references."""
    references = (
        replace(reference, key=(without_version(reference.key[0]), reference.key[1]))
        for reference in schema.references
    )
    return replace(
        schema,
        doc="",
        own_doc=False,
        deprecated=False,
        types=() if schema.values is not None else tuple(sorted(schema.types)),
        references=tuple(references),
        properties={name: _content(part) for name, part in schema.properties.items()},
        required=tuple(sorted(schema.required)),
        additional=_content(schema.additional)
        if isinstance(schema.additional, Schema)
        else schema.additional,
        items=schema.items and _content(schema.items),
        branches=tuple(map(_content, schema.branches)),
    )
