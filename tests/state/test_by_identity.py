"""Results are remembered for objects, not for equal values."""

from __future__ import annotations

from openlineage_facets.state import DatasetId
from openlineage_facets.state.by_identity import by_identity


def test_a_result_is_computed_once_for_each_object_and_never_belongs_to_a_later_one() -> None:
    calls: list[DatasetId] = []

    def name(dataset: DatasetId) -> str:
        calls.append(dataset)
        return dataset.name

    name_of = by_identity(name)
    shared = DatasetId("s3://lake", "raw/orders")
    assert [name_of(shared), name_of(shared)] == ["raw/orders", "raw/orders"]
    assert len(calls) == 1
    # Without a reference, CPython would give each of these the id of the one before.
    assert [name_of(DatasetId("s3://lake", str(number))) for number in range(9)] == list("012345678")
