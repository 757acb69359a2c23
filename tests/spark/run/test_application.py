"""Application and settings are reported with the keys and fields of the Spark listener."""

from __future__ import annotations

import json

import pytest
from pyspark.sql import SparkSession

from openlineage_facets import parse_event
from openlineage_facets.facets import RunFacet, SparkApplicationDetailsRunFacet
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.run.start_facets import application_details_facet, spark_properties_facet


@pytest.fixture
def session(spark: SparkSession) -> SparkSession:
    """Return a session with its own settings."""
    return spark.newSession()


def test_application_and_settings_are_reported(spark: SparkSession) -> None:
    events: list = []
    with SparkRun(spark, "etl", "orders.daily", emit=events.append):
        pass
    for event in events:
        document = event.to_dict()["run"]["facets"]
        details = document["spark_applicationDetails"]
        assert details.pop("_schemaURL") == RunFacet.__schema_url__
        assert details.pop("_producer")
        assert details == {
            "master": "local[2]",
            "appName": "tests",
            "applicationId": spark.sparkContext.applicationId,
            "deployMode": "client",
            "driverHost": spark.conf.get("spark.driver.host"),
            "userName": spark.sparkContext.sparkUser(),
            **({"uiWebUrl": spark.sparkContext.uiWebUrl} if spark.sparkContext.uiWebUrl else {}),
        }
        assert document["spark_properties"]["properties"] == {
            "spark.master": "local[2]",
            "spark.app.name": spark.conf.get("spark.app.name"),  # Another test may have changed it.
        }


def test_facets_of_the_listener_are_typed() -> None:
    facets = {
        "spark_applicationDetails": {"master": "yarn", "applicationId": "application_1", "new": 7},
        "spark_properties": {"properties": {"spark.master": "yarn", "spark.other": 1}},
    }
    base = {
        "_producer": "https://github.com/OpenLineage/OpenLineage/tree/1.53.0/integration/spark",
        "_schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet",
    }
    document = {
        "eventTime": "2026-03-29T01:04:00Z",
        "producer": "https://example.com",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "eventType": "START",
        "job": {"namespace": "etl", "name": "orders"},
        "run": {
            "runId": "019d3719-f020-7c3e-9f10-2b7d4e8a6c31",
            "facets": {key: {**base, **facet} for key, facet in facets.items()},
        },
    }
    event = parse_event(json.dumps(document))
    details, properties = event.run.facets.spark_application_details, event.run.facets.spark_properties
    assert (details.master, details.application_id, details.user_name) == ("yarn", "application_1", None)
    assert properties.properties == {"spark.master": "yarn", "spark.other": 1}
    assert event.to_dict() == document


def test_only_listed_properties_are_reported_and_secrets_redacted(session: SparkSession) -> None:
    session.conf.set("spark.acme.password", "tops3cret")
    session.conf.set("spark.acme.team", "sales")
    session.conf.set("spark.acme.url", "https://me:tops3cret@acme.example.com/")
    listed = "spark.acme.password, spark.acme.url,spark.sql.shuffle.partitions,,spark.nothing"
    session.conf.set("spark.openlineage.capturedProperties", listed)
    facet = spark_properties_facet(session)
    assert facet is not None
    assert list(facet.properties) == ["spark.acme.password", "spark.acme.url", "spark.sql.shuffle.partitions"]
    assert "tops3cret" not in facet.to_json().decode()
    session.conf.set("spark.openlineage.capturedProperties", "")
    assert spark_properties_facet(session) is None


def test_proxies_and_history_servers_have_an_address_of_the_application(session: SparkSession) -> None:
    application_id = session.sparkContext.applicationId

    def details() -> SparkApplicationDetailsRunFacet:
        facet = application_details_facet(session)
        assert facet is not None
        return facet

    assert (details().proxy_url, details().history_url) == (None, None)
    session.conf.set("spark.yarn.historyServer.address", "history:18080/")
    assert details().history_url == f"http://history:18080/history/{application_id}"
    session.conf.set("spark.yarn.historyServer.address", "https://history")
    assert details().history_url == f"https://history/history/{application_id}"
    yarn = "spark.org.apache.hadoop.yarn.server.webproxy.amfilter.AmIpFilter.param.PROXY_URI_BASES"
    session.conf.set(yarn, "http://yarn:8088/proxy/application_1")
    assert details().proxy_url == "http://yarn:8088/proxy/application_1"
