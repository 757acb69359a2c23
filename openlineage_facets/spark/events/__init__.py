"""Archives of events in Spark: read and judged line by line, folded into tables.

Example:
    >>> from openlineage_facets.spark.events import fold_events, read_events
    >>> events = read_events(spark, "s3a://lake/lineage/")
    >>> events.where("not valid").select("file", "line_number", "findings.message").show()
    >>> fold_events(events.where("valid")).edges.show()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openlineage_facets.base.lazy import load_export

if TYPE_CHECKING:
    from openlineage_facets.spark.events.folding import LineageTables, fold_events
    from openlineage_facets.spark.events.reading import read_events, validate_events
    from openlineage_facets.spark.events.sifting import Sifted, sift_archive

__all__ = ["LineageTables", "Sifted", "fold_events", "read_events", "sift_archive", "validate_events"]

_EXPORTS = {
    "LineageTables": "folding",
    "Sifted": "sifting",
    "fold_events": "folding",
    "read_events": "reading",
    "sift_archive": "sifting",
    "validate_events": "reading",
}


def __getattr__(name: str) -> Any:
    try:
        return load_export(__name__, name, _EXPORTS)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("pyarrow", "pyspark"):
            raise
        needed = f'{__name__}.{name} needs {missing}: pip install "openlineage-facets[spark]"'
        raise ModuleNotFoundError(needed, name=missing) from None


def __dir__() -> list[str]:
    return __all__
