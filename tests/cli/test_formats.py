"""Report formats: golden files, and validation against published schemas."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.cli.app import run
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, lines, run_event
from tests.cli.golden import COMMANDS, GOLDEN, output_of
from tests.cli.published_schemas import junit_schema, sarif_schema
from tests.events import facet

HOSTILE = "]]><a> & \"'\n\x1b[31m\x00\ud800é%0A::error::"
"""Text in an event that must not change the structure of a report."""


@each("name", COMMANDS)
def test_output_matches_the_golden_file(name: str) -> None:
    assert output_of(COMMANDS[name]) == (GOLDEN / name).read_text(encoding="utf-8"), (
        "if the change is intended: python -m tests.cli.golden"
    )


def write_events() -> None:
    hostile = job_event(1, eventTime=HOSTILE)
    hostile["job"]["facets"] = {HOSTILE: 1}
    Path("hostile & <co>.ndjson").write_bytes(lines(job_event(), hostile, b"garbage\n", invalid_event()))
    Path("good.json").write_bytes(lines(job_event()))
    Path("runs.ndjson").write_bytes(lines(run_event(1, "COMPLETE"), run_event(2, "START")))
    Path("empty.json").touch()


@each("strict", ["--strict", "--no-strict"])
def test_sarif_matches_its_published_schema(strict: str, command: Command) -> None:
    import jsonschema

    validator = jsonschema.Draft7Validator(sarif_schema(), format_checker=jsonschema.FormatChecker())
    write_events()
    report = command("validate", ".", "--format", "sarif", strict).report
    assert list(validator.iter_errors(report)) == []
    (run,) = report["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert {rules[result["ruleIndex"]] for result in run["results"]} == set(rules)
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    run["results"][0]["level"] = "fatal"
    assert not validator.is_valid(report)


def ant_schema() -> Any:
    """Return the stricter schema of Ant."""
    import xmlschema

    return xmlschema.XMLSchema(Path(__file__).parent / "junit.xsd")


@pytest.mark.parametrize("schema", [junit_schema, ant_schema])
def test_junit_matches_its_published_schemas(schema: Callable[[], Any], command: Command) -> None:
    write_events()
    validator = schema()
    for strict in ("--strict", "--no-strict"):
        report = command("validate", ".", "--format", "junit", strict).out
        assert [str(error) for error in validator.iter_errors(report.encode())] == []
        for valid, invalid in (("<properties/>", "<property/>"), (' failures="', ' failed="')):
            assert not validator.is_valid(report.replace(valid, invalid, 1).encode())


@each("strict", ["--strict", "--no-strict"])
def test_junit_counts_the_tests_and_failures_of_each_suite(strict: str, command: Command) -> None:
    from xml.etree import ElementTree

    write_events()
    suites = ElementTree.fromstring(command("validate", ".", "--format", "junit", strict).out)
    for suite in suites:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
    failed = {suite.attrib["name"]: int(suite.attrib["failures"]) for suite in suites}
    runs = {"runs.ndjson": 1, "runs": 1} if strict == "--strict" else {"runs.ndjson": 0, "runs": 0}
    assert failed == {"empty.json": 1, "good.json": 0, "hostile & <co>.ndjson": 3, **runs}


def test_junit_has_a_suite_of_runs_only_if_something_was_found_about_them(command: Command) -> None:
    from xml.etree import ElementTree

    write_events()
    (suite,) = ElementTree.fromstring(command("validate", "good.json", "--format", "junit").out)
    assert suite.attrib["name"] == "good.json"


@each(
    ("variables", "has_colors"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
)
def test_text_has_colors_on_a_terminal_that_supports_them(
    variables: dict[str, str], has_colors: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    Path(tmp_path / "e.json").write_bytes(lines(invalid_event()))
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ours, theirs = pty.openpty()
    with open(theirs, "w") as terminal, open(ours, "rb", buffering=0) as screen:
        monkeypatch.setattr("sys.stdout", terminal)
        assert run(["validate", str(tmp_path / "e.json"), "--no-config"]) == 1
        terminal.flush()
        assert (b"\x1b" in screen.read(1 << 16)) is has_colors


def test_output_writes_the_report_to_a_file_and_prints_the_summary(command: Command) -> None:
    Path("e.json").write_bytes(lines(invalid_event()))
    result = command("validate", "e.json", "--format", "sarif", "--output", "report.sarif")
    assert result.code == 1
    assert "1 error and 0 warnings in 1 event of 1 file" in result.out
    assert json.loads(Path("report.sarif").read_text())["version"] == "2.1.0"
    assert sorted(path.name for path in Path().iterdir()) == ["e.json", "report.sarif"]


def test_an_interrupted_report_does_not_replace_the_previous_one(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("e.json").write_bytes(lines(invalid_event()))
    assert command("validate", "e.json", "--format", "json", "--output", "report.json").code == 1
    old = Path("report.json").read_text()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("openlineage_facets.cli.formats.program_reports.JsonReport.add", interrupted)
    assert command("validate", "e.json", "--format", "json", "--output", "report.json").code == 130
    assert Path("report.json").read_text() == old
    assert sorted(path.name for path in Path().iterdir()) == ["e.json", "report.json"]


def test_quiet_prints_only_findings(command: Command) -> None:
    Path("e.json").write_bytes(lines(invalid_event()))
    assert len(command("validate", "e.json", "--quiet").out.splitlines()) == 2


def write_custom_facets(*keys: str) -> None:
    event = job_event()
    event["job"]["facets"] = {key: facet() for key in keys}
    Path("e.json").write_text(json.dumps(event))


def test_misplaced_facets_of_the_specification_are_not_listed_as_custom(command: Command) -> None:
    write_custom_facets("columnLineage", "acme_cost")
    (line,) = [one for one in command("validate", "e.json").out.splitlines() if "custom facets" in one]
    assert "acme_cost of a job (1);" in line
    assert "columnLineage" not in line


def test_a_long_list_of_custom_facets_is_wrapped(command: Command) -> None:
    write_custom_facets(*(f"acme_facetNumber{number}" for number in range(15)))
    lines = command("validate", "e.json").out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("custom facets"))
    listed = [lines[start], *(line for line in lines[start + 1 :] if line.startswith("  "))]
    assert max(map(len, listed)) <= 120
    assert " ".join(listed).count("acme_facetNumber") == 15
