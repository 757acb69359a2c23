"""Output contains neither control characters nor workflow commands from events, names and options."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

from openlineage_facets.cli.workflow_commands import escape_commands, escape_json_commands
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, line
from tests.cli.in_process import Result

CONTROL = "a\x1b[31m\u202e\u2066\x9b\x07\u200b\u2028\x85b"
COMMAND = "::error title=Forged::##[add-mask]x"
EXECUTED = re.compile(r"^\s*::|##\[", re.MULTILINE)
HOSTILE = [COMMAND + CONTROL, CONTROL + COMMAND]
"""A command is executed only at the start of a line."""


def hostile_parts(text: str) -> list[str]:
    """Return the control and formatting characters of a text, and the commands that a runner executes."""
    control = {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs")}
    return [*sorted(control - {"\n"}), *EXECUTED.findall(text)]


def assert_harmless(result: Result, code: int) -> None:
    assert result.code == code
    assert [hostile_parts(text) for text in (result.out, result.err)] == [[], []]


def test_only_commands_are_escaped() -> None:
    text = "::error::x\n  ::error::x a: ##[group]x\na::b and ## c [d]"
    assert escape_commands(text) == ("\\x3a:error::x\n  \\x3a:error::x a: \\x23#[group]x\na::b and ## c [d]")


def test_json_with_escaped_commands_has_the_same_value() -> None:
    text = json.dumps({COMMAND: COMMAND})
    assert not EXECUTED.search(escape_json_commands(text))
    assert json.loads(escape_json_commands(text)) == {COMMAND: COMMAND}


def write_hostile_file(text: str) -> str:
    """Write a file whose name and events contain a text, and return its name."""
    event = job_event(7, eventTime=text, producer=text, **{text: text})
    event["job"] |= {"name": text, text: text}
    event["job"]["facets"] = {
        key: {"_producer": text, "_schemaURL": 3, text: text} for key in (f"acme_{text}", text)
    }
    events = json.dumps(event, ensure_ascii=False).encode() + f'\n{text}{{"{text}": \n'.encode()
    Path(f"{text}.ndjson").write_bytes(events + line(invalid_event()))
    return f"{text}.ndjson"


@each("text", HOSTILE)
@each("form", ["text", "json", "junit", "sarif", "github"])
def test_reports_and_summaries(form: str, text: str, command: Command) -> None:
    name = write_hostile_file(text)
    result = command("validate", name, "--format", form)
    assert "OL011" in result.out
    if form == "github":  # Its findings are commands, and nothing else is.
        *findings, summary = result.out.splitlines()
        assert len(findings) > 3
        assert all(one.startswith(("::error file=", "::warning file=")) for one in findings)
        unnamed = "\n".join(one.removeprefix("::") for one in findings)
        result = Result(result.code, f"{unnamed}\n{summary}".replace("##[", ""), result.err)
    assert_harmless(result, 1)
    assert_harmless(command("validate", name, "--format", form, "-o", "report", "--force"), 1)


def test_the_file_is_still_identified(command: Command) -> None:
    name = write_hostile_file(COMMAND)
    shown = command("validate", name).out
    assert shown.startswith("\\x3a:error title=Forged::\\x23#[add-mask]x.ndjson:1: ")
    assert command("validate", name, "--format", "github").out.startswith("::error file=%3A%3A")
    report = command("validate", name, "--format", "json").report
    assert {finding["file"] for finding in report["findings"]} == {name}


@each("text", HOSTILE)
@each("full", [(), ("--full",)])
def test_show(full: tuple[str, ...], text: str, command: Command) -> None:
    name = write_hostile_file(text)
    for number in (1, 2, 3):
        result = command("show", name, "--number", number, *full)
        assert_harmless(result, int(number == 2))  # The second line is not JSON.


@each("text", [*HOSTILE, f"{COMMAND}\n{COMMAND}"])
@each(
    "arguments",
    [
        ["validate", "{}.json"],
        ["validate", ".", "--output", "{}/x"],
        ["validate", ".", "--baseline", "{}"],
        ["validate", ".", "--schemas", "{}"],
        ["validate", ".", "--select", "{}"],
        ["validate", ".", "--write-baseline", "{}"],
        ["show", "{}.json"],
        ["explain", "{}"],
        ["replay", "{}"],
    ],
    ids=" ".join,
)
def test_messages_about_paths_and_options(arguments: list[str], text: str, command: Command) -> None:
    write_hostile_file(text.replace("\n", " "))
    result = command(*(argument.format(text) for argument in arguments))
    assert result.err
    assert_harmless(result, result.code)
