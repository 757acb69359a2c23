"""Lock files contain the lineage of jobs, and nothing that differs between two runs of them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.review import compare, lock_text, read_lock, reviewed
from openlineage_facets.review.lock_reading import LockReader, entity_texts
from openlineage_facets.review.report import text_report
from openlineage_facets.review.reviewed_lineage import REVIEWED_FACETS
from openlineage_facets.state import DatasetId, JobId, Lineage
from tests.cases import each
from tests.graphs.sample_graphs import (
    dataset,
    filtered,
    folded,
    hostile,
    lineage_facet,
    orders,
    orders_events,
    run_event,
)
from tests.review import graphs_to_review

FORMAT = '"format": "openlineage-facets lock 1"'


@given(graphs_to_review.EVENTS)
def test_a_lock_read_back_equals_the_reviewed_part_of_the_state(events: list[dict[str, Any]]) -> None:
    lineage = graphs_to_review.folded(events).lineage()
    assert read_lock(lock_text(lineage)) == reviewed(lineage)


@given(graphs_to_review.EVENTS)
def test_a_lock_needs_only_the_facets_that_are_reviewed(events: list[dict[str, Any]]) -> None:
    state = graphs_to_review.folded(events)
    assert lock_text(state.lineage(facets=REVIEWED_FACETS)) == lock_text(state.lineage())


@given(graphs_to_review.EVENTS, st.randoms(use_true_random=False))
def test_order_and_duplicates_of_events_do_not_matter(events: list[dict[str, Any]], random: Random) -> None:
    again = [*events, *random.sample(events, len(events) // 2)]
    random.shuffle(again)
    assert lock_text(graphs_to_review.folded(again).lineage()) == lock_text(
        graphs_to_review.folded(events).lineage()
    )


@given(graphs_to_review.EVENTS, st.sampled_from([None, 4]))
def test_a_lock_that_another_program_has_formatted_has_the_same_graph(
    events: list[dict[str, Any]], indent: int | None
) -> None:
    text = lock_text(graphs_to_review.folded(events).lineage())
    assert read_lock(json.dumps(json.loads(text), indent=indent)) == read_lock(text)


@given(graphs_to_review.EVENTS, graphs_to_review.EVENTS)
def test_what_two_locks_have_in_common_does_not_change_their_graphs(
    events: list[dict[str, Any]], others: list[dict[str, Any]]
) -> None:
    texts = [
        lock_text(graphs_to_review.folded(emitted).lineage()) for emitted in (events, [*events, *others])
    ]
    reader = LockReader()
    assert [reader.read(text) for text in texts] == [read_lock(text) for text in texts]
    shared = compare(*map(reader.read, texts))
    assert text_report(shared) == text_report(compare(*map(read_lock, texts)))


def test_a_job_and_a_dataset_may_have_the_same_name() -> None:
    events = [
        run_event("load", [], [{"namespace": "etl", "name": "orders"}]),
        run_event("orders", [], [], second=1),
    ]
    lineage = read_lock(lock_text(graphs_to_review.folded(events).lineage()))
    assert [job.id for job in lineage.jobs] == [JobId("etl", "load"), JobId("etl", "orders")]
    assert [node.id for node in lineage.datasets] == [DatasetId("etl", "orders")]


def test_sources_are_sorted() -> None:
    names = ["x", "c", "a", "b"]

    def lineage(names: list[str]) -> Lineage:
        daily = dataset("daily", ("id",), {"id": [("raw", name) for name in names]})
        return folded([run_event("load", [dataset("raw", ("a", "b", "c", "x"))], [daily])])

    assert lock_text(lineage(names)) == lock_text(lineage(sorted(names)))


def test_names_with_markup_and_line_breaks_are_read_back() -> None:
    assert read_lock(lock_text(hostile())) == reviewed(hostile())


def test_later_runs_of_the_same_jobs_have_the_same_lock() -> None:
    text = lock_text(orders())
    later = json.loads(
        json.dumps(orders_events())
        .replace("2026-11-21", "2027-01-01")
        .replace("01950000", "01960000")
        .replace("1234567", "7")
    )
    assert lock_text(folded(later)) == text
    assert not [word for word in ("2026", "01950000", "1234567", "disk full") if word in text]


def test_one_changed_source_changes_one_line() -> None:
    before = lock_text(filtered()).splitlines()
    after = lock_text(filtered()).replace('"status", "by"', '"state", "by"').splitlines()
    changed = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    assert [pair[1].strip() for pair in changed] == [
        '{"namespace": "db", "name": "raw/orders", "column": "state", '
        '"by": [{"type": "INDIRECT", "subtype": "FILTER"}]}'
    ]


def test_owners_tags_descriptions_and_nested_columns_are_kept() -> None:
    source = {
        "namespace": "db",
        "name": "orders",
        "facets": {
            "schema": {
                "fields": [
                    {"name": "id", "type": "long", "description": "number", "ordinal_position": 1},
                    {"name": "customer", "type": "struct", "fields": [{"name": "email", "type": "string"}]},
                ]
            },
            "tags": {"tags": [{"key": "pii", "value": "true", "field": "customer", "source": "USER"}]},
            "ownership": {"owners": [{"name": "team:shop", "type": "OWNER"}] * 2},
            "documentation": {"description": "all orders"},
        },
    }  # fmt: skip
    lock = json.loads(lock_text(folded([run_event("load", [source], [])])))
    assert lock["datasets"] == [
        {
            "namespace": "db",
            "name": "orders",
            "description": "all orders",
            "owners": [{"name": "team:shop", "type": "OWNER"}],
            "tags": [{"key": "pii", "value": "true", "field": "customer"}],
            "columns": [
                {"name": "id", "type": "long", "description": "number"},
                {"name": "customer", "type": "struct", "fields": [{"name": "email", "type": "string"}]},
            ],
        }
    ]


@each(
    ("text", "message"),
    [
        ("", "expected a lock file: (root): invalid JSON: EOF while parsing a value at line 1 column 0"),
        (
            f"{{{FORMAT},\n<<<<<<< HEAD\n",
            "expected a lock file, found a merge conflict in line 2; resolve the merge, or delete the file",
        ),
        ("[]", "expected a lock file: (root): input should be an object, found an empty array"),
        ("{}", "expected a lock file: /format: field required"),
        (
            f'{{{FORMAT}, "jobs": [{{"namespace": "etl"}}]}}',
            "expected a lock file: /jobs/0/name: field required",
        ),
        (
            f'{{{FORMAT}, "jobs": [], "job": 1}}',
            "expected a lock file: /job: extra inputs are not permitted, found 1",
        ),
        (
            '{"format": "openlineage-facets lock 2"}',
            'expected openlineage-facets lock 1, found "openlineage-facets lock 2"; '
            "another version of openlineage-facets has written it",
        ),
    ],
)
def test_text_that_is_no_lock_is_rejected_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        read_lock(text)
    assert str(error.value) == message


@given(graphs_to_review.EVENTS)
def test_each_job_and_dataset_is_read_alone_which_needs_less_memory(events: list[dict[str, Any]]) -> None:
    lineage = graphs_to_review.folded(events).lineage()
    if lineage.jobs and lineage.datasets:
        entities = [kind for kind, _ in entity_texts(lock_text(lineage).encode())]
        assert entities == ["job"] * len(lineage.jobs) + ["dataset"] * len(lineage.datasets)


def test_flows_that_jobs_imply_are_left_out() -> None:
    sources = [{"namespace": "db", "name": name, "type": "DATASET"} for name in ("raw", "rates")]
    event = run_event("load", [dataset("raw")], [dataset("daily")])
    entry = {"namespace": "db", "name": "daily", "type": "DATASET", "inputs": sources[:1]}
    event["job"]["facets"] = {"lineage": lineage_facet(entries=[entry])}
    (daily, *_) = json.loads(lock_text(folded([event])))["datasets"]
    assert daily == {"namespace": "db", "name": "daily"}
    event["outputs"][0]["facets"]["lineage"] = lineage_facet(inputs=sources)
    (daily, *_) = json.loads(lock_text(folded([event])))["datasets"]
    assert daily["sources"] == [{"namespace": "db", "name": "rates"}]
