"""Compute the table of current facets from records."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql

__all__ = ["facets_of", "latest_facets"]

_SUBJECT = ("entity", "namespace", "name", "part", "other_namespace", "other_name", "key")


def latest_facets(records: DataFrame) -> DataFrame:
    """Return the latest version of each facet, including tombstones.

    Columns: the identity of the facet; `latest` with sort key, `value` and `source` (the run that reported
    it); and `first`, the sort key at which that value was first reported.
    """
    versions = records.where(sql.col("part").isin("facet", "input facet", "output facet"))
    value = sql.coalesce("value", "last.value")
    by_value = versions.groupBy(*_SUBJECT, value.alias("value")).agg(
        sql.min("first").alias("first"),
        # Ordered like FacetVersion: by sort key, facet, source.
        sql.max(sql.struct(*_sort_key("last"), value.alias("value"), "source", "last.deleted")).alias(
            "latest"
        ),
    )
    return (
        by_value.groupBy(*_SUBJECT)
        .agg(sql.max(sql.struct("latest", "first")).alias("both"))
        .select(*_SUBJECT, sql.col("both.latest").alias("latest"), sql.col("both.first").alias("first"))
    )


def _sort_key(column: str) -> list[Column]:
    return [sql.col(f"{column}.{name}") for name in ("seconds", "fraction", "rank", "time")]


def facets_of(latest: DataFrame) -> DataFrame:
    """Return the current facets in the columns of the public table."""
    of_run = sql.col("entity") == "run"
    of_use = sql.col("part") != "facet"
    return latest.where(~sql.col("latest.deleted")).select(
        sql.when(of_use, sql.substring_index("part", " ", 1)).otherwise(sql.col("entity")).alias("entity"),
        sql.when(of_use, sql.col("other_namespace")).when(~of_run, sql.col("namespace")).alias("namespace"),
        sql.when(of_use, sql.col("other_name")).when(~of_run, sql.col("name")).alias("name"),
        sql.when(of_run, sql.col("name")).alias("run_id"),
        "key",
        sql.col("latest.value").alias("facet"),
        sql.col("latest.time").alias("reported_at"),
        sql.when(of_run, sql.col("name"))
        .otherwise(sql.nullif("latest.source", sql.lit("")))
        .alias("reported_by"),
    )
