"""Inputs, outputs and definitions of SQL statements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.spark_dataset import Change, SparkDataset

RowsBefore: TypeAlias = Literal["kept", "removed", "replaced", "unknown"]
"""What a statement did to the rows before it: it kept them, emptied the table, stored other rows, or restored
a version whose rows are unknown."""


@dataclass(frozen=True)
class DefinedTable:
    """What a statement did to one table or view.

    Args:
        dataset: The table.
        change: Its lifecycle change; None if only a part of it changed.
        previous: Its name before it was renamed.
        lineage: Sources of the columns of a view.
        rows_before: What the statement did to the rows before it.
    """

    dataset: SparkDataset
    change: Change | None
    previous: tuple[str, str] | None = None
    lineage: ColumnLineageDatasetFacet | None = None
    rows_before: RowsBefore = "kept"


@dataclass(frozen=True)
class DdlResult:
    """What a DDL statement read, and what it did to tables.

    Args:
        inputs: The datasets read.
        tables: The tables that it defined or changed.
        unknown: The name of a statement whose effect is unknown.
    """

    inputs: list[SparkDataset] = field(default_factory=list)
    tables: list[DefinedTable] = field(default_factory=list)
    unknown: str | None = None


FindResult: TypeAlias = Callable[[], DdlResult]
"""Returns what a DDL statement did, after it was executed."""

NOTHING: FindResult = DdlResult
"""Returns the result of a statement that reads and defines nothing."""
