"""Recognise queries of Spark and Delta that are no queries of the job.

Delta reads its own log with queries, and Spark finds the columns of CSV files with them.
"""

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


_PASSED = ("DeserializeToObject", "Filter", "GlobalLimit", "LocalLimit", "Project", "Sample")


def finds_columns_of_csv(plan: JavaObject) -> bool:
    """Return True if a plan reads CSV files as text, as `spark.read.csv` without a schema does.

    Spark reads the first line that is not empty, and all lines as objects of the JVM. The job reads the
    folder of the files, if it reads them at all.
    """
    if class_of(plan) not in ("DeserializeToObject", "GlobalLimit"):
        return False
    is_found = class_of(plan) == "DeserializeToObject"
    while class_of(plan) in _PASSED:
        is_found |= class_of(plan) == "Filter" and _is_length_of_trimmed(plan.condition())
        plan = plan.child()
    return (
        is_found
        and class_of(plan) == "LogicalRelation"
        and is_a(plan.relation(), "HadoopFsRelation")
        and class_of(plan.relation().fileFormat()) == "TextFileFormat"
    )


def _is_length_of_trimmed(condition: JavaObject) -> bool:
    """Return True for `length(trim(value)) > 0`."""
    if class_of(condition) != "GreaterThan" or class_of(condition.left()) != "Length":
        return False
    return class_of(condition.left().child()) == "StringTrim"
