"""`validate --backend` reports what backends refuse, lose or change; `backends` lists them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openlineage_facets.validation.backends.catalogue import known_profiles
from tests.cases import each
from tests.cli.in_process import run_in_process
from tests.validation.backends.fact_examples import event_with

JOB_TYPE = {"job": {"facets": {"jobType": {"processingType": "BATCH", "integration": "SQL"}}}}
PROFILE = """title = "Acme"
[[fact]]
id = "small"
says = "an event has at most 10 bytes"
effect = "refused"
evidence = "tried"
version = "1"
source = "https://acme.example.com"
size = { most = 10 }
"""


@pytest.fixture
def lineage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "lineage.ndjson"
    path.write_text(json.dumps(event_with({**JOB_TYPE, "eventType": "START"})))
    (tmp_path / "acme.toml").write_text(PROFILE)
    return path


@each(
    ("options", "code", "facts"),
    [
        ((), 0, set()),
        (("--backend", "openlineage-java"), 0, set()),
        (("--backend", "snowflake"), 0, {"snowflake/only-complete"}),
        (("--backend", "snowflake", "--strict"), 1, {"snowflake/only-complete"}),
        (("--backend", "snowflake,marquez"), 1, {"snowflake/only-complete", "marquez/job-type"}),
        (("--backend", "snowflake", "--backend", "acme.toml"), 1, {"snowflake/only-complete", "acme/small"}),
        (("--backend", "marquez", "--ignore", "OL702"), 0, set()),
    ],
)
def test_findings_are_those_of_the_backends(
    options: tuple[str, ...], code: int, facts: set[str], lineage: Path
) -> None:
    result = run_in_process("validate", str(lineage), "--format", "json", *options)
    assert result.code == code
    findings = json.loads(result.out)["findings"]
    assert {one["fact"] for one in findings if "fact" in one} == facts


def test_show_reports_what_backends_refuse(lineage: Path) -> None:
    assert "marquez/job-type" in run_in_process("show", str(lineage), "--backend", "marquez").out
    assert "marquez" not in run_in_process("show", str(lineage)).out
    unknown = run_in_process("show", str(lineage), "--backend", "marqez")
    assert (unknown.code, "did you mean 'marquez'?" in unknown.err) == (2, True)


def test_backends_are_a_setting_of_the_project(lineage: Path) -> None:
    settings = '[tool.openlineage-facets]\npaths = ["."]\nbackends = ["marquez", "acme.toml"]\n'
    (lineage.parent / "pyproject.toml").write_text(settings)
    assert "(acme/small; tried, version 1)" in run_in_process("validate").out


def test_findings_of_several_backends_at_one_place_are_separate_in_a_baseline(lineage: Path) -> None:
    lineage.write_text(json.dumps(event_with({"run": None, "eventType": None})))
    validate = ("validate", str(lineage), "--backend")
    run_in_process(*validate, "datahub", "--write-baseline", "known.json")
    assert run_in_process(*validate, "datahub", "--baseline", "known.json").code == 0
    assert run_in_process(*validate, "datahub,openmetadata", "--baseline", "known.json").code == 1


def test_notes_are_neither_errors_nor_warnings(lineage: Path) -> None:
    lineage.write_text(json.dumps(event_with({"job": {"name": "orders.daily"}})))
    for options in ((), ("--strict",)):
        result = run_in_process("validate", str(lineage), "--backend", "datahub", *options)
        assert result.code == 0
        assert "note OL721 /job/name: DataHub: changed: " in result.out
        assert "0 errors, 0 warnings and 1 note in 1 event of 1 file" in result.out
    github = run_in_process("validate", str(lineage), "--backend", "datahub", "--format", "github").out
    assert github.startswith("::notice file=")


@each("command", [("validate", "lineage.ndjson", "--backend"), ("backends",)])
def test_an_unknown_backend_is_one_line_with_the_known_ones(command: tuple[str, ...], lineage: Path) -> None:
    result = run_in_process(*command, "marqez")
    assert (result.code, result.out) == (2, "")
    assert "unknown backend 'marqez'; known backends: atlan, " in result.err
    assert result.err.endswith("did you mean 'marquez'?\n")


def test_the_list_names_each_backend_and_counts_facts() -> None:
    lines = run_in_process("backends").out.splitlines()
    assert [line.split()[0] for line in lines] == list(known_profiles())
    assert "openlineage-java     openlineage-java: 2 refused, 3 lost, 2 changed" in lines


def test_a_page_lists_the_facts_with_their_sources() -> None:
    page = run_in_process("backends", "marquez", "snowflake").out
    assert "refused: job-type (tried, version 0.51.1)\n    jobType is required in" in page
    assert "lost: forgotten-facets (tried, version 0.51.1, not checked)\n" in page
    assert "    https://docs.snowflake.com/en/user-guide/external-lineage\n" in page


def test_the_list_as_json_has_all_facts() -> None:
    listed = json.loads(run_in_process("backends", "--format", "json").out)
    assert {one["name"]: len(one["facts"]) for one in listed} == {
        name: len(profile.fact) for name, profile in known_profiles().items()
    }
