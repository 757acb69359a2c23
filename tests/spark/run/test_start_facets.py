"""Facets of the START event: parent run, environment variables, source code location."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.base.producer import DEFAULT_PRODUCER
from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.run.parent import resolve_run
from openlineage_facets.spark.run.start_facets import environment_facet, source_code_facet
from openlineage_facets.tags import Tag
from tests.cases import each
from tests.spark.etl_job import EtlJob, Events

PARENT = "01957939-5fc2-7a0e-8b13-e64d2907ac58"
NOON = "2026-03-01T12:00:00Z"
ROOT = "01957938-0b7d-7e61-94a2-c8d15f30e7b4"
AIRFLOW_TASK = {"run": {"runId": PARENT}, "job": {"namespace": "airflow://prod", "name": "shop/load"}}
AIRFLOW_RUN = {"run": {"runId": ROOT}, "job": {"namespace": "airflow://prod", "name": "shop"}}


def test_parent_and_root_run_from_airflows_environment_variables(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", f"airflow-prod/shop.load_orders/{PARENT}")
    monkeypatch.setenv("OPENLINEAGE_ROOT_PARENT_ID", f"airflow-prod/shop/{ROOT}")
    with etl.run("orders.daily", on_error="log"):
        pass
    for event in etl.events:
        parent = event.run.facets.parent
        assert (parent.job.namespace, parent.job.name, parent.run.run_id) == (
            "airflow-prod",
            "shop.load_orders",
            PARENT,
        )
        assert (parent.root.job.name, parent.root.run.run_id) == ("shop", ROOT)


def test_arguments_override_the_environment() -> None:
    found = resolve_run("parent", ("dags", "a.b", PARENT), {"OPENLINEAGE_PARENT_ID": f"other/c.d/{ROOT}"})
    assert found == ("dags", "a.b", PARENT)
    found = resolve_run("root", f"dags/a/{ROOT}", {"OPENLINEAGE_ROOT_PARENT_ID": f"other/c.d/{PARENT}"})
    assert found == ("dags", "a", ROOT)


@each(
    "context",
    [
        {"parent": AIRFLOW_TASK, "root": AIRFLOW_RUN},
        {"parent": {**AIRFLOW_TASK, "root": AIRFLOW_RUN}},
        {"parent": {**AIRFLOW_TASK, "root": AIRFLOW_TASK}, "root": AIRFLOW_RUN, "more": 1},
    ],
)
def test_the_context_names_parent_and_root_and_comes_before_other_variables(context: dict[str, Any]) -> None:
    other = f"other/c.d/{ROOT}"
    environment = {"OPENLINEAGE_CONTEXT": json.dumps(context), "OPENLINEAGE_PARENT_ID": other}
    assert resolve_run("parent", None, environment) == ("airflow://prod", "shop/load", PARENT)
    assert resolve_run("root", None, environment) == ("airflow://prod", "shop", ROOT)
    assert resolve_run("parent", f"dags/a/{ROOT}", environment) == ("dags", "a", ROOT)


@each("context", ['{"parent": null}', "{}", " "])
def test_a_context_without_a_run_leaves_the_other_variables(context: str) -> None:
    environment = {"OPENLINEAGE_CONTEXT": context, "OPENLINEAGE_PARENT_ID": f"dags/a.b/{PARENT}"}
    assert resolve_run("parent", None, environment) == ("dags", "a.b", PARENT)
    assert resolve_run("root", None, environment) is None


@each(
    "wrong",
    ["{{ macro }}", "[]", "7", '{"parent": 7}', '{"parent": {"job": {"namespace": "a", "name": "b"}}}'],
)
def test_an_invalid_context_is_an_error_that_shows_the_form(wrong: str) -> None:
    with pytest.raises(ValueError, match='OPENLINEAGE_CONTEXT: expected JSON such as {"parent": {"run"'):
        resolve_run("parent", None, {"OPENLINEAGE_CONTEXT": wrong})


@each(
    "value, expected",
    [
        (f" airflow://prod:8080/eu/shop.load/{PARENT} \n", ("airflow://prod:8080/eu", "shop.load", PARENT)),
        ("", None),
        (" ", None),
    ],
)
def test_a_namespace_may_contain_slashes_and_surrounding_blanks_are_ignored(
    value: str, expected: tuple[str, str, str] | None
) -> None:
    assert resolve_run("parent", None, {"OPENLINEAGE_PARENT_ID": value}) == expected
    assert resolve_run("parent", None, {}) is None


def test_an_invalid_parent_is_ignored_and_logged_once(etl: EtlJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", "{{ macro }}")
    with etl.run("orders.daily", on_error="log"):
        pass
    assert etl.events[0].run.facets.parent is None
    (message,) = etl.messages
    assert "OPENLINEAGE_PARENT_ID: expected namespace/name/run_id" in message


@each("wrong", ["17", f"dag.task/{PARENT}", "ns/name/17", f"/name/{PARENT}"])
def test_a_parent_has_a_namespace_a_name_and_a_uuid(wrong: str) -> None:
    with pytest.raises(ValueError, match="^OPENLINEAGE_PARENT_ID: expected namespace/name/run_id"):
        resolve_run("parent", None, {"OPENLINEAGE_PARENT_ID": wrong})


@pytest.mark.parametrize(
    ("parent", "root", "message"),
    [
        (f"a/b/{PARENT}", "junk", "OPENLINEAGE_ROOT_PARENT_ID: expected namespace/name/run_id"),
        ("", f"a/b/{ROOT}", "the root run is not reported without a parent run"),
    ],
)
def test_an_invalid_root_or_one_without_a_parent_only_loses_the_root(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch, parent: str, root: str, message: str
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", parent)
    monkeypatch.setenv("OPENLINEAGE_ROOT_PARENT_ID", root)
    with etl.run("orders.daily", on_error="log"):
        pass
    parent_facet = etl.events[0].run.facets.parent
    assert (parent_facet.run.run_id if parent_facet else "") == parent[4:]
    assert parent_facet is None or parent_facet.root is None
    (record,) = etl.caplog.records
    assert message in record.getMessage()


def test_an_invalid_producer_in_the_environment_is_ignored(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", "junk")
    tags = [Tag("team", "sales")]
    with etl.run("orders.daily", on_error="log", nominal_start_time=NOON, tags=tags):
        pass
    assert etl.events.types == ["START", "COMPLETE"]
    facets = [*etl.events.facets["run"].values(), *etl.events.facets["job"].values()]
    assert {one.producer for one in [*etl.events, *facets]} == {DEFAULT_PRODUCER}
    (record,) = etl.caplog.records
    assert record.getMessage().startswith("OPENLINEAGE_PRODUCER: expected an absolute URI")


def test_only_allowed_environment_variables_are_reported() -> None:
    variables = {"STAGE": "prod", "PASSWORD": "hunter2"}
    facet = environment_facet(["STAGE", "REGION", "STAGE"], variables)
    assert facet is not None
    assert [(one.name, one.value) for one in facet.environment_variables] == [("STAGE", "prod")]
    assert environment_facet([], variables) is None


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
def test_source_code_location_has_no_credentials(
    script: Path, remote: str, repository: str, home: str
) -> None:
    git(script.parent, "remote", "add", "origin", remote)
    facet = source_code_facet(script)
    commit = git(script.parent, "rev-parse", "HEAD")
    assert (facet.type, facet.repo_url, facet.branch, facet.version) == ("git", repository, "main", commit)
    assert facet.path == "pipelines/flights/load it.py"
    assert facet.url == home.format(commit=commit)
    assert b"secret" not in facet.to_json()


def test_a_file_with_uncommitted_changes_has_no_version(script: Path) -> None:
    git(script.parent, "remote", "add", "origin", "https://github.com/acme/etl")
    script.write_text("print(1)\n")
    facet = source_code_facet(script)
    assert (facet.version, facet.url) == (None, "https://github.com/acme/etl")


@pytest.mark.parametrize(
    ("path", "expected"), [(".", "a git repository with a commit at"), ("nope", "a file or folder")]
)
def test_source_code_outside_git_is_logged_once(etl: EtlJob, path: str, expected: str) -> None:
    with etl.run("orders.daily", on_error="log", source_code=etl.tmp_path / path):
        pass
    (record,) = etl.caplog.records
    prefix = "lineage of etl/orders.daily: could not report the source code location: ValueError: "
    assert record.getMessage().startswith(f"{prefix}source_code: expected {expected}")
    assert etl.events.types == ["START", "COMPLETE"]


def test_source_code_location_and_environment_of_a_run(
    spark: SparkSession, events: Events, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAGE", "test")
    git(script.parent, "remote", "add", "origin", "https://github.com/acme/etl")
    names = (name for name in ["STAGE"])  # It can be read only once.
    with SparkRun(
        spark, "etl", "daily", emit=events, source_code=script, environment=names, on_error="raise"
    ):
        pass
    assert events.facets["job"]["sourceCodeLocation"].path == "pipelines/flights/load it.py"
    (variable,) = events.facets["run"]["environmentVariables"].environment_variables
    assert (variable.name, variable.value) == ("STAGE", "test")
