"""The part of a lineage graph that a review is about: what stays the same when a job runs again."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from openlineage_facets.state import DatasetId, Edge, JobId, Lineage, LineageDataset, LineageJob
from openlineage_facets.state.column_edges import ColumnEdges, Ends, Node, Steps, Transformation, unique_steps
from openlineage_facets.state.instants import timestamp_of
from openlineage_facets.state.lineage import LineageBuilder
from openlineage_facets.state.lineage_nodes import columns_of, member_of, objects

_NO_TIME = timestamp_of((0, ""))
"""The time of edges in a graph without times: the beginning of 1970."""

REVIEWED_FACETS = frozenset({"documentation", "ownership", "schema", "tags"})
"""The facets that are reviewed."""


class ReviewedLineage(Lineage):
    """A graph of `reviewed`."""

    __slots__ = ()


def reviewed(lineage: Lineage) -> ReviewedLineage:
    """Return a graph without what differs between two runs of the same jobs.

    Kept are jobs, datasets, columns with their types, edges with their transformations, owners, tags and
    descriptions. Removed are runs, times, origins of edges, descriptions of transformations, other facets.
    """
    if isinstance(lineage, ReviewedLineage):
        return lineage
    columns = ColumnEdges.of(lineage.columns)
    computed = columns.by_target()
    return ReviewedLineage(
        tuple(
            timeless_edge(edge.source, edge.target, edge.inputs, has_columns=edge.has_columns)
            for edge in reviewed_edges(lineage)
        ),
        columns.with_steps(reviewed_steps),
        tuple(LineageJob(id=job.id, facets=reviewed_facets(job.facets)) for job in lineage.jobs),
        tuple(_reviewed_dataset(dataset, columns.ends, computed) for dataset in lineage.datasets),
    )


def timeless_edge(
    source: Node, target: Node, inputs: tuple[DatasetId, ...] | None = None, *, has_columns: bool = True
) -> Edge:
    """Return an edge of a graph without times; for the arguments, see `Edge`."""
    return Edge(source, target, ("job",), _NO_TIME, _NO_TIME, inputs, has_columns)


def joined(lineages: Sequence[Lineage]) -> Lineage:
    """Return one graph of several. If two have facets of the same job or dataset, the later one counts."""
    if len(lineages) == 1:
        return lineages[0]
    builder = LineageBuilder()
    for lineage in lineages:
        builder.add_lineage(lineage)
    return builder.lineage()


def sorted_items(facets: Mapping[str, Any], key: str, name: str, *fields: str) -> list[dict[str, str]]:
    """Return the objects in a facet's list with some of their fields, sorted and without duplicates.

    Args:
        facets: Facets, which may be invalid.
        key: The key of the facet.
        name: The name of the list.
        fields: The fields, of which the first one is required. All are strings.
    """
    items = (
        tuple((field, item[field]) for field in fields if isinstance(item.get(field), str))
        for item in objects(member_of(facets, key, name))
        if isinstance(item.get(fields[0]), str)
    )
    return [*map(dict, sorted(set(items)))]


def entities_of(lineage: Lineage) -> tuple[LineageJob | LineageDataset, ...]:
    """Return the jobs and the datasets of a graph."""
    return (*lineage.jobs, *lineage.datasets)


def written_datasets(lineage: Lineage) -> set[Node]:
    """Return the datasets that jobs write."""
    return {edge.target for edge in lineage.edges if isinstance(edge.source, JobId)}


def owners_of(entity: LineageJob | LineageDataset) -> tuple[str, ...]:
    """Return the names of the owners of a job or dataset."""
    return tuple(owner["name"] for owner in sorted_items(entity.facets, "ownership", "owners", "name"))


def facets_of(owners: Any, tags: Any, description: str | None, fields: Any = ()) -> dict[str, Any]:
    """Return the facets that are reviewed, without those that are empty."""
    return {
        **({"ownership": {"owners": owners}} if owners else {}),
        **({"tags": {"tags": tags}} if tags else {}),
        **({} if description is None else {"documentation": {"description": description}}),
        **({"schema": {"fields": fields}} if fields else {}),
    }


def reviewed_facets(facets: Mapping[str, Any], fields: Sequence[Any] | None = None) -> dict[str, Any]:
    """Return the facets of a job, or with fields those of a dataset, as in the graph of `reviewed`."""
    owners = sorted_items(facets, "ownership", "owners", "name", "type")
    names = ("key", "value") if fields is None else ("key", "value", "field")
    tags = sorted_items(facets, "tags", "tags", *names)
    description = member_of(facets, "documentation", "description")
    return facets_of(owners, tags, description if isinstance(description, str) else None, fields)


def reviewed_edges(lineage: Lineage) -> Sequence[Edge]:
    """Return the edges of a graph without those from an input to an output for which a job declares it.

    The `lineage` facet of a job leads to both, so each change would be there twice.
    """
    declared = {(source, edge.target) for edge in lineage.edges for source in edge.inputs or ()}
    return [edge for edge in lineage.edges if (edge.source, edge.target) not in declared]


def facets_of_dataset(dataset: LineageDataset, ends: Ends, computed: Container[int | None]) -> dict[str, Any]:
    """Return the facets of a dataset as in the graph of `reviewed`.

    Args:
        dataset: The dataset.
        ends: The numbers of columns.
        computed: The numbers of those that are computed from something.
    """
    fields = _fields(member_of(dataset.facets, "schema", "fields"))
    numbers = ends.columns(dataset.id)
    for column in dataset.columns:
        # That a column is read is the lineage of others. If a schema does not have it, it has been removed.
        if column.name not in fields and numbers.get(column.name) in computed:
            fields[column.name] = {"name": column.name}
    return reviewed_facets(dataset.facets, [*fields.values()])


def _reviewed_dataset(dataset: LineageDataset, ends: Ends, computed: Container[int | None]) -> LineageDataset:
    facets, columns = facets_of_dataset(dataset, ends, computed), dataset.columns
    if len(facets.get("schema", {}).get("fields", ())) != len(columns):
        columns = columns_of(facets, [column.name for column in columns])
    return LineageDataset(id=dataset.id, columns=columns, facets=facets)


_TEXTS = ("name", "type", "description")


def _fields(fields: Any) -> dict[str, dict[str, Any]]:
    reviewed_columns: dict[str, dict[str, Any]] = {}
    for column in objects(fields):
        field: dict[str, Any] = {}
        for name in _TEXTS:
            # An empty description is none.
            if isinstance(text := column.get(name), str) and (text or name != "description"):
                field[name] = text
        if "name" in field:
            if "fields" in column and (nested := _fields(column["fields"])):
                field["fields"] = list(nested.values())
            reviewed_columns[field["name"]] = field
    return reviewed_columns


def reviewed_fields(dataset: LineageDataset) -> Sequence[dict[str, Any]]:
    """Return the columns in the schema of a dataset of `reviewed`, without those that are only read."""
    fields: Sequence[dict[str, Any]] = dataset.facets.get("schema", {}).get("fields", ())
    return fields


def reviewed_steps(steps: Steps) -> Steps:
    """Return transformations without their descriptions."""
    return unique_steps(Transformation(step.type, step.subtype, None, step.masking or None) for step in steps)
