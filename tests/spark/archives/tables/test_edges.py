"""The driver computes edges in the order of Spark, without Spark."""

from __future__ import annotations

from openlineage_facets.spark.archives.folding import PartialFold, merged_in_any_order
from openlineage_facets.spark.archives.tables.edges import edge_records, edge_tables
from tests.events import facet
from tests.graphs.sample_graphs import dataset, run_event


def test_transformations_without_a_subtype_come_first_as_in_spark() -> None:
    out = dataset("out", ("x",), {"x": [("raw", "id")]})
    steps = [
        {"type": "DIRECT", "subtype": "IDENTITY"},
        {"type": "DIRECT"},
        {"type": "DIRECT", "masking": True},
    ]
    source = {"namespace": "db", "name": "raw", "field": "id", "transformations": steps}
    out["facets"]["columnLineage"] = facet(fields={"x": {"inputFields": [source]}})
    folded = PartialFold()
    folded.add(run_event("load", [dataset("raw")], [out]), 0)
    _, ((_, _, transformations),) = edge_tables(edge_records(merged_in_any_order(folded.take())))
    ordered = [(step["type"], step["subtype"], step["masking"]) for step in transformations]
    assert ordered == [("DIRECT", None, None), ("DIRECT", None, True), ("DIRECT", "IDENTITY", None)]
