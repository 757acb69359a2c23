"""Packed records are those that were packed, in buckets that merge independently."""

from __future__ import annotations

from itertools import chain, groupby
from random import Random
from types import SimpleNamespace

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openlineage_facets.spark.archives import record as packing
from openlineage_facets.spark.archives.folding import PartialFold, merged_in_any_order
from openlineage_facets.spark.archives.record import Record, packed_records, records_in_text
from tests.hypothesis_profiles import share
from tests.spark.archives.sample_events import event_with_lineage

pytestmark = pytest.mark.check


def records_of(random: Random) -> list[Record]:
    fold = PartialFold()
    for _ in range(20):
        fold.add(event_with_lineage(random), 0)
    return list(fold.take())


@given(st.integers(0, 1 << 32).map(Random))
@settings(max_examples=share(0.5))
def test_buckets_merge_independently(random: Random) -> None:
    parts = [records_of(random), records_of(random)]
    texts = sorted(it.text for part in parts for it in packed_records(part))
    by_bucket = (
        merged_in_any_order(record for text in same for record in records_in_text(text))
        for _, same in groupby(texts, lambda text: text[0])
    )
    assert sorted(chain(*by_bucket)) == sorted(merged_in_any_order(chain(*parts)))


def test_repeated_values_need_little_space() -> None:
    facet = '{"name":"a text that many records have"}' * 20
    records = [Record("run", "", f"run {number}", content=facet) for number in range(1000)]
    packed = list(packed_records(records))
    size = sum(it.size for it in packed)
    assert size > 1000 * len(facet)
    assert 10 * sum(len(it.text) for it in packed) < size


def test_a_large_bucket_has_several_texts() -> None:
    records = [Record("job facet", "etl", "daily", "sql", f"{number}" * (1 << 20)) for number in range(9)]
    packed = list(packed_records(records))
    assert len(packed) > 1
    assert [record for it in packed for record in records_in_text(it.text)] == records


def test_lone_surrogates_are_replaced() -> None:
    (packed,) = packed_records([Record("job", "etl", "caf\udce9")])
    assert [record.name for record in records_in_text(packed.text)] == ["caf?"]


def test_without_the_codec_records_are_not_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record("job", "etl", "daily", value="x" * 10_000)
    (compressed,) = packed_records([record])
    codec = SimpleNamespace(is_available=lambda name: False)
    monkeypatch.setattr(packing, "pa", SimpleNamespace(Codec=codec, BufferOutputStream=pa.BufferOutputStream))
    (packed,) = packed_records([record])
    assert len(packed.text) > 10_000 > len(compressed.text)
    assert list(records_in_text(packed.text)) == [record]
