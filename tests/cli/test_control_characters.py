"""Output contains no control characters from events, file names and options."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, line

HOSTILE = "a\x1b[31m\u202e\u2066\x9b\x07\u200b\u2028\x85b"
FACETS = {f"acme_{HOSTILE}": {"_producer": HOSTILE, "_schemaURL": 3, HOSTILE: HOSTILE}}


def control_characters(text: str) -> list[str]:
    """Return the control and formatting characters of a text."""
    return sorted(
        {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs")} - {"\n"}
    )


@pytest.fixture
def hostile(command: Command) -> str:
    """Return a file whose name and events contain control and bidirectional characters."""
    name = f"{HOSTILE}.ndjson"
    event = job_event(7, eventTime=HOSTILE, producer=HOSTILE)
    event["job"]["facets"] = FACETS
    event["job"]["name"] = HOSTILE
    event[HOSTILE] = HOSTILE
    text = json.dumps(event, ensure_ascii=False).encode()
    Path(name).write_bytes(text + b"\n" + f'{{"{HOSTILE}": \n'.encode() + line(invalid_event()))
    return name


@pytest.mark.parametrize("form", ["text", "json", "junit", "sarif", "github"])
@pytest.mark.parametrize("output", [False, True])
def test_reports_and_summaries(form: str, output: bool, hostile: str, command: Command) -> None:
    result = command("validate", hostile, "--format", form, *(["--output", "report"] if output else []))
    assert result.code == 1
    report = Path("report").read_text() if output else result.out
    assert report
    assert [control_characters(text) for text in (report, result.out, result.err)] == [[], [], []]


@pytest.mark.parametrize("number", ["1", "2", "3"])
@pytest.mark.parametrize("full", [False, True])
def test_show(number: str, full: bool, hostile: str, command: Command) -> None:
    result = command("show", hostile, "--number", number, *(["--full"] if full else []))
    assert result.code == (number == "2")  # The second line is not JSON.
    assert (control_characters(result.out), control_characters(result.err)) == ([], [])


@pytest.mark.parametrize(
    "arguments",
    [
        ["validate", f"{HOSTILE}.json"],
        ["validate", ".", "--output", f"{HOSTILE}/x"],
        ["validate", ".", "--baseline", HOSTILE],
        ["validate", ".", "--schemas", HOSTILE],
        ["validate", ".", "--select", HOSTILE],
        ["validate", ".", "--write-baseline", HOSTILE],
        ["show", f"{HOSTILE}.json"],
        ["explain", HOSTILE],
        ["replay", HOSTILE],
    ],
    ids=lambda arguments: " ".join(map(ascii, arguments)),
)
def test_messages_about_paths_and_options(arguments: list[str], hostile: str, command: Command) -> None:
    result = command(*arguments)
    assert result.err
    assert (control_characters(result.out), control_characters(result.err)) == ([], [])
