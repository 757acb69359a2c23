"""What a write did to the dataset as such: made it, or replaced what it held."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Change", "change_made", "overwrites_partitions_alone", "path_exists", "table_exists"]

Change: TypeAlias = Literal["CREATE", "OVERWRITE"]


def change_made(existed: bool | None, overwrote: bool) -> Change | None:
    """Return what a write that ended well did to the dataset; None for an append, or where it is not known.

    Args:
        existed: Whether the dataset was there before; None where that is not known.
        overwrote: Whether everything it held was replaced.
    """
    if existed is False:
        return "CREATE"
    return "OVERWRITE" if overwrote and existed else None


def path_exists(spark: SparkSession, path: str) -> bool:
    """Tell whether something is at a path, by one question to its file system."""
    jvm: Any = spark.sparkContext._jvm
    place = jvm.org.apache.hadoop.fs.Path(path)
    session: Any = spark._jsparkSession
    system = place.getFileSystem(session.sessionState().newHadoopConf())
    return bool(system.exists(place))


def table_exists(spark: SparkSession, name: str) -> bool:
    """Tell whether a table of a catalog is there."""
    return bool(spark.catalog.tableExists(name))


def overwrites_partitions_alone(
    setting: Callable[[str, str], str], option: str | None, partitioned: bool
) -> bool:
    """Tell whether an overwriting write leaves the partitions alone that it writes nothing to.

    Args:
        setting: What returns a setting of the session, or a default.
        option: The write's own `partitionOverwriteMode`.
        partitioned: Whether the dataset is partitioned.
    """
    mode = option or setting("spark.sql.sources.partitionOverwriteMode", "static")
    return partitioned and mode.lower() == "dynamic"
