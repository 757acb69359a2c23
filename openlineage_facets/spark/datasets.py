"""The datasets that a Spark DataFrame reads, and those that it is written to.

Nothing here runs a Spark job, lists a file that Spark has not listed, or raises into the caller for a
source that it does not know: what can't be named is left out, and logged once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.spark.column_lineage import column_lineage_facet
from openlineage_facets.spark.connect.paths import qualified as qualified_by_client
from openlineage_facets.spark.connect.plans import read_by
from openlineage_facets.spark.file_sources import qualified
from openlineage_facets.spark.jdbc_names import dataset_of_jdbc
from openlineage_facets.spark.notices import notice
from openlineage_facets.spark.path_names import is_partition
from openlineage_facets.spark.plan import analyzed_plan
from openlineage_facets.spark.relations import sources_of
from openlineage_facets.spark.schema import schema_facet
from openlineage_facets.spark.session import has_jvm
from openlineage_facets.spark.spark_dataset import (
    SparkDataset,
    dataset,
    datasets_at,
    default_format,
    storage_of_format,
)
from openlineage_facets.spark.table_targets import table_target

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = [
    "SparkDataset",
    "column_lineage_facet",
    "inputs_of",
    "jdbc_target",
    "path_target",
    "schema_facet",
    "table_target",
]


def inputs_of(df: DataFrame) -> list[SparkDataset]:
    """Return the datasets that a DataFrame reads, distinct, in order of first occurrence.

    Args:
        df: Any DataFrame; of one of Spark Connect, what its client knows.
    """
    try:
        if not has_jvm(df.sparkSession):
            return _inputs_known_to_client(df)
        plan = analyzed_plan(df)
        sources = [] if plan is None else sources_of(df.sparkSession, plan)
    except Exception as error:  # lineage never breaks the job
        notice("the inputs of a DataFrame are left out of the lineage: its plan could not be read", error)
        return []
    found: dict[tuple[str, str], SparkDataset] = {}
    for source in sources:
        for each in source.datasets:
            found.setdefault((each.namespace, each.name), each)
    return list(found.values())


def path_target(
    spark: SparkSession, path: str, schema: StructType | None = None, format: str | None = None
) -> SparkDataset:
    """Return the dataset that a write to a path makes: for the path of a partition, its table.

    Args:
        spark: The session, which resolves the path.
        path: The path, as given to the writer.
        schema: What is written; to a partition, without the columns that its path has.
        format: The format it is written in, such as `parquet`; the session's default if None.

    Raises:
        LookupError: The session is one of Spark Connect, whose server does not say where the path lies.
    """
    location = qualified(spark, path) if has_jvm(spark) else qualified_by_client(spark, path)
    storage = storage_of_format(format or default_format(spark))
    (found,) = datasets_at([location], None if is_partition(location) else schema, [storage])
    return found


def jdbc_target(url: str, dbtable: str, schema: StructType | None = None) -> SparkDataset:
    """Return the dataset that a write over JDBC makes.

    Args:
        url: The JDBC URL; user and password in it go nowhere.
        dbtable: The table, qualified or not.
        schema: What is written.
    """
    return dataset(*dataset_of_jdbc(url, dbtable), schema)


def _inputs_known_to_client(df: DataFrame) -> list[SparkDataset]:
    inputs = read_by(df)
    if inputs.hidden:
        notice(
            "Spark Connect does not say what a view, SQL text or a source without a path reads: that is left "
            "out of the inputs of a DataFrame; name it yourself with dataset=(namespace, name)"
        )
    return inputs.datasets
