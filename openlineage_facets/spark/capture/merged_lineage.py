"""The column lineage of an output, merged from that of the writes that have filled it.

A facet is immutable and has no index of its columns: to merge another one into it would take longer with each
write. Merged lineage is indexed, and shares everything with the lineage it was merged from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.facets import column_lineage_dataset as facets
from openlineage_facets.spark.spark_dataset import Identity

_Columns: TypeAlias = "Mapping[tuple[str, str, str], facets.InputField]"
"""Source columns by namespace, dataset and column."""


@dataclass(frozen=True)
class MergedLineage:
    """The column lineage of the writes of one dataset. It is false if there is none.

    Args:
        columns: The sources of each column.
        rows: The columns that determine which rows exist.
        producer: The producer of the facet.
    """

    columns: Mapping[str, _Columns] = field(default_factory=dict)
    rows: _Columns = field(default_factory=dict)
    producer: str | None = None

    @classmethod
    def of(cls, facet: ColumnLineageDatasetFacet | None) -> MergedLineage:
        """Return the column lineage of one write."""
        if facet is None:
            return NO_LINEAGE
        columns = {name: _by_column(column.input_fields) for name, column in facet.fields.items()}
        return cls(columns, _by_column(facet.dataset or ()), facet.producer)

    def __bool__(self) -> bool:
        return bool(self.columns or self.rows)

    def __or__(self, later: MergedLineage) -> MergedLineage:
        """Return the column lineage of these writes and later ones: that of both for each column."""
        if not self or not later:
            return self or later
        if _contains(self.rows, later.rows) and all(
            name in self.columns and _contains(self.columns[name], sources)
            for name, sources in later.columns.items()
        ):
            return self
        columns = dict(self.columns)
        for name, sources in later.columns.items():
            columns[name] = _merged(columns[name], sources) if name in columns else sources
        return MergedLineage(columns, _merged(self.rows, later.rows), self.producer)

    def renamed(self, names: Mapping[Identity, Identity]) -> MergedLineage:
        """Return the column lineage with other names for its source datasets, by the present ones."""
        columns = {name: _renamed(sources, names) for name, sources in self.columns.items()}
        return MergedLineage(columns, _renamed(self.rows, names), self.producer)

    @cached_property
    def facet(self) -> ColumnLineageDatasetFacet:
        """The facet; without columns if there is no lineage."""
        return ColumnLineageDatasetFacet(
            fields={
                name: facets.Fields(input_fields=tuple(sources.values()))
                for name, sources in self.columns.items()
            },
            dataset=tuple(self.rows.values()) or None,
            producer=self.producer,
        )


NO_LINEAGE = MergedLineage()


def _by_column(sources: Iterable[facets.InputField]) -> _Columns:
    columns: dict[tuple[str, str, str], facets.InputField] = {}
    for source in sources:
        _add(columns, (source.namespace, source.name, source.field), source)
    return columns


def _merged(first: _Columns, second: _Columns) -> _Columns:
    merged = dict(first)
    for column, source in second.items():
        _add(merged, column, source)
    return merged


def _contains(known: _Columns, sources: _Columns) -> bool:
    return all(
        column in known and not _missing_steps(known[column], source) for column, source in sources.items()
    )


def _renamed(sources: _Columns, names: Mapping[Identity, Identity]) -> _Columns:
    renamed: dict[tuple[str, str, str], facets.InputField] = {}
    for (namespace, dataset, column), source in sources.items():
        name = names.get((namespace, dataset))
        if name is None:
            _add(renamed, (namespace, dataset, column), source)
        else:
            _add(renamed, (*name, column), source.replace(namespace=name[0], name=name[1]))
    return renamed


def _add(
    columns: dict[tuple[str, str, str], facets.InputField],
    column: tuple[str, str, str],
    source: facets.InputField,
) -> None:
    """Add a source column, or its transformations if it is a source already."""
    known = columns.setdefault(column, source)
    if missing := _missing_steps(known, source):
        columns[column] = known.replace(transformations=(*(known.transformations or ()), *missing))


def _missing_steps(known: facets.InputField, source: facets.InputField) -> list[facets.Transformation]:
    """Return the transformations of a source column that are not among those known of it."""
    if known is source:
        return []
    steps = known.transformations or ()
    return [step for step in source.transformations or () if step not in steps]
