"""URIs in facets are accepted by `java.net.URI`, which Java backends parse them with."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from openlineage_facets.naming.uris import as_uri, is_uri
from openlineage_facets.spark.datasets.jdbc_sources import jdbc_table
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.naming import Catalog
from openlineage_facets.spark.spark_dataset import data_source_facet

pytestmark = pytest.mark.check

PIECES = ["file:", "//", "[::1]", "%20", *'a/:@[]?# %é{|\\\n1^<"`,;']


def java_accepts(spark: SparkSession, text: str) -> bool:
    try:
        spark.sparkContext._jvm.java.net.URI(text)
    except Py4JJavaError:
        return False
    return True


def test_java_accepts_every_valid_uri(spark: SparkSession) -> None:
    source = random.Random(7)
    accepted = 0
    for _ in range(500):
        text = source.choice(["", "file:", "s3://", "jdbc:x:"]) + "".join(
            source.choices(PIECES, k=source.randint(0, 5))
        )
        for uri in (text if is_uri(text) else None, as_uri(text)):
            if uri is not None:
                assert java_accepts(spark, uri), (text, uri)
                accepted += 1
    assert accepted > 150


@pytest.mark.parametrize(
    ("namespace", "uri"),
    [
        ("file", "file:///"),
        ("hdfs", "hdfs:///"),
        ("s3://lake", "s3://lake"),
        ("derby:/data/my shop/db", "derby:/data/my%20shop/db"),
        ("postgres://my_db:5432,b:5432", "postgres://my_db:5432,b:5432"),
        ("arn:aws:glue:eu-west-1:1", "arn:aws:glue:eu-west-1:1"),
        ("lake", None),
        ("jdbc", None),
    ],
)
def test_uri_of_data_source_is_accepted_by_java(spark: SparkSession, namespace: str, uri: str | None) -> None:
    facet = data_source_facet(namespace)
    assert (facet.name, facet.uri) == (namespace, uri)
    assert uri is None or java_accepts(spark, uri)


def test_uris_with_blanks_are_encoded(spark: SparkSession, tmp_path: Path) -> None:
    catalog = Catalog("lake", "file:/w", "iceberg", "hadoop", "https://c/my api", "file:/data/my w{}?#%/[1]")
    facets = [facet.to_dict() for facet in catalog.facets(["db", "t"])]
    assert java_accepts(spark, facets[1]["warehouseUri"])
    assert java_accepts(spark, facets[1]["metadataUri"])
    path = tmp_path / "my shop"
    found = jdbc_table(f"jdbc:derby:{path};create=true", "APP.ORDERS", {})
    assert java_accepts(spark, found.namespace)
    spark.range(1).write.parquet(str(path / "orders #1"))
    [source] = inputs_of(spark.read.parquet(str(path / "orders #1")))
    uris = [facet.uri for facet in source.facets if hasattr(facet, "uri")]
    assert uris == ["file:///"]
