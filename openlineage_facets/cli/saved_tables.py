"""The lineage graph of tables that `spark-validate --state` or `LineageTables.save` has written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.spark_programs import reason_of, use_this_python_for_workers
from openlineage_facets.version import install_command

if TYPE_CHECKING:
    from openlineage_facets.state import Lineage


def is_saved_tables(path: str) -> bool:
    """Return whether a folder contains the tables of a fold."""
    return all((Path(path) / table).is_dir() for table in ("records", "edges", "column_edges"))


def lineage_of_saved_tables(path: str, *, join_symlinks: bool) -> Lineage:
    """Return the graph of saved tables. Starts Spark unless a session is active.

    Raises:
        CommandError: PySpark is missing, or Spark cannot read the tables.
    """
    try:
        from py4j.protocol import Py4JError  # type: ignore[import-untyped,unused-ignore]
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession

        from openlineage_facets.spark.archives.tables.lineage_tables import LineageTables
        from openlineage_facets.spark.jvm.session import has_jvm
    except ModuleNotFoundError as error:
        extra = install_command("spark")
        raise CommandError(f"{path}: reading the tables of a fold needs {error.name}: {extra}") from None
    running = SparkSession.getActiveSession()
    use_this_python_for_workers(None)
    spark = SparkSession.builder.appName("openlineage-facets graph").getOrCreate()
    if running is None and has_jvm(spark):
        spark.sparkContext.setLogLevel("OFF")
    try:
        return LineageTables.load(spark, path).lineage(join_symlinks=join_symlinks)
    except (PySparkException, Py4JError) as error:
        raise CommandError(f"{path}: expected the tables of a fold: {reason_of(error)}") from None
    finally:
        if running is None:
            spark.stop()
