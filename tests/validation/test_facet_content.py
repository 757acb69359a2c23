"""What depends only on a facet is computed once for equal facets, in bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation import event_document
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.rule import facet_rule
from openlineage_facets.validation.ruleset import RuleSet
from tests.cases import each


def facet_of(value: Any, key: str = "acme_cost", entity: str = "job") -> Facet:
    (facet,) = Document({entity: {"facets": {key: value}}}).facets
    return facet


class Counted:
    """A function of a facet that returns the number of its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, facet: Facet) -> int:
        self.calls += 1
        return self.calls


def test_results_are_shared_by_equal_facets_of_different_events() -> None:
    function = Counted()
    text = '{"_producer": "https://example.com", "fields": [{"name": "a"}, {"name": "b", "n": [1, null]}]}'
    assert [facet_of(json.loads(text)).cached(function) for _ in range(3)] == [1, 1, 1]


class Text(str):
    """A text that is not plain JSON."""


NESTED: list[Any] = []
for _ in range(5000):
    NESTED = [NESTED]


@each(
    ("first", "second"),
    [
        (facet_of({"n": 1}), facet_of({"n": 2})),
        (facet_of({"n": 1}), facet_of({"n": True})),
        (facet_of({"n": 1}), facet_of({"n": 1.0})),
        (facet_of({"n": 1}), facet_of({"n": "1"})),
        (facet_of({"n": 0.0}), facet_of({"n": -0.0})),
        (facet_of({"a": 1, "b": 2}), facet_of({"b": 2, "a": 1})),
        (facet_of({"n": [[1], 2]}), facet_of({"n": [[1, 2]]})),
        (facet_of({"n": None}), facet_of({})),
        (facet_of({}), facet_of({}, key="acme_price")),
        (facet_of({}), facet_of({}, entity="run")),
        (facet_of({"n": Text("a")}), facet_of({"n": Text("a")})),
        (facet_of({"n": NESTED}), facet_of({"n": NESTED})),
    ],
)
def test_results_are_not_shared_by_facets_that_differ_or_are_not_plain_json(
    first: Facet, second: Facet
) -> None:
    function = Counted()
    assert [first.cached(function), second.cached(function)] == [1, 2]


def test_memory_for_results_is_bounded() -> None:
    contents = event_document._Contents(most_bytes=100_000)
    for number in range(1000):
        contents.of("JobFacets", "acme_cost", {"number": number, "text": "x" * 500})
        assert sum(len(text) for _, _, text in contents._contents) <= 100_000
    first = contents.of("JobFacets", "acme_cost", {"text": "x"})
    contents.of("JobFacets", "acme_cost", {"text": "x" * 200_000})
    assert contents.of("JobFacets", "acme_cost", {"text": "x"}) is first  # Not evicted by a large one.


def test_cached_rule_checks_equal_facets_once_and_reports_each() -> None:
    checked: list[str] = []

    def rules_with(cached: bool) -> RuleSet:
        @facet_rule("ACME1", "Anything", see="https://acme.example.com", keys=["acme_cost"], cached=cached)
        def check(facet: Facet) -> Iterator[Finding]:
            checked.append(facet.pointer)
            yield Finding("/usd", "cents", "dollars")

        return RuleSet([check])

    document = Document({"job": {}, "inputs": [{"facets": {"acme_cost": {"usd": 1}}}] * 3})
    pointers = [f"/inputs/{number}/facets/acme_cost" for number in range(3)]
    for cached, expected in ((True, pointers[:1]), (False, pointers)):
        checked.clear()
        rules = rules_with(cached)
        assert [one.pointer for one in rules.check(document)] == [f"{pointer}/usd" for pointer in pointers]
        assert checked == expected
        assert rules.without("ACME1").check(document) == []  # A set does not use the results of another one.
        assert len(rules.check(document)) == 3
