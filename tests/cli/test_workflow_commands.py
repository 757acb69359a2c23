"""Output contains no workflow commands of GitHub Actions from events and file names."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from openlineage_facets.cli.workflow_commands import escape_commands, escape_json_commands
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, line

HOSTILE = "::error title=Forged::##[add-mask]x"
EXECUTED = re.compile(r"^\s*::|##\[", re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("::error::x", "\\x3a:error::x"),
        ("  ::error::x", "  \\x3a:error::x"),
        ("a\n::error::x", "a\n\\x3a:error::x"),
        ("a: ##[group]x", "a: \\x23#[group]x"),
        ("a::b and ## c [d]", "a::b and ## c [d]"),
    ],
)
def test_commands_are_escaped(text: str, escaped: str) -> None:
    assert escape_commands(text) == escaped


def test_json_with_escaped_commands_has_the_same_value() -> None:
    text = json.dumps({HOSTILE: HOSTILE})
    assert not EXECUTED.search(escape_json_commands(text))
    assert json.loads(escape_json_commands(text)) == {HOSTILE: HOSTILE}


@pytest.fixture
def hostile_file(command: Command) -> str:
    """Return a file whose name and events contain workflow commands."""
    name = f"{HOSTILE}.ndjson"
    event = job_event(7, eventTime=HOSTILE, **{HOSTILE: HOSTILE})
    event["job"]["facets"] = {HOSTILE: {"_producer": HOSTILE, "_schemaURL": 3, HOSTILE: HOSTILE}}
    event["job"][HOSTILE] = HOSTILE
    Path(name).write_bytes(line(event) + f"{HOSTILE}\n".encode() + line(invalid_event()))
    return name


@pytest.mark.parametrize("report_format", ["text", "json", "junit", "sarif"])
@pytest.mark.parametrize("strict", ["--strict", "--no-strict"])
def test_reports_contain_no_commands(
    report_format: str, strict: str, hostile_file: str, command: Command
) -> None:
    result = command("validate", hostile_file, "--format", report_format, strict)
    assert result.code == 1
    assert "OL011" in result.out
    assert [EXECUTED.findall(text) for text in (result.out, result.err)] == [[], []]


@pytest.mark.parametrize("report_format", ["text", "json"])
def test_the_file_is_still_identified(report_format: str, hostile_file: str, command: Command) -> None:
    result = command("validate", hostile_file, "--format", report_format)
    if report_format == "text":
        assert result.out.startswith("\\x3a:error title=Forged::\\x23#[add-mask]x.ndjson:1: ")
    else:
        assert {one["file"] for one in result.report["findings"]} == {hostile_file}


def test_only_findings_are_commands_of_the_github_report(hostile_file: str, command: Command) -> None:
    result = command("validate", hostile_file, "--format", "github")
    lines = result.out.splitlines()
    assert len(lines) > 3
    assert all(line.startswith(("::error file=%3A%3A", "::warning file=%3A%3A")) for line in lines[:-1])
    assert not EXECUTED.search(lines[-1])


@pytest.mark.parametrize("number", ["1", "2", "3"])
def test_show_prints_no_commands(number: str, hostile_file: str, command: Command) -> None:
    result = command("show", hostile_file, "--number", number)
    assert result.code == (number == "2")  # The second line is not JSON.
    assert [EXECUTED.findall(text) for text in (result.out, result.err)] == [[], []]


def test_errors_contain_no_commands(command: Command) -> None:
    result = command("validate", f"{HOSTILE}\n{HOSTILE}")
    assert result.code == 2
    assert not EXECUTED.search(result.err)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
@pytest.mark.parametrize("name", ["lock", "validate"])
def test_messages_about_skipped_files_contain_no_commands(name: str, command: Command) -> None:
    Path("in").mkdir()
    os.mkfifo("in/##[error]x.json")
    Path("in/y.json").write_bytes(line(job_event(1)))
    err = command(name, "in").err
    assert "openlineage-facets: in/\\x23#[error]x.json: skipped: a FIFO, not a file\n" in err
