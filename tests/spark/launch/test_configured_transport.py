"""Jobs that used the Spark listener keep the destination of their events."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.emitters import ConsoleEmitter, FileEmitter, HttpEmitter
from openlineage_facets.spark.launch.job_identity import configured_emitter
from openlineage_facets.spark.launch.launched_run import LaunchedRun, LaunchOptions
from tests.cases import each

pytestmark = pytest.mark.check

PREFIX = "spark.openlineage.transport."


def settings(**values: str) -> dict[str, str]:
    return {PREFIX + name.replace("__", "."): value for name, value in values.items()}


def test_console_and_file(tmp_path: Path) -> None:
    assert configured_emitter({}.get) is None
    assert isinstance(configured_emitter(settings(type="console").get), ConsoleEmitter)
    path = tmp_path / "lineage.ndjson"
    emitter = configured_emitter(settings(type="file", location=str(path)).get)
    assert isinstance(emitter, FileEmitter)
    with emitter:
        emitter.emit(RunEventBuilder("etl", "orders").start())
    assert json.loads(path.read_text())["eventType"] == "START"


@each(
    "more, url",
    [
        ({}, "http://localhost:5000/api/v1/lineage"),
        ({"endpoint": "/lineage"}, "http://localhost:5000/lineage"),
        ({"auth__apiKey": "key", "timeoutInMillis": "1500"}, "http://localhost:5000/api/v1/lineage"),
    ],
)
def test_http(more: dict[str, str], url: str) -> None:
    emitter = configured_emitter(settings(type="http", url="http://localhost:5000", **more).get)
    assert isinstance(emitter, HttpEmitter)
    assert emitter._url == url
    assert emitter._headers.get("Authorization") == ("Bearer key" if more.get("auth__apiKey") else None)


@each(
    "values, message",
    [
        (
            settings(type="kafka"),
            "spark.openlineage.transport.type: expected http, file, console, found 'kafka'",
        ),
        (settings(type="http"), "expected spark.openlineage.transport.url, which is not set"),
        (settings(type="file"), "expected spark.openlineage.transport.location, which is not set"),
        (settings(type="http", url="localhost"), "spark.openlineage.transport.* is not used"),
        (settings(type="http", url="http://localhost", timeoutInMillis="soon"), "timeoutInMillis"),
    ],
)
def test_an_unusable_transport_is_logged(
    values: dict[str, str], message: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert configured_emitter(values.get) is None
    assert message in caplog.text


def test_a_job_that_fails_before_it_has_a_session(tmp_path: Path) -> None:
    path = tmp_path / "lineage.ndjson"
    configuration = settings(type="file", location=str(path))
    LaunchedRun(LaunchOptions("job.py", configuration=configuration)).end(ValueError("no input"))
    assert [json.loads(line)["eventType"] for line in path.read_text().splitlines()] == ["START", "FAIL"]
