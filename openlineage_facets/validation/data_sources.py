"""How the naming specification names the datasets of each kind of data source."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from openlineage_facets.base.credentials import names_password, without_secrets

__all__ = ["SOURCES", "Namespace", "Source", "has_secrets"]


class Source(NamedTuple):
    """A kind of data source."""

    scheme: str
    """What its namespaces begin with."""
    authority: Literal["host and port", "host", "optional", "none"]
    """What stands behind the scheme."""
    namespace: str
    """A namespace, as an example."""
    name: str
    """The form of its names."""
    parts: int = 1
    """How many words, joined by dots, a name has at least."""
    rooted: bool = False
    """Whether a name is a path that may begin with a slash."""
    path: str = ""
    """What must follow the authority in a namespace, as a regular expression."""


SOURCES = (
    Source("abfss", "host", "abfss://container@account.dfs.core.windows.net", "{path}", rooted=True),
    Source(
        "awsathena",
        "host",
        "awsathena://athena.us-east-1.amazonaws.com",
        "{catalog}.{database}.{table}",
        3,
    ),
    Source("azurecosmos", "host", "azurecosmos://account/dbs/sales", "colls/{table}", path="/dbs/[^/]+"),
    Source("azurekusto", "host", "azurekusto://cluster.kusto.windows.net", "{database}/{table}"),
    Source("bigquery", "none", "bigquery", "{project}.{dataset}.{table}", 3),
    Source("cassandra", "host and port", "cassandra://db.example.com:9042", "{keyspace}.{table}", 2),
    Source("crate", "host and port", "crate://db.example.com:5432", "{database}.{schema}.{table}", 3),
    Source("db2", "host and port", "db2://db.example.com:50000", "{database}.{schema}.{table}", 3),
    Source("dbfs", "host", "dbfs://workspace", "{path}", rooted=True),
    Source("file", "optional", "file", "{path}", rooted=True),
    Source("gs", "host", "gs://bucket", "{object key}"),
    Source("hdfs", "host", "hdfs://namenode:8020", "{path}", rooted=True),
    Source("hive", "host and port", "hive://metastore.example.com:10000", "{database}.{table}", 2),
    Source("kafka", "host and port", "kafka://broker.example.com:9092", "{topic}"),
    Source("mysql", "host and port", "mysql://db.example.com:3306", "{database}.{table}", 2),
    Source("oceanbase", "host and port", "oceanbase://db.example.com:2881", "{database}.{table}", 2),
    Source("oracle", "host and port", "oracle://db.example.com:1521", "{service}.{schema}.{table}", 3),
    Source("postgres", "host and port", "postgres://db.example.com:5432", "{database}.{schema}.{table}", 3),
    Source("pubsub", "none", "pubsub", "topic:{project}:{topic}"),
    Source(
        "redshift", "host and port", "redshift://cluster.us-east-1:5439", "{database}.{schema}.{table}", 3
    ),
    Source("s3", "host", "s3://bucket", "{object key}"),
    Source("snowflake", "host", "snowflake://organization-account", "{database}.{schema}.{table}", 3),
    Source("sqlserver", "host and port", "sqlserver://db.example.com:1433", "{schema}.{table}", 2),
    Source("teradata", "host and port", "teradata://db.example.com:1025", "{database}.{table}", 2),
    Source("trino", "host and port", "trino://db.example.com:8080", "{catalog}.{schema}.{table}", 3),
    Source("wasbs", "host", "wasbs://container@account.dfs.core.windows.net", "{object key}"),
)
"""The data sources that the specification names."""

_BY_SCHEME = {source.scheme: source for source in SOURCES}

_OTHER_SPELLINGS = {
    "abfs": "abfss",
    "athena": "awsathena",
    "cosmosdb": "azurecosmos",
    "cratedb": "crate",
    "gcs": "gs",
    "kusto": "azurekusto",
    "mssql": "sqlserver",
    "postgresql": "postgres",
    "s3a": "s3",
    "s3n": "s3",
    "wasb": "wasbs",
}
"""What drivers and file systems call a source, to what the specification calls it."""

_URI = re.compile(r"(?:jdbc:)?(?P<scheme>[A-Za-z][A-Za-z0-9.-]*)(?:\+[a-z0-9_]+)?://(?P<rest>.*)", re.S)

_LONGEST = 2000
"""How much of a namespace is looked at."""


class Namespace(NamedTuple):
    """The namespace of a dataset, taken apart."""

    text: str
    scheme: str
    """The scheme as it is spelled, with all that drivers add."""
    source: Source | None
    """The kind of data source, None where it is none the specification names."""
    authority: str
    """What stands behind the scheme, up to the first slash."""
    rest: str
    """What follows the authority."""

    @staticmethod
    def of(text: str) -> Namespace:
        """Take a namespace apart; what is beyond all reason in length is cut."""
        return _taken_apart(text[:_LONGEST])

    @property
    def is_spelled_right(self) -> bool:
        """Whether the scheme is spelled as the specification has it."""
        if self.source is None:
            return True
        bare = not self.authority and self.source.authority in ("none", "optional")
        return (self.text if bare else self.scheme) == self.source.scheme

    @property
    def spelled_right(self) -> str:
        """The namespace with the scheme that the specification has, and nothing else changed."""
        if self.source is None:
            return self.text
        if not self.authority and self.source.authority in ("none", "optional"):
            return self.source.scheme
        return f"{self.source.scheme}://{self.authority}{self.rest}"


@lru_cache(maxsize=1024)
def _taken_apart(text: str) -> Namespace:
    found = _URI.fullmatch(text)
    if found is None:
        # A bare word is a namespace only where no authority must follow: "kafka" may mean anything.
        source = _BY_SCHEME.get(text.removesuffix(":").lower())
        is_whole = source is not None and source.authority in ("none", "optional")
        return Namespace(text, text, source if is_whole else None, "", "")
    word = found["scheme"].lower()
    source = _BY_SCHEME.get(_OTHER_SPELLINGS.get(word, word))
    rest = found["rest"]
    end = min((rest.index(mark) for mark in "/?#" if mark in rest), default=len(rest))
    return Namespace(text, text[: text.index("://")], source, rest[:end], rest[end:])


def has_secrets(namespace: str) -> bool:
    """Tell whether `namespace` holds a user and a password."""
    parts = Namespace.of(namespace)
    if ":" in parts.authority.rpartition("@")[0] or names_password(namespace):
        return True
    # A password may hold any character; where no path may follow, what looks like one is part of it.
    return parts.source is not None and without_secrets(namespace) != namespace
