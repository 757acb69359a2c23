"""Lineage of values: the columns that affect a value, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

Column: TypeAlias = tuple[int, str]
"""A column of a source: the number of the source and the name."""


class Effect(NamedTuple):
    """How a column affects a value.

    Args:
        type: DIRECT if the value is computed from it, INDIRECT if it only influences the value.
        subtype: The transformation subtype, such as IDENTITY or FILTER.
        masking: Whether the value hides the original.
    """

    type: str
    subtype: str
    masking: bool = False


Lineage: TypeAlias = Mapping[Column, frozenset[Effect]]
"""The columns that affect a value, and how."""


IDENTITY = frozenset({Effect("DIRECT", "IDENTITY")})
NO_LINEAGE: Lineage = {}

_RANK = {"IDENTITY": 0, "TRANSFORMATION": 1, "AGGREGATION": 2}


class StructLineage(dict[Column, frozenset[Effect]]):
    """The lineage of a struct that the plan creates from other values.

    Args:
        names: The name of each field.
        fields: The lineage of each field.
    """

    def __init__(self, names: Sequence[str], fields: Sequence[Lineage]) -> None:
        super().__init__(computed_lineage(fields, "TRANSFORMATION"))
        self.names = names
        self.fields = fields

    def with_field(self, name: str, value: Lineage) -> StructLineage:
        """Return the struct with another value of a field, at the end if it is new."""
        if not any(_is_same_name(name, other) for other in self.names):
            return StructLineage([*self.names, name], [*self.fields, value])
        fields = [
            value if _is_same_name(name, other) else field
            for other, field in zip(self.names, self.fields, strict=True)
        ]
        return StructLineage(self.names, fields)

    def without_field(self, name: str) -> StructLineage:
        """Return the struct without a field."""
        kept = [number for number, other in enumerate(self.names) if not _is_same_name(name, other)]
        return StructLineage(
            [self.names[number] for number in kept], [self.fields[number] for number in kept]
        )


class CollectionLineage(dict[Column, frozenset[Effect]]):
    """The lineage of an array or map that the plan creates from other values.

    Args:
        members: The lineage of the elements of an array, or of the keys and the values of a map.
        size: The lineage of the number of elements; empty if it is fixed.
    """

    def __init__(self, members: Sequence[Lineage], size: Lineage = NO_LINEAGE) -> None:
        super().__init__(computed_lineage([*members, size], "TRANSFORMATION"))
        self.members = members
        self.size = size


def _is_same_name(name: str, other: str) -> bool:
    """Return whether two names are those of the same field in Spark's default setting."""
    return name.lower() == other.lower()


def computed_lineage(lineages: Iterable[Lineage], subtype: str, masking: bool = False) -> Lineage:
    """Return the lineage of a value that is computed from other values."""
    return {
        column: frozenset(_after_computation(effect, subtype, masking) for effect in effects)
        for column, effects in merged_lineage(lineages).items()
    }


def indirect_lineage(lineages: Iterable[Lineage], subtype: str) -> Lineage:
    """Return the lineage of a value that other values only influence."""
    indirect = frozenset({Effect("INDIRECT", subtype)})
    return dict.fromkeys(merged_lineage(lineages), indirect)


def merged_lineage(lineages: Iterable[Lineage]) -> Lineage:
    """Return the union of several lineages."""
    present = [lineage for lineage in lineages if lineage]
    if len(present) < 2:
        return present[0] if present else NO_LINEAGE
    structs = [lineage for lineage in present if isinstance(lineage, StructLineage)]
    if len(structs) == len(present) and len({len(struct.fields) for struct in structs}) == 1:
        fields = [
            merged_lineage(values) for values in zip(*(struct.fields for struct in structs), strict=True)
        ]
        return StructLineage(structs[0].names, fields)
    collections = [lineage for lineage in present if isinstance(lineage, CollectionLineage)]
    if len(collections) == len(present) and len({len(collection.members) for collection in collections}) == 1:
        members = zip(*(collection.members for collection in collections), strict=True)
        size = merged_lineage([collection.size for collection in collections])
        return CollectionLineage([merged_lineage(values) for values in members], size)
    merged: dict[Column, frozenset[Effect]] = {}
    for lineage in present:
        for column, effects in lineage.items():
            merged[column] = merged[column] | effects if column in merged else effects
    return merged


def _after_computation(effect: Effect, subtype: str, masking: bool) -> Effect:
    """Return an effect after another computation. An aggregation remains one."""
    if effect.type != "DIRECT":
        return effect
    strongest = max(effect.subtype, subtype, key=_RANK.__getitem__)
    return Effect("DIRECT", strongest, effect.masking or masking)
