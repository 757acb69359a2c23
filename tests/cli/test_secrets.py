"""What a namespace holds of users and passwords stands in no report, and in no file that a check writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.events import job_event, line, lines, run_event

NAMESPACES = {
    "before the host": "postgres://ana:xyzzy@db.example.com:5432",
    "with slashes and at signs": "postgres://ana:xyz/z@y/xyzzy@db.example.com:5432",
    "with blanks and quotes": 'postgres://ana:xyzzy "plugh" xyzzy@db.example.com:5432',
    "longer than a line": f"s3a://ana{'a' * 90}:{'xyzzy' * 90}@lake",
    "among options": "jdbc:postgresql://db.example.com/shop?user=ana&password=xyzzy",
    "behind semicolons": "jdbc:sqlserver://db.example.com:1433;user=ana;password=xyzzy",
    "of Oracle": "jdbc:oracle:thin:ana/xyzzy@db.example.com:1521:shop",
}


def events(namespace: str) -> bytes:
    """Return events that give findings of every kind at this dataset, and in its job."""
    dataset = {"namespace": namespace, "name": f"{namespace}/orders", "facets": 1, namespace: 2}
    facets = {"documentation": {"description": namespace}, namespace: {}, f"{namespace}/": 1}
    job = {"namespace": namespace, "name": "orders", "facets": facets}
    return lines(
        run_event(1, "COMPLETE", inputs=[dataset, dataset], job=job, eventTime=namespace),
        run_event(1, "START", job={"namespace": namespace, "name": "another"}),
        {"dataset": dataset, "producer": namespace},
        job_event(job=job, inputs={namespace: {namespace: namespace}}),
    )


BREAKS: dict[str, Callable[[bytes], bytes]] = {
    "whole": bytes,
    "broken before it": lambda text: text.replace(b'"inputs"', b'inputs"'),
    "broken behind it": lambda text: text.replace(b'"}', b'"}}'),
    "broken in it": lambda text: text.replace(b"xyzzy", b"x\x01yzzy", 1),
    "cut in it": lambda text: text[: text.index(b"zzy")],
    "with escapes": lambda text: text.replace(b"/", b"\\/").replace(b"=", b"\\u003D").replace(b"}", b"", 1),
    "without quotation marks": lambda text: text.replace(b'"', b""),
    "without line breaks": lambda text: text.replace(b"\n", b" and "),
}


@pytest.mark.parametrize("broken", BREAKS)
@pytest.mark.parametrize("kind", NAMESPACES)
def test_no_report_shows_a_password(kind: str, broken: str, command: Command) -> None:
    text = BREAKS[broken](events(NAMESPACES[kind]))
    Path("e.ndjson").write_bytes(text)
    Path("e.json").write_bytes(text.replace(b"{", b"{\n ", 1))
    told = {
        form: command("validate", ".", "--no-config", "--format", form).out
        for form in ("text", "json", "github", "junit", "sarif")
    }
    command("validate", ".", "--no-config", "--write-baseline", "known.baseline")
    told["baseline"] = Path("known.baseline").read_text()
    for form, report in told.items():
        assert "OL" in report, form
        assert "xy" not in report, form
        assert "zzy" not in report, form
    if broken == "whole":
        assert "OL406" in told["text"]


@pytest.mark.parametrize("name", ["e.ndjson", "e.json"])
def test_the_beginning_of_an_event_that_is_too_long_shows_none(
    name: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from openlineage_facets.cli import chunks
    from openlineage_facets.cli import lines as reading

    for module in (chunks, reading):
        monkeypatch.setattr(module, "LONGEST", 1 << 20)
    monkeypatch.setattr("openlineage_facets.cli.json_values.json_values.__defaults__", (1 << 20,))
    long = b'{"a": "s3://ana:' + b"xyzzy" * 50 + b'@lake", "b": "' + b"x" * (2 << 20) + b'"}\n'
    Path(name).write_bytes(long if name == "e.ndjson" else long.replace(b"{", b"{\n "))
    out = command("validate", name).out
    assert "OL806" in out
    assert '"a": "s3://***@lake"' in out
    assert "xy" not in out


def test_a_baseline_knows_a_finding_again_whatever_the_password_is_by_then(command: Command) -> None:
    Path("e.ndjson").write_bytes(events("postgres://ana:xyzzy@db:5432"))
    command("validate", "e.ndjson", "--write-baseline", "known.json")
    abouts = {one["about"] for one in json.loads(Path("known.json").read_text())["findings"]}
    assert "postgres://***@db:5432 orders postgres://***@db:5432 postgres://***@db:5432/orders" in abouts
    Path("e.ndjson").write_bytes(events("postgres://bob:plugh@db:5432"))
    answer = command("validate", "e.ndjson", "--baseline", "known.json", "--select", "OL4", "--strict")
    assert answer.code == 0, answer.out
    Path("e.ndjson").write_bytes(events("postgres://ana:xyzzy@other:5432"))
    assert (
        command("validate", "e.ndjson", "--baseline", "known.json", "--select", "OL4", "--strict").code == 1
    )


def test_a_snippet_keeps_what_is_no_password(command: Command) -> None:
    Path("e.ndjson").write_bytes(
        line(job_event(inputs=[{"namespace": "abfss://c@a.dfs.core.windows.net", "name": 7}]))
    )
    assert '| "name": 7' in command("validate", "e.ndjson").out
    Path("e.ndjson").write_bytes(line({"producer": "https://a.com:8080/x"})[:-3] + b"\n")
    assert '| {"producer": "https://a.com:8080/x' in command("validate", "e.ndjson").out
