"""What a leaf of a plan reads, and the paths, storage and version of its files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

from openlineage_facets.facets import (
    DatasetFacet,
    DatasetVersionDatasetFacet,
    SchemaDatasetFacet,
)
from openlineage_facets.naming.storage import (
    glob_parent,
    parent_folders,
)
from openlineage_facets.spark.datasets.jdbc_sources import DatabaseQuery
from openlineage_facets.spark.jvm import (
    JavaObject,
    hadoop_configuration,
    hadoop_path,
    has_method,
    json_value,
    session_state,
)
from openlineage_facets.spark.spark_dataset import SparkDataset, storage_facet


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
        is_model: No leaf, but models that compute columns of the plan.
    """

    datasets: tuple[SparkDataset, ...]
    first_column: int | None = None
    query: DatabaseQuery | BatchedStream | Checkpoint | None = None
    has_unknown_rows: bool = False
    is_model: bool = False

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
    """A stream whose rows the job reads: its batches are passed to a function, or are a table in memory.

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

    @property
    def has_unknown_rows(self) -> bool:
        """See `Source`."""
        return have_unknown_rows(self.sources)


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


_SEPARATOR = "\n"  # Spark cannot read paths with line breaks.


def relation_paths(spark: SparkSession, relation: JavaObject) -> list[str]:
    """Return the paths that a HadoopFsRelation reads: folders, or a single file.

    A glob pattern is represented by its parent folder, several files of a folder by the folder. No files are
    listed that Spark has not listed.
    """
    options = {key.lower(): value for key, value in json_value(spark, relation.options()).items()}
    base = options.get("basepath")
    if base is not None:
        return [qualified_path(spark, base)]
    pattern = options.get("path")
    folder = glob_parent(pattern) if pattern else None
    if folder is not None:
        return [qualified_path(spark, folder)]
    return folders_of_index(spark, relation.location())


def folders_of_index(spark: SparkSession, index: JavaObject) -> list[str]:
    """Return the root paths of a file index, or their parent folders if they are several files."""
    roots = [path for path in str(index.rootPaths().mkString(_SEPARATOR)).split(_SEPARATOR) if path]
    if len(roots) > 1:
        return parent_folders(roots) if are_files(roots, index) else roots
    # Spark does not qualify the path of a folder that a stream has written.
    return [root if ":" in root.partition("/")[0] else qualified_path(spark, root) for root in roots]


def file_facets(relation: JavaObject) -> list[DatasetFacet]:
    """Return the storage facet of a HadoopFsRelation, and the version that is read of a Delta table."""
    index = relation.location()
    file_format = _format_name(relation.fileFormat())
    if ".delta." not in str(index.getClass().getName()):
        return [storage_facet("file", file_format)]
    version = DatasetVersionDatasetFacet(dataset_version=str(index.getSnapshot().version()))
    return [storage_facet("delta", "parquet"), version]


def qualified_path(spark: SparkSession, path: str) -> str:
    """Return a path with its file system as Spark resolves it; unchanged if the file system is unknown."""
    unqualified = hadoop_path(spark, path)
    try:
        system = unqualified.getFileSystem(hadoop_configuration(spark))
        return str(system.makeQualified(unqualified).toString())
    except Exception:  # The jar of the file system is missing; the job's own read or write reports it.
        return path


def _format_name(file_format: JavaObject) -> str:
    """Return the short name of a file format, such as `parquet`."""
    try:
        return str(file_format.shortName())
    except Exception:  # py4j raises if the format has no short name.
        return str(file_format.toString()).lower()


def are_files(roots: list[str], index: JavaObject) -> bool:
    """Return whether the root paths of an index are files, using the listing that Spark has made.

    Args:
        roots: The root paths.
        index: The file index. That of Delta or of a catalog, which has no listing, contains folders.
    """
    if not has_method(index, "allFiles"):
        return False
    files = index.allFiles()
    return bool(files.size() == len(roots) and str(files.head().getPath().toString()) in set(roots))


def path_exists(spark: SparkSession, path: str) -> bool:
    """Return True if a file or folder exists, with one request to its file system."""
    location = hadoop_path(spark, path)
    system = location.getFileSystem(session_state(spark).newHadoopConf())
    return bool(system.exists(location))
