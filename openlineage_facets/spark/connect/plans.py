"""What a DataFrame of Spark Connect reads, by the plan that its client sends to the server.

That plan has the paths, tables and options as the job gave them. What SQL text reads, and what lies behind a
view, is known to the server alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from openlineage_facets.spark.connect.paths import qualified
from openlineage_facets.spark.connect.tables import table_called
from openlineage_facets.spark.jdbc_names import dataset_of_jdbc, is_query
from openlineage_facets.spark.path_names import before_glob
from openlineage_facets.spark.spark_dataset import (
    SparkDataset,
    dataset,
    datasets_at,
    default_format,
    storage_of_format,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = ["Inputs", "may_stop_early", "read_by"]

Message: TypeAlias = Any
"""A message of the protocol that client and server speak."""

_FORMATS_OF_FILES = ("avro", "binaryfile", "csv", "delta", "json", "orc", "parquet", "text", "xml")
"""The formats whose paths are those of files."""

_HIDE_READS = ("sql", "relation_changes")
_STOP_EARLY = ("limit", "offset", "tail", "sql")


@dataclass
class Inputs:
    """What a DataFrame reads.

    Args:
        datasets: The datasets that are known, distinct, in order of first occurrence.
        hidden: Whether there may be others.
    """

    datasets: list[SparkDataset] = field(default_factory=list)
    hidden: bool = False


def read_by(df: DataFrame) -> Inputs:
    """Return the datasets that a DataFrame reads, as far as its client knows them; no Spark job is run."""
    root = _root(df)
    found: dict[tuple[str, str], SparkDataset] = {}
    inputs = Inputs()
    for kind, message in _relations(root):
        inputs.hidden = inputs.hidden or kind in _HIDE_READS
        if kind != "read":
            continue
        # A DataFrame that is no more than what it reads has its columns.
        schema = df.schema if root.HasField("read") and message is root.read else None
        try:
            datasets = _datasets(df.sparkSession, message, schema)
        except LookupError:
            datasets = []
        inputs.hidden = inputs.hidden or not datasets
        for each in datasets:
            found.setdefault((each.namespace, each.name), each)
    inputs.datasets = list(found.values())
    return inputs


def may_stop_early(df: DataFrame) -> bool:
    """Tell whether an action on a DataFrame may end before it has read the last row."""
    return any(kind in _STOP_EARLY for kind, _ in _relations(_root(df)))


def _root(df: DataFrame) -> Message:
    frame: Any = df
    return frame._plan.to_proto(frame.sparkSession.client).root


def _relations(root: Message) -> Iterator[tuple[str, Message]]:
    """Go through the relations of a plan and of its subqueries, from left to right, with their kinds."""
    pending = [root]
    while pending:
        message = pending.pop()
        if message.DESCRIPTOR.name == "Relation":
            kind = message.WhichOneof("rel_type")
            if kind is not None:
                yield kind, getattr(message, kind)
        pending.extend(reversed(list(_messages_in(message))))


def _messages_in(message: Message) -> Iterator[Message]:
    for _, value in message.ListFields():
        if hasattr(value, "DESCRIPTOR"):
            yield value
        elif not isinstance(value, (str, bytes, int, float)):
            several = value.values() if hasattr(value, "values") else value
            yield from (each for each in several if hasattr(each, "DESCRIPTOR"))


def _datasets(spark: SparkSession, read: Message, schema: StructType | None) -> list[SparkDataset]:
    if read.HasField("named_table"):
        table = table_called(spark, read.named_table.unparsed_identifier, schema)
        return [] if table is None else [table]
    source = read.data_source
    options = {key.lower(): value for key, value in source.options.items()}
    written_as = (source.format or default_format(spark)).lower()
    if written_as == "jdbc":
        return _of_jdbc(options, schema)
    if written_as not in _FORMATS_OF_FILES:
        return []
    paths = list(source.paths) or [options[key] for key in ("path",) if key in options]
    if "basepath" in options:
        paths = [options["basepath"]]
    folders = [qualified(spark, before_glob(path) or path) for path in paths]
    return datasets_at(folders, schema, [storage_of_format(written_as)])


def _of_jdbc(options: dict[str, str], schema: StructType | None) -> list[SparkDataset]:
    table = options.get("dbtable")
    if table is None or is_query(table):
        return []  # The tables that a query names are found by Spark's parser.
    return [dataset(*dataset_of_jdbc(options["url"], table, options), schema)]
