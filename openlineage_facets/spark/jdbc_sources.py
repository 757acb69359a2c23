"""The datasets that a relation over JDBC reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.spark.jdbc_names import backquoted, dataset_of_jdbc, is_query, query_text, quoted
from openlineage_facets.spark.jvm import JavaObject, class_of, each, option, session_state
from openlineage_facets.spark.notices import notice
from openlineage_facets.spark.spark_dataset import SparkDataset, dataset

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["jdbc_datasets"]


def jdbc_datasets(
    spark: SparkSession, options: JavaObject, schema: StructType
) -> tuple[list[SparkDataset], bool]:
    """Return the tables that a JDBC relation reads: one, or those that its query names."""
    url, table = str(options.url()), str(options.tableOrQuery())
    properties = {
        key: value
        for key in ("currentSchema", "databaseName", "database", "db", "schema")
        if (value := option(options.parameters().get(key))) is not None
    }
    if not is_query(table):
        return [dataset(*dataset_of_jdbc(url, table, properties), schema)], True
    names = tables_of_query(spark, query_text(table))
    return [dataset(*dataset_of_jdbc(url, name, properties)) for name in names], False


def tables_of_query(spark: SparkSession, query: str) -> list[str]:
    """Return the tables that a query names, as Spark's own parser reads it; none if it can't, logged once."""
    try:
        plan = session_state(spark).sqlParser().parsePlan(backquoted(query))
        names = [quoted(str(part) for part in each(leaf.multipartIdentifier())) for leaf in _unresolved(plan)]
    except Exception as error:
        notice(
            "the tables of a JDBC query are left out of the lineage: Spark's parser does not know its SQL",
            error,
        )
        return []
    return list(dict.fromkeys(names))


def _unresolved(plan: JavaObject) -> list[JavaObject]:
    """Return the tables of a parsed plan, but not what a WITH clause names."""
    named: set[str] = set()
    found = []
    pending = [plan]
    while pending:
        node = pending.pop(0)
        kind = class_of(node)
        if kind == "UnresolvedRelation":
            found.append(node)
        if kind == "UnresolvedWith":
            for relation in each(node.cteRelations()):
                named.add(str(relation.productElement(0)).lower())
                pending.append(relation.productElement(1))
        pending.extend(each(node.children()))
        pending.extend(each(node.subqueries()))
    return [
        leaf
        for leaf in found
        if not (
            leaf.multipartIdentifier().size() == 1 and str(leaf.multipartIdentifier().head()).lower() in named
        )
    ]
