"""A document takes any JSON value, and no rule breaks down over one."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from openlineage_facets.validation.document import Document
from openlineage_facets.validation.ruleset import RuleSet, all_rules
from openlineage_facets.validation.stream import StreamRules
from tests.validation.rules.examples import RULE_EXAMPLES, events, name

RULES = RuleSet(all_rules())
BAD = [path for path in RULE_EXAMPLES if path.parts[-2] == "bad"]
RUBBISH: tuple[Any, ...] = (
    None,
    True,
    -1,
    0.5,
    "",
    "x",
    "é\ud800",
    [],
    [[]],
    [None],
    {},
    {"": {}},
    {"fields": 1},
)


def broken(value: Any) -> list[str]:
    """Return which rules broke down over a value."""
    document = Document(value)
    stream = StreamRules()
    found = [*RULES.check(document), *stream.see(document), *(finding for _, finding in stream.finish())]
    return [str(finding) for finding in found if finding.code == "OL900"]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    ):
        yield from places(inner, (*path, step))


def with_rubbish(value: Any, path: tuple[Any, ...], rubbish: Any) -> Any:
    if not path:
        return copy.deepcopy(rubbish)
    changed = copy.copy(value)
    changed[path[0]] = with_rubbish(value[path[0]], path[1:], rubbish)
    return changed


@pytest.mark.parametrize("path", BAD, ids=name)
def test_no_rule_breaks_down_over_rubbish_in_any_place(path: Path) -> None:
    event = from_json(events(path)[0])
    for place in places(event):
        for rubbish in RUBBISH:
            assert broken(with_rubbish(event, place, rubbish)) == [], (place, rubbish)


WORDS = st.sampled_from(
    "run job dataset inputs outputs facets inputFacets outputFacets runId namespace name tags key field "
    "schema fields columnLineage inputFields symlinks identifiers parent nominalTime eventTime eventType "
    "schemaURL _schemaURL".split()
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=40,
)


@given(ANYTHING)
def test_no_rule_breaks_down_over_any_json_value(value: Any) -> None:
    assert broken(value) == []


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"run": 1}, "run"),
        ({"run": {}, "job": {}, "dataset": {}}, "run"),
        ({"job": {}}, "job"),
        ({"dataset": {}}, "dataset"),
        ({"run": {}, "dataset": {}}, "dataset"),
        ({"runs": {}}, None),
        ([], None),
        ("run", None),
    ],
)
def test_the_kind_is_the_one_meant(value: Any, kind: str | None) -> None:
    assert Document(value).kind == kind


def test_entities_and_facets_have_their_pointers() -> None:
    facet: dict[str, Any] = {"_schemaURL": "https://acme.example.com/1-0-0/A.json"}
    document = Document(
        {
            "run": {"facets": {"a/b": facet}},
            "job": {},
            "inputs": [3, {"facets": {"c": facet}, "inputFacets": {"d": facet, "e": None}}],
            "outputs": [{"inputFacets": {"not": facet}, "outputFacets": {"f~": {}}}],
        }
    )
    assert [(entity.kind, entity.pointer) for entity in document.entities] == [
        ("run", "/run"),
        ("job", "/job"),
        ("input", "/inputs/1"),
        ("output", "/outputs/0"),
    ]
    assert [(one.container, one.pointer, one.schema_url) for one in document.facets] == [
        ("RunFacets", "/run/facets/a~1b", facet["_schemaURL"]),
        ("DatasetFacets", "/inputs/1/facets/c", facet["_schemaURL"]),
        ("InputDatasetFacets", "/inputs/1/inputFacets/d", facet["_schemaURL"]),
        ("OutputDatasetFacets", "/outputs/0/outputFacets/f~0", None),
    ]


def test_findings_come_in_the_order_of_the_document() -> None:
    value = {
        "eventTime": "0001-01-01T00:00:00Z",
        "inputs": [{"namespace": "s3a://lake", "name": str(number)} for number in range(11)],
        "job": {"namespace": "", "name": "a"},
    }
    pointers = [finding.pointer for finding in RULES.check(Document(value))]
    datasets = [f"/inputs/{number}/namespace" for number in range(11)]
    assert pointers == ["/eventTime", *datasets, "/job/namespace"]
    backwards = dict(reversed(list(value.items())))
    assert [finding.pointer for finding in RULES.check(Document(backwards))] == [
        "/job/namespace",
        *datasets,
        "/eventTime",
    ]


LONG = 50_000


def value_of(text: str) -> dict[str, Any]:
    """Return a document that has a text in every place that a rule looks at."""
    lineage = {"fields": {text: {"inputFields": [{"namespace": text, "name": text, "field": text}]}}}
    facets = {text: {"_schemaURL": text}, "sql": {"_schemaURL": f"https://a/{text}"}}
    more = {
        "columnLineage": lineage,
        "schema": {"fields": [{"name": "a"}, {"name": text}]},
        "tags": {"tags": [{"field": text}]},
    }
    dataset = {"namespace": text, "name": text, "facets": facets | more}
    value = {"eventTime": text, "schemaURL": text, "run": {"runId": text, "facets": facets}}
    return value | {"job": {"namespace": text, "name": text}, "inputs": [dataset], "outputs": [dataset]}


def time_for(value: dict[str, Any]) -> float:
    """Return the seconds of this process that the rules take, at best: others may crowd the machine."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        assert broken(value) == []
        taken.append(time.process_time() - begun)
    return min(taken)


@pytest.mark.parametrize("part", ["1-", "https://", ":", "@:", "a.b[", "_a", "s3:///", "A", "-1a"])
def test_texts_beyond_all_reason_take_no_time_beyond_all_reason(part: str) -> None:
    value = value_of(part * LONG)
    # Ten times the text takes ten times as long; a hundred times, where it is looked through again and again.
    assert time_for(value_of(part * LONG * 10)) < 30 * time_for(value)
    assert all(len(finding.message) < 1000 for finding in RULES.check(Document(value)))
