"""The rules for namespaces and names of datasets, by system."""

from __future__ import annotations

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.naming.systems import SYSTEMS, System
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.ruleset import RuleSet, built_in_rules
from tests.cases import each

RULES = RuleSet(built_in_rules())
SPECIFIED = [system for system in SYSTEMS if system.specified]


def codes(namespace: str, name: str) -> str:
    document = Document({"dataset": {"namespace": namespace, "name": name}})
    return " ".join(finding.code for finding in RULES.check(document))


@each("source", SPECIFIED, ids=lambda source: source.scheme)
def test_specified_name_of_each_system_is_right_and_a_path_in_its_namespace_is_reported(
    source: System,
) -> None:
    name = source.name.replace("{", "").replace("}", "")
    assert codes(source.namespace, name) == ""
    if source.authority != "none":
        namespace = source.namespace if "://" in source.namespace else f"{source.scheme}://host"
        assert codes(f"{namespace}/more", source.name) == "OL403"


@each(
    ("namespace", "name", "found"),
    [
        ("s3a://lake", "orders", "OL401"),
        ("s3n://lake", "orders", "OL401"),
        ("S3://lake", "orders", "OL401"),
        ("gcs://lake", "orders", "OL401"),
        ("abfs://c@a.dfs.core.windows.net", "orders", "OL401"),
        ("wasb://c@a.blob.core.windows.net", "orders", "OL401"),
        ("postgresql://db:5432", "a.b.c", "OL401"),
        ("jdbc:postgresql://db:5432", "a.b.c", "OL401"),
        ("mysql+pymysql://db:3306", "a.b", "OL401"),
        ("mssql://db:1433", "a.b.c", ""),
        ("mssql://db:1433", "dbo.orders", "OL407"),
        ("mssql+pyodbc://db:1433", "a.b.c", "OL401"),
        ("jdbc:sqlserver://db:1433", "a.b.c", "OL401"),
        ("jdbc:mariadb://db:3306", "a.b", "OL401"),
        ("file://", "/data", "OL401"),
        ("file:", "/data", "OL401"),
        ("bigquery:", "a.b.c", "OL401"),
        ("postgres://db", "a.b.c", "OL402"),
        ("postgres://:5432", "a.b.c", "OL402"),
        ("kafka://", "orders", "OL402"),
        ("snowflake://", "a.b.c", "OL402"),
        ("kafka://one:9092,two:9092", "orders", ""),
        ("hdfs://nameservice", "/data", ""),
        ("file", "/data/orders", ""),
        ("file://nas.example.com", "/data/orders", ""),
        ("dbfs://workspace", "/data/orders", ""),
        ("abfss://c@a.dfs.core.windows.net", "/data/orders", ""),
        ("s3://lake", "/", ""),
        ("s3://lake", "a//b", ""),
        ("s3://lake", "/orders", "OL404"),
        ("gs://lake", "/orders", "OL404"),
        ("kafka://one:9092", "/orders", "OL404"),
        ("s3://lake", "s3://lake/orders", "OL405"),
        ("warehouse", "s3a://lake/orders", "OL405"),
        ("https://acme.example.com", "https://acme.example.com/orders", "OL405"),
        ("s3://key:secret@lake", "orders", "OL406"),
        ("postgres://db:5432", "public.orders", "OL407"),
        ("postgres://db:5432", '"a.b"', ""),
        ("mysql://db:3306", "shop.orders", ""),
        ("mysql://db:3306", "orders", "OL407"),
        ("bigquery", "shop.orders", "OL407"),
        ("sqlserver://db:1433", "dbo.orders", ""),
        ("arn:aws:glue:us-east-1:123456789012", "table/shop/orders", ""),
        ("warehouse", "orders", ""),
        ("kafka", "orders", ""),
        ("https://acme.example.com/api/", "/orders", ""),
        ("s3://[", "orders", ""),
        ("https://acme.example.com:8443/mail@2", "orders", ""),  # Not a password.
    ],
)
def test_dataset_name_rules(namespace: str, name: str, found: str) -> None:
    assert codes(namespace, name) == found


@each(
    "namespace",
    [
        "postgres://ana:xyzzy@db:5432",
        "postgresql+psycopg2://ana:xy/zzy@db/shop",
        "postgres://ana:xy@zzy@db",
        "https://ana:xyzzy@acme.example.com/api",
        f"s3a://ana:xy{'x' * 80}/zzy@lake",
        "jdbc:postgresql://db/shop?user=ana&password=xyzzy",
        "jdbc:sqlserver://db:1433;databaseName=shop;user=ana;password={xy;zzy};encrypt=true",
        "jdbc:db2://db:50000/shop:user=ana;password=xyzzy;",
        "snowflake://account?private_key_pwd=xyzzy&user=ana",
        "abfss://c@a.dfs.core.windows.net?sv=1&sig=xyzzy%3D",
        "jdbc:oracle:thin:ana/xyzzy@db:1521:shop",
    ],
)
def test_messages_never_contain_a_password(namespace: str) -> None:
    document = Document({"dataset": {"namespace": namespace, "name": f"{namespace}/orders"}})
    found = RULES.check(document)
    assert "OL406" in {finding.code for finding in found}
    text = " ".join(map(str, found))
    assert "ana" not in text
    assert "xy" not in text
    assert "zzy" not in text


@each(
    "namespace",
    [
        "jdbc:postgresql://db/shop?user=ana&ssl=true",
        "jdbc:oracle:thin:@//db:1521/shop",
        "abfss://container@account.dfs.core.windows.net",
        "https://acme.example.com/design=flat",
    ],
)
def test_namespace_without_password_is_not_redacted(namespace: str) -> None:
    assert "OL406" not in codes(namespace, "orders")
    assert describe(namespace) == f'"{namespace}"'
