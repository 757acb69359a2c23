"""Table of data sources: scheme, aliases, port and name format of each; namespaces compared with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple


@dataclass(frozen=True)
class System:
    """A data source.

    Args:
        scheme: The scheme of its namespaces.
        authority: The kind of authority after the scheme.
        namespace: An example of a namespace.
        name: The format of dataset names.
        parts: The minimum number of parts, separated by dots, in a name.
        rooted: Whether a name is a path that may start with a slash.
        path: A regular expression for the path that must follow the authority in a namespace.
        aliases: Other schemes of the same source, used by file systems, drivers and tools.
        has_container: Whether text before an @ in the authority is a container, not a login.
        jdbc: Subprotocols of JDBC URLs.
        port: The default port of JDBC URLs.
        default_schema: The schema if neither the URL nor the table name has one.
        schema_options: Connection options, in lower case, that select the schema.
        database_options: Connection options, in lower case, that select the database.
        specified: Whether the naming specification lists it.
    """

    scheme: str
    authority: Literal["host and port", "host", "optional", "none"]
    namespace: str
    name: str
    parts: int = 1
    rooted: bool = False
    path: str = ""
    aliases: tuple[str, ...] = ()
    has_container: bool = False
    jdbc: tuple[str, ...] = ()
    port: int | None = None
    default_schema: str | None = None
    schema_options: tuple[str, ...] = ()
    database_options: tuple[str, ...] = ()
    specified: bool = True

    @property
    def has_object_keys(self) -> bool:
        """Whether names are object keys, which have no leading slash."""
        return self.name == "{object key}"

    @property
    def has_database_names(self) -> bool:
        """Whether table names start with the database."""
        return not self.name.startswith("{schema}")

    @property
    def has_schema_names(self) -> bool:
        """Whether table names include the schema."""
        return "{schema}" in self.name


def _database(scheme: str, port: int | None, name: str, **more: object) -> System:
    """Return a database whose namespaces consist of host and port."""
    parts = name.count(".") + 1
    example = f"{scheme}://db.example.com:{port}"
    return System(scheme, "host and port", example, name, parts, port=port, **more)  # type: ignore[arg-type]


_TABLE = "{database}.{table}"
_TABLE_IN_SCHEMA = "{database}.{schema}.{table}"

SYSTEMS: tuple[System, ...] = (
    System(
        "abfss",
        "host",
        "abfss://container@account.dfs.core.windows.net",
        "{path}",
        rooted=True,
        aliases=("abfs",),
        has_container=True,
    ),
    System(
        "awsathena",
        "host",
        "awsathena://athena.us-east-1.amazonaws.com",
        "{catalog}.{database}.{table}",
        3,
        aliases=("athena",),
    ),
    System(
        "azurecosmos",
        "host",
        "azurecosmos://account/dbs/sales",
        "colls/{table}",
        path="/dbs/[^/]+",
        aliases=("cosmosdb",),
    ),
    System(
        "azurekusto",
        "host",
        "azurekusto://cluster.kusto.windows.net",
        "{database}/{table}",
        aliases=("kusto",),
    ),
    System("bigquery", "none", "bigquery", "{project}.{dataset}.{table}", 3),
    _database("cassandra", 9042, "{keyspace}.{table}", jdbc=("cassandra",)),
    _database(
        "clickhouse",
        8123,
        _TABLE,
        jdbc=("clickhouse", "ch"),
        database_options=("database",),
        specified=False,
    ),
    _database("crate", 5432, _TABLE_IN_SCHEMA, aliases=("cratedb",), jdbc=("crate",), default_schema="doc"),
    _database("db2", 50000, _TABLE_IN_SCHEMA, jdbc=("db2",), schema_options=("currentschema",)),
    System("dbfs", "host", "dbfs://workspace", "{path}", rooted=True),
    System("file", "optional", "file", "{path}", rooted=True),
    System("gs", "host", "gs://bucket", "{object key}", aliases=("gcs",)),
    System("hdfs", "host", "hdfs://namenode:8020", "{path}", rooted=True),
    _database("hive", 10000, _TABLE, jdbc=("hive2",)),
    System("kafka", "host and port", "kafka://broker.example.com:9092", "{topic}", port=9092),
    _database(
        "mssql",
        1433,
        _TABLE_IN_SCHEMA,
        jdbc=("sqlserver",),
        default_schema="dbo",
        database_options=("databasename", "database"),
    ),
    _database("mysql", 3306, _TABLE, jdbc=("mysql", "mariadb")),
    _database("oceanbase", 2881, _TABLE, jdbc=("oceanbase",)),
    _database("oracle", 1521, "{service}.{schema}.{table}", jdbc=("oracle",)),
    _database(
        "postgres",
        5432,
        _TABLE_IN_SCHEMA,
        aliases=("postgresql",),
        jdbc=("postgresql",),
        default_schema="public",
        schema_options=("currentschema",),
    ),
    System("pubsub", "none", "pubsub", "topic:{project}:{topic}"),
    System(
        "redshift",
        "host and port",
        "redshift://cluster.us-east-1:5439",
        _TABLE_IN_SCHEMA,
        3,
        jdbc=("redshift",),
        port=5439,
        default_schema="public",
        schema_options=("currentschema",),
    ),
    System("s3", "host", "s3://bucket", "{object key}", aliases=("s3a", "s3n")),
    System(
        "snowflake",
        "host",
        "snowflake://organization-account",
        _TABLE_IN_SCHEMA,
        3,
        jdbc=("snowflake",),
        schema_options=("schema", "sfschema"),
        database_options=("db", "database", "sfdatabase"),
    ),
    # Azure Synapse uses SQL Server's protocol but different names.
    System(
        "sqlserver",
        "host and port",
        "sqlserver://workspace.sql.azuresynapse.net:1433",
        "{schema}.{table}",
        2,
        port=1433,
        default_schema="dbo",
    ),
    _database("teradata", 1025, _TABLE, jdbc=("teradata",), database_options=("database",)),
    _database("trino", 8080, "{catalog}.{schema}.{table}", jdbc=("trino", "presto")),
    System(
        "wasbs",
        "host",
        "wasbs://container@account.dfs.core.windows.net",
        "{object key}",
        aliases=("wasb",),
        has_container=True,
    ),
)
"""The known data sources. Most of them are part of the naming specification."""

_BY_SCHEME = {
    scheme: system for system in SYSTEMS if system.specified for scheme in (system.scheme, *system.aliases)
}
_BY_SUBPROTOCOL = {subprotocol: system for system in SYSTEMS for subprotocol in system.jdbc}
_SYNAPSE = ".sql.azuresynapse.net"


def system_of_scheme(scheme: str) -> System | None:
    """Return the data source of a scheme or alias; None if the naming specification does not list it.

    Example:
        >>> system_of_scheme("s3a").scheme, system_of_scheme("mssql").name
        ('s3', '{database}.{schema}.{table}')
    """
    return _BY_SCHEME.get(scheme.lower())


def system_of_jdbc(subprotocol: str, host: str = "") -> System | None:
    """Return the data source of a JDBC URL; None if it is unknown.

    Args:
        subprotocol: The subprotocol, such as `postgresql` in `jdbc:postgresql:`.
        host: The host, which distinguishes Azure Synapse from SQL Server.

    Example:
        >>> system_of_jdbc("sqlserver").scheme
        'mssql'
        >>> system_of_jdbc("sqlserver", "acme.sql.azuresynapse.net").scheme
        'sqlserver'
    """
    system = _BY_SUBPROTOCOL.get(subprotocol.lower())
    if system is not None and system.scheme == "mssql" and host.lower().endswith(_SYNAPSE):
        return _BY_SCHEME["sqlserver"]
    return system


_URI = re.compile(r"(?P<jdbc>jdbc:)?(?P<scheme>[A-Za-z][A-Za-z0-9.-]*)(?:\+[a-z0-9_]+)?://(?P<rest>.*)", re.S)

MAX_LENGTH = 2000
"""Only this many characters of a namespace are parsed."""


class Namespace(NamedTuple):
    """A parsed namespace.

    Args:
        text: The namespace.
        scheme: The scheme as written, including prefixes and suffixes such as `jdbc:` or `+psycopg2`.
        source: The data source; None if the naming specification does not list it.
        authority: The text between the scheme and the first slash.
        rest: The text after the authority.
    """

    text: str
    scheme: str
    source: System | None
    authority: str
    rest: str

    @staticmethod
    def parse(text: str) -> Namespace:
        """Parse a namespace. Text beyond `MAX_LENGTH` characters is ignored."""
        return _parsed(text[:MAX_LENGTH])

    @property
    def has_specified_scheme(self) -> bool:
        """Whether the scheme is the one in the naming specification."""
        if self.source is None:
            return True
        bare = not self.authority and self.source.authority in ("none", "optional")
        return (self.text if bare else self.scheme) == self.source.scheme

    @property
    def with_specified_scheme(self) -> str:
        """The namespace with its scheme replaced by the one in the naming specification."""
        if self.source is None:
            return self.text
        if not self.authority and self.source.authority in ("none", "optional"):
            return self.source.scheme
        return f"{self.source.scheme}://{self.authority}{self.rest}"


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Namespace:
    match = _URI.fullmatch(text)
    if match is None:
        # A bare word is a namespace only if no authority is required: "kafka" may mean anything.
        word = text.removesuffix(":").lower()
        source = system_of_scheme(word)
        is_namespace = (
            source is not None and source.scheme == word and source.authority in ("none", "optional")
        )
        return Namespace(text, text, source if is_namespace else None, "", "")
    rest = match["rest"]
    end = min((rest.index(mark) for mark in "/?#" if mark in rest), default=len(rest))
    authority = rest[:end]
    source = system_of_scheme(match["scheme"])
    if match["jdbc"]:
        host = re.split("[:;]", authority.rpartition("@")[2], maxsplit=1)[0]
        by_driver = system_of_jdbc(match["scheme"], host)
        source = by_driver if by_driver is not None and by_driver.specified else source
    return Namespace(text, text[: text.index("://")], source, authority, rest[end:])
