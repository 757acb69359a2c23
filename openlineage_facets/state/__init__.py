"""The current state of jobs, datasets and runs, folded from a stream of events.

>>> from openlineage_facets.state import LineageState
>>> state = LineageState()
>>> state.apply(event)
>>> state.job("etl", "orders.daily").facets.ownership
OwnershipJobFacet(owners=(Owner(name='team:orders'),))
"""

from __future__ import annotations

from openlineage_facets.state.column_edges import ColumnEdge, Node, Transformation
from openlineage_facets.state.entities import (
    ColumnId,
    DatasetId,
    DatasetState,
    JobId,
    JobState,
    RunInput,
    RunOutput,
    RunState,
)
from openlineage_facets.state.lineage import Edge, Flow, Lineage, Origin
from openlineage_facets.state.lineage_nodes import (
    LineageColumn,
    LineageDataset,
    LineageJob,
    LineageRun,
    RunFacetsOfDataset,
)
from openlineage_facets.state.lineage_state import LineageState

__all__ = [
    "ColumnEdge",
    "ColumnId",
    "DatasetId",
    "DatasetState",
    "Edge",
    "Flow",
    "JobId",
    "JobState",
    "Lineage",
    "LineageColumn",
    "LineageDataset",
    "LineageJob",
    "LineageRun",
    "LineageState",
    "Node",
    "Origin",
    "RunFacetsOfDataset",
    "RunInput",
    "RunOutput",
    "RunState",
    "Transformation",
]
