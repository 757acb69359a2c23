"""A path names one dataset, however it is written."""

from __future__ import annotations

import pytest

from openlineage_facets.spark.path_names import before_glob, dataset_of_path, without_partitions


@pytest.mark.parametrize(
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
def test_a_path_is_named_by_its_store_and_its_place_there(path: str, namespace: str, name: str) -> None:
    assert dataset_of_path(path) == (namespace, name)


@pytest.mark.parametrize(
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
def test_a_partition_is_part_of_its_table(path: str, table: str) -> None:
    assert without_partitions(path) == table


@pytest.mark.parametrize(
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
def test_a_pattern_stands_for_the_folder_it_looks_in(path: str, folder: str | None) -> None:
    assert before_glob(path) == folder
