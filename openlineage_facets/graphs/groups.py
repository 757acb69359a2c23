"""The groups of jobs and datasets, which stand for them in the overview of a large graph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from openlineage_facets.graphs.labels import first_difference
from openlineage_facets.graphs.layout import layered
from openlineage_facets.graphs.links import Link
from openlineage_facets.graphs.ways import Grid, Way, grid_of
from openlineage_facets.state import DatasetId, JobId, Node

_LARGE = 60
"""Namespaces with more datasets are divided by the beginning of their names."""

_SMALLEST_PART = 0.05
"""The smallest part of a namespace that becomes a group."""

_MOST_GROUPS = 16
"""Namespaces are not divided into more: links between many groups hide each other."""


def groups_of(nodes: Iterable[Node], links: Sequence[Link]) -> dict[Node, str]:
    """Return the name of the group of each node.

    Datasets are grouped by namespace. A job is in the group of the first dataset that it writes or, if there
    is none, reads: groups of jobs would be connected with everything, in both directions.

    Args:
        nodes: All jobs and datasets.
        links: The links between them.
    """
    nodes = list(nodes)
    groups = _of_datasets([node for node in nodes if isinstance(node, DatasetId)])
    for job, neighbour in (*links, *((target, source) for source, target in links)):
        if isinstance(job, JobId) and isinstance(neighbour, DatasetId):
            groups.setdefault(job, groups[neighbour])
    return {node: groups.get(node, node.namespace) for node in nodes}


def overview_of(links: Iterable[Way], groups: Sequence[int]) -> Grid:
    """Return the layers, lanes and links of groups.

    Args:
        links: The links between nodes.
        groups: The number of the group of each node.
    """
    ends = dict.fromkeys((groups[link.source], groups[link.target]) for link in links)
    count = max(groups, default=-1) + 1
    return grid_of(count, layered(count, [(source, target) for source, target in ends if source != target]))


def _of_datasets(datasets: Sequence[DatasetId]) -> dict[Node, str]:
    groups: dict[Node, str] = {dataset: dataset.namespace for dataset in datasets}
    sizes = Counter(groups.values())
    count = len(sizes)
    for namespace, size in sizes.most_common():
        if size > _LARGE:
            beginnings = _beginnings([dataset for dataset in datasets if dataset.namespace == namespace])
            parts = Counter(beginnings.values())
            large = {part for part in parts if parts[part] >= size * _SMALLEST_PART}
            if 0 < len(large) <= _MOST_GROUPS - count:
                count += len(large)
                groups.update({dataset: part for dataset, part in beginnings.items() if part in large})
    return groups


def _beginnings(datasets: Sequence[DatasetId]) -> dict[DatasetId, str]:
    """Return namespace and name of each dataset, up to the first part in which the names differ."""
    parts = {dataset: re.findall(r"(?s).[^/._-]*", dataset.name) for dataset in datasets}
    length = first_difference(list(parts.values())) + 1
    return {
        dataset: f"{dataset.namespace}/{''.join(names[:length]).lstrip('/')}"
        for dataset, names in parts.items()
    }
