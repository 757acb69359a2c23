"""Datasets that Spark reads or writes over JDBC, and the columns of existing tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.naming.jdbc import dataset_of_jdbc, namespace_of_jdbc, quoted_table_name
from openlineage_facets.spark.datasets.query_names import (
    for_parser_of_spark,
    is_session_value,
    names_of_session_values,
)
from openlineage_facets.spark.jvm import (
    JavaObject,
    class_of,
    each,
    has_method,
    option,
    options_of,
    session_state,
    struct,
    texts,
)
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.naming import is_query, query_text
from openlineage_facets.spark.spark_dataset import SparkDataset, new_dataset


def jdbc_table(
    url: str, name: str, options: Mapping[str, Any], schema: StructType | None = None
) -> SparkDataset:
    """Return the dataset of a table in a database.

    Args:
        url: The JDBC URL. User and password in it are dropped.
        name: The table name, optionally qualified.
        options: The options of the read or write. Some select the schema, such as `currentSchema`.
        schema: The columns that are read or written.
    """
    settings = {key: str(value) for key, value in options.items() if value is not None}
    return new_dataset(*dataset_of_jdbc(url, name, settings), schema)


def existing_jdbc_table(
    spark: SparkSession, url: str, table: str, options: Mapping[str, Any]
) -> tuple[bool, StructType | None]:
    """Return whether a table exists, and its columns.

    Spark makes the same query before it writes, with the same driver, options and dialect.

    Args:
        spark: The session.
        url: The JDBC URL.
        table: The table name.
        options: The options of the write or read, such as user and password.
    """
    jvm: JavaObject = spark.sparkContext._jvm
    jdbc = jvm.org.apache.spark.sql.execution.datasources.jdbc
    java_options = {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in options.items()
        if value is not None
    }
    settings = jdbc.JdbcOptionsInWrite(url, table, jvm.PythonUtils.toScalaMap(java_options))
    connection = (
        jvm.org.apache.spark.sql.jdbc.JdbcDialects.get(url).createConnectionFactory(settings).apply(-1)
    )
    try:
        if not jdbc.JdbcUtils.tableExists(connection, settings):
            return False, None
        schema = option(jdbc.JdbcUtils.getSchemaOption(connection, settings))
        return True, None if schema is None else struct(schema)
    finally:
        connection.close()


_KEEP_COLUMNS = ("Sort", "GlobalLimit", "LocalLimit", "Offset", "Distinct", "WithWindowDefinition")
"""Operators that return the columns of their child."""

_SOURCES = ("url", "dbtable", "query", "preparequery")
"""Options that say what is read."""


@dataclass(frozen=True)
class DatabaseQuery:
    """A query that a database executes.

    Args:
        plan: The JVM's plan of it, parsed but not analyzed.
        tables: The names of its tables, in the order of the datasets.
        columns: The names of the columns that it returns.
        is_plain: Whether these are columns of its only table.
        session_values: Names that are not those of columns, unless they are quoted, such as `current_date`.
        find_columns: Asks the database for the columns of a table.
    """

    plan: JavaObject
    tables: Sequence[str]
    columns: Sequence[str]
    is_plain: bool = False
    session_values: frozenset[str] = frozenset()
    find_columns: Callable[[str], Sequence[str]] = lambda table: ()


def jdbc_datasets(
    spark: SparkSession, options: JavaObject, schema: StructType
) -> tuple[list[SparkDataset], bool | DatabaseQuery]:
    """Return the tables that a JDBC relation reads, and whether its columns are those of its one table.

    If a query selects its rows or computes its columns, return the query.
    """
    url, table = str(options.url()), _with_preparation(options)
    parameters = options_of(options.parameters())
    if not is_query(table):
        return [jdbc_table(url, table, parameters, schema)], True
    problem, cause = "it contains no table names", None
    plan: JavaObject = None
    tables: list[str] = []
    is_plain = False
    session_values = names_of_session_values(url)
    try:
        query = for_parser_of_spark(query_text(table), url, parameters)
        plan = session_state(spark).sqlParser().parsePlan(query)
        tables = list(dict.fromkeys(map(_name_of_relation, _unresolved_relations(plan))))
        is_plain = len(tables) == 1 and _is_plain(plan, session_values)
    except Exception as error:
        tables, problem, cause = [], "Spark cannot parse its SQL", error
    if not tables:
        namespace = namespace_of_jdbc(url)
        log_once(
            f"cannot find the tables of a JDBC query on {namespace}: {problem}; name them with "
            f'run.read(df, dataset=("{namespace}", name))',
            cause,
        )
        return [], False
    datasets = [jdbc_table(url, name, parameters, schema if is_plain else None) for name in tables]
    find_columns = partial(_columns_of_table, spark, options)
    return datasets, DatabaseQuery(plan, tables, schema.names, is_plain, session_values, find_columns)


def _columns_of_table(spark: SparkSession, options: JavaObject, table: str) -> Sequence[str]:
    """Ask the database for the columns of a table; return none if it does not answer."""
    properties = options.asProperties()
    others = {
        str(name): str(properties.getProperty(name))
        for name in properties.stringPropertyNames()
        if str(name).lower() not in _SOURCES
    }
    try:
        for name in (table, table.replace('"', "")):  # A name that the query does not quote has another case.
            _, schema = existing_jdbc_table(spark, str(options.url()), name, others)
            if schema is not None:
                return schema.names
    except Exception as error:  # Lineage never breaks the job.
        log_once(f"cannot find the columns of the JDBC table {table}", error)
    return ()


def _with_preparation(options: JavaObject) -> str:
    """Return the table or query, with the WITH clause that the option `prepareQuery` may put before it."""
    table, preparation = str(options.tableOrQuery()), str(options.prepareQuery()).strip()
    if not preparation:
        return table
    return f"({preparation} {query_text(table) if is_query(table) else f'SELECT * FROM {table}'})"


def _name_of_relation(relation: JavaObject) -> str:
    return quoted_table_name(texts(relation.multipartIdentifier()))


def _is_plain(plan: JavaObject, session_values: frozenset[str]) -> bool:
    """Return whether a parsed query selects columns of one table without renaming or computing any."""
    while class_of(plan) in _KEEP_COLUMNS:
        plan = plan.children().head()
    if class_of(plan) != "Project":
        return False
    if not all(
        class_of(column) == "UnresolvedStar"
        or (class_of(column) == "UnresolvedAttribute" and not is_session_value(column, session_values))
        for column in each(plan.projectList())
    ):
        return False
    child = plan.child()
    while class_of(child) in ("Filter", "SubqueryAlias"):
        child = child.child()
    return class_of(child) == "UnresolvedRelation" and plan.subqueriesAll().isEmpty()


def _unresolved_relations(plan: JavaObject, defined: frozenset[str] = frozenset()) -> list[JavaObject]:
    """Return the tables of a parsed plan.

    Args:
        plan: The plan.
        defined: The names that WITH clauses around it define. One of them does not know its own name, unless
            it is recursive: it may read a table of this name.
    """
    kind = class_of(plan)
    if kind == "UnresolvedRelation":
        parts = texts(plan.multipartIdentifier())
        return [] if len(parts) == 1 and parts[0].lower() in defined else [plan]
    relations = []
    if kind == "UnresolvedWith":
        is_recursive = has_method(plan, "allowRecursion") and bool(plan.allowRecursion())
        for definition in each(plan.cteRelations()):
            own = frozenset([str(definition.productElement(0)).lower()])
            known = defined | own if is_recursive else defined
            relations += _unresolved_relations(definition.productElement(1), known)
            defined |= own
    for part in (*each(plan.children()), *each(plan.subqueries())):
        relations += _unresolved_relations(part, defined)
    return relations
