"""`validate --backend` reports what backends refuse, lose or change; `backends` lists them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openlineage_facets.validation.backends.catalogue import known_profiles
from tests.cases import each
from tests.cli.conftest import Command
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


@pytest.fixture(autouse=True)
def files(command: Command) -> None:
    Path("e.json").write_text(json.dumps(event_with({**JOB_TYPE, "eventType": "START"})))
    Path("acme.toml").write_text(PROFILE)


@each(
    ("options", "code", "facts"),
    [
        ("", 0, set()),
        ("--backend openlineage-java", 0, set()),
        ("--backend snowflake", 0, {"snowflake/only-complete"}),
        ("--backend snowflake --strict", 1, {"snowflake/only-complete"}),
        ("--backend snowflake,marquez", 1, {"snowflake/only-complete", "marquez/job-type"}),
        ("--backend snowflake --backend acme.toml", 1, {"snowflake/only-complete", "acme/small"}),
        ("--backend marquez --ignore OL702", 0, set()),
    ],
)
def test_findings_are_those_of_the_backends(options: str, code: int, facts: set[str], check: Command) -> None:
    result = check("e.json", *options.split())
    assert result.code == code
    assert {one["fact"] for one in result.report["findings"] if "fact" in one} == facts


def test_show_reports_what_backends_refuse(command: Command) -> None:
    assert "marquez/job-type" in command("show", "e.json", "--backend", "marquez").out
    assert "marquez" not in command("show", "e.json").out


def test_backends_are_a_setting_of_the_project(command: Command) -> None:
    settings = '[tool.openlineage-facets]\npaths = ["."]\nbackends = ["marquez", "acme.toml"]\n'
    Path("pyproject.toml").write_text(settings)
    assert "(acme/small; tried, version 1)" in command("validate").out


def test_findings_of_several_backends_at_one_place_are_separate_in_a_baseline(command: Command) -> None:
    Path("e.json").write_text(json.dumps(event_with({"run": None, "eventType": None})))
    validate = ("validate", "e.json", "--backend")
    command(*validate, "datahub", "--write-baseline", "known")
    assert command(*validate, "datahub", "--baseline", "known").code == 0
    assert command(*validate, "datahub,openmetadata", "--baseline", "known").code == 1


def test_notes_are_neither_errors_nor_warnings(command: Command) -> None:
    Path("e.json").write_text(json.dumps(event_with({"job": {"name": "orders.daily"}})))
    for options in ((), ("--strict",)):
        result = command("validate", "e.json", "--backend", "datahub", *options)
        assert result.code == 0
        assert "note OL721 /job/name: DataHub: changed: " in result.out
        assert "0 errors, 0 warnings and 1 note in 1 event of 1 file" in result.out
    github = command("validate", "e.json", "--backend", "datahub", "--format", "github").out
    assert github.startswith("::notice file=")


@each("arguments", ["validate e.json --backend", "show e.json --backend", "backends"])
def test_an_unknown_backend_is_one_line_with_the_known_ones(arguments: str, command: Command) -> None:
    result = command(*arguments.split(), "marqez")
    assert (result.code, result.out) == (2, "")
    assert "unknown backend 'marqez'; known backends: atlan, " in result.err
    assert result.err.endswith("did you mean 'marquez'?\n")


def test_the_list_names_each_backend_and_counts_facts(command: Command) -> None:
    lines = command("backends").out.splitlines()
    assert [line.split()[0] for line in lines] == list(known_profiles())
    assert "openlineage-java     openlineage-java: 2 refused, 3 lost, 2 changed" in lines
    listed = json.loads(command("backends", "--format", "json").out)
    assert {one["name"]: len(one["facts"]) for one in listed} == {
        name: len(profile.fact) for name, profile in known_profiles().items()
    }


def test_a_page_lists_the_facts_with_their_sources(command: Command) -> None:
    page = command("backends", "marquez", "snowflake").out
    assert "refused: job-type (tried, version 0.51.1)\n    jobType is required in" in page
    assert "lost: forgotten-facets (tried, version 0.51.1, not checked)\n" in page
    assert "    https://docs.snowflake.com/en/user-guide/external-lineage\n" in page
