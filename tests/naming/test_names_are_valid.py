"""Every generated dataset name passes validation."""

from __future__ import annotations

import pytest

from openlineage_facets.naming.jdbc import dataset_of_jdbc, namespace_of_jdbc
from openlineage_facets.naming.storage import dataset_of_path
from openlineage_facets.naming.systems import SYSTEMS, Namespace, System
from openlineage_facets.naming.uris import is_uri
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.ruleset import RuleSet, built_in_rules
from tests.cases import each

RULES = RuleSet(built_in_rules())

DIALECTS = [(system, subprotocol) for system in SYSTEMS for subprotocol in system.jdbc]
URLS = {
    "oracle": ["jdbc:oracle:thin:ana/hush@//{}/shop", "jdbc:oracle:thin:@(HOST={})(SERVICE_NAME=shop)"],
    "sqlserver": ["jdbc:sqlserver://{};databaseName=shop;user=ana;password=hush"],
    "snowflake": ["jdbc:snowflake://acme-shop.snowflakecomputing.com/?db=shop&schema=s&user=ana"],
    "teradata": ["jdbc:teradata://{}/DATABASE=shop,USER=ana"],
    "trino": ["jdbc:trino://ana:hush@{}/shop/s"],
    "presto": ["jdbc:presto://{}/shop/s"],
}
ANY = ["jdbc:{subprotocol}://{host}/shop", "jdbc:{subprotocol}://ana:hush@{host}/shop?user=ana&password=hush"]
HOSTS = ["db", "db.example.com", "my_db", "10.0.0.7", "db:1234", "my db"]
TABLES = ["s.orders", "shop.s.orders", '"shop"."s"."orders"']

PATHS = [
    f"{scheme}://{authority}{name}"
    for system in SYSTEMS
    if system.name in ("{path}", "{object key}")
    for scheme in (system.scheme, *system.aliases, system.scheme.upper())
    for authority in (
        ["lake@acme.dfs.core.windows.net"] if system.has_container else ["lake", "ana:hush@lake"]
    )
    for name in ("", "/", "/orders", "/raw/orders/", "//orders", "/my orders/100%")
] + [
    "/data/orders",
    "file:/data/orders",
    "file:///data",
    "hdfs:/data",
    "dbfs:/mnt/orders",
    "orders",
    "C:/data",
]


def urls_of(subprotocol: str) -> list[str]:
    known = URLS.get(subprotocol)
    if known is not None:
        return [url.format(host) for url in known for host in HOSTS]
    return [url.format(subprotocol=subprotocol, host=host) for url in ANY for host in HOSTS]


def naming_findings(namespace: str, name: str) -> list[str]:
    document = Document({"dataset": {"namespace": namespace, "name": name}})
    return [str(finding) for finding in RULES.check(document) if finding.code.startswith("OL4")]


@each(("system", "subprotocol"), DIALECTS, ids=[name for _, name in DIALECTS])
def test_name_of_jdbc_table_is_valid(system: System, subprotocol: str) -> None:
    for url in urls_of(subprotocol):
        for table in TABLES:
            namespace, name = dataset_of_jdbc(url, table)
            assert naming_findings(namespace, name) == [], (url, table, namespace, name)
            assert namespace == namespace_of_jdbc(url)
            assert is_uri(namespace)
            if system.specified:
                assert Namespace.parse(namespace).source is system


def test_name_of_azure_synapse_table_is_valid() -> None:
    url = "jdbc:sqlserver://acme.sql.azuresynapse.net;databaseName=pool"
    for table in ["orders", *TABLES]:
        assert naming_findings(*dataset_of_jdbc(url, table)) == []


WITH_DEFAULT = [system for system in SYSTEMS if system.default_schema and system.jdbc]


@pytest.mark.parametrize("system", WITH_DEFAULT, ids=lambda it: it.scheme)
def test_name_of_table_without_schema_is_valid(system: System) -> None:
    for subprotocol in system.jdbc:
        for url in urls_of(subprotocol):
            assert naming_findings(*dataset_of_jdbc(url, "orders")) == [], url


@each("path", PATHS)
def test_name_of_path_is_valid(path: str) -> None:
    namespace, name = dataset_of_path(path)
    assert naming_findings(namespace, name) == [], (namespace, name)


def test_schemes_and_aliases_are_unique() -> None:
    schemes = [scheme for system in SYSTEMS for scheme in (system.scheme, *system.aliases)]
    subprotocols = [subprotocol for system in SYSTEMS for subprotocol in system.jdbc]
    assert len(schemes) == len(set(schemes))
    assert len(subprotocols) == len(set(subprotocols))
