"""Jobs keep the names that they have with the Spark listener of OpenLineage."""

from __future__ import annotations

import pytest

from openlineage_facets.spark.launch.job_identity import job_identity, normalized_name
from tests.cases import each

RUN_ID = "019d3719-f020-7c3e-9f10-2b7d4e8a6c31"


@each(
    "application, name",
    [
        ("orders", "orders"),
        ("Daily Orders", "daily_orders"),
        ("daily-orders", "daily_orders"),
        ("DailyOrders", "daily_orders"),
        ("MyXMLBasedApplication", "my_xml_based_application"),
        ("JDBCRelationApplication", "jdbc_relation_application"),
        ("Test With a Single LetterBetweenWords", "test_with_a_single_letter_between_words"),
        ("orders_daily.py", "orders_daily.py"),
        ("orders 2026", "orders_2026"),
        ("  orders", " _orders"),
        ("été", "été"),
    ],
)
def test_names_of_applications_are_normalized(application: str, name: str) -> None:
    assert normalized_name(application) == name


def test_options_take_precedence_over_spark_and_spark_over_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings: dict[str, str] = {}
    monkeypatch.delenv("OPENLINEAGE_NAMESPACE", raising=False)

    def names(namespace: str | None = None, name: str | None = None) -> tuple[str, str]:
        found = job_identity(namespace, name, "job.py", settings.get)
        return found.namespace, found.name

    assert names() == ("default", "job.py")
    settings["spark.app.name"] = "pyspark-shell"
    assert names() == ("default", "job.py")
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "environment")
    settings["spark.app.name"] = "Application"
    assert names() == ("environment", "application")
    settings |= {"spark.openlineage.namespace": "Spark", "spark.openlineage.appName": "App Name"}
    assert names() == ("Spark", "app_name")
    assert names("Option", "Option Name") == ("Option", "Option Name")


def test_an_incomplete_or_invalid_parent_is_not_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("OPENLINEAGE_PARENT_ID", raising=False)
    prefix = "spark.openlineage.parent"
    assert job_identity("etl", None, "job.py", {prefix + "RunId": RUN_ID}.get).parent is None
    settings = {prefix + "RunId": RUN_ID, prefix + "JobName": "load"}
    assert job_identity("etl", None, "job.py", settings.get).parent == ("etl", "load", RUN_ID)
    settings[prefix + "RunId"] = "17"
    assert job_identity("etl", None, "job.py", settings.get).parent is None
    assert "the parent run of the Spark configuration is not reported" in caplog.text
