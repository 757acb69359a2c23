"""Pages are self-contained, and names in them are data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from openlineage_facets.graphs import page, svg
from openlineage_facets.graphs.description import description
from tests.events import facet
from tests.graphs.sample_graphs import (
    HOSTILE_NAMES,
    dataset,
    folded,
    hostile,
    orders,
    orders_events,
    run_event,
)


class Elements(HTMLParser):
    """All elements with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_policy_allows_only_the_script_and_style_of_the_page() -> None:
    text = page(hostile())
    elements = Elements(text)
    policy = next(
        attributes["content"]
        for tag, attributes in elements.found
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives["default-src"] == directives["base-uri"] == directives["form-action"] == "'none'"
    for name in ("script", "style"):
        (content,) = re.findall(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert directives[f"{name}-src"] == f"'sha256-{digest}'"


def test_nothing_is_loaded_and_there_are_no_inline_handlers() -> None:
    elements = Elements(page(hostile(), title="<b onload=x>"))
    for tag, attributes in elements.found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "a", "b")
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert len([tag for tag, _ in elements.found if tag == "script"]) == 2


def test_hostile_names_are_json_in_one_element() -> None:
    text = page(hostile())
    _, data, _ = re.split(r'<script type="application/json" id="data">|</script>', text, maxsplit=2)
    assert "<" not in data
    names = {node["name"] for node in json.loads(data)["nodes"]}
    assert names >= set(HOSTILE_NAMES)


def test_names_that_look_like_placeholders_are_kept() -> None:
    events = orders_events()
    events[0]["job"]["name"] = "{{script}}"
    assert '"name":"{{script}}"' in page(folded(events))


def test_data_refers_to_nodes_and_columns_by_number() -> None:
    data = description(orders()).to_json()
    nodes = data["nodes"]
    links = {(nodes[source]["name"], nodes[target]["name"]) for source, target, _ in data["links"]}
    assert ("raw/orders", "orders.daily") in links
    columns = {
        (nodes[source]["columns"][from_column][0], nodes[target]["columns"][to_column][0], steps)
        for source, from_column, target, to_column, _, steps in data["columnLinks"]
    }
    assert ("email", "customer", "IDENTITY") in columns
    layers = {node["name"]: layer for node, (layer, _) in zip(nodes, data["places"], strict=False)}
    assert layers["raw/orders"] < layers["orders.daily"] < layers["curated/daily"] < layers["reports/weekly"]
    (group,) = (node for node in nodes if node["kind"] == "group")
    assert {nodes[number]["name"] for number in group["members"]} == {*layers} - {group["name"]}


def test_very_long_facets_are_left_out() -> None:
    events = orders_events()
    events[0]["job"]["facets"] = {"plan": {"_producer": "x", "text": "x" * 100_000}, "short": {"a": 1}}
    job = next(
        node for node in description(folded(events)).to_json()["nodes"] if node["name"] == "orders.daily"
    )
    assert job["facets"] == {
        "plan": ["100,016 characters, too long to show here"],
        "short": ["{", '  "a": 1', "}"],
    }


def test_the_message_of_a_failure_is_independent_of_the_length_of_its_facet() -> None:
    def failure(message: Any) -> Any:
        event = run_event("load", [], [dataset("orders")], "FAIL")
        event["run"]["facets"] = {"errorMessage": facet(message=message, stackTrace="x" * 30_000)}
        (job,) = (node for node in description(folded([event])).nodes if node["kind"] == "job")
        return job["run"]["failure"]

    assert failure("no table\norders") == ["no table", "orders"]
    assert failure("x" * 30_000) == ["x" * 20_000, "\u2026 30,000 characters"]
    assert failure("") is failure(3) is None


def test_facets_of_runs_are_listed_whatever_their_keys() -> None:
    event = run_event("load", [], [dataset("orders")])
    event["run"]["facets"] = {"tags": facet(tags=[{"key": "cost_center", "value": "4711"}])}
    assert "cost_center" in page(folded([event]))


def test_pages_and_pictures_are_the_same_in_any_encoding() -> None:
    lineage = folded([run_event("j\xf6b", [], [dataset("\u4e2d \U0001f600", ("\xe9",))])])
    text = page(lineage, title="j\xf6b", columns=True)
    assert text.isascii()
    assert "<title>j&#246;b</title>" in text
    picture = svg(lineage, columns=True)
    assert picture.isascii()
    texts = [element.text for element in ElementTree.fromstring(picture).iter()]
    assert {"etl/j\xf6b", "db/\u4e2d \U0001f600"} <= {*texts}


def test_an_unknown_focus_is_rejected() -> None:
    with pytest.raises(ValueError, match="expected the name of a job or dataset, found 'nothing'"):
        page(orders(), focus=["nothing"])
