"""Recognise the queries with which Delta reads its own log, which are no queries of the job."""

from __future__ import annotations

from openlineage_facets.spark.jvm.objects import JavaObject, class_of, each, is_a
from openlineage_facets.spark.plans.analyzed_plan import leaves_of

_ACTIONS = {"add", "remove", "metaData", "protocol"}
"""Columns of the log, one for each kind of action."""

_RDDS = ("Delta Table State", "Delta Source Snapshot", "mergeMaterializedSource")
"""Names of the RDDs in which Delta keeps its log, the files of a stream or a MERGE source."""


def reads_delta_log(plan: JavaObject) -> bool:
    """Return True if a plan reads the log of a Delta table, from its files or from Delta's cache."""
    return any(map(_is_log, leaves_of(plan)))


def _is_log(leaf: JavaObject) -> bool:
    kind = class_of(leaf)
    if kind == "LogicalRelation":
        relation = leaf.relation()
        if not is_a(relation, "HadoopFsRelation"):
            return False
        return class_of(relation.location()) == "DeltaLogFileIndex"
    if kind == "LogicalRDD" and {str(column.name()) for column in each(leaf.output())} >= _ACTIONS:
        return True
    if kind not in ("LogicalRDD", "ExternalRDD"):
        return False
    ancestors = str(leaf.rdd().toDebugString())  # A stream numbers the files of the log in another RDD.
    return any(name in ancestors for name in _RDDS)
