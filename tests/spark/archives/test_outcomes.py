"""Settings of a session while outcomes are written, without Spark."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from openlineage_facets.spark.archives.outcomes import settings_of_writing
from tests.cases import each

FILES = "spark.sql.maxConcurrentOutputFileWriters"
ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"


def session(version: str = "4.3.0", **settings: str) -> Any:
    values = {FILES: "0", ROWS: "10000", **settings}
    conf = SimpleNamespace(get=values.__getitem__, set=values.__setitem__, values=values)
    return SimpleNamespace(version=version, conf=conf)


def test_settings_are_restored_whichever_of_two_threads_ends_first() -> None:
    for ended_first in (0, 1):
        spark = session()
        threads = [settings_of_writing(spark), settings_of_writing(spark)]
        for thread in threads:
            thread.__enter__()
            assert spark.conf.values[FILES] == "4"
        for thread in (threads[ended_first], threads[1 - ended_first]):
            thread.__exit__(None, None, None)
        assert spark.conf.values == {FILES: "0", ROWS: "10000"}


@each(("version", "rows"), [("3.5.9", "500"), ("4.0.1", "500"), ("4.1.0", "10000"), ("4.3.0", "10000")])
def test_few_lines_are_read_at_once_where_spark_does_not_limit_their_bytes(version: str, rows: str) -> None:
    spark = session(version)
    with settings_of_writing(spark):
        assert spark.conf.values[ROWS] == rows
    assert spark.conf.values[ROWS] == "10000"
