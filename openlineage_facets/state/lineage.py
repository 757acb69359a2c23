"""The lineage graph of jobs, datasets and columns, and its builder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.generated.column_lineage_dataset import ColumnLineageDatasetFacet
from openlineage_facets.generated.lineage import (
    LineageDatasetEntry,
    LineageDatasetFacet,
    LineageDatasetInput,
    LineageJobEntry,
    LineageJobInput,
    LineageTransformation,
)
from openlineage_facets.state.column_edges import (
    ColumnEdge,
    ColumnEdges,
    End,
    Node,
    Transformation,
    primary_name,
    unique_steps,
)
from openlineage_facets.state.entities import ColumnId, DatasetId, JobId
from openlineage_facets.state.instants import Span, instant_of, timestamp_of, widened
from openlineage_facets.state.lineage_nodes import (
    LineageDataset,
    LineageJob,
    LineageRun,
    columns_of,
    joined_facets,
)

Origin: TypeAlias = Literal["run", "job", "facet"]
"""The source of an edge: a run event, a job event, or a current `lineage` facet."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Data flow from a job or dataset to another."""

    source: Node
    target: Node
    origins: tuple[Origin, ...]
    """The sources of the edge, sorted."""
    first_seen: Timestamp
    """The earliest event that reported it, in UTC."""
    last_seen: Timestamp
    """The latest event that reported it, in UTC. Edges are never removed, but may be stale."""
    inputs: tuple[DatasetId, ...] | None = None
    """For an edge from a job to a dataset: the inputs of the job that feed the dataset, sorted.

    None if that is unknown: not all runs that wrote the dataset have declared it in a `lineage` facet. Then
    all inputs of the job may feed it.
    """
    has_columns: bool = True
    """For an edge from a job to a dataset with lineage: whether the job reports lineage of its columns.

    Known only in a graph with what each job says about a dataset.
    """


@dataclass(frozen=True, order=True, slots=True)
class Flow:
    """Data flow from a dataset to another through a job."""

    source: DatasetId
    target: DatasetId
    job: JobId


@dataclass(frozen=True, eq=False, slots=True)
class Transfer:
    """Data flow from each of some datasets to each of others. Flows between all of them may be too many."""

    job: JobId | None
    """None if only facets of datasets report it."""
    sources: set[DatasetId]
    targets: list[DatasetId]
    columns: dict[DatasetId, set[DatasetId]] = field(default_factory=dict)
    """The sources whose columns contribute to each target, or decide about its rows.

    Empty if columns do not describe the targets. Then any column of the sources may be in them.
    """


@dataclass(frozen=True, slots=True)
class Lineage:
    """The graph of jobs, datasets and columns."""

    edges: tuple[Edge, ...]
    """Edges between datasets and jobs, and all edges of `lineage` facets; sorted."""
    columns: Sequence[ColumnEdge]
    """Column edges of the current `columnLineage` and `lineage` facets; sorted."""
    jobs: tuple[LineageJob, ...] = ()
    """All jobs with their facets and last run, also those without edges; sorted."""
    datasets: tuple[LineageDataset, ...] = ()
    """All datasets with their columns and facets, also those without edges; sorted."""

    def show(self) -> Path:
        """Open the graph as a page in a browser, and return the file of the page."""
        from openlineage_facets.base.display.notebook_html import show_graph

        return show_graph(self)

    def _repr_html_(self) -> str:
        """Return a picture and a table of the edges, for notebooks."""
        from openlineage_facets.base.display.notebook_html import notebook_list, picture_of

        ends = ((edge.source, edge.target) for edge in self.edges)
        rows = [
            (f"{source.namespace}/{source.name}", f"{target.namespace}/{target.name}")
            for source, target in ends
        ]
        title = f"Lineage({len(self.jobs)} jobs, {len(self.datasets)} datasets)"
        return picture_of(self) + notebook_list(title, ("from", "to"), rows)

    def flows(self) -> tuple[Flow, ...]:
        """Return the data flows between datasets, sorted.

        A dataset is fed by the declared inputs of the job that writes it, or else by all inputs of the job.

        Example:
            >>> for flow in state.lineage().flows():
            ...     print(flow.source.name, "->", flow.target.name, "by", flow.job.name)
        """
        flows = [
            Flow(source, target, transfer.job)
            for transfer in self.transfers()
            if transfer.job is not None
            for source in transfer.sources
            for target in transfer.targets
        ]
        return tuple(sorted(flows, key=_names_of_flow))

    def transfers(self) -> list[Transfer]:
        """Return the data flows between datasets by jobs, then those that only facets of datasets report.

        All outputs of a job that all its inputs feed are one or two transfers.
        """
        columns = ColumnEdges.of(self.columns)
        known = columns.ends.known
        of_columns = [(known[source], known[target]) for source, target in columns.nodes()]
        of_edges = [(edge.source, edge.target) for edge in self.edges]
        inputs, contributing = _datasets_before(of_edges), _datasets_before(of_columns)
        groups: dict[tuple[JobId, tuple[DatasetId, ...] | None, bool], Transfer] = {}
        for edge in self.edges:
            if isinstance(edge.source, JobId) and isinstance(edge.target, DatasetId):
                sources = inputs[edge.source] if edge.inputs is None else {*edge.inputs}
                of_target = contributing[edge.target] & sources if edge.has_columns else set()
                key = edge.source, edge.inputs, bool(of_target)
                transfer = groups.setdefault(key, Transfer(edge.source, sources, [], {}))
                transfer.targets.append(edge.target)
                if of_target:
                    transfer.columns[edge.target] = of_target
        others = _datasets_before([*of_edges, *of_columns])
        for transfer in groups.values():
            for target in transfer.targets:
                others[target] -= others[target] & transfer.sources  # Their jobs are known better.
        transfers = [*groups.values()]
        for end, remaining in others.items():
            if isinstance(end, DatasetId):
                described = remaining & contributing[end]
                transfers.append(Transfer(None, described, [end], {end: described}))
                transfers.append(Transfer(None, remaining - described, [end]))
        return [transfer for transfer in transfers if transfer.sources]


def _datasets_before(ends: Iterable[tuple[End, End]]) -> dict[End, set[DatasetId]]:
    """Return the datasets from which edges lead to each end."""
    sources: dict[End, set[DatasetId]] = defaultdict(set)
    for source, target in ends:
        if isinstance(source, DatasetId):
            sources[target].add(source)
    return sources


@dataclass(slots=True)
class LineageBuilder:
    """Collects edges without duplicates."""

    names: dict[DatasetId, DatasetId] = field(default_factory=dict)
    """The primary name of each dataset with several names."""
    _edges: dict[tuple[Node, Node], tuple[set[Origin], Span]] = field(default_factory=dict)
    _inputs: dict[tuple[Node, Node], set[DatasetId] | None] = field(default_factory=dict)
    columns: ColumnEdges = field(default_factory=ColumnEdges)
    without_columns: set[tuple[Node, Node]] = field(default_factory=set)
    """The edges from jobs to datasets without lineage of columns."""
    _reporting: dict[DatasetId, set[JobId | None]] = field(default_factory=dict)
    """The jobs that have reported lineage of columns of each dataset."""
    _jobs: dict[JobId, LineageJob] = field(default_factory=dict)
    _datasets: dict[DatasetId, list[LineageDataset]] = field(default_factory=dict)

    def add_job(self, job: LineageJob) -> None:
        """Add a job with its facets and last run."""
        self._jobs[job.id] = self._with_primary_names(job) if self.names else job

    def add_dataset(self, dataset: LineageDataset) -> None:
        """Add a dataset with its facets."""
        self._datasets.setdefault(self.names.get(dataset.id, dataset.id), []).append(dataset)

    def add(self, source: Node, target: Node, origin: Origin, span: Span) -> None:
        """Add an edge between jobs and datasets."""
        ends = self._named(source), self._named(target)
        origins, current = self._edges.setdefault(ends, (set(), span))
        origins.add(origin)
        self._edges[ends] = origins, widened(current, span)

    def add_inputs(self, job: JobId, target: DatasetId, inputs: Iterable[DatasetId] | None) -> None:
        """Add what fed a dataset that a job has written; None if a run has not declared it."""
        ends = job, self._named(target)
        known = self._inputs.setdefault(ends, set())
        if known is None or inputs is None:
            self._inputs[ends] = None
        else:
            known.update(self.names.get(dataset, dataset) for dataset in inputs)

    def add_columns(self, source: End, target: End, steps: Iterable[Transformation]) -> None:
        """Add an edge with a column at either end."""
        source, target = (primary_name(end, self.names) for end in (source, target))
        number = self.columns.ends.of
        self.columns.add(number(source), number(target), unique_steps(steps))

    def add_column_lineage(
        self, dataset: DatasetId, facet: ColumnLineageDatasetFacet, job: JobId | None = None
    ) -> None:
        """Add the edges of a `columnLineage` facet, which a run of a job has reported."""
        name = self.names.get(dataset, dataset)
        if self.columns.add_facet(name, facet, self.names):
            self._reporting.setdefault(name, set()).add(job)

    def add_dataset_lineage(
        self,
        dataset: DatasetId,
        facet: LineageDatasetFacet | LineageDatasetEntry,
        job: JobId | None,
        span: Span,
    ) -> None:
        """Add the edges of a dataset's `lineage` facet.

        Args:
            dataset: The dataset of the facet.
            facet: The facet, or an entry of a job's facet.
            job: The job meant by sources without a name.
            span: When the facet was reported.
        """
        if facet.fields:
            self._reporting.setdefault(self.names.get(dataset, dataset), set()).add(job)
        self._add_sources(facet.inputs or (), dataset, job, span)
        for name, entry in (facet.fields or {}).items():
            self._add_sources(entry.inputs, ColumnId(dataset, name), job, span)

    def add_job_lineage(self, job: JobId, entry: LineageDatasetEntry | LineageJobEntry, span: Span) -> None:
        """Add the edges of an entry of a job's `lineage` facet."""
        if isinstance(entry, LineageDatasetEntry):
            self.add_dataset_lineage(DatasetId(entry.namespace, entry.name), entry, job, span)
        else:
            self._add_sources(entry.inputs or (), _job(entry, job) or job, job, span)

    def find_edges_without_columns(self) -> None:
        """Find the outputs with lineage that jobs write without reporting any of their columns."""
        ends = self.columns.ends
        with_lineage = {ends.known[target] for _, target in self.columns.nodes()}
        for source, target in self._edges:
            if isinstance(source, JobId) and isinstance(target, DatasetId) and target in with_lineage:
                reported_by = self._reporting.get(target, set())
                if reported_by.isdisjoint((source, None)):
                    self.without_columns.add((source, target))

    def add_lineage(self, lineage: Lineage) -> None:
        """Add everything in another graph. Facets of datasets that are known are replaced by those in it."""
        for job in lineage.jobs:
            self.add_job(job)
        for dataset in lineage.datasets:
            self.add_dataset(dataset)
        for edge in lineage.edges:
            span = instant_of(edge.first_seen.text), instant_of(edge.last_seen.text)
            for origin in edge.origins:
                self.add(edge.source, edge.target, origin, span)
            if isinstance(edge.source, JobId) and isinstance(edge.target, DatasetId):
                self.add_inputs(edge.source, edge.target, edge.inputs)
        self.without_columns |= self._without_columns(lineage)
        self.columns.add_all(lineage.columns, self.names)

    def _without_columns(self, lineage: Lineage) -> set[tuple[Node, Node]]:
        """Return the edges of another graph without columns. If edges become one, one with columns counts."""
        without = {(one.source, self._named(one.target)) for one in lineage.edges if not one.has_columns}
        if not without or not self.names:
            return without
        columns = ColumnEdges.of(lineage.columns)
        described = {columns.ends.known[target] for _, target in columns.nodes()}
        reported = (one for one in lineage.edges if one.has_columns and one.target in described)
        return without.difference((one.source, self._named(one.target)) for one in reported)

    def lineage(self) -> Lineage:
        """Return the graph, including jobs and datasets that only edges mention."""
        columns = dict(self.columns.columns())
        nodes: set[Node] = {*self._jobs, *self._datasets, *columns}
        nodes.update(node for edge in self._edges for node in edge)
        jobs = sorted((node for node in nodes if isinstance(node, JobId)), key=_names)
        datasets = sorted((node for node in nodes if isinstance(node, DatasetId)), key=_names)
        return Lineage(
            tuple(
                Edge(
                    source,
                    target,
                    tuple(sorted(origins)),
                    timestamp_of(span[0]),
                    timestamp_of(span[1]),
                    None if (inputs := self._inputs.get((source, target))) is None else tuple(sorted(inputs)),
                    (source, target) not in self.without_columns,
                )
                for (source, target), (origins, span) in sorted(
                    self._edges.items(), key=lambda e: _sorted(e[0])
                )
            ),
            self.columns,
            tuple(self._jobs.get(job, LineageJob(id=job)) for job in jobs),
            tuple(self._dataset(dataset, columns.get(dataset, ())) for dataset in datasets),
        )

    def _dataset(self, primary: DatasetId, columns: Iterable[str]) -> LineageDataset:
        """Return one dataset for all its names. Facets under the primary name take precedence.

        Columns, tags and owners are those of all names: a policy would miss personal data without its tag.
        """
        facets: dict[str, Any] = {}
        last_seen = None
        entries = self._datasets.get(primary, ())
        if len(entries) == 1 and entries[0].id == primary:
            # A dataset of another graph has its columns already, which take long to create.
            names = {column.name for column in entries[0].columns}
            if names and names.issuperset(columns):
                return entries[0]
        for known in sorted(entries, key=lambda it: (it.id == primary, it.id)):
            facets = joined_facets(known.facets, facets)
            times = [time for time in (last_seen, known.last_seen) if time is not None]
            last_seen = max(times, key=lambda time: instant_of(time.text), default=None)
        return LineageDataset(
            id=primary, columns=columns_of(facets, columns), facets=facets, last_seen=last_seen
        )

    def _with_primary_names(self, job: LineageJob) -> LineageJob:
        def named(run: LineageRun) -> LineageRun:
            inputs, outputs = (
                tuple(replace(used, dataset=self.names.get(used.dataset, used.dataset)) for used in datasets)
                for datasets in (run.inputs, run.outputs)
            )
            return replace(run, inputs=inputs, outputs=outputs)

        last = job.last_run and named(job.last_run)
        return replace(job, last_run=last, earlier_runs=tuple(map(named, job.earlier_runs)))

    def _add_sources(
        self,
        sources: Iterable[LineageDatasetInput | LineageJobInput],
        target: End,
        job: JobId | None,
        span: Span,
    ) -> None:
        for source in sources:
            origin: End | None
            if isinstance(source, LineageJobInput):
                origin = _job(source, job)
            elif source.field is None:
                origin = DatasetId(source.namespace, source.name)
            else:
                origin = ColumnId(DatasetId(source.namespace, source.name), source.field)
            if origin is None:
                continue
            if isinstance(origin, ColumnId) or isinstance(target, ColumnId):
                self.add_columns(origin, target, map(_transformation, source.transformations or ()))
            else:
                self.add(origin, target, "facet", span)

    def _named(self, node: Node) -> Node:
        return self.names.get(node, node) if isinstance(node, DatasetId) else node


def _job(end: LineageJobInput | LineageJobEntry, unnamed: JobId | None) -> JobId | None:
    if end.namespace is None or end.name is None:
        return unnamed
    return JobId(end.namespace, end.name)


def _transformation(step: LineageTransformation) -> Transformation:
    return Transformation(step.type, step.subtype, step.description, step.masking)


def _sorted(ends: tuple[Node, Node]) -> tuple[tuple[str, ...], ...]:
    return tuple(("job" if isinstance(end, JobId) else "dataset", end.namespace, end.name) for end in ends)


def _names(node: Node) -> tuple[str, str]:
    """Return what nodes of one kind are sorted by. Comparing the nodes takes several times as long."""
    return node.namespace, node.name


def _names_of_flow(flow: Flow) -> tuple[str, ...]:
    """Return what flows are sorted by. Comparing their ids takes several times as long."""
    ends = flow.source, flow.target, flow.job
    return tuple(name for end in ends for name in (end.namespace, end.name))
