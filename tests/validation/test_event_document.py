"""`Document` accepts any JSON value, and no rule fails for one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.ruleset import RuleSet, built_in_rules
from openlineage_facets.validation.stream_rules import StreamRules
from tests.cases import each
from tests.oracle.values import at_every_place
from tests.validation.code_examples import BAD_EXAMPLES, events, name

RULES = RuleSet(built_in_rules())
GARBAGE: tuple[Any, ...] = (None, -1, "", "é\ud800", [None], {"": {}}, {"fields": 1})


def broken(value: Any) -> list[str]:
    """Return the OL900 findings for a value."""
    document = Document(value)
    stream = StreamRules()
    found = [*RULES.check(document), *stream.check(document), *(finding for _, finding in stream.finish())]
    return [str(finding) for finding in found if finding.code == "OL900"]


@each("path", BAD_EXAMPLES, ids=name)
def test_no_rule_fails_if_any_value_is_replaced_by_garbage(path: Path) -> None:
    event = from_json(events(path)[0])
    for garbage in GARBAGE:
        for changed in at_every_place(event, garbage):
            assert broken(changed) == [], changed


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
def test_no_rule_fails_for_any_json_value(value: Any) -> None:
    assert broken(value) == []


def test_entities_and_facets_have_pointers() -> None:
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


def test_findings_are_in_document_order() -> None:
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


LONG = 5_000


def value_of(text: str) -> dict[str, Any]:
    """Return a document with a text in every field that a rule checks."""
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


def time_for(value: dict[str, Any], *, tries: int) -> float:
    """Return the best CPU time of the rules in seconds; other processes may slow down single runs."""
    taken = []
    for _ in range(tries):
        begun = time.process_time()
        assert broken(value) == []
        taken.append(time.process_time() - begun)
    return min(taken)


@pytest.mark.thorough
@each("part", ["1-", "https://", ":", "@:", "a.b[", "_a", "s3:///", "A", "-1a"])
def test_rules_are_linear_in_the_length_of_texts(part: str) -> None:
    value = value_of(part * LONG)
    # Linear: 10 times the text takes 10 times as long. Quadratic: 100 times.
    limit = 30 * time_for(value, tries=3)
    longer = value_of(part * LONG * 10)
    assert time_for(longer, tries=1) < limit or time_for(longer, tries=3) < limit
    assert all(len(finding.message) < 1000 for finding in RULES.check(Document(value)))
