"""Recognise the queries with which Spark finds the columns of CSV files, which are no queries of the job."""

from __future__ import annotations

from openlineage_facets.spark.jvm.objects import JavaObject, class_of, is_a

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
