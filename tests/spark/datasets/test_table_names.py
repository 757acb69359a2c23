"""A catalog has a namespace that others know it by."""

from __future__ import annotations

import pytest

from openlineage_facets.spark.table_names import Catalog, catalog_of_config, warehouse_uri, without_login


def configured(framework: str = "iceberg", **settings: str) -> Catalog:
    by_key = {key.replace("__", ".").replace("_", "-"): value for key, value in settings.items()}
    return catalog_of_config("lakehouse", by_key.get, framework)


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
def test_a_catalog_is_known_by_its_service_or_its_warehouse(
    settings: dict[str, str], namespace: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    catalog = configured(**settings)
    assert (catalog.namespace, catalog.type) == (namespace, kind)
    assert "hush" not in repr(catalog.facets(["db", "t"]))


def test_a_table_is_named_as_its_catalog_names_it() -> None:
    assert configured(type="hive", uri="thrift://meta:9083").table(["db", "t"]) == (
        "hive://meta:9083",
        "db.t",
    )
    glue = configured(type="glue", glue__id="1", client__region="eu-west-1")
    assert glue.table(["db", "t"]) == ("arn:aws:glue:eu-west-1:1", "table/db/t")


def test_a_warehouse_has_one_spelling() -> None:
    spelt = ("/data/w", "file:/data/w", "file:///data/w/", "s3a://lake/w/", "s3://lake")
    assert [warehouse_uri(uri) for uri in spelt] == [
        "file:/data/w",
        "file:/data/w",
        "file:/data/w",
        "s3://lake/w",
        "s3://lake",
    ]


def test_no_login_and_no_token_is_in_a_uri() -> None:
    assert without_login("https://ana:hush@catalog/api?token=hush#x") == "https://catalog/api"
    assert without_login("https://catalog?token=hush") == "https://catalog"
