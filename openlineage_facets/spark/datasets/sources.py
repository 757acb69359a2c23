"""What a leaf of a plan reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark.datasets.jdbc_sources import DatabaseQuery
from openlineage_facets.spark.jvm.objects import JavaObject
from openlineage_facets.spark.spark_dataset import SparkDataset


@dataclass(frozen=True)
class Source:
    """The datasets that a leaf of a plan reads.

    Args:
        datasets: The datasets.
        first_column: The expression id of the leaf's first column, which identifies it in a plan; None if
            its columns are not those of the datasets.
        query: What computes its columns from those of the datasets: a query of a database, a stream, or
            what was checkpointed.
        has_unknown_rows: It has rows whose datasets the plan does not show, such as values from Python.
    """

    datasets: tuple[SparkDataset, ...]
    first_column: int | None = None
    query: DatabaseQuery | BatchedStream | Checkpoint | None = None
    has_unknown_rows: bool = False

    @property
    def columns(self) -> frozenset[str] | None:
        """The names of the columns of the datasets; None if they are unknown."""
        schemas = [
            facet.fields or ()
            for dataset in self.datasets
            for facet in dataset.facets
            if isinstance(facet, SchemaDatasetFacet)
        ]
        return frozenset(column.name for schema in schemas for column in schema) if schemas else None


@dataclass(frozen=True)
class BatchedStream:
    """A stream whose batches are passed to a function.

    Args:
        plan: The analyzed plan of the streaming DataFrame.
        sources: What the leaves of the plan read.
        determines_rows: The plan shows which rows the batches have.
        batch: The RDD of the rows of one batch; None for the stream as a whole.
    """

    plan: JavaObject
    sources: Sequence[Source]
    determines_rows: bool = True
    batch: JavaObject | None = None


@dataclass(frozen=True)
class Checkpoint:
    """What the rows of a checkpoint were computed from.

    Nothing refers to the JVM, which frees the rows when the job no longer uses them.

    Args:
        datasets: All datasets that the DataFrame reads.
        sources: Those with known columns, by number.
        columns: The lineage of each column, in order: how the columns of sources affect it.
        rows: The columns that determine which rows there are.
        has_unknown_rows: See `Source`.
    """

    datasets: Sequence[SparkDataset]
    sources: Sequence[tuple[SparkDataset, ...]]
    columns: Sequence[Mapping[tuple[int, str], frozenset[Any]]]
    rows: Mapping[tuple[int, str], frozenset[Any]]
    has_unknown_rows: bool


def have_unknown_rows(sources: Iterable[Source]) -> bool:
    """Return whether any source has rows whose datasets the plan does not show."""
    return any(source.has_unknown_rows for source in sources)
