"""Where a run comes from: the run that started it, the environment, and the place of its code."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.base.producer import DEFAULT_PRODUCER
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.environment import environment_facet
from openlineage_facets.spark.parent import run_named
from openlineage_facets.spark.source_code import source_code_facet
from openlineage_facets.tags import Tag
from tests.spark.run.conftest import Events

PARENT = "01957939-5fc2-7a0e-8b13-e64d2907ac58"
NOON = "2026-03-01T12:00:00Z"
ROOT = "01957938-0b7d-7e61-94a2-c8d15f30e7b4"


def test_parent_and_root_come_as_airflow_passes_them(
    spark: SparkSession, events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", f"airflow-prod/shop.load_orders/{PARENT}")
    monkeypatch.setenv("OPENLINEAGE_ROOT_PARENT_ID", f"airflow-prod/shop/{ROOT}")
    with SparkRun(spark, "etl", "orders.daily", emit=events):
        pass
    for event in events:
        parent = event.run.facets.parent
        assert (parent.job.namespace, parent.job.name, parent.run.run_id) == (
            "airflow-prod",
            "shop.load_orders",
            PARENT,
        )
        assert (parent.root.job.name, parent.root.run.run_id) == ("shop", ROOT)


def test_arguments_win_over_the_environment() -> None:
    given = run_named("parent", ("dags", "a.b", PARENT), {"OPENLINEAGE_PARENT_ID": f"other/c.d/{ROOT}"})
    assert given == ("dags", "a.b", PARENT)
    given = run_named("root", f"dags/a/{ROOT}", {"OPENLINEAGE_ROOT_PARENT_ID": f"other/c.d/{PARENT}"})
    assert given == ("dags", "a", ROOT)


@pytest.mark.parametrize("around", ["{}", " {} \n"])
def test_a_namespace_may_hold_slashes_and_blanks_may_stand_around_it(around: str) -> None:
    value = around.format(f"airflow://prod:8080/eu/shop.load/{PARENT}")
    named = run_named("parent", None, {"OPENLINEAGE_PARENT_ID": value})
    assert named == ("airflow://prod:8080/eu", "shop.load", PARENT)


@pytest.mark.parametrize("absent", [{}, {"OPENLINEAGE_PARENT_ID": ""}, {"OPENLINEAGE_PARENT_ID": " "}])
def test_without_a_parent_there_is_none(absent: dict) -> None:
    assert run_named("parent", None, absent) is None


@pytest.mark.parametrize(
    "wrong", ["17", f"dag.task/{PARENT}", "ns/name/17", f"/name/{PARENT}", "{{ macro }}"]
)
def test_a_parent_that_is_none_is_left_out_with_a_line_in_the_log(
    spark: SparkSession,
    events: Events,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wrong: str,
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", wrong)
    with SparkRun(spark, "etl", "orders.daily", emit=events):
        pass
    assert events[0].run.facets.parent is None
    (record,) = caplog.records
    assert "OPENLINEAGE_PARENT_ID: expected namespace/name/run_id" in record.getMessage()


@pytest.mark.parametrize(
    ("parent", "root", "said"),
    [
        (f"a/b/{PARENT}", "junk", "OPENLINEAGE_ROOT_PARENT_ID: expected namespace/name/run_id"),
        ("", f"a/b/{ROOT}", "the root run is left out: no parent is named"),
    ],
)
def test_a_root_that_cannot_be_told_is_left_out_alone(
    spark: SparkSession,
    events: Events,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    parent: str,
    root: str,
    said: str,
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", parent)
    monkeypatch.setenv("OPENLINEAGE_ROOT_PARENT_ID", root)
    with SparkRun(spark, "etl", "orders.daily", emit=events):
        pass
    told = events[0].run.facets.parent
    assert (told.run.run_id if told else "") == parent[4:]
    assert told is None or told.root is None
    (record,) = caplog.records
    assert said in record.getMessage()


def test_a_producer_of_the_environment_that_is_none_is_left_out(
    spark: SparkSession, events: Events, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", "junk")
    tags = [Tag("team", "sales")]
    with SparkRun(spark, "etl", "orders.daily", emit=events, nominal_start_time=NOON, tags=tags):
        pass
    assert events.types == ["START", "COMPLETE"]
    facets = [*events.facets["run"].values(), *events.facets["job"].values()]
    assert {one.producer for one in [*events, *facets]} == {DEFAULT_PRODUCER}
    (record,) = caplog.records
    assert record.getMessage().startswith("OPENLINEAGE_PRODUCER: expected an absolute URI")


def test_only_allowed_variables_are_told() -> None:
    facet = environment_facet(["STAGE", "REGION", "STAGE"], {"STAGE": "prod", "PASSWORD": "hunter2"})
    assert facet is not None
    assert [(one.name, one.value) for one in facet.environment_variables] == [("STAGE", "prod")]


def test_no_variable_is_told_unasked() -> None:
    assert environment_facet([], {"PASSWORD": "hunter2"}) is None


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return a script in a git repository with one commit on the branch `main`."""
    path = tmp_path / "pipelines" / "flights" / "load it.py"
    path.parent.mkdir(parents=True)
    path.write_text("print()\n")
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Load flights")
    return path


@pytest.mark.parametrize(
    ("remote", "repository", "home"),
    [
        (
            "https://ana:secret@github.com/acme/etl.git",
            "https://github.com/acme/etl.git",
            "https://github.com/acme/etl/blob/{commit}/pipelines/flights/load%20it.py",
        ),
        (
            "git@gitlab.example.com:data/etl.git",
            "git@gitlab.example.com:data/etl.git",
            "https://gitlab.example.com/data/etl/-/blob/{commit}/pipelines/flights/load%20it.py",
        ),
        (
            "ssh://git:secret@git.example.com:2222/data/etl.git",
            "ssh://git@git.example.com:2222/data/etl.git",
            "https://git.example.com/data/etl",
        ),
        (
            "https://token@git.example.com:8443/data/etl?x=secret",
            "https://git.example.com:8443/data/etl",
            "https://git.example.com:8443/data/etl",
        ),
    ],
)
def test_git_says_where_the_code_is_without_credentials(
    script: Path, remote: str, repository: str, home: str
) -> None:
    git(script.parent, "remote", "add", "origin", remote)
    facet = source_code_facet(script)
    commit = git(script.parent, "rev-parse", "HEAD")
    assert (facet.type, facet.repo_url, facet.branch, facet.version) == ("git", repository, "main", commit)
    assert facet.path == "pipelines/flights/load it.py"
    assert facet.url == home.format(commit=commit)
    assert b"secret" not in facet.to_json()


def test_a_changed_file_has_no_version(script: Path) -> None:
    git(script.parent, "remote", "add", "origin", "https://github.com/acme/etl")
    script.write_text("print(1)\n")
    facet = source_code_facet(script)
    assert (facet.version, facet.url) == (None, "https://github.com/acme/etl")


@pytest.mark.parametrize(
    ("place", "said"), [(".", "a git repository with a commit at"), ("nope", "a file or folder")]
)
def test_where_there_is_no_git_one_line_says_so(
    spark: SparkSession,
    events: Events,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    place: str,
    said: str,
) -> None:
    with SparkRun(spark, "etl", "orders.daily", emit=events, source_code=tmp_path / place):
        pass
    (record,) = caplog.records
    message = record.getMessage()
    assert message.startswith("lineage of etl/orders.daily: could not tell where the code is: ValueError: ")
    assert f"source_code: expected {said}" in message
    assert events.types == ["START", "COMPLETE"]


def test_the_code_of_a_run_is_told_where_that_is_asked_for(
    spark: SparkSession, events: Events, script: Path
) -> None:
    git(script.parent, "remote", "add", "origin", "https://github.com/acme/etl")
    with SparkRun(spark, "etl", "orders.daily", emit=events, source_code=script, on_error="raise"):
        pass
    assert events.facets["job"]["sourceCodeLocation"].path == "pipelines/flights/load it.py"
