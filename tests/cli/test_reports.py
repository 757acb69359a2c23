"""Reports: what they say, kept in files, and that other tools read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openlineage_facets.cli.app import run
from tests.cli.conftest import Command
from tests.cli.events import bad_event, job_event, lines, run_event
from tests.cli.golden import COMMANDS, GOLDEN, printed
from tests.cli.published import junit_schema, sarif_schema

HOSTILE = "]]><a> & \"'\n\x1b[31m\x00\ud800é%0A::error::"
"""What an event may say, and a report must not take for its own."""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_prints_what_is_kept(name: str) -> None:
    assert printed(COMMANDS[name]) == (GOLDEN / name).read_text(encoding="utf-8"), (
        "where the change is meant: python -m tests.cli.golden"
    )


def write_events() -> None:
    hostile = job_event(1, eventTime=HOSTILE)
    hostile["job"]["facets"] = {HOSTILE: 1}
    Path("hostile & <co>.ndjson").write_bytes(lines(job_event(), hostile, b"rubbish\n", bad_event()))
    Path("good.json").write_bytes(lines(job_event()))
    Path("runs.ndjson").write_bytes(lines(run_event(1, "COMPLETE"), run_event(2, "START")))
    Path("empty.json").touch()


@pytest.mark.parametrize("strict", ["--strict", "--no-strict"])
def test_sarif_is_what_its_published_schema_says(strict: str, command: Command) -> None:
    import jsonschema

    validator = jsonschema.Draft7Validator(sarif_schema(), format_checker=jsonschema.FormatChecker())
    write_events()
    report = command("validate", ".", "--format", "sarif", strict).report
    assert list(validator.iter_errors(report)) == []
    (run,) = report["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert {rules[result["ruleIndex"]] for result in run["results"]} == set(rules)
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_the_published_schema_of_sarif_finds_mistakes() -> None:
    import jsonschema

    report = json.loads((GOLDEN / "report.sarif").read_text())
    validator = jsonschema.Draft7Validator(sarif_schema())
    report["runs"][0]["results"][0]["level"] = "fatal"
    report["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert len(list(validator.iter_errors(report))) == 2


@pytest.mark.parametrize("strict", ["--strict", "--no-strict"])
def test_junit_is_what_its_published_schema_says(strict: str, command: Command) -> None:
    write_events()
    report = command("validate", ".", "--format", "junit", strict).out
    assert [str(error) for error in junit_schema().iter_errors(report.encode())] == []


@pytest.mark.parametrize("strict", ["--strict", "--no-strict"])
def test_junit_is_what_readers_of_ants_reports_expect_beyond_that(strict: str, command: Command) -> None:
    import xmlschema

    schema = xmlschema.XMLSchema(Path(__file__).parent / "junit.xsd")
    write_events()
    report = command("validate", ".", "--format", "junit", strict).out
    assert [str(error) for error in schema.iter_errors(report.encode())] == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("<properties/>", "<property/>"),
        ("<testcase classname=", "<testcase class="),
        (' failures="2"', ' failed="2"'),
        (' tests="3"', ""),
        (' skipped="0" time="0"', ' skipped="0" time="soon"'),
    ],
)
def test_the_published_schema_of_junit_finds_mistakes(right: str, wrong: str) -> None:
    report = (GOLDEN / "report.xml").read_text(encoding="utf-8")
    assert right in report
    assert not junit_schema().is_valid(report.replace(right, wrong, 1).encode())


@pytest.mark.parametrize("strict", ["--strict", "--no-strict"])
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


def test_github_annotations_are_a_line_each_whatever_an_event_says(command: Command) -> None:
    write_events()
    told = command("validate", ".", "--format", "github").out.splitlines()
    assert all(line.startswith(("::error file=", "::warning file=")) for line in told[:-1])
    assert all("\x1b" not in line for line in told)


def test_text_has_nothing_that_a_terminal_acts_on(command: Command) -> None:
    write_events()
    out = command("validate", ".").out
    assert "\x1b" not in out
    assert "\x00" not in out


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
)
def test_text_is_coloured_where_a_terminal_can_show_it(
    variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pty = pytest.importorskip("pty", reason="this system has no terminals to open")
    Path(tmp_path / "e.json").write_bytes(lines(bad_event()))
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ours, theirs = pty.openpty()
    with open(theirs, "w") as terminal, open(ours, "rb", buffering=0) as screen:
        monkeypatch.setattr("sys.stdout", terminal)
        assert run(["validate", str(tmp_path / "e.json"), "--no-config"]) == 1
        terminal.flush()
        assert (b"\x1b" in screen.read(1 << 16)) is coloured


def test_a_report_goes_into_a_file_and_its_summary_to_the_terminal(command: Command) -> None:
    Path("e.json").write_bytes(lines(bad_event()))
    answer = command("validate", "e.json", "--format", "sarif", "--output", "report.sarif")
    assert answer.code == 1
    assert "1 error and 0 warnings in 1 event of 1 file" in answer.out
    assert json.loads(Path("report.sarif").read_text())["version"] == "2.1.0"
    assert sorted(path.name for path in Path().iterdir()) == ["e.json", "report.sarif"]


def test_a_report_that_is_not_finished_leaves_the_old_one(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("e.json").write_bytes(lines(bad_event()))
    Path("report.json").write_text("old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("openlineage_facets.cli.formats.json.JsonReport.add", interrupted)
    assert command("validate", "e.json", "--format", "json", "--output", "report.json").code == 130
    assert Path("report.json").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["e.json", "report.json"]


@pytest.mark.parametrize("output", ["nowhere/report.json", "."])
def test_a_report_that_cannot_be_written_is_said_first(output: str, command: Command) -> None:
    Path("e.json").write_bytes(lines(bad_event()))
    answer = command("validate", "e.json", "--output", output)
    assert (answer.code, answer.out) == (2, "")


def test_quiet_leaves_the_findings_alone(command: Command) -> None:
    Path("e.json").write_bytes(lines(bad_event()))
    assert len(command("validate", "e.json", "--quiet").out.splitlines()) == 2
