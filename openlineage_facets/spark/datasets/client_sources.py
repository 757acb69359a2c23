"""Datasets of Spark Connect sessions, where Python talks to a server and has no JVM."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.facets import DatasetFacet
from openlineage_facets.naming.jdbc import dataset_of_jdbc
from openlineage_facets.naming.storage import glob_parent
from openlineage_facets.spark.datasets.sources import Source
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.naming import SESSION_CATALOG, catalog_named, is_kafka, is_query, kafka_topics
from openlineage_facets.spark.spark_dataset import (
    Identity,
    SparkDataset,
    dataset_at_path,
    datasets_at_paths,
    default_format,
    new_dataset,
    storage_facet,
    storage_facet_of_format,
    table_type_facet,
)

Message: TypeAlias = Any
"""A protobuf message of the Spark Connect protocol."""

_FILE_FORMATS = ("avro", "binaryfile", "csv", "delta", "json", "orc", "parquet", "text", "xml")
_HIDE_INPUTS = ("sql", "relation_changes")
_STOP_EARLY = ("limit", "offset", "tail", "sql")


def client_sources(df: DataFrame, *, logs_gaps: bool = False) -> list[Source]:
    """Return one source for each input of a DataFrame that its client knows, and one for what it does not.

    No Spark job is run.

    Args:
        df: The DataFrame.
        logs_gaps: Whether to log that there may be other inputs.
    """
    root = _root(df)
    sources: dict[Identity, Source] = {}
    incomplete = has_local_rows = False
    for kind, message in _relations(root):
        incomplete = incomplete or kind in _HIDE_INPUTS
        has_local_rows = has_local_rows or _has_rows(kind, message)
        if kind != "read":
            continue
        # Only a plan that consists of a single read has the columns of its source.
        schema = df.schema if root.HasField("read") and message is root.read else None
        try:
            datasets = _datasets(df.sparkSession, message, schema)
        except LookupError:
            datasets = []
        incomplete = incomplete or not datasets
        for dataset in datasets:
            sources.setdefault(dataset.identity, Source((dataset,)))
    if incomplete and logs_gaps:
        log_once(
            "cannot find all inputs of a DataFrame: Spark Connect does not report what views, SQL text and "
            "sources without a path read; name them with dataset=(namespace, name)"
        )
    unknown = [Source((), has_unknown_rows=True)] if incomplete or has_local_rows else []
    return [*sources.values(), *unknown]


def may_stop_early(df: DataFrame) -> bool:
    """Return whether an action on a DataFrame may end before it has read the last row."""
    return any(kind in _STOP_EARLY for kind, _ in _relations(_root(df)))


def _root(df: DataFrame) -> Message:
    frame: Any = df
    return frame._plan.to_proto(frame.sparkSession.client).root


def _relations(root: Message) -> Iterator[tuple[str, Message]]:
    """Yield kind and message of the relations in a plan and its subqueries, from left to right."""
    pending = [root]
    while pending:
        message = pending.pop()
        if message.DESCRIPTOR.name == "Relation":
            kind = message.WhichOneof("rel_type")
            if kind is not None:
                yield kind, getattr(message, kind)
        pending.extend(reversed(list(_child_messages(message))))


def _has_rows(kind: str, message: Message) -> bool:
    """Return whether a relation has rows that the client has sent."""
    return kind.endswith("cached_local_relation") or (kind == "local_relation" and message.HasField("data"))


def _child_messages(message: Message) -> Iterator[Message]:
    for _, value in message.ListFields():
        if hasattr(value, "DESCRIPTOR"):
            yield value
        elif not isinstance(value, (str, bytes, int, float)):
            items = value.values() if hasattr(value, "values") else value
            yield from (item for item in items if hasattr(item, "DESCRIPTOR"))


def _datasets(spark: SparkSession, read: Message, schema: StructType | None) -> list[SparkDataset]:
    if read.HasField("named_table"):
        table = server_table(spark, read.named_table.unparsed_identifier, schema)
        return [] if table is None else [table]
    source = read.data_source
    options = {key.lower(): value for key, value in source.options.items()}
    source_format = (source.format or default_format(spark)).lower()
    if source_format == "jdbc":
        return _jdbc_table(options, schema)
    if is_kafka(source_format):
        return [new_dataset(*topic, schema) for topic in kafka_topics(options.get)]
    if source_format not in _FILE_FORMATS:
        return []
    paths = list(source.paths) or [options[key] for key in ("path",) if key in options]
    if "basepath" in options:
        paths = [options["basepath"]]
    folders = [server_path(spark, glob_parent(path) or path) for path in paths]
    return datasets_at_paths(folders, schema, [storage_facet_of_format(source_format)])


def _jdbc_table(options: dict[str, str], schema: StructType | None) -> list[SparkDataset]:
    table = options.get("dbtable")
    if table is None or is_query(table):
        return []  # Finding the tables of a query requires Spark's parser, which runs in the JVM.
    return [new_dataset(*dataset_of_jdbc(options["url"], table, options), schema)]


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def server_path(spark: SparkSession, path: str) -> str:
    """Return a path with its file system.

    A path without a scheme is in the server's default file system: `spark.hadoop.fs.defaultFS`, or the local
    one if the warehouse is local.

    Raises:
        LookupError: The file system or the folder of a relative path is unknown to the client.
    """
    if _SCHEME.match(path):
        return path
    if path.startswith("/"):
        default = spark.conf.get("spark.hadoop.fs.defaultFS", None)
        if default:
            return default.rstrip("/") + path
        if (spark.conf.get("spark.sql.warehouse.dir", None) or "").startswith("file:"):
            return f"file:{path}"
    raise LookupError(
        f"cannot find the file system of {path!r}: Spark Connect does not report it; use a path such as "
        "file:/lake/orders, or name the dataset with dataset=(namespace, name)"
    )


_DETAILS_HEADER = "# Detailed Table Information"


def server_table(spark: SparkSession, name: str, schema: StructType | None) -> SparkDataset | None:
    """Return the dataset of an existing table, named by the location of its files.

    Args:
        spark: The session.
        name: The table name, optionally qualified.
        schema: Its columns.

    Returns:
        The dataset; None for a view, and for a table whose catalog does not report the location.
    """
    if not spark.catalog.tableExists(name):
        return None  # A path instead of a name, as in parquet.`/lake/orders`.
    table = spark.catalog.getTable(name)
    if table.isTemporary or table.catalog is None:
        return None
    details = _details(spark, name)
    location, provider = details.get("Location"), details.get("Provider", "").lower()
    if not location or details.get("Type") == "VIEW":
        return None
    facets: list[DatasetFacet] = []
    if provider:
        facets.append(
            storage_facet("hive", None) if provider == "hive" else storage_facet_of_format(provider)
        )
    if details.get("Type") in ("MANAGED", "EXTERNAL"):
        facets.append(table_type_facet(details["Type"] == "MANAGED"))
    facets += _catalog_facets(spark, table.catalog, [*(table.namespace or ()), table.name], provider)
    return dataset_at_path(location, schema, facets)


def _details(spark: SparkSession, name: str) -> dict[str, str]:
    rows = [
        (row["col_name"], row["data_type"]) for row in spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    ]
    titles = [title for title, _ in rows]
    # The rows before the header are columns, which may have any name.
    return dict(rows[titles.index(_DETAILS_HEADER) + 1 :]) if _DETAILS_HEADER in titles else {}


def _catalog_facets(
    spark: SparkSession, catalog: str, parts: list[str], framework: str
) -> list[DatasetFacet]:
    if catalog == SESSION_CATALOG and spark.conf.get("spark.sql.catalogImplementation", None) == "hive":
        return []  # The metastore is in Hadoop's configuration, which only the server has.
    return catalog_named(spark, catalog, framework).facets(parts)
