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
from tests.cases import each
from tests.composing.registration import facets_restored
from tests.operators.scheduler import Recorder, operator

SQL = "CREATE VIEW v USING jdbc OPTIONS (url 'jdbc:db2://ana:xyzzy@db/x', password 'xyzzy')"


METRICS = {"columnMetrics": {"token": {"sum": 123456.0, "max": 9000.0, "quantiles": {"0.5": 5000.0}}}}


def test_a_lineage_is_redacted_in_facets_and_namespaces() -> None:
    outputs = [{"namespace": "postgres://ana:xyzzy@db:5432", "name": "shop.token=7"}]
    clean: Any = redacted(TaskInstanceLineage(job_facets={"sql": {"query": SQL}}, outputs=outputs))
    assert "xyzzy" not in str(clean.to_dict())
    assert clean.outputs[0].namespace == "postgres://***@db:5432"
    assert clean.outputs[0].name == "shop.token=7"


@each(
    "lineage",
    [
        {"jobFacets": {"sql": {"query": "SELECT key FROM t"}}},
        {"inputs": [{"namespace": "a", "name": "b", "inputFacets": {"dataQualityMetrics": METRICS}}]},
    ],
)
def test_lineage_without_secrets_is_unchanged(lineage: dict[str, Any]) -> None:
    harmless = TaskInstanceLineage.from_dict(lineage)
    assert redacted(harmless) is harmless


class TokenRunFacet(RunFacet):
    __facet_key__ = "acme_token"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/TokenRunFacet.json"

    token: int


def test_the_listener_redacts_and_leaves_out_only_a_facet_that_is_invalid_then(
    caplog: pytest.LogCaptureFixture,
) -> None:
    recorded = Recorder()
    with facets_restored():
        register_facets(TokenRunFacet)
        reported = {"runFacets": [TokenRunFacet(token=123456)], "jobFacets": {"sql": {"query": SQL}}}
        recorded.life(operator(on_start=lambda ti: reported), ConnectionError("postgres://ana:xyzzy@db/x"))
    for event, facets in zip(recorded.events, (["parent"], ["errorMessage", "parent"]), strict=True):
        assert sorted(event.run.facets or ()) == facets
        assert b"CREATE VIEW v" in event.to_json()
        assert b"123456" not in event.to_json()
        assert b"xyzzy" not in event.to_json()
    assert "parts that are invalid after secrets were redacted" in caplog.text
    assert '/runFacets/acme_token/token: expected an integer, found "***"' in caplog.text


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


def test_the_command_line_shows_no_value_of_a_key_that_names_a_secret(tmp_path: Path) -> None:
    from openlineage_facets.cli.app import app

    build = RunEventBuilder("etl", "orders")
    build.job.sql(query=SQL + " " + "x" * 300)
    build.input("postgres://ana:xyzzy@db:5432", "shop.orders")
    event = build.start().to_dict()
    # At the beginning: `show` prints only the start of text that is not JSON.
    options = {"acme_options": {"password": "xyzzy", "name": "x"}}
    event = {"run": {"facets": options, **event.pop("run")}, **event}
    invalid = {"job": {"namespace": "etl", "name": 7, "password": "xyzzy"}, "eventTime": 'password: "xyzzy"'}
    validate = ["validate", "--no-config", "--format"]
    path = tmp_path / "event.json"
    for document, shown, commands in (
        (event, "***", [["show"], ["show", "--full"]]),
        (invalid, "OL", [[*validate, form] for form in ("text", "json", "github", "junit", "sarif")]),
    ):
        text = json.dumps(document)
        for (name, *options_of_it), written in itertools.product(commands, (text, text[:-2])):
            path.write_text(written)
            out = CliRunner().invoke(app, [name, str(path), *options_of_it]).output
            assert shown in out
            assert "xyzzy" not in out
