"""Secrets in namespaces are redacted in all reports and in baselines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from openlineage_facets.event_files import chunk_reader, chunks
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import job_event, line, lines, run_event

NAMESPACES = {
    "before the host": "postgres://ana:xyzzy@db.example.com:5432",
    "with slashes and at signs": "postgres://ana:xyz/z@y/xyzzy@db.example.com:5432",
    "with spaces and quotes": 'postgres://ana:xyzzy "plugh" xyzzy@db.example.com:5432',
    "longer than a line": f"s3a://ana{'a' * 90}:{'xyzzy' * 90}@lake",
    "in query parameters": "jdbc:postgresql://db.example.com/shop?user=ana&password=xyzzy",
    "after semicolons": "jdbc:sqlserver://db.example.com:1433;user=ana;password=xyzzy",
    "Oracle": "jdbc:oracle:thin:ana/xyzzy@db.example.com:1521:shop",
}


def events(namespace: str) -> bytes:
    """Return events with all kinds of findings about this dataset and its job."""
    dataset = {"namespace": namespace, "name": f"{namespace}/orders", "facets": 1, namespace: 2}
    facets = {"documentation": {"description": namespace}, namespace: {}, f"{namespace}/": 1}
    job = {"namespace": namespace, "name": "orders", "facets": facets}
    return lines(
        run_event(1, "COMPLETE", inputs=[dataset, dataset], job=job, eventTime=namespace),
        run_event(1, "START", job={"namespace": namespace, "name": "another"}),
        {"dataset": dataset, "producer": namespace},
        job_event(job=job, inputs={namespace: {namespace: namespace}}),
    )


def assert_redacted(report: str) -> None:
    assert "OL406" in report or "OL001" in report
    assert "xy" not in report
    assert "zzy" not in report


def write_indented_and_not(name: str, text: bytes) -> None:
    Path(f"{name}.ndjson").write_bytes(text)
    Path(f"{name}.json").write_bytes(text.replace(b"{", b"{\n ", 1))


@pytest.mark.check
def test_passwords_are_redacted_in_every_report(command: Command) -> None:
    for name, namespace in NAMESPACES.items():
        write_indented_and_not(name, events(namespace))
    for form in ("text", "json", "github", "junit", "sarif"):
        assert_redacted(command("validate", ".", "--no-config", "--format", form).out)
    command("validate", ".", "--no-config", "--write-baseline", "known.baseline")
    assert_redacted(Path("known.baseline").read_text())


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "invalid before the secret": lambda text: text.replace(b'"inputs"', b'inputs"'),
    "invalid after the secret": lambda text: text.replace(b'"}', b'"}}'),
    "invalid inside the secret": lambda text: text.replace(b"xyzzy", b"x\x01yzzy", 1),
    "truncated inside the secret": lambda text: text[: text.index(b"zzy")],
    "with escapes": lambda text: text.replace(b"/", b"\\/").replace(b"=", b"\\u003D").replace(b"}", b"", 1),
    "without quotation marks": lambda text: text.replace(b'"', b""),
    "without line breaks": lambda text: text.replace(b"\n", b" and "),
}


@pytest.mark.check
@each("change", CHANGES)
def test_passwords_are_redacted_in_events_that_are_not_valid_json(change: str, command: Command) -> None:
    names = ("before the host", "with spaces and quotes", "in query parameters")
    for name in names:
        write_indented_and_not(f"{change} {name}", CHANGES[change](events(NAMESPACES[name])))
    report = command("validate", ".", "--no-config", "--max-findings", "0").out
    assert_redacted(report)
    assert all(f"{change} {name}" in report for name in names)


@each("name", ["e.ndjson", "e.json"])
def test_passwords_are_redacted_in_events_that_are_too_long(
    name: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (chunk_reader, chunks):
        monkeypatch.setattr(module, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr("openlineage_facets.event_files.json_values.json_values.__defaults__", (1 << 20,))
    long = b'{"a": "s3://ana:' + b"xyzzy" * 50 + b'@lake", "b": "' + b"x" * (2 << 20) + b'"}\n'
    Path(name).write_bytes(long if name == "e.ndjson" else long.replace(b"{", b"{\n "))
    out = command("validate", name).out
    assert "OL806" in out
    assert '"a": "s3://***@lake"' in out
    assert "xy" not in out


def test_a_baseline_is_independent_of_passwords(command: Command) -> None:
    Path("e.ndjson").write_bytes(events("postgres://ana:xyzzy@db:5432"))
    command("validate", "e.ndjson", "--write-baseline", "known.json")
    abouts = {one["about"] for one in json.loads(Path("known.json").read_text())["findings"]}
    assert "postgres://***@db:5432 orders postgres://***@db:5432 postgres://***@db:5432/orders" in abouts
    for namespace, code in (("postgres://bob:plugh@db:5432", 0), ("postgres://ana:xyzzy@other:5432", 1)):
        Path("e.ndjson").write_bytes(events(namespace))
        result = command("validate", "e.ndjson", "--baseline", "known.json", "--select", "OL4", "--strict")
        assert result.code == code, result.out


def test_snippets_preserve_everything_else(command: Command) -> None:
    Path("e.ndjson").write_bytes(
        line(job_event(inputs=[{"namespace": "abfss://c@a.dfs.core.windows.net", "name": 7}]))
    )
    assert '| "name": 7' in command("validate", "e.ndjson").out
    Path("e.ndjson").write_bytes(line({"producer": "https://a.com:8080/x"})[:-3] + b"\n")
    assert '| {"producer": "https://a.com:8080/x' in command("validate", "e.ndjson").out
