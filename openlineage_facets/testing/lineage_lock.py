"""`LineageLock`: compare the lineage that a test captures with the lock file of the repository."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from openlineage_facets.naming.naming_rules import NamingInput, naming_of
from openlineage_facets.review import LineageChanges, compare, read_lock
from openlineage_facets.review.report import text_report
from openlineage_facets.review.reviewed_lineage import entities_of
from openlineage_facets.state import DatasetId, JobId, Lineage, LineageDataset, LineageJob, LineageState, Node
from openlineage_facets.state.column_edges import node_of
from openlineage_facets.state.renaming import renamed
from openlineage_facets.testing.event_capture import LineageEvents

_ANNOTATIONS = frozenset({"documentation", "ownership", "tags"})
"""Facets that often come from a catalog, whose events a test of a job does not emit."""


class LineageLock:
    """The lock file of a repository, for the jobs that a test runs.

    Args:
        events: The captured events.
        path: The lock file.
        naming: Rules for the names of datasets, or the path of a naming file; by default, the file that
            `OPENLINEAGE_NAMING` names, also after `use_environment()`.

    Example:
        >>> def test_job(lineage_events, lineage_lock):
        ...     job(emit=lineage_events)
        ...     lineage_lock.assert_unchanged()
    """

    def __init__(self, events: LineageEvents, path: Path, naming: NamingInput | None = None) -> None:
        self._events = events
        self.path = path
        self._naming = naming

    def changes(self) -> LineageChanges:
        """Return how the captured events differ from the lock file.

        Compared are the jobs that emitted events, their inputs, and the columns and lineage of their outputs.
        Owners, tags and descriptions are compared where the events state them.

        Raises:
            FileNotFoundError: There is no lock file.
            ValueError: The lock file is invalid.
            NamingError: The naming file is invalid.
            EventError: An event has no time, or a job or dataset no name.
        """
        return _changes(*self._graphs())

    def assert_unchanged(self) -> None:
        """Assert that the captured events have the lineage of the lock file.

        Raises:
            AssertionError: They differ, or none is of a job of the lock file. The message lists all changes.
        """
        __tracebackhide__ = True
        if not self._events.raw:
            raise AssertionError(f"expected events to compare with {self.path}, found none")
        locked, captured = self._graphs()
        known, jobs = ({job.id for job in lineage.jobs} for lineage in (locked, captured))
        if known.isdisjoint(jobs):
            names = ", ".join(f"{job.namespace} {job.name}" for job in sorted(jobs)) or "no job"
            expected = f"expected events of a job that is in {self.path}, found those of {names}"
            raise AssertionError(f"{expected}; if that is intended, {self._fix()}")
        changes = _changes(locked, captured)
        if changes:
            fix = f"if that is intended, {self._fix()}"
            raise AssertionError(f"{self.path}: the lineage has changed; {fix}\n{text_report(changes)}")

    def _graphs(self) -> tuple[Lineage, Lineage]:
        """Return the graphs of the lock file and of the events."""
        locked = read_lock(self.path.read_bytes())
        state = LineageState()
        for event in self._events.raw:
            state.apply(event)
        captured = state.lineage(by_job=True)
        naming = naming_of(self._naming or self._events.naming_file)
        return (locked, captured) if naming is None else (renamed(locked, naming), renamed(captured, naming))

    def _fix(self) -> str:
        """Return how to write the lock file again; this test alone knows too few jobs for that."""
        is_file = isinstance(self._naming, (str, PathLike))
        naming = f" --naming {shlex.quote(fspath(self._naming))}" if is_file else ""  # type: ignore[arg-type]
        command = f"openlineage-facets lock events/{naming} -o {shlex.quote(str(self.path))}"
        return f"write the lock file again, with the events of all jobs in events/: `{command}`"


def _changes(locked: Lineage, captured: Lineage) -> LineageChanges:
    jobs = {job.id for job in captured.jobs}
    captured = _of_jobs(captured, jobs)
    stated = {entity.id: frozenset(entity.facets) for entity in entities_of(captured)}
    return compare(_of_jobs(locked, jobs, stated), captured)


def _of_jobs(
    lineage: Lineage, jobs: set[JobId], stated: Mapping[Node, Collection[str]] | None = None
) -> Lineage:
    """Return the part of a graph that some jobs decide about: what they read, and all of what they write.

    Args:
        lineage: The graph.
        jobs: The jobs.
        stated: The keys of the facets of each job and dataset that owners, tags and descriptions are among.
            Default: all.
    """

    def facets(entity: LineageJob | LineageDataset) -> dict[str, Any]:
        unknown = () if stated is None else _ANNOTATIONS.difference(stated.get(entity.id, ()))
        return {key: facet for key, facet in entity.facets.items() if key not in unknown}

    edges = tuple(edge for edge in lineage.edges if edge.target in jobs or edge.source in jobs)
    written: set[Node] = {edge.target for edge in edges if edge.source in jobs}
    used = {node for edge in edges for node in (edge.source, edge.target) if isinstance(node, DatasetId)}
    return Lineage(
        edges,
        tuple(edge for edge in lineage.columns if node_of(edge.target) in {*written, *jobs}),
        tuple(replace(job, facets=facets(job)) for job in lineage.jobs if job.id in jobs),
        tuple(
            replace(dataset, facets=facets(dataset))
            if dataset.id in written
            else LineageDataset(id=dataset.id)
            for dataset in lineage.datasets
            if dataset.id in used
        ),
    )
