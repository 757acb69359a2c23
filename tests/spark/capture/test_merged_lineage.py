"""The column lineage of an output is merged from that of its writes, in little time for each."""

from __future__ import annotations

from typing import Any

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.capture.merged_lineage import NO_LINEAGE, MergedLineage


def copied(source: str, *columns: str, subtype: str = "IDENTITY") -> ColumnLineageDatasetFacet:
    """Return the column lineage of a copy of columns, whose rows the first one determines."""
    steps = [{"type": "DIRECT", "subtype": subtype}]
    fields = [
        {"namespace": "file", "name": source, "field": column, "transformations": steps} for column in columns
    ]
    return ColumnLineageDatasetFacet(
        fields={column: {"inputFields": [field]} for column, field in zip(columns, fields, strict=True)},
        dataset=fields[:1],
        producer="https://example.com/etl",
    )


def merged(*facets: ColumnLineageDatasetFacet) -> MergedLineage:
    lineage = NO_LINEAGE
    for facet in facets:
        lineage |= MergedLineage.of(facet)
    return lineage


def sources(lineage: MergedLineage) -> dict[str, list[tuple[str, list[Any]]]]:
    return {
        name: [
            (source.name, [step.subtype for step in source.transformations or ()])
            for source in column.input_fields
        ]
        for name, column in lineage.facet.fields.items()
    }


def test_the_facet_of_one_write_is_its_own() -> None:
    facet = copied("a", "x", "y")
    assert MergedLineage.of(facet).facet == facet
    assert not MergedLineage.of(None)
    assert NO_LINEAGE.facet.fields == {}


def test_columns_that_several_writes_have_filled_have_the_sources_of_all() -> None:
    lineage = merged(
        copied("a", "x"), copied("b", "x", "y"), copied("a", "x", subtype="AGGREGATION"), copied("a", "x")
    )
    assert sources(lineage) == {
        "x": [("a", ["IDENTITY", "AGGREGATION"]), ("b", ["IDENTITY"])],
        "y": [("b", ["IDENTITY"])],
    }
    assert [source.name for source in lineage.facet.dataset or ()] == ["a", "b"]


def test_datasets_under_one_name_are_one_source() -> None:
    lineage = merged(copied("a", "x"), copied("b", "x", subtype="AGGREGATION"), copied("c", "x"))
    renamed = lineage.renamed({("file", "a"): ("lake", "all"), ("file", "b"): ("lake", "all")})
    assert sources(renamed) == {"x": [("all", ["IDENTITY", "AGGREGATION"]), ("c", ["IDENTITY"])]}
    assert [source.namespace for source in renamed.facet.dataset or ()] == ["lake", "file"]


def test_another_write_composes_no_sources_again() -> None:
    facets = [copied(f"input{number}", "x") for number in range(100)]
    lineage = merged(*facets)
    found = lineage.facet.fields["x"].input_fields
    assert len(found) == 100
    assert all(
        source is facet.fields["x"].input_fields[0] for source, facet in zip(found, facets, strict=True)
    )
    assert lineage | MergedLineage.of(copied("input7", "x")) is lineage, "its facet is not composed again"
