"""Full or closed standard streams are reported, and not confused with validation errors."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from openlineage_facets.cli.app import run
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, lines
from tests.graphs.sample_graphs import dataset, run_event

FULL = "openlineage-facets: cannot write to standard output: no space left on device\n"


@pytest.fixture(autouse=True)
def invalid_file(command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(invalid_event()))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@each(
    "arguments",
    [
        *(f"validate e.ndjson --format {form}" for form in ("text", "json", "github", "sarif")),
        "show e.ndjson",
        "explain",
        "--version",
        "--help",
    ],
)
def test_a_full_disk_is_reported_with_exit_code_2(
    arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        assert run(arguments.split()) == 2
    assert capsys.readouterr().err == FULL


def test_a_closed_pipe_ends_the_command_silently(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with suppress(BrokenPipeError), os.fdopen(writing, "w") as pipe, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", pipe)
        code = run(["validate", "e.ndjson"])
    assert (code, capsys.readouterr().err) == (1, "")


@pytest.mark.check
@each(
    ("arguments", "streams", "expected"),
    [
        ("validate e.ndjson --format junit", "> /dev/full", (2, "", FULL)),
        ("validate e.ndjson", "2>&- <&- >&-", (1, "", "")),
        ("validate -", "<&-", (0, "0 errors and 0 warnings in 0 events of 1 file\n", "")),
    ],
)
def test_a_process_with_a_full_disk_or_closed_streams(
    arguments: str, streams: str, expected: tuple[int, str, str]
) -> None:
    command = [sys.executable, "-m", "openlineage_facets.cli", *arguments.split()]
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {streams}', "sh", *command], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == expected


def test_json_is_valid_on_a_stream_that_cannot_encode_its_texts(command: Command) -> None:
    name = "caf\xe9 \u4e2d \U0001f600"
    Path("e.ndjson").write_bytes(lines(run_event("daily", [dataset(name)], [])))
    graph = command("graph", "e.ndjson", "--format", "json", encoding="ascii").report
    assert [one["name"] for one in graph["datasets"]] == [name]


@each("form", ["html", "svg"])
def test_pages_and_pictures_work_on_a_stream_of_any_encoding(form: str, command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(run_event("j\xf6b \u4e2d", [], [dataset("orders")])))
    arguments = ("graph", "e.ndjson", "--format", form)
    assert command(*arguments, encoding="cp1252") == command(*arguments)
