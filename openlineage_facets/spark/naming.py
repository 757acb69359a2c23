"""Names of catalogs, tables, JDBC queries and topics in a Spark session."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pyspark.sql import SparkSession

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.base.redaction.secret_urls import without_login
from openlineage_facets.facets import (
    CatalogDatasetFacet,
    DatasetFacet,
    SymlinksDatasetFacet,
    symlinks_dataset,
)
from openlineage_facets.naming.storage import uri_of_path
from openlineage_facets.naming.uris import as_uri, escaped
from openlineage_facets.spark.jvm import (
    JavaObject,
    hadoop_configuration,
    has_jvm,
    has_method,
    session_setting,
    session_state,
    texts,
)
from openlineage_facets.spark.log_once import log_once

_GLUE_CLIENT = "AWSGlueDataCatalogHiveClientFactory"


SESSION_CATALOG = "spark_catalog"


@dataclass(frozen=True)
class Catalog:
    """A catalog of tables.

    Args:
        name: The name in Spark's configuration.
        namespace: The namespace of its table names.
        framework: The table format, such as `iceberg`.
        type: The implementation, such as `hive`, `rest` or `glue`.
        metadata_uri: The address of its service.
        warehouse: The Hadoop path of the folder with its tables, not URL-encoded.
    """

    name: str
    namespace: str
    framework: str
    type: str
    metadata_uri: str | None = None
    warehouse: str | None = None

    def table(self, parts: list[str]) -> tuple[str, str]:
        """Return the namespace and name of a table from its database and table name."""
        if self.type == "glue":
            return self.namespace, "table/" + "/".join(parts)
        return self.namespace, ".".join(parts)

    def facets(self, parts: list[str], symlink: bool = True) -> list[DatasetFacet]:
        """Return the catalog facet of a table, preceded by a symlinks facet with its name in the catalog.

        Args:
            parts: Database and table name.
            symlink: Whether to include the symlinks facet.
        """
        uris: dict[str, Any] = {
            "metadata_uri": as_uri(self.metadata_uri) if self.metadata_uri else None,
            "warehouse_uri": uri_of_path(self.warehouse) if self.warehouse else None,
        }
        present: dict[str, Any] = {key: redact(uri) for key, uri in uris.items() if uri}
        catalog = CatalogDatasetFacet(
            framework=self.framework, type=self.type, name=self.name, source="spark", **present
        )
        if not symlink:
            return [catalog]
        namespace, name = self.table(parts)
        identifier = symlinks_dataset.Identifier(namespace=redact(namespace), name=name, type="TABLE")
        return [SymlinksDatasetFacet(identifiers=[identifier]), catalog]


def session_catalog(spark: SparkSession) -> Catalog:
    """Return `spark_catalog`: a Hive metastore, Glue, or the warehouse folder."""
    warehouse = session_setting(spark, "spark.sql.warehouse.dir") or "spark-warehouse"
    uri = uri_of_path(warehouse)
    if session_setting(spark, "spark.sql.catalogImplementation") != "hive":
        return Catalog(SESSION_CATALOG, uri, "spark", "in-memory", None, warehouse)
    hadoop = hadoop_configuration(spark)
    glue = _glue_namespace(hadoop.get)
    if glue is not None:
        return Catalog(SESSION_CATALOG, glue, "hive", "glue", None, warehouse)
    metastore = (hadoop.get("hive.metastore.uris") or "").split(",")[0].strip()
    if metastore:
        return Catalog(
            SESSION_CATALOG, _hive_namespace(metastore), "hive", "hive", without_login(metastore), warehouse
        )
    return Catalog(SESSION_CATALOG, uri, "hive", "hive", None, warehouse)


def catalog_named(spark: SparkSession, name: str, framework: str) -> Catalog:
    """Return a catalog by its name in Spark's configuration.

    Args:
        spark: The session.
        name: The name, such as `spark_catalog`.
        framework: The table format.
    """
    if name == SESSION_CATALOG:
        return session_catalog(spark)
    return catalog_from_settings(
        name, lambda key: session_setting(spark, f"spark.sql.catalog.{name}.{key}"), framework
    )


def catalog_from_settings(name: str, setting: Callable[[str], str | None], framework: str) -> Catalog:
    """Return a catalog that is configured under `spark.sql.catalog.NAME`.

    Args:
        name: The name.
        setting: Returns the value of `spark.sql.catalog.NAME.KEY` for a key.
        framework: The table format.
    """
    implementation = (setting("catalog-impl") or "").rpartition(".")[2]
    kind = setting("type") or implementation.removesuffix("Catalog").lower()
    kind = kind or ("hive" if framework == "iceberg" else "other")
    address, warehouse = setting("uri"), setting("warehouse")
    folder = uri_of_path(warehouse) if warehouse else None
    if address and kind == "hive":
        namespace = _hive_namespace(address.split(",")[0].strip())
    elif address and kind in ("rest", "nessie"):
        namespace = without_login(address)
    elif kind == "glue":
        namespace = _glue_namespace(setting, is_glue=True) or folder or name
    else:
        namespace = folder or name
    uri = without_login(address) if address else None
    return Catalog(name, namespace, framework, kind, uri, warehouse)


def _hive_namespace(metastore: str) -> str:
    """Return the namespace of a Hive metastore, such as `hive://host:9083`."""
    return escaped("hive://" + (urlsplit(metastore).netloc or metastore).rpartition("@")[2])


def _glue_namespace(setting: Callable[[str], str | None], is_glue: bool = False) -> str | None:
    """Return the ARN of a Glue catalog; None if Glue, the account or the region is not configured."""
    if not is_glue and _GLUE_CLIENT not in (setting("hive.metastore.client.factory.class") or ""):
        return None
    account = setting("hive.metastore.glue.catalogid") or setting("glue.id") or setting("glue.account-id")
    region = setting("client.region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    return f"arn:aws:glue:{region}:{account}" if account and region else None


_QUOTED = re.compile(r"""'(?:[^']|'')*'|"([^"]*)\"""")


def is_query(table: str) -> bool:
    """Return whether the `dbtable` option is a query in parentheses, not a table name."""
    return table.lstrip().startswith("(")


def query_text(table: str) -> str:
    """Return the query without parentheses and alias."""
    return table[table.index("(") + 1 : table.rindex(")")].strip() if ")" in table else table


def with_backquoted_names(query: str) -> str:
    """Replace double quotes around names by the backquotes of Spark SQL. String literals are unchanged.

    Example:
        >>> with_backquoted_names('SELECT "id" FROM t')
        'SELECT `id` FROM t'
    """
    return _QUOTED.sub(lambda match: match[0] if match[1] is None else f"`{match[1]}`", query)


def quoted_sql_name(parts: Iterable[str]) -> str:
    """Return a qualified name in Spark SQL, with every part in backquotes."""
    return ".".join("`" + part.replace("`", "``") + "`" for part in parts)


def parts_of_name(spark: SparkSession, table_name: str) -> list[str]:
    """Return the parts of a qualified name, as Spark parses it."""
    return texts(session_state(spark).sqlParser().parseMultipartIdentifier(table_name))


def parts_of_relation(relation: JavaObject) -> list[str] | None:
    """Return the parts of the name of a relation in a parsed plan; None if it is an expression or a path."""
    for method in ("multipartIdentifier", "nameParts"):
        if has_method(relation, method):
            return texts(getattr(relation, method)())
    return None


def is_resolvable(spark: SparkSession, table_name: str) -> bool:
    """Return True if Spark finds a table, view or branch of a table.

    Unlike `spark.table`, a name that is not found is not shown as a failed query in Spark's UI. Unlike
    `tableExists`, branches of Iceberg tables are found.

    Args:
        spark: A session with a JVM.
        table_name: The name, optionally qualified.
    """
    state = session_state(spark)
    relation = state.sqlParser().parsePlan(f"TABLE {quoted_sql_name(parts_of_name(spark, table_name))}")
    return bool(state.analyzer().execute(relation).resolved())


def is_case_sensitive(spark: SparkSession) -> bool:
    """Return whether names that differ only in case are different in a session."""
    return (session_setting(spark, "spark.sql.caseSensitive") or "").lower() == "true"


def resolve_table_name(spark: SparkSession, table_name: str) -> tuple[str, list[str]]:
    """Return the catalog of a table and the rest of its full name, resolved as Spark does."""
    parts = parts_of_name(spark, table_name)
    if len(parts) == 1:
        manager = session_state(spark).catalogManager()
        # `spark.catalog.currentDatabase()` is one text, quoted if it has several parts or other characters.
        return str(manager.currentCatalog().name()), [*map(str, manager.currentNamespace()), *parts]
    is_configured = spark.conf.get(f"spark.sql.catalog.{parts[0]}", None) is not None
    if is_configured or parts[0] == SESSION_CATALOG:
        return parts[0], parts[1:]
    return str(spark.catalog.currentCatalog()), parts


SERVERS = "kafka.bootstrap.servers"
"""The option that names the cluster."""

_PLAIN_NAME = re.compile(r"[\w.-]+")
"""A pattern that contains no operators, except for dots, which are frequent in the names of topics."""


def is_kafka(source: str) -> bool:
    """Return whether a format, or the class of its provider or table, is Spark's connector to Kafka."""
    return source.lower() == "kafka" or ".kafka010.KafkaSourceProvider" in source


def kafka_topic(servers: str, topic: str) -> tuple[str, str]:
    """Return the namespace and name of a topic.

    Args:
        servers: The option `kafka.bootstrap.servers`, of which the first names the cluster.
        topic: The topic.
    """
    server = servers.partition(",")[0].strip()
    return f"kafka://{server if ':' in server else f'{server}:9092'}", topic


def kafka_topics(setting: Callable[[str], str | None]) -> list[tuple[str, str]]:
    """Return namespace and name of the topics that options name.

    The topics that match a pattern are not known before Spark asks the cluster: the pattern is their name.

    Args:
        setting: Returns the value of an option in lower case, or None.

    Example:
        >>> options = {"kafka.bootstrap.servers": "broker", "subscribe": "orders,returns"}
        >>> kafka_topics(options.get)
        [('kafka://broker:9092', 'orders'), ('kafka://broker:9092', 'returns')]
    """
    pattern = setting("subscribepattern")
    if pattern is not None and not _PLAIN_NAME.fullmatch(pattern):
        log_once(
            f"the topics of Kafka that match {pattern} are reported as one dataset with the pattern as its "
            "name; name them with run.read(df, dataset=(namespace, name))"
        )
    subscribed, assigned = setting("subscribe"), setting("assign")
    if subscribed is not None:
        names = [name.strip() for name in subscribed.split(",")]
    elif assigned is not None:
        names = list(json.loads(assigned))
    else:
        names = [name for name in (pattern, setting("topic")) if name is not None]
    servers = setting(SERVERS) or ""
    return [kafka_topic(servers, name) for name in dict.fromkeys(names) if name]


def table_exists(spark: SparkSession, name: str) -> bool:
    """Return True if a table, or a branch of one, exists in a catalog."""
    if spark.catalog.tableExists(name):
        return True
    return has_jvm(spark) and is_resolvable(spark, name)
