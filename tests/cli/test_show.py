"""`openlineage-facets show`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from openlineage_facets import RunEventBuilder
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, lines


def test_an_event_is_selected_by_its_number(command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(job_event(1), b"\n", job_event(2), invalid_event(3)))
    first = command("show", "e.ndjson").out.splitlines()[0]
    assert first == "e.ndjson:1  event 1; more follow, of which --number -1 is the last"
    second = command("show", "e.ndjson", "--number", "2").out
    assert second.splitlines()[0].startswith("e.ndjson:3  event 2; more follow")
    assert "orders.daily_2" in second
    assert "error OL011 line 4: /eventTime" in command("show", "e.ndjson", "-n", "3").out


def test_negative_numbers_count_from_the_end(command: Command) -> None:
    Path("e.ndjson").write_bytes(lines(job_event(1), job_event(2), job_event(3)))
    last = command("show", "e.ndjson", "-n", "-1").out
    assert last.startswith("e.ndjson:3  event 3 of 3\n")
    assert "orders.daily_3" in last
    assert "orders.daily_1" in command("show", "e.ndjson", "-n", "-3").out
    assert "found 3" in command("show", "e.ndjson", "-n", "-4").err
    assert "found 3" in command("show", "e.ndjson", "-n", f"-{10**20}").err
    assert command("show", "e.ndjson", "-n", "0").code == 2


def test_the_size_of_the_terminal_is_determined_once_and_not_for_each_line(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setenv("TERM", "xterm")
    asked: list[int] = []

    def size(descriptor: int = 1) -> os.terminal_size:
        asked.append(descriptor)
        return os.terminal_size((70, 20))

    monkeypatch.setattr(os, "get_terminal_size", size)
    build = RunEventBuilder("etl", "orders")
    for number in range(50):
        build.output("file", f"/{number}")
    Path("e.json").write_text(build.start().to_json_text())
    assert len(command("show", "e.json").out.splitlines()) > 50
    assert len(asked) < 10


def test_findings_have_the_lines_of_the_file_if_datasets_are_renamed(command: Command) -> None:
    Path("e.json").write_text(json.dumps(invalid_event(3), indent=2))
    Path("naming.toml").write_text('[hosts]\n"a" = "b"\n')
    expected = [line for line in command("show", "e.json").out.splitlines() if line.startswith("error")]
    assert " line 1:" not in str(expected)
    shown = command("show", "e.json", "--naming", "naming.toml").out.splitlines()
    assert [line for line in shown if line.startswith("error")] == expected


def test_a_missing_event_ends_the_command(command: Command) -> None:
    Path("e.json").write_text(json.dumps([job_event(), job_event()]))
    result = command("show", "e.json", "--number", "3")
    assert result.code == 2
    problem = "expected at least 3 events, found 2; pass a number up to 2"
    assert result.err == f"openlineage-facets: e.json: {problem}\n"


def test_an_event_is_read_from_standard_input(command: Command) -> None:
    assert "orders.daily_7" in command("show", "-", stdin=lines(job_event(7))).out


def test_full_shows_long_facets_completely(command: Command) -> None:
    event = job_event()
    event["job"]["facets"] = {"sql": {"query": "SELECT " + "x" * 500}}
    Path("e.json").write_text(json.dumps(event))
    assert "x" * 500 not in command("show", "e.json").out
    assert "x" * 500 in "".join(command("show", "e.json", "--full").out.split())


def test_lines_fit_the_terminal_and_nothing_is_lost(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = RunEventBuilder(
        "etl", "orders.daily." + "segment." * 15, producer="https://example.com/" + "v" * 90
    )
    build.job.sql(
        query="SELECT customer, count(*) FROM orders GROUP BY customer ORDER BY 1 -- " + "note " * 20
    )
    table = {"namespace": "file", "name": "/warehouse" + "/folder" * 20}
    build.input(**table).schema(fields=[{"name": f"column_{n}", "type": "string"} for n in range(30)])
    source = {**table, "field": "column_1", "transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}]}
    sources = [{**source, "field": f"column_{n}"} for n in range(12)]
    other = {**source, "name": "/other" + "/folder" * 20}
    fields = {"a" * 60: {"inputFields": sources}, "b": {"inputFields": [other]}}
    build.output("file", "/out").column_lineage(fields=fields)
    invalid = {**build.start().to_dict(), "eventType": "BEGIN"}
    Path("e.json").write_text(json.dumps(invalid))
    shown = {}
    for width in ("80", "40", "100000"):
        monkeypatch.setenv("COLUMNS", width)
        shown[width] = command("show", "e.json", "--full").out
        assert max(map(len, shown[width].splitlines())) <= int(width)
    assert "".join(shown["80"].split()) == "".join(shown["40"].split()) == "".join(shown["100000"].split())
    assert "\n    " in shown["80"]


def test_of_a_large_text_that_is_no_event_the_redacted_beginning_is_shown(command: Command) -> None:
    secret = "xyzzy" * 20_000  # Begins at the start of the text and ends beyond what is redacted.
    texts = {
        f'"password": "a", "b": 1, "c": "{secret}': '"password": "***", "b": 1, "c": "xyzzy',
        f'"password": "{secret}", "b': '"password": "***... (100,0',
        f'"a": "postgres://ana:{secret}@db", "b': '"a": "postgres://***... (100,0',
        f'"a": "curl -u ana:{secret} https://db/': '"a": "curl -u ***... (100,0',
        f'"a": "-----BEGIN PRIVATE KEY-----{secret}': '"a": "***... (100,0',
    }
    for text, start in texts.items():
        Path("e.json").write_text(f"{{{text}")
        result = command("show", "e.json")
        shown = " ".join(result.out.split()).partition("not an event: ")[2]
        assert shown.startswith(f"{{{start}")
        assert "... (100,0" in shown
        assert result.code == 1
