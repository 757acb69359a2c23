"""What depends only on a facet is computed once for equal facets, in bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation import event_document
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.rule import facet_rule
from openlineage_facets.validation.ruleset import RuleSet
from tests.cases import each


def facet_of(value: Any, key: str = "acme_cost", entity: str = "job") -> Facet:
    (facet,) = Document({entity: {"facets": {key: value}}}).facets
    return facet


def parsed(text: str) -> Any:
    return json.loads(text)


class Counted:
    """A function of a facet that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, facet: Facet) -> int:
        self.calls += 1
        return self.calls


def test_results_are_shared_by_equal_facets_of_different_events() -> None:
    function = Counted()
    text = '{"_producer": "https://example.com", "fields": [{"name": "a"}, {"name": "b", "n": [1, null]}]}'
    assert [facet_of(parsed(text)).cached(function) for _ in range(3)] == [1, 1, 1]


@each(
    ("first", "second"),
    [
        ('{"n": 1}', '{"n": 2}'),
        ('{"n": 1}', '{"n": true}'),
        ('{"n": 1}', '{"n": 1.0}'),
        ('{"n": 1}', '{"n": "1"}'),
        ('{"n": 0.0}', '{"n": -0.0}'),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}'),
        ('{"n": [[1], 2]}', '{"n": [[1, 2]]}'),
        ('{"n": null}', "{}"),
    ],
)
def test_results_are_not_shared_by_facets_that_differ_in_any_way(first: str, second: str) -> None:
    function = Counted()
    one, other = facet_of(parsed(first)).cached(function), facet_of(parsed(second)).cached(function)
    assert one != other


def test_results_are_not_shared_by_facets_in_different_places() -> None:
    function = Counted()
    places = [("acme_cost", "job"), ("acme_price", "job"), ("acme_cost", "run")]
    assert [facet_of({}, key, entity).cached(function) for key, entity in places] == [1, 2, 3]


def test_facets_that_are_not_plain_json_share_nothing() -> None:
    class Text(str):
        pass

    function = Counted()
    assert [facet_of({"name": Text("a")}).cached(function) for _ in range(2)] == [1, 2]
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    assert [facet_of({"nested": nested}).cached(function) for _ in range(2)] == [3, 4]


def test_memory_for_results_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    contents = event_document._Contents(most_bytes=100_000)
    monkeypatch.setattr(event_document, "_CONTENTS", contents)
    for number in range(1000):
        contents.of("JobFacets", "acme_cost", {"number": number, "text": "x" * 500})
        assert sum(len(text) for _, _, text in contents._contents) <= 100_000
    first = contents.of("JobFacets", "acme_cost", {"text": "x"})
    contents.of("JobFacets", "acme_cost", {"text": "x" * 200_000})
    assert contents.of("JobFacets", "acme_cost", {"text": "x"}) is first  # Not evicted by a large one.


def test_cached_rule_checks_equal_facets_once_and_reports_each() -> None:
    checked: list[str] = []

    def rule_that(cached: bool) -> Any:
        @facet_rule("ACME1", "Anything", see="https://acme.example.com", keys=["acme_cost"], cached=cached)
        def check(facet: Facet) -> Iterator[Finding]:
            checked.append(facet.pointer)
            yield Finding("/usd", "cents", "dollars")

        return check

    inputs = [{"facets": {"acme_cost": {"usd": 1}}} for _ in range(3)]
    pointers = [f"/inputs/{number}/facets/acme_cost" for number in range(3)]
    for cached, expected in ((True, pointers[:1]), (False, pointers)):
        checked.clear()
        found = RuleSet([rule_that(cached)]).check(Document({"job": {}, "inputs": inputs}))
        assert [one.pointer for one in found] == [f"{pointer}/usd" for pointer in pointers]
        assert checked == expected


def test_set_of_rules_does_not_use_results_of_another_one() -> None:
    @facet_rule("ACME1", "Anything", see="https://acme.example.com", keys=["acme_cost"], cached=True)
    def anything(facet: Facet) -> Iterator[Finding]:
        yield Finding("", "nothing", "a facet")

    document = Document({"job": {"facets": {"acme_cost": {}}}})
    rules = RuleSet([anything])
    assert len(rules.check(document)) == 1
    assert rules.without("ACME1").check(document) == []
    assert len(rules.check(document)) == 1
