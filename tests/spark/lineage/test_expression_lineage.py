"""Lineage of expressions from that of their operands."""

from __future__ import annotations

import pytest

from openlineage_facets.spark.lineage.expression_lineage import operator_lineage
from openlineage_facets.spark.lineage.value_lineage import IDENTITY, Effect


@pytest.mark.parametrize("kind", ["Count", "CountMinSketchAgg", "HllSketchAgg", "RegrCount"])
def test_counts_hide_what_they_count(kind: str) -> None:
    masked = Effect("DIRECT", "TRANSFORMATION", masking=True)
    assert operator_lineage(kind, [{(0, "a"): IDENTITY}]) == {(0, "a"): frozenset({masked})}
