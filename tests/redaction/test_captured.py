"""What operators, runs and the command line take from elsewhere is redacted."""

from __future__ import annotations

import itertools
import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from openlineage_facets import register_facets
from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import RunFacet
from openlineage_facets.operators.task_lineage import TaskInstanceLineage, redacted
from tests.composing.registration import facets_restored

SQL = "CREATE VIEW v USING jdbc OPTIONS (url 'jdbc:db2://ana:xyzzy@db/x', password 'xyzzy')"


def test_a_lineage_is_redacted_in_facets_and_namespaces() -> None:
    lineage = TaskInstanceLineage(
        job_facets={"sql": {"query": SQL}},
        outputs=[{"namespace": "postgres://ana:xyzzy@db:5432", "name": "shop.token=7"}],
    )
    clean = redacted(lineage)
    assert "xyzzy" not in str(clean.to_dict())
    assert clean.outputs is not None
    assert clean.outputs[0].namespace == "postgres://***@db:5432"
    assert clean.outputs[0].name == "shop.token=7"
    harmless = TaskInstanceLineage(job_facets={"sql": {"query": "SELECT key FROM t"}})
    assert redacted(harmless) is harmless


class TokenRunFacet(RunFacet):
    __facet_key__ = "acme_token"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/TokenRunFacet.json"

    token: int


def test_the_listener_leaves_out_only_a_facet_that_is_invalid_once_redacted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from openlineage_facets.operators import TaskInstanceListener
    from tests.operators.scheduler import Try, operator

    reported = {"runFacets": [TokenRunFacet(token=123456)], "jobFacets": {"sql": {"query": SQL}}}
    emitted: list[Any] = []
    with facets_restored():
        register_facets(TokenRunFacet)
        task = operator(on_start=lambda ti: reported)
        TaskInstanceListener(emit=emitted.append, namespace="etl").on_start(Try(task))  # type: ignore[arg-type]
    (event,) = emitted
    assert list(event.run.facets) == ["parent"]
    assert event.job.facets.sql.query.startswith("CREATE VIEW v")
    assert b"123456" not in event.to_json()
    assert b"xyzzy" not in event.to_json()
    assert "parts that are invalid after secrets were redacted" in caplog.text
    assert '/runFacets/acme_token/token: expected an integer, found "***"' in caplog.text


def test_the_metrics_of_a_column_that_is_named_like_a_secret_are_kept() -> None:
    column = {"sum": 123456.0, "max": 9000.0, "quantiles": {"0.5": 5000.0}}
    metrics = {"dataQualityMetrics": {"columnMetrics": {"token": column}}}
    lineage = TaskInstanceLineage(inputs=[{"namespace": "a", "name": "b", "inputFacets": metrics}])
    assert redacted(lineage) is lineage


def test_the_listener_redacts_what_an_operator_reports_and_the_error() -> None:
    from openlineage_facets.operators import TaskInstanceListener
    from tests.operators.scheduler import Try, operator

    task = operator(on_start=lambda ti: {"jobFacets": {"sql": {"query": SQL}}})
    emitted: list[Any] = []
    listener = TaskInstanceListener(emit=emitted.append, namespace="etl")
    instance: Any = Try(task)
    listener.on_start(instance)
    listener.on_failure(instance, ConnectionError("postgres://ana:xyzzy@db/x"))
    assert [event.event_type.value for event in emitted] == ["START", "FAIL"]
    for event in emitted:
        assert b"CREATE VIEW v" in event.to_json()
        assert b"xyzzy" not in event.to_json()


def test_a_statement_of_a_spark_run_is_redacted() -> None:
    job_facets = pytest.importorskip("openlineage_facets.spark.capture.job_facets")
    build = RunEventBuilder("etl", "orders")
    facets = job_facets.JobFacets(build, nullcontext())
    facets.add_query(SQL)
    facets.add_query(SQL)
    event = build.start()
    assert event.job.facets is not None
    assert event.job.facets.sql is not None
    assert event.job.facets.sql.query == (
        "CREATE VIEW v USING jdbc OPTIONS (url 'jdbc:db2://***@db/x', password '***')"
    )


def test_an_allowed_environment_variable_is_redacted() -> None:
    environment = pytest.importorskip("openlineage_facets.spark.run.start_facets")
    facet = environment.environment_facet(["DB_PASSWORD", "STAGE"], {"DB_PASSWORD": "xyzzy", "STAGE": "prod"})
    assert [one.value for one in facet.environment_variables] == ["***", "prod"]


def test_show_redacts_an_event(tmp_path: Path) -> None:
    from openlineage_facets.cli.app import app

    build = RunEventBuilder("etl", "orders")
    build.job.sql(query=SQL + " " + "x" * 300)
    build.input("postgres://ana:xyzzy@db:5432", "shop.orders")
    event = json.loads(build.start().to_json())
    # At the beginning: `show` prints only the start of text that is not JSON.
    options = {"acme_options": {"password": "xyzzy", "name": "x"}}
    event = {"run": {"facets": options, **event.pop("run")}, **event}
    path = tmp_path / "event.json"
    for text, full in itertools.product((json.dumps(event), json.dumps(event)[:-2]), ([], ["--full"])):
        path.write_text(text)
        out = CliRunner().invoke(app, ["show", str(path), *full]).output
        assert "***" in out
        assert "xyzzy" not in out


def test_no_report_shows_the_value_of_a_key_that_names_a_secret(tmp_path: Path) -> None:
    from openlineage_facets.cli.app import app

    event = {"job": {"namespace": "etl", "name": 7, "password": "xyzzy"}, "eventTime": 'password: "xyzzy"'}
    path = tmp_path / "e.json"
    forms = ("text", "json", "github", "junit", "sarif")
    for text, form in itertools.product((json.dumps(event), json.dumps(event)[:-1]), forms):
        path.write_text(text)
        out = CliRunner().invoke(app, ["validate", str(path), "--no-config", "--format", form]).output
        assert "OL" in out
        assert "xyzzy" not in out
