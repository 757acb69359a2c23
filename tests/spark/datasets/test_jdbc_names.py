"""A JDBC URL and a table name a dataset as the naming specification has it, and never a login."""

from __future__ import annotations

import re

import pytest
from openlineage.client.naming import dataset as official

from openlineage_facets.spark.jdbc_names import backquoted, dataset_of_jdbc

LOGIN = "user=ana&password=hush"

NAMED = [
    ("jdbc:postgresql://db/shop", "orders", official.Postgres("db", "5432", "shop", "public", "orders")),
    (
        f"jdbc:postgresql://db:6543/shop?{LOGIN}",
        "s.orders",
        official.Postgres("db", "6543", "shop", "s", "orders"),
    ),
    (
        "jdbc:postgresql://ana:hush@db/shop",
        '"S"."my orders"',
        official.Postgres("db", "5432", "shop", "S", "my orders"),
    ),
    (
        "jdbc:postgresql://db/shop?currentSchema=s",
        "orders",
        official.Postgres("db", "5432", "shop", "s", "orders"),
    ),
    (
        "jdbc:postgresql://a,b:5433/shop",
        "orders",
        official.Postgres("a:5432,b", "5433", "shop", "public", "orders"),
    ),
    (
        "jdbc:postgresql://[::1]/shop",
        "orders",
        official.Postgres("[::1]", "5432", "shop", "public", "orders"),
    ),
    (f"jdbc:mysql://db/shop?{LOGIN}", "orders", official.MySQL("db", "3306", "shop", "orders")),
    ("jdbc:mysql://db/", "`shop`.`orders`", official.MySQL("db", "3306", "shop", "orders")),
    ("jdbc:mariadb://db:3307/shop", "other.orders", official.MySQL("db", "3307", "other", "orders")),
    (
        "jdbc:oracle:thin:ana/hush@//db:1522/svc",
        "S.ORDERS",
        official.Oracle("db", "1522", "svc", "S", "ORDERS"),
    ),
    ("jdbc:oracle:thin:@db:1521:SID", "S.ORDERS", official.Oracle("db", "1521", "SID", "S", "ORDERS")),
    (
        "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=db)(PORT=1523))(CONNECT_DATA=(SERVICE_NAME=svc)))",
        "S.ORDERS",
        official.Oracle("db", "1523", "svc", "S", "ORDERS"),
    ),
    (
        "jdbc:redshift://cluster.abc123.us-west-2.redshift.amazonaws.com:5439/dev",
        "orders",
        official.Redshift("cluster", "us-west-2", "5439", "dev", "public", "orders"),
    ),
    (
        "jdbc:redshift:iam://cluster:us-west-2/dev",
        "s.orders",
        official.Redshift("cluster", "us-west-2", "5439", "dev", "s", "orders"),
    ),
    (
        f"jdbc:snowflake://org-acct.snowflakecomputing.com/?db=SHOP&schema=S&{LOGIN}",
        "ORDERS",
        official.Snowflake("org", "acct", "SHOP", "S", "ORDERS"),
    ),
    ("jdbc:trino://db:8443/hive/web", "orders", official.Trino("db", "8443", "hive", "web", "orders")),
    ("jdbc:trino://db/hive?SSL=true", "web.orders", official.Trino("db", "8080", "hive", "web", "orders")),
    (
        "jdbc:db2://db:50001/SHOP:user=ana;password=hush;",
        "S.ORDERS",
        official.DB2("db", "50001", "SHOP", "S", "ORDERS"),
    ),
    (
        "jdbc:teradata://db/DATABASE=shop,DBS_PORT=1026,USER=ana",
        "orders",
        official.Teradata("db", "1026", "shop", "orders"),
    ),
    ("jdbc:hive2://db:10000/shop;auth=noSasl", "orders", official.Hive("db", "10000", "shop", "orders")),
]


@pytest.mark.parametrize(("url", "table", "expected"), NAMED, ids=[url for url, _, _ in NAMED])
def test_a_table_is_named_as_the_official_client_names_it(
    url: str, table: str, expected: official.DatasetNaming
) -> None:
    assert dataset_of_jdbc(url, table) == (expected.get_namespace(), expected.get_name())


@pytest.mark.parametrize(
    ("url", "table", "namespace", "name"),
    [  # what the official client has no class for
        (
            "jdbc:sqlserver://db;databaseName=shop;user=ana;password=hush",
            "orders",
            "mssql://db:1433",
            "shop.dbo.orders",
        ),
        (
            r"jdbc:sqlserver://db\INSTANCE:1444;database=shop",
            "[s].[orders]",
            "mssql://db:1444",
            "shop.s.orders",
        ),
        ("jdbc:sqlserver://;serverName=db;portNumber=1;databaseName=shop", "o", "mssql://db:1", "shop.dbo.o"),
        ("jdbc:clickhouse://db/shop", "orders", "clickhouse://db:8123", "shop.orders"),
        ("jdbc:derby:memory:shop;create=true;user=ana", "APP.ORDERS", "derby:memory:shop", "APP.ORDERS"),
        ("jdbc:derby://db:1527/shop;user=ana", "APP.ORDERS", "derby://db:1527", "shop.APP.ORDERS"),
        ("jdbc:sqlite:/data/shop.db", "orders", "sqlite:/data/shop.db", "orders"),
        ("jdbc:acme://ana:hush@db:1/shop?x=y", "orders", "acme://db:1", "shop.orders"),
        ("JDBC:PostgreSQL://DB/shop", "orders", "postgres://DB:5432", "shop.public.orders"),
        ("nonsense", "orders", "jdbc", "orders"),
    ],
)
def test_a_table_of_another_database(url: str, table: str, namespace: str, name: str) -> None:
    assert dataset_of_jdbc(url, table) == (namespace, name)


def test_a_connection_option_beside_the_url_counts() -> None:
    named = dataset_of_jdbc("jdbc:sqlserver://db", "orders", {"databaseName": "shop"})
    assert named == ("mssql://db:1433", "shop.dbo.orders")


@pytest.mark.parametrize("password", ["ü", "ü/ü", "ü@ü", "ü:ü", "ü%40ü", "ü=ü"])
@pytest.mark.parametrize(
    "url",
    [
        "jdbc:postgresql://ana:{}@db/shop",
        "jdbc:postgresql://db/shop?user=ana&password={}",
        "jdbc:mysql://ana:{}@db:3306/shop",
        "jdbc:sqlserver://db;databaseName=shop;user=ana;password={}",
        "jdbc:oracle:thin:ana/{}@//db:1521/shop",
        "jdbc:oracle:thin:ana/{}@db:1521:shop",
        "jdbc:snowflake://acct.snowflakecomputing.com/?user=ana&password={}&db=shop",
        "jdbc:redshift://ana:{}@cluster.x.us-west-2.redshift.amazonaws.com/shop",
        "jdbc:db2://db/shop:user=ana;password={};",
        "jdbc:teradata://db/DATABASE=shop,USER=ana,PASSWORD={}",
        "jdbc:acme://ana:{}@db/shop",
        "jdbc:acme:shop;user=ana;password={}",
        "jdbc:acme:shop:user=ana:password={}",
    ],
)
def test_no_login_is_in_a_name(url: str, password: str) -> None:
    named = " ".join(dataset_of_jdbc(url.format(password), "orders"))
    assert not re.search("ana|ü", named), named


def test_names_in_a_query_are_quoted_for_spark_and_text_is_left_alone() -> None:
    query = """SELECT "id" FROM "S"."O" WHERE note = 'a "b" it''s' """
    assert backquoted(query) == "SELECT `id` FROM `S`.`O` WHERE note = 'a \"b\" it''s' "
