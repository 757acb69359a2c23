"""Dataset names of JDBC tables."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from openlineage.client.naming import dataset as official

from openlineage_facets.naming.jdbc import dataset_of_jdbc, split_table_name
from tests.cases import each

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
    (
        "jdbc:mysql://(host=db,port=3307,user=ana,password=hu/sh)/shop",
        "orders",
        official.MySQL("db", "3307", "shop", "orders"),
    ),
    (
        "jdbc:mysql://address=(host=db)(port=3307)(password=hush)/shop",
        "orders",
        official.MySQL("db", "3307", "shop", "orders"),
    ),
    ("jdbc:postgresql:shop", "orders", official.Postgres("localhost", "5432", "shop", "public", "orders")),
    (
        'jdbc:postgresql://db/shop?currentSchema="My",public',
        "orders",
        official.Postgres("db", "5432", "shop", "My", "orders"),
    ),
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


@each(("url", "table", "expected"), NAMED, ids=[url for url, _, _ in NAMED])
def test_table_name_equals_that_of_the_official_client(
    url: str, table: str, expected: official.DatasetNaming
) -> None:
    assert dataset_of_jdbc(url, table) == (expected.get_namespace(), expected.get_name())


@each(
    ("url", "table", "namespace", "name"),
    [  # Unknown to the official client.
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
        ("jdbc:sqlserver://db;databaseName=main", "shop..orders", "mssql://db:1433", "shop.dbo.orders"),
        ("jdbc:sqlserver://db;databaseName=main", "[shop]..[orders]", "mssql://db:1433", "shop.dbo.orders"),
        ("jdbc:sqlserver://db;databaseName=main", "..orders", "mssql://db:1433", "main.dbo.orders"),
        ("jdbc:mysql://db/main", "shop..orders", "mysql://db:3306", "shop.orders"),
        ("jdbc:oracle:thin:@//db:1522/svc?user=a@b", "S.O", "oracle://db:1522", "svc.S.O"),
        ("jdbc:oracle:thin:ana/h@sh@db:1522:svc?user=a@b&x=y@z:1/o", "S.O", "oracle://db:1522", "svc.S.O"),
        ("jdbc:oracle:thin:@(DESCRIPTION=(HOST=db)(SID=svc))?user=a@b", "S.O", "oracle://db:1521", "svc.S.O"),
        (
            "jdbc:sqlserver://acme.sql.azuresynapse.net;databaseName=pool",
            "orders",
            "sqlserver://acme.sql.azuresynapse.net:1433",
            "dbo.orders",
        ),
        (
            "jdbc:sqlserver://acme-ondemand.sql.azuresynapse.net:1433;databaseName=pool",
            "pool.sales.orders",
            "sqlserver://acme-ondemand.sql.azuresynapse.net:1433",
            "sales.orders",
        ),
        (
            "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=a)(PORT=1))(ADDRESS=(HOST=b)(PORT=2))"
            "(CONNECT_DATA=(SID=x)))",
            "S.O",
            "oracle://a:1,b:2",
            "x.S.O",
        ),
        ("jdbc:derby:/data/my shop/db;create=true", "APP.O", "derby:/data/my%20shop/db", "APP.O"),
        ("jdbc:clickhouse://db/shop", "orders", "clickhouse://db:8123", "shop.orders"),
        ("jdbc:derby:memory:shop;create=true;user=ana", "APP.ORDERS", "derby:memory:shop", "APP.ORDERS"),
        ("jdbc:derby://db:1527/shop;user=ana", "APP.ORDERS", "derby://db:1527", "shop.APP.ORDERS"),
        ("jdbc:sqlite:/data/shop.db", "orders", "sqlite:/data/shop.db", "orders"),
        ("jdbc:acme://ana:hush@db:1/shop?x=y", "orders", "acme://db:1", "shop.orders"),
        ("JDBC:PostgreSQL://DB/shop", "orders", "postgres://DB:5432", "shop.public.orders"),
        ("nonsense", "orders", "jdbc", "orders"),
    ],
)
def test_table_of_another_database(url: str, table: str, namespace: str, name: str) -> None:
    assert dataset_of_jdbc(url, table) == (namespace, name)


def test_connection_options_select_the_database() -> None:
    named = dataset_of_jdbc("jdbc:sqlserver://db", "orders", {"databaseName": "shop"})
    assert named == ("mssql://db:1433", "shop.dbo.orders")


@each("password", ["ü", "ü/ü", "ü@ü", "ü:ü", "ü%40ü", "ü=ü", "ü@ü?ü=ü"])
@each(
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
def test_names_contain_no_credentials(url: str, password: str) -> None:
    named = " ".join(dataset_of_jdbc(url.format(password), "orders"))
    assert not re.search("ana|ü", named), named


@each(
    ("table", "parts"),
    [
        ('"S"."my ""own"" orders"', ["S", 'my "own" orders']),
        ("[a]]b].[c]", ["a]b", "c"]),
        ("`a``b`.c", ["a`b", "c"]),
        (" s . t ", ["s", "t"]),
        ('"unclosed', ["unclosed"]),
        ('a."b', ["a", "b"]),
        ("...", ["..."]),
        ('a.."b"', ["a", "", "b"]),
        ("", [""]),
    ],
)
def test_table_name_is_split_at_dots_outside_quotes(table: str, parts: list[str]) -> None:
    assert split_table_name(table) == parts


HOSTILE = [
    "jdbc:x:{}",
    "jdbc:x:{}=",
    "jdbc:x://{}",
    "jdbc:{}",
    "jdbc:oracle:thin:@(HOST={}",
    "jdbc:oracle:thin:@({}",
    "jdbc:oracle:thin:@{}",
    "jdbc:oracle:thin:@db:1?{}",
    "jdbc:sqlserver://db;{}",
    "jdbc:postgresql://{}",
    "jdbc:postgresql://db/{}",
    "jdbc:postgresql://db/shop?{}",
    "jdbc:teradata://db/{}",
    "jdbc:db2://db/shop:{}",
    "jdbc:redshift://{}.redshift.amazonaws.com/dev",
    "jdbc:snowflake://{}",
]
FILLERS = ["a", ";", ",", "&", "=", "a=", "=,", ":", "@", "/", "(", " ", "-a", ".", "%", "["]


@pytest.mark.thorough
@each("filler", FILLERS)
@each("url", HOSTILE)
def test_parsing_time_is_linear_in_the_length_of_the_url(url: str, filler: str) -> None:
    assert_linear(lambda length: dataset_of_jdbc(url.format(filler * (length // len(filler))), "t"))


@pytest.mark.thorough
@each("filler", ['"', "`", "[", "]", '["`', '"a', "[a", '""a', ".", "a."])
def test_parsing_time_is_linear_in_the_length_of_the_table_name(filler: str) -> None:
    assert_linear(lambda length: split_table_name(filler * (length // len(filler))))


def assert_linear(work: Callable[[int], object]) -> None:
    """Assert that 16 times the input takes far less than 256 times as long."""
    small, large = 8_000, 128_000
    if seconds_for(work, large) > 0.1:  # Quadratic work on so much text takes seconds.
        smallest = min(seconds_for(work, small) for _ in range(3))
        assert min(seconds_for(work, large) for _ in range(3)) < 80 * smallest


def seconds_for(work: Callable[[int], object], length: int) -> float:
    began = time.process_time()
    work(length)
    return time.process_time() - began
