"""Dataset names of paths."""

from __future__ import annotations

from openlineage_facets.naming.storage import dataset_of_path, glob_parent, table_folder, uri_of_path
from openlineage_facets.naming.uris import is_uri
from tests.cases import each


@each(
    ("path", "namespace", "name"),
    [
        ("/data/orders", "file", "/data/orders"),
        ("file:/data/orders/", "file", "/data/orders"),
        ("file:///data/orders", "file", "/data/orders"),
        ("file://nas/data", "file://nas", "/data"),
        ("/", "file", "/"),
        ("C:/data/orders", "file", "C:/data/orders"),
        ("s3://lake/raw/orders", "s3://lake", "raw/orders"),
        ("s3a://lake/raw/orders/", "s3://lake", "raw/orders"),
        ("s3n://lake/raw", "s3://lake", "raw"),
        ("s3a://lake", "s3://lake", "/"),
        ("s3a://KEY:SECRET@lake/raw", "s3://lake", "raw"),
        ("gs://lake/raw", "gs://lake", "raw"),
        ("abfss://raw@acme.dfs.core.windows.net/orders", "abfss://raw@acme.dfs.core.windows.net", "/orders"),
        ("abfs://raw@acme.dfs.core.windows.net/orders", "abfss://raw@acme.dfs.core.windows.net", "/orders"),
        ("wasbs://raw@acme.blob.core.windows.net/orders", "wasbs://raw@acme.blob.core.windows.net", "orders"),
        ("hdfs://namenode:8020/orders", "hdfs://namenode:8020", "/orders"),
        ("hdfs:/orders", "hdfs", "/orders"),
        ("dbfs:/mnt/orders", "dbfs", "/mnt/orders"),
        ("file:/data/a b%20c/ü", "file", "/data/a b%20c/ü"),
        ("file:/data/10:30/x", "file", "/data/10:30/x"),
    ],
)
def test_path_is_named_by_store_and_location(path: str, namespace: str, name: str) -> None:
    assert dataset_of_path(path) == (namespace, name)


@each(
    ("path", "table"),
    [
        ("/t/day=1", "/t"),
        ("/t/day=2024-01-01/hour=7/", "/t"),
        ("s3a://lake/t/größe=10", "s3a://lake/t"),
        ("/t/day=1/part-0.parquet", "/t/day=1/part-0.parquet"),
        ("/t/a=b=c", "/t/a=b=c"),
        ("/t/p q=1", "/t"),
        ("/t/event-date=2024-01-01/a.b=1/2x=%3A", "/t"),
        ("/t/=1", "/t/=1"),
        ("/t/day=", "/t/day="),
        ("/t", "/t"),
        ("/", "/"),
    ],
)
def test_partition_path_belongs_to_the_table_folder(path: str, table: str) -> None:
    assert table_folder(path) == table


@each(
    ("path", "folder"),
    [
        ("/lake/orders/*.csv", "/lake/orders"),
        ("/lake/2024-*/orders", "/lake"),
        ("s3a://lake/{a,b}/c", "s3a://lake"),
        ("/lake/part-[0-9]", "/lake"),
        ("/*", "/"),
        ("*.csv", "."),
        ("orders-*/", "."),
        ("orders/*.csv", "orders"),
        ("/lake/orders", None),
        (r"/lake/what\?", None),
    ],
)
def test_glob_pattern_is_represented_by_its_parent_folder(path: str, folder: str | None) -> None:
    assert glob_parent(path) == folder


@each(
    ("path", "uri"),
    [
        ("/data/w", "file:/data/w"),
        ("file:/data/w", "file:/data/w"),
        ("file:///data/w/", "file:/data/w"),
        ("s3a://lake/w/", "s3://lake/w"),
        ("s3://lake", "s3://lake"),
        ("file:/data/my warehouse", "file:/data/my%20warehouse"),
        ("/data/100%/a#b?c[1]", "file:/data/100%25/a%23b%3Fc%5B1%5D"),
        ("/data/größe", "file:/data/gr%C3%B6%C3%9Fe"),
        ("hdfs:/w", "hdfs:/w"),
    ],
)
def test_uri_of_folder_is_normalized(path: str, uri: str) -> None:
    assert uri_of_path(path) == uri
    assert is_uri(uri)
