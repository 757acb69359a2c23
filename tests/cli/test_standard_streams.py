"""Full or closed standard streams are reported, and not confused with validation errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cases import each
from tests.cli.example_events import invalid_event, lines
from tests.graphs.sample_graphs import dataset, run_event

pytestmark = pytest.mark.check

COMMAND = [sys.executable, "-m", "openlineage_facets.cli"]


@pytest.fixture
def invalid_file(tmp_path: Path) -> str:
    (tmp_path / "invalid.ndjson").write_bytes(lines(invalid_event()))
    return str(tmp_path / "invalid.ndjson")


def run_with(arguments: Sequence[str], streams: str) -> tuple[int, str, str]:
    """Run the command in a shell with redirections; return its exit code, output and errors."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {streams}', "sh", *COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@each(
    "arguments",
    [
        *(["validate", "FILE", "--format", name] for name in ("text", "json", "github", "junit", "sarif")),
        ["show", "FILE"],
        ["explain"],
        ["--version"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_full_disk_is_reported_with_exit_code_2(arguments: list[str], invalid_file: str) -> None:
    message = "openlineage-facets: cannot write to standard output: no space left on device\n"
    assert run_with([invalid_file if one == "FILE" else one for one in arguments], "> /dev/full") == (
        2,
        "",
        message,
    )


def test_output_to_a_closed_stream_is_discarded(invalid_file: str) -> None:
    assert run_with(["validate", invalid_file], ">&-")[0::2] == (1, "")
    assert run_with(["validate", invalid_file], "2>&- <&- >&-") == (1, "", "")


def test_a_closed_standard_input_is_empty() -> None:
    assert run_with(["validate", "-"], "<&-") == (0, "0 errors and 0 warnings in 0 events of 1 file\n", "")


def test_json_is_valid_on_a_stream_that_cannot_encode_its_texts(tmp_path: Path) -> None:
    name = "caf\xe9 \u4e2d \U0001f600"
    event = run_event("daily", [dataset(name)], [])
    file = tmp_path / "events.ndjson"
    file.write_bytes(lines(event))
    command = [*COMMAND, "graph", str(file), "--format", "json"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True, timeout=60
    )
    assert [one["name"] for one in json.loads(done.stdout)["datasets"]] == [name]


@each("form", ["html", "svg"])
def test_pages_and_pictures_work_on_a_stream_of_any_encoding(tmp_path: Path, form: str) -> None:
    file = tmp_path / "events.ndjson"
    file.write_bytes(lines(run_event("j\xf6b \u4e2d", [], [dataset("orders")])))
    outputs = {
        subprocess.run(
            [*COMMAND, "graph", str(file), "--format", form],
            env={**os.environ, "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for encoding in ("cp1252", "utf-8")
    }
    assert len(outputs) == 1
