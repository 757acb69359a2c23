"""The commands beside `validate`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from openlineage_facets.cli.file_codes import every_code
from tests.cli.conftest import Command
from tests.cli.events import bad_event, job_event, lines


@pytest.mark.parametrize("code", every_code())
def test_every_code_is_explained(code: str, command: Command) -> None:
    answer = command("explain", code.lower())
    entry = every_code()[code]
    assert answer.code == 0
    assert answer.out.startswith(f"{code}: {entry.title} ({entry.severity})\n===")
    assert len(answer.out.split()) > 25


def test_codes_are_listed_one_a_line(command: Command) -> None:
    told = command("explain").out.splitlines()
    assert [line.split()[0] for line in told] == list(every_code())


def test_all_codes_are_explained_at_once(command: Command) -> None:
    out = command("explain", "--all").out
    assert all(f"{code}: {entry.title}" in out for code, entry in every_code().items())


def test_a_code_that_nobody_knows_ends_the_command(command: Command) -> None:
    answer = command("explain", "OL012", "OL999")
    assert (answer.code, answer.out) == (2, "")
    assert "found OL999" in answer.err


def test_an_event_is_shown_by_its_number(command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(job_event(1), b"\n", job_event(2), bad_event(3)))
    assert command("show", "e.ndjson").out.splitlines()[0] == "e.ndjson:1"
    second = command("show", "e.ndjson", "--number", "2").out
    assert second.splitlines()[0] == "e.ndjson:3"
    assert "orders.daily_2" in second
    assert "error OL011 line 4: /eventTime" in command("show", "e.ndjson", "-n", "3").out


def test_events_are_counted_from_the_end_too(command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(job_event(1), job_event(2), job_event(3)))
    assert "orders.daily_3" in command("show", "e.ndjson", "-n", "-1").out
    assert "orders.daily_1" in command("show", "e.ndjson", "-n", "-3").out
    assert "found 3" in command("show", "e.ndjson", "-n", "-4").err
    assert command("show", "e.ndjson", "-n", "0").code == 2


def test_an_event_that_is_not_there_ends_the_command(command: Command) -> None:
    Path("e.json").write_text(json.dumps([job_event(), job_event()]))
    answer = command("show", "e.json", "--number", "3")
    assert answer.code == 2
    assert answer.err == "openlineage-facets: e.json: expected at least 3 events, found 2\n"


def test_an_event_from_standard_input_is_shown(command: Command) -> None:
    assert "orders.daily_7" in command("show", "-", stdin=lines(job_event(7))).out


def test_long_facets_are_shown_whole_when_asked(command: Command) -> None:
    event = job_event()
    event["job"]["facets"] = {"sql": {"query": "SELECT " + "x" * 500}}
    Path("e.json").write_text(json.dumps(event))
    assert "x" * 500 not in command("show", "e.json").out
    assert "x" * 500 in command("show", "e.json", "--full").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_there_is_a_completion_script_for_every_shell(shell: str, command: Command) -> None:
    answer = command("completion", shell)
    assert answer.code == 0
    assert "_OPENLINEAGE_FACETS_COMPLETE" in answer.out


def test_the_shell_is_told_how_a_command_goes_on() -> None:
    asked = {
        "_OPENLINEAGE_FACETS_COMPLETE": "complete_bash",
        "COMP_WORDS": "openlineage-facets validate --wr",
        "COMP_CWORD": "2",
    }
    done = subprocess.run(
        [sys.executable, "-m", "openlineage_facets.cli"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["--write-baseline"]


def test_no_arguments_show_the_commands(command: Command) -> None:
    answer = command()
    told = answer.out + answer.err
    for name in ("validate", "show", "explain", "completion"):
        assert f"  {name} " in told
