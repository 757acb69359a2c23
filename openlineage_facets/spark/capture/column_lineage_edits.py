"""Merge column lineage facets and rename the datasets in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openlineage_facets.facets import ColumnLineageDatasetFacet


def merge_column_lineage(
    first: ColumnLineageDatasetFacet | None, second: ColumnLineageDatasetFacet | None
) -> ColumnLineageDatasetFacet | None:
    """Return the column lineage of a dataset that two writes have filled."""
    if first is None or second is None or first == second:
        return second if first is None else first
    merged, added = first.to_dict(), second.to_dict()
    for column, field in added["fields"].items():
        known = merged["fields"].setdefault(column, {"inputFields": []})
        known["inputFields"] = _united(known["inputFields"], field["inputFields"])
    indirect = _united(merged.get("dataset") or [], added.get("dataset") or [])
    if indirect:
        merged["dataset"] = indirect
    return ColumnLineageDatasetFacet.from_json(merged)


def _united(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the input fields of two lists: one for each column, with the transformations of both."""
    united: dict[tuple[str, str, str], dict[str, Any]] = {}
    for field in (*first, *second):
        column = field["namespace"], field["name"], field["field"]
        steps = united.setdefault(column, field).get("transformations", [])
        added = [step for step in field.get("transformations", ()) if step not in steps]
        if added:
            united[column] = {**united[column], "transformations": [*steps, *added]}
    return list(united.values())


def rename_sources(
    lineage: ColumnLineageDatasetFacet, names: Mapping[tuple[str, str], tuple[str, str]]
) -> ColumnLineageDatasetFacet:
    """Return column lineage with other names for its source datasets.

    Args:
        lineage: The facet.
        names: New namespace and name of a dataset, by the present ones.
    """
    document = lineage.to_dict()
    for source in _sources(document):
        name = names.get((source["namespace"], source["name"]))
        if name is not None:
            source["namespace"], source["name"] = name
    return ColumnLineageDatasetFacet.from_json(document)


def _sources(document: dict[str, Any]) -> list[dict[str, Any]]:
    by_column = [field["inputFields"] for field in document.get("fields", {}).values()]
    return [source for sources in [*by_column, document.get("dataset") or []] for source in sources]
