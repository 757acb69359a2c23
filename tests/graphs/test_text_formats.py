"""Graphs as Mermaid, DOT and JSON."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Collection

import pytest

from openlineage_facets.graphs import dot, json_graph, mermaid
from openlineage_facets.graphs.focus import restricted
from openlineage_facets.graphs.mermaid import MOST_CHARACTERS, MOST_EDGES, Mermaid
from openlineage_facets.state import Lineage, Node
from tests.graphs.sample_graphs import HOSTILE_NAMES, hostile, orders, wide


def test_mermaid_shows_datasets_jobs_and_links() -> None:
    assert (
        mermaid(orders()).text
        == """\
flowchart LR
  d0[("curated/daily")]:::dataset
  d1[("raw/customers")]:::dataset
  d2[("raw/orders")]:::dataset
  d3[("reports/weekly")]:::dataset
  j4(["orders.daily"]):::job
  j5(["reports.weekly"]):::failed
  d0 --> j5
  d1 --> j4
  d2 --> j4
  j4 --> d0
  j5 --> d3
  classDef dataset fill:#e8f0fb,stroke:#5c6979,color:#1b2530
  classDef job fill:#f6f2e8,stroke:#5c6979,color:#1b2530
  classDef failed fill:#fbe9e7,stroke:#c9302c,color:#1b2530
"""
    )


def test_mermaid_with_columns() -> None:
    text = mermaid(orders(), columns=True).text
    named = {label: name for name, label in re.findall(r' +(c\d+)\["(\w+)"\]', text)}
    assert f"  {named['email']} -.-> {named['customer']}\n" in text
    assert re.search(r'  subgraph d\d+\["reports/weekly"\]\n    c\d+\["total"\]\n  end\n', text)


def test_mermaid_labels_contain_no_syntax() -> None:
    text = mermaid(hostile(), columns=True).text
    for label in re.findall(r'"([^"\n]*)"', text):
        assert re.fullmatch(r"(?:[\w ._\-/:,…]|#\d+;)*", label), label
        assert not re.search(r"[.-] ", label)
    syntax = re.sub(r'"[^"\n]*"', "", text)
    assert not re.search(r"click|script|href|init", syntax)


@pytest.mark.parametrize(("jobs", "inputs"), [(3, 400), (60, 9)])
def test_mermaid_stays_within_the_limits_of_github(jobs: int, inputs: int) -> None:
    lineage = wide(jobs, inputs)
    diagram = mermaid(lineage)
    assert len(diagram.text) <= MOST_CHARACTERS
    assert MOST_EDGES // 3 < diagram.text.count("-->") <= MOST_EDGES
    total = len(lineage.jobs) + len(lineage.datasets)
    left_out = re.fullmatch(r"([\d,]+) of ([\d,]+) jobs and datasets", diagram.left_out)
    assert left_out is not None, diagram.left_out
    assert left_out[2] == f"{total:,}"
    shown = len(re.findall(r"^  [dj]\d+[(\[]", diagram.text, re.MULTILINE))
    assert shown == total - int(left_out[1].replace(",", ""))
    assert f'note["not shown: {diagram.left_out}"]' in diagram.text


def test_mermaid_searches_only_what_may_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = []

    def restrict(lineage: Lineage, nodes: Collection[Node]) -> Lineage:
        examined.append(len(lineage.jobs) + len(lineage.datasets))
        return restricted(lineage, nodes)

    monkeypatch.setattr(sys.modules[Mermaid.__module__], "restricted", restrict)
    lineage = wide(20, 400)
    mermaid(lineage)
    whole = len(lineage.jobs) + len(lineage.datasets)
    assert [nodes for nodes in examined if nodes > MOST_CHARACTERS // 15] == [whole, whole]


def test_mermaid_leaves_out_columns_first() -> None:
    lineage = wide(10, 45)
    assert mermaid(lineage).left_out == ""


def test_dot_can_be_drawn() -> None:
    graphviz = shutil.which("dot")
    for lineage, columns in ((orders(), True), (hostile(), True), (hostile(), False)):
        text = dot(lineage, columns=columns)
        assert text.startswith("digraph lineage {")
        assert text.endswith("}\n")
        if graphviz is not None:
            drawn = subprocess.run([graphviz, "-Tsvg"], input=text.encode(), capture_output=True)
            assert drawn.returncode == 0, drawn.stderr
            assert b"<script" not in drawn.stdout
            assert not drawn.stderr.replace(b"Warning: ", b"") or b"syntax" not in drawn.stderr


def test_dot_has_ports_for_columns() -> None:
    text = dot(orders(), columns=True)
    ports = dict(re.findall(r'port="(c\d+)" align="left">(\w+)<', text))
    edges = re.findall(r"d\d+:(c\d+) -> d\d+:(c\d+) ", text)
    assert {(ports[source], ports[target]) for source, target in edges} == {
        ("email", "customer"),
        ("amount", "amount"),
        ("amount", "total"),
    }


def test_dot_has_no_markup_of_names() -> None:
    text = dot(hostile(), columns=True)
    assert set(re.findall(r"</?(\w+)", text)) == {"table", "tr", "td", "b"}
    for line in text.splitlines():
        assert len(re.findall(r'"', line)) % 2 == 0, line


def test_json_has_all_of_the_graph() -> None:
    graph = json_graph(orders())
    assert [job["name"] for job in graph["jobs"]] == ["orders.daily", "reports.weekly"]
    daily, weekly = graph["jobs"]
    assert (daily["lastRun"]["state"], weekly["lastRun"]["state"]) == ("COMPLETE", "FAIL")
    assert daily["earlierRuns"] == []
    assert daily["lastRun"]["startedAt"] == "2026-11-21T08:30:01Z"
    assert daily["lastRun"]["outputs"][0]["outputFacets"]["outputStatistics"]["rowCount"] == 1234567
    assert weekly["lastRun"]["facets"]["errorMessage"]["message"] == "disk full"
    assert graph["datasets"][0]["columns"] == [
        {"name": name, "type": "string"} for name in ("customer", "amount", "day")
    ]
    assert graph["columnEdges"][0] == {
        "source": {"kind": "dataset", "namespace": "db", "name": "curated/daily", "column": "amount"},
        "target": {"kind": "dataset", "namespace": "db", "name": "reports/weekly", "column": "total"},
        "transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}],
    }
    assert {dataset["name"] for dataset in json_graph(hostile())["datasets"]} >= set(HOSTILE_NAMES)


def test_mermaid_draws_as_many_links_as_github_allows() -> None:
    def diagram(links: int) -> Mermaid:
        return mermaid(wide(1, links - 2))  # One more is read, and one is written.

    assert diagram(MOST_EDGES).left_out == ""
    assert diagram(MOST_EDGES + 1).left_out == f"1 of {MOST_EDGES + 2} jobs and datasets"
