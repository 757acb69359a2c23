"""Inputs of a Spark Connect DataFrame, found in the plan that the client sends to the server.

The plan contains paths, tables and options as the job wrote them. Only the server knows what SQL text and
views read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from openlineage_facets.naming.jdbc import dataset_of_jdbc
from openlineage_facets.naming.storage import glob_parent
from openlineage_facets.spark.connect.server_tables import server_path, server_table
from openlineage_facets.spark.facets.dataset_facets import default_format, storage_facet_of_format
from openlineage_facets.spark.naming.kafka_topics import is_kafka, kafka_topics
from openlineage_facets.spark.naming.table_names import is_query
from openlineage_facets.spark.spark_dataset import SparkDataset, datasets_at_paths, new_dataset

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

Message: TypeAlias = Any
"""A protobuf message of the Spark Connect protocol."""

_FILE_FORMATS = ("avro", "binaryfile", "csv", "delta", "json", "orc", "parquet", "text", "xml")
_HIDE_INPUTS = ("sql", "relation_changes")
_STOP_EARLY = ("limit", "offset", "tail", "sql")


@dataclass
class ClientInputs:
    """The inputs of a DataFrame that its client knows.

    Args:
        datasets: The distinct datasets, in order of first occurrence.
        incomplete: Whether there may be others.
        has_local_rows: It has rows from Python, too.
    """

    datasets: list[SparkDataset] = field(default_factory=list)
    incomplete: bool = False
    has_local_rows: bool = False


def client_inputs(df: DataFrame) -> ClientInputs:
    """Return the inputs of a DataFrame that its client knows. No Spark job is run."""
    root = _root(df)
    distinct: dict[tuple[str, str], SparkDataset] = {}
    inputs = ClientInputs()
    for kind, message in _relations(root):
        inputs.incomplete = inputs.incomplete or kind in _HIDE_INPUTS
        inputs.has_local_rows = inputs.has_local_rows or _has_rows(kind, message)
        if kind != "read":
            continue
        # Only a plan that consists of a single read has the columns of its source.
        schema = df.schema if root.HasField("read") and message is root.read else None
        try:
            datasets = _datasets(df.sparkSession, message, schema)
        except LookupError:
            datasets = []
        inputs.incomplete = inputs.incomplete or not datasets
        for dataset in datasets:
            distinct.setdefault((dataset.namespace, dataset.name), dataset)
    inputs.datasets = list(distinct.values())
    return inputs


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
