"""Lifecycle change of a dataset by a write: created, overwritten or neither."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from openlineage_facets.spark.jvm.objects import hadoop_path, session_state
from openlineage_facets.spark.jvm.session import has_jvm
from openlineage_facets.spark.naming.table_names import is_resolvable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Change: TypeAlias = Literal["ALTER", "CREATE", "DROP", "OVERWRITE", "RENAME", "TRUNCATE"]


def change_made(existed: bool | None, overwrote: bool) -> Change | None:
    """Return the lifecycle change by a successful write; None for an append, or if it is unknown.

    Args:
        existed: The dataset existed before; None if unknown.
        overwrote: All previous content was replaced.
    """
    if existed is False:
        return "CREATE"
    return "OVERWRITE" if overwrote and existed else None


def path_exists(spark: SparkSession, path: str) -> bool:
    """Return True if a file or folder exists, with one request to its file system."""
    location = hadoop_path(spark, path)
    system = location.getFileSystem(session_state(spark).newHadoopConf())
    return bool(system.exists(location))


def table_exists(spark: SparkSession, name: str) -> bool:
    """Return True if a table, or a branch of one, exists in a catalog."""
    if spark.catalog.tableExists(name):
        return True
    return has_jvm(spark) and is_resolvable(spark, name)


def overwrites_only_written_partitions(
    setting: Callable[[str, str], str], option: str | None, partitioned: bool
) -> bool:
    """Return True if an overwrite keeps the partitions to which it writes no rows.

    Args:
        setting: Returns a setting of the session, or a default.
        option: The write's option `partitionOverwriteMode`.
        partitioned: The dataset is partitioned.
    """
    if not partitioned:
        return False
    mode = option or setting("spark.sql.sources.partitionOverwriteMode", "static")
    return mode.lower() == "dynamic"
