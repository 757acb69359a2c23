"""Facets of jobs and datasets are in force until they are replaced or deleted."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import partial

import pytest

from openlineage_facets.facets import (
    DatasetFacet,
    OwnershipDatasetFacet,
    TagDatasetFacet,
    TagsDatasetFacet,
    ownership_dataset,
    tag,
    tags_dataset,
)
from openlineage_facets.state import DatasetState, LineageState
from tests.events import folded
from tests.state.sample_events import (
    OTHER_RUN,
    at,
    dataset_event,
    documentation_of,
    documented,
    job_documented,
    job_event,
    reading,
    run_event,
    writing,
)


def orders(state: LineageState, moment: datetime | str | None = None) -> DatasetState:
    dataset = state.dataset("db", "orders", at=moment)
    assert dataset is not None
    return dataset


def documentation(state: LineageState, moment: datetime | str | None = None) -> str | None:
    return documentation_of(orders(state, moment).facets)


DELETED = DatasetFacet(deleted=True)


def test_facet_is_in_force_until_replaced() -> None:
    state = folded(dataset_event(1, documented("old")), dataset_event(2))
    assert documentation(state) == "old"
    state.apply(dataset_event(3, documented("new")))
    assert documentation(state) == "new"


def test_late_event_does_not_replace_newer_facet() -> None:
    assert (
        documentation(folded(dataset_event(2, documented("new")), dataset_event(1, documented("old"))))
        == "new"
    )


def test_facet_is_replaced_as_a_whole() -> None:
    owners = [ownership_dataset.Owner(name="team:a"), ownership_dataset.Owner(name="team:b")]
    state = folded(
        dataset_event(1, OwnershipDatasetFacet(owners=owners), documented("kept")),
        dataset_event(2, OwnershipDatasetFacet(owners=owners[:1])),
    )
    assert orders(state).facets.ownership == OwnershipDatasetFacet(owners=owners[:1])
    assert documentation(state) == "kept"


def test_deleted_facet_can_be_added_again() -> None:
    state = folded(dataset_event(1, documented("old")))
    state.apply(dataset_event(3, documentation=DELETED))
    assert "documentation" not in orders(state).facets
    assert documentation(state, at(2)) == "old"
    state.apply(dataset_event(4, documented("new")))
    assert documentation(state) == "new"


def test_tombstone_can_arrive_before_the_facet() -> None:
    state = folded(dataset_event(3, documentation=DELETED), dataset_event(1, documented("old")))
    assert documentation(state) is None


def test_custom_facet_is_replaced_by_key() -> None:
    state = folded(*(dataset_event(second, acme_grade=DatasetFacet(grade=second)) for second in (2, 1)))
    assert orders(state).facets["acme_grade"] == DatasetFacet(grade=2)


def test_latest_tags_facet_has_all_tags() -> None:
    released = partial(tags_dataset.TagsDatasetFacetFields, source="CATALOG")
    first = TagsDatasetFacet(tags=[released(key="pii", value="true"), released(key="team", value="a")])
    second = TagDatasetFacet(tags=[tag.TagFacetFields(key="team", value="b")])
    state = folded(dataset_event(1, first), dataset_event(2, second))
    assert orders(state).facets["tags"] == second


def test_run_events_and_dataset_events_update_the_same_dataset() -> None:
    state = folded(
        run_event(1, "START", outputs=writing(documented("as written"))),
        dataset_event(2, documented("as catalogued")),
        run_event(3, "START", OTHER_RUN, inputs=reading(documented("as read"))),
    )
    assert documentation(state) == "as read"
    assert documentation(state, at(2)) == "as catalogued"


def test_job_facets_over_time() -> None:
    state = folded(
        run_event(2, "START", job_facets=[job_documented("ran")]), job_event(1, job_documented("planned"))
    )
    job, then = state.job("etl", "load"), state.job("etl", "load", at=at(1))
    assert job is not None
    assert then is not None
    assert (documentation_of(job.facets), documentation_of(then.facets)) == ("ran", "planned")


def test_at_accepts_text_and_datetime() -> None:
    state = folded(dataset_event(1, documented("old")), dataset_event(3, documented("new")))
    assert documentation(state, datetime(2026, 1, 1, 0, 0, 2, tzinfo=timezone.utc)) == "old"
    assert documentation(state, "2026-01-01T01:00:03+01:00") == "new"


def test_naive_datetime_is_rejected() -> None:
    with pytest.raises(ValueError, match="tzinfo"):
        folded(dataset_event(1)).dataset("db", "orders", at=datetime(2026, 1, 1))


def test_unknown_entities_are_none() -> None:
    state = folded(dataset_event(2), job_event(2))
    assert state.dataset("db", "nowhere") is None
    assert state.dataset("db", "orders", at=at(1)) is None
    assert state.job("etl", "load", at=at(1)) is None
    assert state.run(OTHER_RUN) is None


def test_first_and_last_seen() -> None:
    dataset = orders(folded(dataset_event(3), dataset_event(1), run_event(2, "START", inputs=reading())))
    assert (dataset.first_seen.text, dataset.last_seen.text) == (at(1), at(3))


class TestSameTime:
    def test_nanoseconds_are_compared(self) -> None:
        state = folded(
            dataset_event("01.000000002", documented("new")), dataset_event("01.000000001", documented("old"))
        )
        assert documentation(state) == "new"
        assert documentation(state, at("01.000000001")) == "old"

    def test_offsets_are_compared(self) -> None:
        late = dataset_event(1, documented("new")).replace(event_time="2026-01-01T00:30:00+00:00")
        early = dataset_event(1, documented("old")).replace(event_time="2026-01-01T01:00:00+01:00")
        assert documentation(folded(late, early)) == "new"

    def test_run_event_wins_over_static_event(self) -> None:
        static, run = (
            dataset_event(1, documented("static")),
            run_event(1, "START", inputs=reading(documented("run"))),
        )
        assert documentation(folded(static, run)) == documentation(folded(run, static)) == "run"

    @pytest.mark.parametrize(
        ("lesser", "greater"),
        [
            ("START", "RUNNING"),
            ("RUNNING", "OTHER"),
            ("OTHER", "FAIL"),
            ("FAIL", "ABORT"),
            ("ABORT", "COMPLETE"),
        ],
    )
    def test_later_event_type_in_lifecycle_wins(self, lesser: str, greater: str) -> None:
        events = [
            run_event(1, event_type, inputs=reading(documented(event_type)))
            for event_type in (greater, lesser)
        ]
        assert documentation(folded(*events)) == greater

    def test_facet_of_output_wins_over_facet_of_input(self) -> None:
        event = run_event(
            1, "START", inputs=reading(documented("x read")), outputs=writing(documented("a written"))
        )
        assert documentation(folded(event)) == "a written"

    def test_greater_canonical_json_wins(self) -> None:
        events = [dataset_event(1, documented(text)) for text in ("b", "a", "c")]
        assert documentation(folded(*events)) == "c"
