"""The dataset that a JDBC URL and a table name, as the naming specification has it: no user, no password."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["dataset_of_jdbc", "is_query", "query_text"]


@dataclass(frozen=True)
class _Database:
    """How a kind of database is named.

    Args:
        scheme: The scheme of its namespaces.
        port: The port where the URL has none.
        default_schema: The schema of a table where neither the URL nor the table's name has one.
        schema_options: Connection options, in lower case, that choose the schema.
        database_options: Connection options that choose the database.
    """

    scheme: str
    port: int | None = None
    default_schema: str | None = None
    schema_options: tuple[str, ...] = ()
    database_options: tuple[str, ...] = ()
    depth: int = 3


_MYSQL = _Database("mysql", 3306, depth=2)
_DATABASES = {
    "postgresql": _Database("postgres", 5432, "public", ("currentschema",)),
    "mysql": _MYSQL,
    "mariadb": _MYSQL,
    "sqlserver": _Database("mssql", 1433, "dbo", (), ("databasename", "database")),
    "oracle": _Database("oracle", 1521),
    "redshift": _Database("redshift", 5439, "public", ("currentschema",)),
    "snowflake": _Database("snowflake", None, None, ("schema", "sfschema"), ("db", "database", "sfdatabase")),
    "trino": _Database("trino", 8080),
    "presto": _Database("trino", 8080),
    "db2": _Database("db2", 50000, None, ("currentschema",)),
    "teradata": _Database("teradata", 1025, depth=2, database_options=("database",)),
    "clickhouse": _Database("clickhouse", 8123, depth=2, database_options=("database",)),
    "ch": _Database("clickhouse", 8123, depth=2, database_options=("database",)),
    "crate": _Database("crate", 5432, "doc"),
    "oceanbase": _Database("oceanbase", 2881, depth=2),
    "hive2": _Database("hive", 10000, depth=2),
    "cassandra": _Database("cassandra", 9042, depth=2),
}
"""By the subprotocol of the URL."""

_URL = re.compile(r"(?:jdbc:)?(?:aws-wrapper:)?([\w+-]+):(.*)", re.IGNORECASE | re.DOTALL)
_PART = re.compile(r'"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[((?:[^\]]|\]\])*)\]|([^."`\[\]]+)')
_QUOTED_NAME = re.compile(r"""'(?:[^']|'')*'|"([^"]*)\"""")
_REDSHIFT = re.compile(
    r"([^.:]+)\.(?:[^.:]+\.)?([a-z]{2}(?:-[a-z]+)+-\d+)\.redshift(?:-serverless)?\.amazonaws\.com.*"
)


def dataset_of_jdbc(url: str, table: str, options: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Return namespace and name of a table in a database.

    Args:
        url: The JDBC URL. A login in it goes into neither.
        table: The table, qualified or not, its parts quoted or not.
        options: Connection options given beside the URL; they may choose database or schema.

    Example:
        >>> dataset_of_jdbc("jdbc:postgresql://ana:secret@db/shop", "orders")
        ('postgres://db:5432', 'shop.public.orders')
    """
    found = _URL.fullmatch(url)
    if found is None:
        return "jdbc", ".".join(table_parts(table))
    protocol, rest = found[1].lower(), found[2]
    parameters = {key.lower(): value for key, value in (options or {}).items()}
    database = _DATABASES.get(protocol)
    if database is None:
        return _other_database(protocol, rest, table_parts(table))
    if protocol == "oracle":
        hosts, name, inline = _oracle(rest)
    elif protocol == "sqlserver":
        hosts, name, inline = _sqlserver(rest)
    else:
        hosts, name, inline = _url_with_hosts(rest)
    parameters = {**parameters, **inline}
    for option in database.database_options:
        name = name or parameters.get(option)
    schema = next((parameters[key] for key in database.schema_options if parameters.get(key)), None)
    if name and "/" in name:  # trino://host/catalog/schema
        name, _, schema = name.partition("/")
    namespace = f"{database.scheme}://{_authority(database, hosts, parameters)}"
    parts = table_parts(table)
    if len(parts) == 1 and database.depth == 3 and (schema or database.default_schema):
        parts.insert(0, schema or database.default_schema or "")
    if len(parts) < database.depth and name:
        parts.insert(0, name)
    return namespace, ".".join(parts)


def is_query(table: str) -> bool:
    """Tell whether what Spark reads is a query in parentheses, and no table."""
    return table.lstrip().startswith("(")


def query_text(table: str) -> str:
    """Return the query itself, without the parentheses and the alias that Spark puts around it."""
    return table[table.index("(") + 1 : table.rindex(")")].strip() if ")" in table else table


def backquoted(query: str) -> str:
    """Return a query with its quoted names quoted as Spark's parser wants them, and text left alone."""
    return _QUOTED_NAME.sub(lambda found: found[0] if found[1] is None else f"`{found[1]}`", query)


def quoted(parts: Iterable[str]) -> str:
    """Return a qualified name, each part in quotes."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in parts)


def table_parts(table: str) -> list[str]:
    """Return the parts of a table's name, without their quotes."""
    parts = [
        next(part for part in found.groups() if part is not None).replace('""', '"').strip()
        for found in _PART.finditer(table)
    ]
    return [part for part in parts if part] or [table]


def _url_with_hosts(rest: str) -> tuple[list[str], str | None, dict[str, str]]:
    """Take `//user:password@host1:1,host2/database?key=value;key=value` apart."""
    rest = rest[rest.find("//") + 2 :] if "//" in rest else rest
    address, *tail = re.split(r"[?;]", rest, maxsplit=1)
    authority, _, path = _without_login(address).partition("/")
    parameters = _parameters(tail[0] if tail else "", "[&;]")
    path, _, options = path.partition(":")  # db2://host/database:key=value
    parameters.update(_parameters(options, ";"))
    if "=" in path:  # teradata://host/DATABASE=sales,DBS_PORT=1025
        parameters.update(_parameters(path, ","))
        path = ""
    return authority.rpartition("@")[2].split(","), path.strip("/") or None, parameters


def _sqlserver(rest: str) -> tuple[list[str], str | None, dict[str, str]]:
    """Take `//host\\instance:port;databaseName=shop;user=...` apart; an instance has no place in a name."""
    address, _, tail = rest.removeprefix("//").partition(";")
    parameters = _parameters(tail, ";")
    host, colon, port = address.rpartition("@")[2].partition(":")
    host = host.partition("\\")[0] or parameters.get("servername", "")
    port = port if colon else parameters.get("portnumber", "")
    return [f"{host}:{port}" if port else host], None, parameters


def _oracle(rest: str) -> tuple[list[str], str | None, dict[str, str]]:
    """Take `thin:user/password@//host:1521/service`, `thin:@host:1521:sid` or a TNS descriptor apart."""
    address = re.split(r"[?]", rest.rpartition("@")[2], maxsplit=1)[0]
    if "(" in address:
        fields = {key.lower(): value for key, value in re.findall(r"(\w+)\s*=\s*([^()\s]+)", address)}
        host = fields.get("host", "")
        host = f"{host}:{fields['port']}" if "port" in fields else host
        return [host], fields.get("service_name") or fields.get("sid"), {}
    address = re.sub(r"^(\w+:)?//", "", address)
    host, slash, service = address.partition("/")
    if not slash:
        parts = host.split(":")
        if len(parts) == 3:
            return [f"{parts[0]}:{parts[1]}"], parts[2], {}
    return host.split(","), service.partition(":")[0] or None, {}


def _authority(database: _Database, hosts: list[str], parameters: Mapping[str, str]) -> str:
    if database.scheme == "snowflake":
        return hosts[0].partition(":")[0].removesuffix(".snowflakecomputing.com")
    port = parameters.get("dbs_port") or database.port
    named = []
    for host in hosts:
        host, port_of_host = _split_port(host.strip())
        if database.scheme == "redshift" and (cluster := _REDSHIFT.fullmatch(host)):
            host = f"{cluster[1]}.{cluster[2]}"
        elif not port_of_host.isdigit():
            if database.scheme == "redshift" and port_of_host:  # redshift:iam://cluster:region/database
                host = f"{host}.{port_of_host}"
            port_of_host = ""
        named.append(f"{host}:{port_of_host or port}" if port_of_host or port else host)
    return ",".join(named)


def _without_login(address: str) -> str:
    """Return what stands after `user:password@`; an @ behind a slash may be in an option's value."""
    login, _, after = address.rpartition("@")
    return address if "/" in login and "=" in login else after


def _split_port(host: str) -> tuple[str, str]:
    if host.endswith("]"):  # an IPv6 address without a port
        return host, ""
    name, colon, port = host.rpartition(":")
    return (name, port) if colon else (host, "")


def _other_database(protocol: str, rest: str, parts: list[str]) -> tuple[str, str]:
    """Name a table of a database that the naming specification does not speak of: Derby, H2, SQLite..."""
    rest = re.split(r"[?;]", rest, maxsplit=1)[0]
    if rest.startswith("//"):
        authority, _, path = _without_login(rest[2:]).partition("/")
        path = _before_options(path)
        return f"{protocol}://{authority.rpartition('@')[2]}", ".".join([path, *parts] if path else parts)
    return f"{protocol}:{_before_options(rest).rpartition('@')[2]}", ".".join(parts)


def _before_options(text: str) -> str:
    """Return what stands before the first `key=value`."""
    return re.split(r"[:,&]?[\w.-]+=", text, maxsplit=1)[0]


def _parameters(text: str, separator: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in re.split(separator, text) if "=" in pair)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}
