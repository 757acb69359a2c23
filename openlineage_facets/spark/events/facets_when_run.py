"""The facets of its job and datasets that each run had: those in force when it ran."""

from __future__ import annotations

from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql

from openlineage_facets.spark.events.arrow import Batches, arrow_schema, map_batches, record_batch, texts
from openlineage_facets.spark.events.runs import runs_of

__all__ = ["facets_when_run_of"]

_NAMES = ("run_id", "entity", "namespace", "name", "key", "facet", "stated_at", "stated_by")
_TABLE = texts(*_NAMES)
_ARROW = arrow_schema(_TABLE)

_SUBJECT = ("entity", "namespace", "name")
_PLACE = ("seconds", "fraction", "rank")
_STATEMENT = (*_PLACE, "value", "source", "time", "deleted")
_ROWS_AT_ONCE = 500


def facets_when_run_of(remembered: DataFrame) -> DataFrame:
    """Return a row for each facet of job, inputs and outputs of each run that was in force when it ran.

    What is said of an entity and what is asked of it, in order of time, pass by once: at any row the facets
    in force are those that passed last. So the largest history takes no more memory than the smallest.
    """
    said = remembered.where(sql.col("entity").isin("job", "dataset") & (sql.col("part") == "facet"))
    rows = _statements(said).unionByName(_questions(runs_of(remembered), said), allowMissingColumns=True)
    in_order = rows.repartition(*_SUBJECT).sortWithinPartitions(
        *_SUBJECT, "seconds", "fraction", sql.col("role").isNotNull(), "rank", "value", "source"
    )
    columns = [*_SUBJECT, "key", *_STATEMENT, "run_id", "role", "own"]
    return map_batches(in_order.select(columns), _answer, _TABLE)


def _statement(place: str) -> Column:
    parts = {"value": "value", "source": "source", "deleted": "last.deleted"}
    return sql.struct(*(sql.col(parts.get(name, f"{place}.{name}")).alias(name) for name in _STATEMENT))


def _statements(said: DataFrame) -> DataFrame:
    both = sql.array_distinct(sql.array(_statement("first"), _statement("last")))
    return said.select(*_SUBJECT, "key", sql.explode(both).alias("said")).select(*_SUBJECT, "key", "said.*")


def _questions(runs: DataFrame, said: DataFrame) -> DataFrame:
    """Return what is asked: by which run, in which role of the entity, at which moment.

    `own` has the latest that the run itself said of the entity, which counts whenever it said it.
    """

    asked = [_asked(runs, "job", "job", "job")]
    for role in ("input", "output"):
        used = runs.withColumn("used", sql.explode(f"{role}s"))
        asked.append(_asked(used, "dataset", role, "used"))
    questions = asked[0].unionByName(asked[1]).unionByName(asked[2])
    latest = (
        said.where("source != ''")
        .groupBy(*_SUBJECT, sql.col("source").alias("run_id"), "key")
        .agg(sql.max(_statement("last")).alias("said"))
    )
    own = latest.groupBy(*_SUBJECT, "run_id").agg(sql.collect_list(sql.struct("key", "said")).alias("own"))
    return questions.join(own, [*_SUBJECT, "run_id"], "left")


def _asked(runs: DataFrame, entity: str, role: str, subject: str) -> DataFrame:
    return runs.select(
        sql.lit(entity).alias("entity"),
        sql.col(f"{subject}.namespace").alias("namespace"),
        sql.col(f"{subject}.name").alias("name"),
        "run_id",
        sql.lit(role).alias("role"),
        "moment.seconds",
        "moment.fraction",
    )


def _answer(batches: Batches) -> Batches:
    subject: tuple[str, ...] = ()
    held: dict[str, tuple[Any, ...]] = {}
    for batch in batches:
        for start in range(0, batch.num_rows, _ROWS_AT_ONCE):
            columns: list[list[Any]] = [[] for _ in _NAMES]
            for row in batch.slice(start, _ROWS_AT_ONCE).to_pylist():
                if subject != (subject := tuple(row[name] for name in _SUBJECT)):
                    held = {}
                if row["role"] is None:
                    held[row["key"]] = tuple(row[name] for name in _STATEMENT)
                    continue
                for key, (*_, value, source, time, deleted) in _in_force(held, row["own"]).items():
                    if not deleted:
                        whose = row["run_id"], row["role"], *subject[1:]
                        for column, cell in zip(
                            columns, (*whose, key, value, time, source or None), strict=True
                        ):
                            column.append(cell)
            yield record_batch(_ARROW, columns)


def _in_force(
    held: dict[str, tuple[Any, ...]], own: list[dict[str, Any]] | None
) -> dict[str, tuple[Any, ...]]:
    facets = dict(held)
    for entry in own or ():
        key, said = entry["key"], tuple(entry["said"][name] for name in _STATEMENT)
        facets[key] = max(facets.get(key, said), said)
    return facets
