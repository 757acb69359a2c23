"""Read, validate and fold archives of events with Spark.

Example:
    >>> from openlineage_facets.spark.archives import fold_events, read_events
    >>> events = read_events(spark, "s3a://lake/lineage/")
    >>> events.where("not valid").select("file", "line_number", "findings.message").show()
    >>> fold_events(events.where("valid")).edges.show()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openlineage_facets.spark import load_spark_export

if TYPE_CHECKING:
    from openlineage_facets.spark.archives.event_columns import read_events, validate_events
    from openlineage_facets.spark.archives.splitting import SplitArchive, split_archive
    from openlineage_facets.spark.archives.streams import compact_stream, fold_stream
    from openlineage_facets.spark.archives.tables.lineage_tables import LineageTables, fold_events
    from openlineage_facets.spark.archives.tables.state_table import StateTable

__all__ = [
    "LineageTables",
    "SplitArchive",
    "StateTable",
    "compact_stream",
    "fold_events",
    "fold_stream",
    "read_events",
    "split_archive",
    "validate_events",
]

_EXPORTS = {
    "LineageTables": "tables.lineage_tables",
    "SplitArchive": "splitting",
    "StateTable": "tables.state_table",
    "compact_stream": "streams",
    "fold_events": "tables.lineage_tables",
    "fold_stream": "streams",
    "read_events": "event_columns",
    "split_archive": "splitting",
    "validate_events": "event_columns",
}


def __getattr__(name: str) -> Any:
    return load_spark_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
