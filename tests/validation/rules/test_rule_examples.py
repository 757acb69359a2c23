"""Each rule reports its bad examples and nothing in its good ones, and no other rule does."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import Job, Run, RunEvent
from openlineage_facets.validation import ruleset, validate
from openlineage_facets.validation.code_catalogue import catalogue, examples_of
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.ruleset import RuleSet, built_in_rules
from tests.cases import each
from tests.events import DATASET, FACET, on_job, run_event
from tests.validation.rules.rule_examples import RULE_EXAMPLES, findings, name

RULES = {rule.code: rule for rule in built_in_rules()}
BAD = [path for path in RULE_EXAMPLES if path.parts[-2] == "bad"]


def test_enough_rules_and_examples() -> None:
    assert len(RULES) == len(built_in_rules()) >= 40
    assert len(BAD) >= 70


@each("code", RULES)
def test_rule_has_an_explanation_and_examples(code: str) -> None:
    entry = catalogue()[code]
    assert entry.title[0].isupper()
    assert not entry.title.endswith(".")
    assert len(entry.page) > 100
    assert entry.page.endswith(".")
    assert entry.see.startswith("https://openlineage.io/")
    assert entry.severity == "warning"
    shown = examples_of(code)
    assert shown["bad"]
    assert [path.name for path in shown["bad"]] == [path.name for path in shown["good"]]


@each("path", RULE_EXAMPLES, ids=name)
def test_bad_example_has_only_its_finding_and_good_example_none(path: Path) -> None:
    code, kind = path.parts[-3:-1]
    assert {finding.code for finding in findings(path)} == ({code} if kind == "bad" else set())


@each("path", BAD, ids=name)
def test_finding_has_expected_and_found(path: Path) -> None:
    for finding in findings(path):
        assert finding.severity == RULES[finding.code].severity
        assert finding.pointer.startswith("/")
        assert finding.expected
        assert finding.found
        assert "\n" not in str(finding)


@each("path", BAD, ids=name)
def test_no_finding_without_the_rule(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rest = RuleSet(built_in_rules()).without(path.parts[-3])
    with monkeypatch.context() as patch:
        patch.setattr(ruleset, "_installed", lambda: (rest, ()))
        assert findings(path) == []


def subset(part: int) -> dict[str, Any]:
    """Return an input that is a part of a dataset."""
    condition = {"type": "location", "locations": [str(part)]}
    return {**DATASET, "inputFacets": {"subset": {**FACET, "inputCondition": condition}}}


@each(
    ("inputs", "overlap"),
    [
        ([DATASET, subset(1)], True),
        ([DATASET, subset(1), subset(2)], True),
        ([subset(1), subset(2)], False),
        ([subset(1), subset(2), subset(1)], True),
    ],
)
def test_duplicate_datasets_are_found_in_any_order(inputs: list[Any], overlap: bool) -> None:
    for ordered in permutations(inputs):
        document = Document(run_event(inputs=list(ordered)))
        assert bool(list(RULES["OL307"].check(document))) == overlap


def test_many_subsets_of_a_dataset_are_not_compared_in_pairs() -> None:
    compared = 0

    class Subset(dict[str, Any]):
        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return super().__eq__(other)

    parts = [{**DATASET, "inputFacets": {"subset": Subset(part=number)}} for number in range(100)]
    assert list(RULES["OL307"].check(Document(run_event(inputs=parts)))) == []
    assert compared <= len(parts)


@each(
    "event",
    [
        on_job("tags", {**FACET, "_deleted": True, "tags": [{"key": "a", "value": "1"}] * 2}),
        run_event(
            inputs=[DATASET],
            outputs=[
                {
                    **DATASET,
                    "facets": {
                        "columnLineage": {
                            **FACET,
                            "_deleted": True,
                            "fields": {"a": {"inputFields": [{**DATASET, "name": "other", "field": "b"}]}},
                        }
                    },
                }
            ],
        ),
    ],
    ids=["OL301", "OL303"],
)
def test_the_rest_of_a_tombstone_is_not_checked(event: Any) -> None:
    assert not {one.code for one in validate(event)} & {"OL301", "OL303"}


@pytest.mark.parametrize(
    ("key", "example"),
    [
        ("environment-properties", "acme_environmentProperties"),
        ("cost", "acme_cost"),
        ("spark.acmePlan", "spark_acmePlan"),
        ("Acme/daily-cost", "acme_dailyCost"),
    ],
)
def test_the_example_of_a_facet_key_has_a_prefix(key: str, example: str) -> None:
    facet = {"_producer": "https://acme.example.com", "_schemaURL": "https://acme.example.com/x.json"}
    event = RunEvent(run=Run(), job=Job(namespace="etl", name="daily")).to_dict()
    event["run"]["facets"] = {key: facet}
    (finding,) = [one for one in validate(event) if one.code == "OL101"]
    assert finding.hint == f"rename it, for example to '{example}'"
