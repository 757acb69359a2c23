"""Ranges of batches contain every batch at any time, in few folders, after any failures."""

from __future__ import annotations

from random import Random

import pytest

from openlineage_facets.spark.archives.streams import (
    MERGED_AT_ONCE,
    BatchRange,
    ranges_of,
    superseded_before,
    to_merge,
    written_by,
)

pytestmark = pytest.mark.check


def test_every_tenth_batch_merges_ten_ranges() -> None:
    assert written_by(8) == (8, 8)
    assert written_by(9) == (0, 9)
    assert written_by(99) == (0, 99)
    assert written_by(109) == (100, 109)
    assert str(written_by(999)) == "0-999"


def test_names_of_other_files_are_ignored() -> None:
    assert ranges_of(["_temporary", "10-19", "9-9", "_SUCCESS", "x0-9"]) == [(9, 9), (10, 19)]


def test_every_batch_is_contained_after_any_failures() -> None:
    random = Random(10)
    stored: dict[BatchRange, set[int]] = {}
    for batch in range(2500):
        for attempt in range(random.choice((1, 1, 1, 2, 3)), 0, -1):
            removed = superseded_before(batch, stored)
            if attempt > 1:  # This attempt fails while removing or while writing.
                removed = removed[: random.randrange(len(removed) + 1)]
            for one in removed:
                del stored[one]
            written = written_by(batch)
            parts = to_merge(written, stored)
            content = {batch}.union(*(stored[part] for part in parts))
            if attempt > 1:
                content = set(random.sample(sorted(content), random.randrange(len(content))))
                if random.random() < 0.5:
                    stored[written] = content
                continue
            assert len(parts) <= 3 * (MERGED_AT_ONCE - 1)
            stored[written] = content
        assert stored[written] == {*range(written.first, written.last + 1)}
        assert set().union(*stored.values()) == {*range(batch + 1)}
    assert len(stored) <= 5 * MERGED_AT_ONCE
