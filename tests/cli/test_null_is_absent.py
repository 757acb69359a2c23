"""`--null-is-absent`: exports of backends that write null for absent fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, lines


@pytest.fixture
def exported(command: Command) -> str:
    event = job_event()
    event["job"]["facets"] = {"documentation": None}
    event["inputs"] = None
    invalid = {**invalid_event(), "inputs": None}
    Path("exported.ndjson").write_bytes(lines(event, invalid))
    return "exported.ndjson"


def test_validate_reads_null_as_absent_on_request(check: Command, exported: str) -> None:
    assert {line for line, _ in check(exported).locations} == {1, 2}
    assert check(exported, "--null-is-absent").locations == [(2, "OL011")]


def test_the_settings_apply_to_every_command(command: Command, check: Command, exported: str) -> None:
    Path("pyproject.toml").write_text(
        '[tool.openlineage-facets]\nnull-is-absent = true\nbackends = ["datahub"]\n'
    )
    assert check(exported, "--ignore", "OL7").locations == [(2, "OL011")]
    assert len(check(exported, "--ignore", "OL7", "--null-is-null").locations) > 1
    shown = command("show", exported).out
    assert "documentation" not in shown
    assert "datahub/only-runs" in shown
    assert '"documentation": null' not in command("graph", exported, "--format", "json").out


def test_show_reads_null_as_absent_on_request(command: Command, exported: str) -> None:
    assert "error" in command("show", exported).out
    shown = command("show", exported, "--null-is-absent").out
    assert "documentation" not in shown
    assert "error" not in shown
