"""Datasets that a DataFrame reads: those of the leaves of its logical plan.

No Spark job is run and no files are listed that Spark has not listed. Unknown sources are skipped and logged
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.naming.storage import glob_parent
from openlineage_facets.spark.analyzed_plan import analyzed_plan, leaves_of
from openlineage_facets.spark.datasets.client_sources import client_sources
from openlineage_facets.spark.datasets.jdbc_sources import DatabaseQuery, jdbc_datasets
from openlineage_facets.spark.datasets.mllib_models import datasets_of_models
from openlineage_facets.spark.datasets.rdd_sources import checkpoint_of, rdd_datasets, stream_of_rows
from openlineage_facets.spark.datasets.read_versions import facets_of_versions
from openlineage_facets.spark.datasets.sources import (
    BatchedStream,
    Checkpoint,
    Source,
    are_files,
    file_facets,
    folders_of_index,
    qualified_path,
    relation_paths,
)
from openlineage_facets.spark.datasets.tables import catalog_table, v2_datasets
from openlineage_facets.spark.jvm import (
    JavaObject,
    class_of,
    each,
    has_jvm,
    has_method,
    is_a,
    option,
    private_field,
    struct,
)
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.naming import kafka_topics
from openlineage_facets.spark.spark_dataset import (
    SparkDataset,
    dataset_at_path,
    datasets_at_paths,
    new_dataset,
    storage_facet,
    storage_facet_of_format,
)


def inputs_of(df: DataFrame) -> list[SparkDataset]:
    """Return the distinct datasets that a DataFrame reads, in order of first occurrence.

    Args:
        df: The DataFrame. In Spark Connect, only inputs known to the client are returned.
    """
    return datasets_of(sources_of(df))


def sources_of(df: DataFrame) -> list[Source]:
    """Return what each leaf of the plan of a DataFrame reads.

    Args:
        df: The DataFrame. In Spark Connect, there is one source for each input known to the client.
    """
    try:
        if not has_jvm(df.sparkSession):
            return client_sources(df, logs_gaps=True)
        plan = analyzed_plan(df)
        return [] if plan is None else plan_sources(df.sparkSession, plan)
    except Exception as error:  # Lineage never breaks the job.
        log_once("cannot find the inputs of a DataFrame: reading its plan failed", error)
        return [_UNKNOWN]


def datasets_of(sources: Iterable[Source]) -> list[SparkDataset]:
    """Return the distinct datasets of sources, in order of first occurrence."""
    distinct: dict[tuple[str, str], SparkDataset] = {}
    for source in sources:
        for dataset in source.datasets:
            known = distinct.setdefault(dataset.identity, dataset)
            facets = facets_of_versions(known.facets, dataset.facets)
            if facets is not None:
                distinct[dataset.identity] = replace(known, facets=facets)
    return list(distinct.values())


_WITHOUT_DATASET = {
    "Range",
    "OneRowRelation",
    "CTERelationRef",
    "UnionLoopRef",
    "ResolvedIdentifier",
    "ResolvedNamespace",
    "ResolvedProcedure",
    "StreamingDataSourceV2Relation",
    "StreamingDataSourceV2ScanRelation",
}
"""Leaves whose rows are generated, or come from another part of the plan or from a captured stream."""


_CHANGES_OF_DELTA = "CDCReader$DeltaCDFRelation"
"""Relation of the rows that were changed in a Delta table, with columns that the table does not have."""


_CHANGE_OF_DELTA = ("_change_type", "_commit_version", "_commit_timestamp")
"""Columns that describe the changes of a Delta table, which a table cannot have itself."""

_METADATA = "__metadata_col"
"""Key in the metadata of a column that Spark adds to those of a table."""

_UNKNOWN = Source((), has_unknown_rows=True)
"""A leaf with rows whose datasets are unknown."""

_NOTHING = Source(())
"""A leaf without dataset, such as constants."""


def plan_sources(spark: SparkSession, plan: JavaObject) -> list[Source]:
    """Return the sources of all leaves that read a dataset, and the models. Unreadable ones are logged."""
    sources = []
    for leaf in leaves_of(plan):
        kind = class_of(leaf)
        try:
            if kind in _WITHOUT_DATASET:
                continue
            source = _source(spark, leaf, kind)
        except Exception as error:  # Lineage never breaks the job, whatever a connector's relation does.
            log_once(f"cannot find the dataset of a {kind}: reading it failed", error)
            source = _UNKNOWN
        if source.datasets or source.has_unknown_rows:
            sources.append(source)
    models = datasets_of_models(plan)
    return [*sources, Source(models, is_model=True)] if models else sources


def _source(spark: SparkSession, leaf: JavaObject, kind: str) -> Source:
    reader = _READERS.get(kind)
    if reader is None:
        _log_unknown(kind)
        return _UNKNOWN
    return reader(spark, leaf)


def _with_columns(
    leaf: JavaObject,
    datasets: Iterable[SparkDataset],
    query: DatabaseQuery | BatchedStream | Checkpoint | None = None,
) -> Source:
    """Return a source whose columns are those of datasets, or what a query computes from them."""
    has_unknown_rows = isinstance(query, (BatchedStream, Checkpoint)) and query.has_unknown_rows
    source = Source(tuple(datasets), has_unknown_rows=has_unknown_rows)
    output = leaf.output()
    if not source.datasets or output.size() == 0:
        return source
    return replace(source, first_column=int(output.head().exprId().id()), query=query)


def _read_table(leaf: JavaObject, datasets: Iterable[SparkDataset], columns: bool | DatabaseQuery) -> Source:
    """Return a source; `columns` is False if its columns are not those of the datasets, or a query."""
    if not columns:
        return Source(tuple(datasets))
    return _with_columns(leaf, datasets, None if columns is True else columns)


def _columns(leaf: JavaObject) -> StructType:
    """Return the columns of a leaf without those that describe its rows, such as `_metadata` of files."""
    schema = struct(leaf.schema())
    return type(schema)([column for column in schema.fields if _METADATA not in column.metadata])


def _log_unknown(kind: str) -> None:
    log_once(
        f"cannot find the dataset of a {kind}: unknown kind of source; name it with "
        "run.read(df, dataset=(namespace, name))"
    )


def _logical_relation(spark: SparkSession, leaf: JavaObject) -> Source:
    relation = leaf.relation()
    kind = class_of(relation)
    if kind == "JDBCRelation":
        return _read_table(leaf, *jdbc_datasets(spark, relation.jdbcOptions(), struct(relation.schema())))
    if kind == "KafkaRelation":
        options = private_field(relation, "sourceOptions")
        schema, topics = struct(relation.schema()), kafka_topics(lambda name: option(options.get(name)))
        return _with_columns(leaf, (new_dataset(*topic, schema) for topic in topics))
    if kind == _CHANGES_OF_DELTA:
        return _with_columns(leaf, [_changed_delta_table(relation)])
    if kind != "HadoopFsRelation" and not is_a(relation, "HadoopFsRelation"):
        _log_unknown(kind)
        return _UNKNOWN
    if _is_chosen_by_delta(relation.location()):
        return _NOTHING
    schema, facets = struct(relation.schema()), file_facets(relation)
    table = option(leaf.catalogTable())
    if table is not None:
        return _with_columns(leaf, [catalog_table(spark, table, schema, facets)])
    paths = relation_paths(spark, relation)
    return _with_columns(leaf, datasets_at_paths(paths, schema, facets, _is_file_of(relation.location())))


def _is_file_of(index: JavaObject) -> Callable[[str], bool]:
    return lambda path: are_files([path], index)


def _is_chosen_by_delta(index: JavaObject) -> bool:
    """Return whether Delta has chosen the files of an index for a stream or a command, captured itself.

    The index of a query has the version of the table that is read.
    """
    if ".delta." not in str(index.getClass().getName()):
        return False
    return class_of(index) == "TahoeBatchFileIndex" or not has_method(index, "getSnapshot")


def _changed_delta_table(relation: JavaObject) -> SparkDataset:
    snapshot = relation.snapshotWithSchemaMode().snapshot()
    location, schema = str(snapshot.deltaLog().dataPath().toString()), struct(snapshot.schema())
    return dataset_at_path(location, schema, [storage_facet("delta", "parquet")])


def _rdd(spark: SparkSession, leaf: JavaObject) -> Source:
    stream = stream_of_rows(leaf)
    if stream is not None:
        return _with_columns(leaf, datasets_of(stream.sources), replace(stream, batch=leaf.rdd()))
    checkpoint = checkpoint_of(leaf.rdd())
    if checkpoint is not None:
        return _with_columns(leaf, checkpoint.datasets, checkpoint)
    found = rdd_datasets(spark, leaf.rdd())
    return Source(tuple(found.datasets), has_unknown_rows=found.has_unknown_rows)


def _memory_table(spark: SparkSession, leaf: JavaObject) -> Source:
    stream = stream_of_rows(leaf)
    if stream is None:
        log_once(
            "cannot find the sources of the memory table of a stream: it was not started in this run by "
            "PySpark's own methods; name the table with run.read(df, dataset=(namespace, name))"
        )
        return _UNKNOWN
    return _with_columns(leaf, datasets_of(stream.sources), stream)


def _local_relation(spark: SparkSession, leaf: JavaObject) -> Source:
    """Return no dataset. Rows that are no constants of a SQL statement are from Python, or from a query."""
    is_constant = leaf.data().isEmpty() or option(leaf.origin().sqlText()) is not None
    return _NOTHING if is_constant else _UNKNOWN


def _transposed(spark: SparkSession, leaf: JavaObject) -> Source:
    """Return no dataset: those of the query that Spark has transposed were recorded by the call."""
    return _UNKNOWN


def _hive_relation(spark: SparkSession, leaf: JavaObject) -> Source:
    return _with_columns(leaf, [catalog_table(spark, leaf.tableMeta(), struct(leaf.schema()))])


def _streaming_relation(spark: SparkSession, leaf: JavaObject) -> Source:
    source = leaf.dataSource()
    columns = _columns(leaf)
    if "delta" in str(source.className()).lower():
        columns = type(columns)([column for column in columns.fields if column.name not in _CHANGE_OF_DELTA])
    path = option(source.options().get("path"))
    if path is None:
        log_once(
            f"cannot find the dataset of a {source.className()} stream: it has no path; name it with "
            "run.read(df, dataset=(namespace, name))"
        )
        return _NOTHING
    folder = qualified_path(spark, glob_parent(path) or path)
    storage = storage_facet_of_format(str(source.className()))
    return _with_columns(leaf, datasets_at_paths([folder], columns, [storage]))


def _v2_stream(spark: SparkSession, leaf: JavaObject) -> Source:
    return _read_table(leaf, *v2_datasets(spark, leaf, leaf.table(), _columns(leaf)))


def _v2_relation(spark: SparkSession, leaf: JavaObject) -> Source:
    table, schema = leaf.table(), _columns(leaf)
    kind = class_of(table)
    if kind == "RowLevelOperationTable":
        # MERGE, UPDATE and DELETE read it with additional columns for the position of rows.
        table = table.table()
        return _read_table(leaf, *v2_datasets(spark, leaf, table, struct(table.schema())))
    if kind == "JDBCTable":
        return _read_table(leaf, *jdbc_datasets(spark, table.jdbcOptions(), schema))
    if kind == "V1Table":
        return _with_columns(leaf, [catalog_table(spark, table.v1Table(), schema)])
    if kind == "PathTable" or has_method(table, "fileIndex"):
        index = table.fileIndex()
        globs = [glob_parent(str(path)) for path in each(table.paths())]
        folders = [qualified_path(spark, folder) for folder in globs if folder is not None]
        storage = storage_facet_of_format(str(table.formatName()))
        paths = folders or folders_of_index(spark, index)
        return _with_columns(leaf, datasets_at_paths(paths, schema, [storage], _is_file_of(index)))
    return _read_table(leaf, *v2_datasets(spark, leaf, table, schema))


_READERS: dict[str, Callable[[SparkSession, JavaObject], Source]] = {
    "LogicalRelation": _logical_relation,
    "LocalRelation": _local_relation,
    "MemoryPlan": _memory_table,
    "Transpose": _transposed,
    "HiveTableRelation": _hive_relation,
    "StreamingRelation": _streaming_relation,
    "StreamingRelationV2": _v2_stream,
    "DataSourceV2Relation": _v2_relation,
    "LogicalRDD": _rdd,
    "ExternalRDD": _rdd,
}
