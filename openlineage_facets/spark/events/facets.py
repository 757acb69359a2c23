"""Facets out of what a fold remembers: those that hold now, and those a run had."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql

__all__ = ["facets_of", "latest_facets"]

_SUBJECT = ("entity", "namespace", "name", "part", "other_namespace", "other_name", "key")


def latest_facets(remembered: DataFrame) -> DataFrame:
    """Return the latest of each facet, tombstones included.

    The columns are those that name whose facet it is; `latest`: its place in time, its `value` and, as
    `source`, the run that said it; and `first`, where that value was said first.
    """
    said = remembered.where(sql.col("part").isin("facet", "input facet", "output facet"))
    value = sql.coalesce("value", "last.value")
    of_a_value = said.groupBy(*_SUBJECT, value.alias("value")).agg(
        sql.min("first").alias("first"),
        # As statements compare: by their place in time, then by the text of the facet, then by who said it.
        sql.max(sql.struct(*_place("last"), value.alias("value"), "source", "last.deleted")).alias("latest"),
    )
    return (
        of_a_value.groupBy(*_SUBJECT)
        .agg(sql.max(sql.struct("latest", "first")).alias("both"))
        .select(*_SUBJECT, sql.col("both.latest").alias("latest"), sql.col("both.first").alias("first"))
    )


def _place(column: str) -> list[Column]:
    return [sql.col(f"{column}.{name}") for name in ("seconds", "fraction", "rank", "time")]


def facets_of(latest: DataFrame) -> DataFrame:
    """Return the facets that hold, one row each, as the tables show them."""
    of_a_run = sql.col("entity") == "run"
    of_a_use = sql.col("part") != "facet"
    return latest.where(~sql.col("latest.deleted")).select(
        sql.when(of_a_use, sql.substring_index("part", " ", 1)).otherwise(sql.col("entity")).alias("entity"),
        sql.when(of_a_use, sql.col("other_namespace"))
        .when(~of_a_run, sql.col("namespace"))
        .alias("namespace"),
        sql.when(of_a_use, sql.col("other_name")).when(~of_a_run, sql.col("name")).alias("name"),
        sql.when(of_a_run, sql.col("name")).alias("run_id"),
        "key",
        sql.col("latest.value").alias("facet"),
        sql.col("latest.time").alias("stated_at"),
        sql.when(of_a_run, sql.col("name"))
        .otherwise(sql.nullif("latest.source", sql.lit("")))
        .alias("stated_by"),
    )
