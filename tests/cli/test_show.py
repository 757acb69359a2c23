"""`openlineage-facets show`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, lines


def test_an_event_is_selected_by_its_number(command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(job_event(1), b"\n", job_event(2), invalid_event(3)))
    assert command("show", "e.ndjson").out.splitlines()[0] == "e.ndjson:1"
    second = command("show", "e.ndjson", "--number", "2").out
    assert second.splitlines()[0] == "e.ndjson:3"
    assert "orders.daily_2" in second
    assert "error OL011 line 4: /eventTime" in command("show", "e.ndjson", "-n", "3").out


def test_negative_numbers_count_from_the_end(command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(job_event(1), job_event(2), job_event(3)))
    assert "orders.daily_3" in command("show", "e.ndjson", "-n", "-1").out
    assert "orders.daily_1" in command("show", "e.ndjson", "-n", "-3").out
    assert "found 3" in command("show", "e.ndjson", "-n", "-4").err
    assert command("show", "e.ndjson", "-n", "0").code == 2


def test_a_missing_event_ends_the_command(command: Command) -> None:
    Path("e.json").write_text(json.dumps([job_event(), job_event()]))
    result = command("show", "e.json", "--number", "3")
    assert result.code == 2
    assert result.err == "openlineage-facets: e.json: expected at least 3 events, found 2\n"


def test_an_event_is_read_from_standard_input(command: Command) -> None:
    assert "orders.daily_7" in command("show", "-", stdin=lines(job_event(7))).out


def test_full_shows_long_facets_completely(command: Command) -> None:
    event = job_event()
    event["job"]["facets"] = {"sql": {"query": "SELECT " + "x" * 500}}
    Path("e.json").write_text(json.dumps(event))
    assert "x" * 500 not in command("show", "e.json").out
    assert "x" * 500 in command("show", "e.json", "--full").out
