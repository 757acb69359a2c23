"""Dataset names of tables accessed over JDBC, without user and password.

URLs come from configuration and may be long or hostile: parsing is linear in their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from openlineage_facets.naming.systems import System, system_of_jdbc
from openlineage_facets.naming.uris import escaped

_CLOSING_QUOTE = {'"': '"', "`": "`", "[": "]"}
_DOT_OR_QUOTE = re.compile(r'[."`\[\]]')
_ORACLE_ADDRESS = re.compile(r"@([^@?:/(]*[:/(][^@?]*)\?[\w.]+=")
"""An address before options. Their values may contain at signs, and so may a password before it."""

_REDSHIFT_HOST = re.compile(
    r"([^.:]+)\.(?:[^.:]+\.)?([a-z]{2}(?:-[a-z]+)+-\d+)\.redshift(?:-serverless)?\.amazonaws\.com.*"
)


def dataset_of_jdbc(url: str, table: str, options: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Return the namespace and name of a table in a database.

    Args:
        url: The JDBC URL. User and password in it are dropped.
        table: The table name, optionally qualified and quoted.
        options: Connection options passed separately from the URL, which can select the database or schema.

    Example:
        >>> dataset_of_jdbc("jdbc:postgresql://ana:secret@db/shop", "orders")
        ('postgres://db:5432', 'shop.public.orders')
        >>> dataset_of_jdbc("jdbc:sqlserver://db;databaseName=shop", "orders")
        ('mssql://db:1433', 'shop.dbo.orders')
    """
    namespace, system, database, schema = _parse_url(url, options or {})
    parts = split_table_name(table)
    if system is None:
        return namespace, ".".join(filter(None, (database, *parts)))
    schema = schema or system.default_schema
    parts = [name for part in parts if (name := part or schema)]
    if len(parts) == 1 and system.has_schema_names and schema:
        parts.insert(0, schema)
    if not system.has_database_names:
        parts = parts[-system.parts :]
    elif len(parts) < system.parts and database:
        parts.insert(0, database)
    return namespace, ".".join(parts)


def namespace_of_jdbc(url: str) -> str:
    """Return the namespace of the tables of a JDBC URL.

    Example:
        >>> namespace_of_jdbc("jdbc:mysql://ana:secret@db/shop")
        'mysql://db:3306'
    """
    return _parse_url(url, {})[0]


def quoted_table_name(parts: Iterable[str]) -> str:
    """Return a qualified table name with every part in double quotes."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in parts)


def split_table_name(table: str) -> list[str]:
    """Return the parts of a table name without their quotes. That of the default schema is empty.

    Example:
        >>> split_table_name('"S"."my.orders"'), split_table_name("[dbo].orders")
        (['S', 'my.orders'], ['dbo', 'orders'])
        >>> split_table_name("shop..orders")
        ['shop', '', 'orders']
    """
    parts: list[str] = []
    unclosed_quotes: set[str] = set()
    position = 0
    while position < len(table):
        quote = _CLOSING_QUOTE.get(table[position])
        if quote is not None and quote not in unclosed_quotes:
            end = _end_of_quoted(table, position + 1, quote)
            if end is not None:
                parts.append(table[position + 1 : end].replace(quote * 2, quote).strip())
                position = end + 1
                continue
            unclosed_quotes.add(quote)
        match = _DOT_OR_QUOTE.search(table, position)
        end = match.start() if match is not None else len(table)
        part = table[position:end].strip()
        if part or (parts and table.startswith("..", position)):
            parts.append(part)
        position = max(end, position + 1)
    return parts if any(parts) else [table]


def _end_of_quoted(text: str, start: int, quote: str) -> int | None:
    """Return the index of the closing quote. A doubled quote is part of the name."""
    while True:
        end = text.find(quote, start)
        if end < 0:
            return None
        if not text.startswith(quote, end + 1):
            return end
        start = end + 2


def _parse_url(url: str, options: Mapping[str, str]) -> tuple[str, System | None, str | None, str | None]:
    """Return namespace, data source (None if unknown), database and schema of a JDBC URL."""
    protocol, rest = _subprotocol(url)
    if protocol is None:
        return "jdbc", None, None, None
    system = system_of_jdbc(protocol)
    if system is None:
        namespace, path = _parse_other(protocol, rest)
        return escaped(namespace), None, path, None
    if protocol == "oracle":
        hosts, database, inline = _parse_oracle(rest)
    elif protocol == "sqlserver":
        hosts, database, inline = _parse_sqlserver(rest)
        system = system_of_jdbc(protocol, _split_port(hosts[0])[0]) or system
    else:
        if protocol == "postgresql" and not re.match("//[^/]", rest):  # jdbc:postgresql:shop
            rest = f"//localhost/{rest.lstrip('/')}"
        hosts, database, inline = _parse_common(rest)
    parameters = {**{key.lower(): value for key, value in options.items()}, **inline}
    for option in system.database_options:
        database = database or parameters.get(option)
    schema = next((parameters[key] for key in system.schema_options if parameters.get(key)), None)
    if schema and system.scheme in ("postgres", "redshift"):  # A search path.
        schema = schema.split(",")[0].strip().strip('"') or None
    if database and "/" in database:  # trino://host/catalog/schema
        database, _, schema = database.partition("/")
    return escaped(f"{system.scheme}://{_authority(system, hosts, parameters)}"), system, database, schema


def _subprotocol(url: str) -> tuple[str | None, str]:
    """Return the subprotocol of a JDBC URL in lower case, and the rest of the URL."""
    for prefix in ("jdbc:", "aws-wrapper:"):
        if url[: len(prefix)].lower() == prefix:
            url = url[len(prefix) :]
    protocol, colon, rest = url.partition(":")
    is_valid = colon and protocol and all(char.isalnum() or char in "_+-" for char in protocol)
    return (protocol.lower() if is_valid else None), rest


def _parse_common(rest: str) -> tuple[list[str], str | None, dict[str, str]]:
    """Parse `//user:password@host1:1,host2/database?key=value;key=value`."""
    rest = rest[rest.find("//") + 2 :] if "//" in rest else rest
    address, *tail = re.split(r"[?;]", rest, maxsplit=1)
    authority, _, path = _without_login(address).partition("/")
    if "(" in authority:
        described, _, path = address.rpartition(")")
        hosts, path = _hosts_with_keys(described), path.partition("/")[2]
    else:
        hosts = authority.rpartition("@")[2].split(",")
    parameters = _parameters(tail[0] if tail else "", "[&;]")
    path, _, options = path.partition(":")  # db2://host/database:key=value
    parameters.update(_parameters(options, ";"))
    if "=" in path:  # teradata://host/DATABASE=sales,DBS_PORT=1025
        parameters.update(_parameters(path, ","))
        path = ""
    return hosts, path.strip("/") or None, parameters


def _hosts_with_keys(text: str) -> list[str]:
    """Parse `(host=db,port=3306,user=ana,...)` and `address=(host=db)(port=3306)...` of MySQL."""
    hosts: list[str] = []
    for key, value in re.findall(r"(\w+)\s*=\s*([^,()\]]*)", text):
        if key.lower() == "host":
            hosts.append(value.strip())
        elif key.lower() == "port" and hosts:
            hosts[-1] = f"{hosts[-1].partition(':')[0]}:{value.strip()}"
    return hosts or [""]


def _parse_sqlserver(rest: str) -> tuple[list[str], str | None, dict[str, str]]:
    """Parse `//host\\instance:port;databaseName=shop;user=...`. Dataset names do not include the instance."""
    address, _, tail = rest.removeprefix("//").partition(";")
    parameters = {key: value.strip("{}") for key, value in _parameters(tail, ";").items()}
    host, colon, port = address.rpartition("@")[2].partition(":")
    host = host.partition("\\")[0] or parameters.get("servername", "")
    port = port if colon else parameters.get("portnumber", "")
    return [f"{host}:{port}" if port else host], None, parameters


def _parse_oracle(rest: str) -> tuple[list[str], str | None, dict[str, str]]:
    """Parse `thin:user/password@//host:1521/service`, `thin:@host:1521:sid` or a TNS descriptor."""
    found = _ORACLE_ADDRESS.search(rest)
    address = found[1] if found else rest.rpartition("@")[2].partition("?")[0]
    if "(" in address:
        return _parse_tns_descriptor(address)
    before, slashes, after = address.partition("//")
    if slashes and (not before or before.removesuffix(":").isalnum()):  # tcps://host
        address = after
    host, slash, service = address.partition("/")
    if not slash:
        parts = host.split(":", 3)
        if len(parts) == 3:
            return [f"{parts[0]}:{parts[1]}"], parts[2], {}
    return host.split(","), service.partition(":")[0] or None, {}


def _parse_tns_descriptor(address: str) -> tuple[list[str], str | None, dict[str, str]]:
    """Parse `(DESCRIPTION=(ADDRESS=(HOST=db)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=shop)))`."""
    hosts: list[str] = []
    names: dict[str, str] = {}
    for piece in address.split("("):
        key, _, value = piece.partition("=")
        key, value = key.strip().lower(), value.partition(")")[0].strip()
        if key == "host" and value:
            hosts.append(value)
        elif key == "port" and value and hosts and ":" not in hosts[-1]:
            hosts[-1] = f"{hosts[-1]}:{value}"
        elif key in ("service_name", "sid") and value:
            names.setdefault(key, value)
    return hosts or [""], names.get("service_name") or names.get("sid"), {}


def _authority(system: System, hosts: list[str], parameters: Mapping[str, str]) -> str:
    if system.scheme == "snowflake":
        return hosts[0].partition(":")[0].removesuffix(".snowflakecomputing.com")
    port = parameters.get("dbs_port") or system.port
    authorities = []
    for host in hosts:
        host, port_of_host = _split_port(host.strip())
        if system.scheme == "redshift" and (cluster := _REDSHIFT_HOST.fullmatch(host)):
            host = f"{cluster[1]}.{cluster[2]}"
        elif not port_of_host.isdigit():
            if system.scheme == "redshift" and port_of_host:  # redshift:iam://cluster:region/database
                host = f"{host}.{port_of_host}"
            port_of_host = ""
        authorities.append(f"{host}:{port_of_host or port}" if port_of_host or port else host)
    return ",".join(authorities)


def _without_login(address: str) -> str:
    """Remove `user:password@`. An @ after a slash may belong to the value of an option."""
    login, _, after = address.rpartition("@")
    return address if "/" in login and "=" in login else after


def _split_port(host: str) -> tuple[str, str]:
    if host.endswith("]"):  # an IPv6 address without a port
        return host, ""
    name, colon, port = host.rpartition(":")
    return (name, port) if colon else (host, "")


def _parse_other(protocol: str, rest: str) -> tuple[str, str | None]:
    """Return namespace and database for a database outside the naming specification, such as Derby or H2."""
    rest = re.split(r"[?;]", rest, maxsplit=1)[0]
    if rest.startswith("//"):
        authority, _, path = _without_login(rest[2:]).partition("/")
        return f"{protocol}://{authority.rpartition('@')[2]}", _before_options(path) or None
    return f"{protocol}:{_before_options(rest).rpartition('@')[2]}", None


def _before_options(text: str) -> str:
    """Return the text before the first `key=value`."""
    equals = text.find("=")
    while equals >= 0:
        start = equals
        while start > 0 and _is_key_char(text[start - 1]):
            start -= 1
        if start < equals:
            return text[: start - 1] if start > 0 and text[start - 1] in ":,&" else text[:start]
        equals = text.find("=", equals + 1)
    return text


def _is_key_char(char: str) -> bool:
    return char.isalnum() or char in "_.-"


def _parameters(text: str, separator: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in re.split(separator, text) if "=" in pair)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}
