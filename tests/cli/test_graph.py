"""`openlineage-facets graph`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from openlineage_facets.version import install_command
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import lines
from tests.cli.in_process import Result
from tests.events import facet, folded
from tests.graphs.sample_graphs import orders_events


@pytest.fixture
def events(command: Command) -> Path:
    path = Path("events.ndjson")
    path.write_bytes(lines(*orders_events()))
    return path


FORMATS = {
    "graph.mmd": "flowchart LR\n",
    "graph.md": "```mermaid\nflowchart LR\n",
    "graph.dot": "digraph lineage {",
    "graph.json": '{\n  "jobs"',
    "graph.html": "<!DOCTYPE html>",
    "graph.svg": "<svg ",
}
"""Files, and how they begin."""


def test_the_suffix_selects_the_format_and_an_earlier_graph_is_replaced(
    command: Command, events: Path
) -> None:
    assert command("graph", events).out.startswith(FORMATS["graph.mmd"])
    for name, beginning in FORMATS.items():
        assert command("graph", events, "-o", name, "--focus", "raw/orders", "--columns").code == 0
        first = Path(name).read_text()
        assert command("graph", events, "-o", name) == Result(0, f"{name}\n", "")
        assert Path(name).read_text().startswith(beginning)
        assert Path(name).read_text() != first
        assert command("graph", events, "-o", name, "--format", "dot").code == 0
        assert Path(name).read_text().startswith("digraph")


def test_pages_and_pictures(command: Command, events: Path) -> None:
    assert command("graph", events, "-o", "orders.html", "--focus", "curated/daily").code == 0
    page = Path("orders.html").read_text()
    assert "<title>orders</title>" in page
    assert '"focus":[0]' in page
    assert '"showColumns":false' in page
    assert command("graph", events, "-o", "orders.svg", "--columns").code == 0
    assert "email</text>" in Path("orders.svg").read_text()


@each("suffix", ["html", "svg"])
def test_without_the_extra_graphs_are_drawn_and_a_line_names_it(
    command: Command, events: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fast_sugiyama", None)
    result = command("graph", events, "-o", f"orders.{suffix}")
    assert (result.code, result.out) == (0, f"orders.{suffix}\n")
    solution = "needs Python 3.11 or later" if sys.version_info < (3, 11) else install_command("graph")
    message = f"openlineage-facets: drawn with more crossings than with fast-sugiyama: {solution}\n"
    assert result.err == message
    assert "curated/daily" in Path(f"orders.{suffix}").read_text()
    assert command("graph", events, "-o", "orders.mmd").err == ""


def test_an_unknown_suffix_is_rejected(command: Command, events: Path) -> None:
    result = command("graph", events, "-o", "graph.pdf")
    assert result.code == 2
    assert result.err.startswith("openlineage-facets: graph.pdf: expected one of .html")
    assert not Path("graph.pdf").exists()
    assert command("graph", events, "-o", "graph.pdf", "--format", "dot").code == 0


def test_folders_compressed_files_and_standard_input(command: Command, events: Path) -> None:
    expected = command("graph", events, "--format", "json").out
    folder = Path("archive")
    folder.mkdir()
    first, *others = orders_events()
    (folder / "a.json").write_bytes(lines(first))
    (folder / "b.ndjson").write_bytes(lines(*others))
    assert command("graph", folder, "--format", "json").out == expected
    assert command("graph", "-", "--format", "json", stdin=events.read_bytes()).out == expected


@each("sort_keys", [False, True])
def test_a_saved_state_is_merged(command: Command, events: Path, sort_keys: bool) -> None:
    first, *others = orders_events()
    state = folded(first, exact_history=sort_keys)
    Path("state.json").write_text(json.dumps(state.to_dict(), sort_keys=sort_keys, indent=2))
    Path("more.ndjson").write_bytes(lines(*others))
    expected = command("graph", events, "--format", "json").out
    assert command("graph", "state.json", "more.ndjson", "--format", "json").out == expected


def test_events_that_cannot_be_folded_are_named(command: Command, events: Path) -> None:
    with events.open("ab") as file:
        file.write(b"nonsense\n[1]\n" + lines({"eventTime": "2026-03-29T01:00:00.5", "job": {}}))
    result = command("graph", events)
    assert result.code == 1
    assert result.out.startswith("flowchart LR")
    not_json, no_object, no_time = result.err.splitlines()
    assert not_json == (
        "events.ndjson:4: skipped: (root): not valid JSON (expected ident at column 2); "
        "check whether the text was truncated or concatenated"
    )
    assert no_object.startswith("events.ndjson:5: skipped: (root): expected")
    assert no_time == (
        "events.ndjson:6: skipped: /eventTime: expected an RFC 3339 date-time with an offset, "
        'such as 2026-11-21T08:30:00Z, found "2026-03-29T01:00:00.5"; '
        "add the UTC offset, such as 'Z' or '+01:00'"
    )


@each(
    ("value", "reason"),
    [
        ("9" * 5000, "(root): expected JSON whose numbers have at most 4300 digits"),
        (r'"\ud800"', "(root): expected JSON without lone surrogates"),
        ("1e999", "/run/facets/acme_cost/v: expected a finite JSON value"),
    ],
    ids=lambda value: value[:8],
)
def test_values_that_cannot_be_folded_are_explained_as_in_validate(
    command: Command, events: Path, value: str, reason: str
) -> None:
    event = orders_events()[0]
    event["run"]["facets"] = {"acme_cost": facet(v="VALUE")}
    Path("bad.ndjson").write_bytes(lines(event).replace(b'"VALUE"', value.encode()))
    result = command("graph", "bad.ndjson", events)
    assert result.code == 1
    assert result.err.startswith(f"bad.ndjson:1: skipped: {reason}")
    assert result.err.count("\n") == 1


def test_a_graph_in_the_folder_of_the_events_is_replaced_and_not_read(command: Command) -> None:
    Path("in").mkdir()
    Path("in/ok.ndjson").write_bytes(lines(*orders_events()))
    assert command("graph", "in", "-o", "in/lineage.json").err == ""
    skipped = "openlineage-facets: in/lineage.json: skipped: a graph that `graph` has written, not events\n"
    for path in ("in", "in/*.*"):
        result = command("graph", path, "-o", "in/lineage.json")
        assert (result.code, result.err) == (0, skipped)
    for arguments in (["validate", "in"], ["names", "in"], ["lock", "in", "-o", "etl.lock"]):
        result = command(*arguments)
        assert (result.code, result.err.startswith(skipped)) == (0, True), arguments
    result = command("graph", "in/lineage.json")
    assert result.code == 1
    assert result.err == (
        "openlineage-facets: in/lineage.json: expected events or a saved state, found a graph that `graph` "
        "has written; pass the events that it shows\n"
    )
    assert command("graph", "-", stdin=Path("in/lineage.json").read_bytes()).code == 1
    assert command("graph", "in/ok.ndjson", "in/lineage.json", "-o", "in/lineage.json").code == 2
    Path("in/ok.ndjson").unlink()
    assert command("validate", "in").code == 2


def test_many_skipped_events_are_counted(command: Command, events: Path) -> None:
    with events.open("ab") as file:
        file.write(b"nonsense\n" * 100)
    result = command("graph", events)
    assert result.code == 1
    assert result.err.endswith("skipped 100 events or files in total; `validate` lists all problems\n")
    assert result.err.count("\n") == 11


def test_focus(command: Command, events: Path) -> None:
    result = command("graph", events, "--focus", "curated/daily", "--up", 1, "--down", 0)
    assert "orders.daily" in result.out
    assert "raw/orders" not in result.out
    assert "reports" not in result.out
    assert command("graph", events, "--focus", "nothing").err == (
        "openlineage-facets: --focus: expected the name of a job or dataset, found 'nothing'\n"
    )
    assert command("graph", events, "--up", 1).code == 2


def test_what_does_not_fit_is_reported(command: Command, events: Path) -> None:
    first = orders_events()[0]
    many = [{"namespace": "db", "name": f"part-{number}"} for number in range(600)]
    events.write_bytes(lines({**first, "inputs": many}))
    result = command("graph", events)
    assert result.code == 0
    assert "left out 10" in result.err
    assert "draw a part with --focus NAME --up N --down N" in result.err


def test_nothing_to_draw(command: Command) -> None:
    Path("empty.ndjson").write_text("\n")
    result = command("graph", "empty.ndjson")
    assert result.code == 2
    assert result.err.endswith("openlineage-facets: expected events to draw, found none\n")
