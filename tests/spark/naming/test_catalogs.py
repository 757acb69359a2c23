"""Namespaces of catalogs and names of their tables."""

from __future__ import annotations

import pytest

from openlineage_facets.base.redaction.secret_urls import without_login
from openlineage_facets.spark.naming import Catalog, catalog_from_settings


def configured(framework: str = "iceberg", **settings: str) -> Catalog:
    by_key = {key.replace("__", ".").replace("_", "-"): value for key, value in settings.items()}
    return catalog_from_settings("lakehouse", by_key.get, framework)


@pytest.mark.parametrize(
    ("settings", "namespace", "kind"),
    [
        ({"type": "hive", "uri": "thrift://meta:9083,thrift://other:9083"}, "hive://meta:9083", "hive"),
        ({"uri": "thrift://meta:9083"}, "hive://meta:9083", "hive"),
        ({"type": "hadoop", "warehouse": "s3a://lake/warehouse/"}, "s3://lake/warehouse", "hadoop"),
        ({"type": "rest", "uri": "https://ana:hush@catalog/api?token=hush"}, "https://catalog/api", "rest"),
        (
            {"catalog_impl": "org.apache.iceberg.nessie.NessieCatalog", "uri": "http://nessie:19120/api"},
            "http://nessie:19120/api",
            "nessie",
        ),
        (
            {"type": "glue", "glue__id": "123", "client__region": "eu-west-1", "warehouse": "s3://lake"},
            "arn:aws:glue:eu-west-1:123",
            "glue",
        ),
        ({"type": "glue", "warehouse": "s3://lake/w"}, "s3://lake/w", "glue"),
        ({"type": "other"}, "lakehouse", "other"),
    ],
)
def test_namespace_is_the_service_or_the_warehouse(
    settings: dict[str, str], namespace: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    catalog = configured(**settings)
    assert (catalog.namespace, catalog.type) == (namespace, kind)
    assert "hush" not in repr(catalog.facets(["db", "t"]))


def test_table_name_in_the_catalog() -> None:
    assert configured(type="hive", uri="thrift://meta:9083").table(["db", "t"]) == (
        "hive://meta:9083",
        "db.t",
    )
    glue = configured(type="glue", glue__id="1", client__region="eu-west-1")
    assert glue.table(["db", "t"]) == ("arn:aws:glue:eu-west-1:1", "table/db/t")


def test_addresses_of_a_catalog_are_escaped() -> None:
    catalog = configured(type="hadoop", warehouse="file:/data/my warehouse")
    symlinks, facet = catalog.facets(["db", "t"])
    assert symlinks.identifiers[0].namespace == facet.warehouse_uri == "file:/data/my%20warehouse"
    assert catalog.warehouse == "file:/data/my warehouse"
    _, facet = configured(type="rest", uri="https://catalog/my api").facets(["db", "t"])
    assert facet.metadata_uri == "https://catalog/my%20api"


def test_uris_contain_no_credentials() -> None:
    assert without_login("https://ana:hush@catalog/api?token=hush#x") == "https://catalog/api"
    assert without_login("https://catalog?token=hush") == "https://catalog"
