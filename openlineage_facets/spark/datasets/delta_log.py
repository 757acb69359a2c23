"""Recognise the queries with which Delta reads its own log, which are no queries of the job."""

from __future__ import annotations

from openlineage_facets.spark.jvm.objects import JavaObject, class_of, each, is_a
from openlineage_facets.spark.plans.analyzed_plan import leaves_of

__all__ = ["reads_delta_log"]

_ACTIONS = {"add", "remove", "metaData", "protocol"}
"""Columns of the log, one for each kind of action."""

_RDDS = ("Delta Table State", "mergeMaterializedSource")
"""Start of the names of the RDDs in which Delta keeps its log, or the source of a MERGE."""


def reads_delta_log(plan: JavaObject) -> bool:
    """Return True if a plan reads the log of a Delta table, from its files or from Delta's cache."""
    return any(map(_is_log, leaves_of(plan)))


def _is_log(leaf: JavaObject) -> bool:
    kind = class_of(leaf)
    if kind == "LogicalRelation":
        relation = leaf.relation()
        return is_a(relation, "HadoopFsRelation") and class_of(relation.location()) == "DeltaLogFileIndex"
    if kind != "LogicalRDD":
        return False
    columns = {str(column.name()) for column in each(leaf.output())}
    return columns >= _ACTIONS or str(leaf.rdd().name()).startswith(_RDDS)
