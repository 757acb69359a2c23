"""`LineageLock`: compare the lineage that a test captures with the lock file of the repository."""

from __future__ import annotations

from pathlib import Path

from openlineage_facets.naming.naming_rules import NamingInput, naming_of
from openlineage_facets.review import LineageChanges, compare, read_lock
from openlineage_facets.review.report import text_report
from openlineage_facets.state import DatasetId, JobId, Lineage, LineageDataset, LineageState, Node
from openlineage_facets.state.column_edges import node_of
from openlineage_facets.state.renaming import renamed
from openlineage_facets.testing.event_capture import LineageEvents


class LineageLock:
    """The lock file of a repository, for the jobs that a test runs.

    Args:
        events: The captured events.
        path: The lock file.
        naming: Rules for the names of datasets, or the path of a naming file; by default, the file that
            `OPENLINEAGE_NAMING` names.

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

        Raises:
            FileNotFoundError: There is no lock file.
            ValueError: The lock file is invalid.
            NamingError: The naming file is invalid.
            EventError: An event has no time, or a job or dataset no name.
        """
        locked = read_lock(self.path.read_bytes())
        state = LineageState()
        for event in self._events.raw:
            state.apply(event)
        captured = state.lineage(by_job=True)
        naming = naming_of(self._naming)
        if naming is not None:
            locked, captured = renamed(locked, naming), renamed(captured, naming)
        jobs = {job.id for job in captured.jobs}
        return compare(_of_jobs(locked, jobs), _of_jobs(captured, jobs))

    def assert_unchanged(self) -> None:
        """Assert that the captured events have the lineage of the lock file.

        Raises:
            AssertionError: They differ, or there are no events. The message lists all changes.
        """
        __tracebackhide__ = True
        if not self._events.raw:
            raise AssertionError(f"expected events to compare with {self.path}, found none")
        changes = self.changes()
        if changes:
            fix = "if that is intended, write the lock file again with `openlineage-facets lock`"
            raise AssertionError(f"{self.path}: the lineage has changed; {fix}\n{text_report(changes)}")


def _of_jobs(lineage: Lineage, jobs: set[JobId]) -> Lineage:
    """Return the part of a graph that some jobs decide about: what they read, and all of what they write."""
    edges = tuple(edge for edge in lineage.edges if edge.target in jobs or edge.source in jobs)
    written: set[Node] = {edge.target for edge in edges if edge.source in jobs}
    used = {node for edge in edges for node in (edge.source, edge.target) if isinstance(node, DatasetId)}
    columns = tuple(edge for edge in lineage.columns if node_of(edge.target) in {*written, *jobs})
    datasets = tuple(
        dataset if dataset.id in written else LineageDataset(id=dataset.id)
        for dataset in lineage.datasets
        if dataset.id in used
    )
    return Lineage(edges, columns, tuple(job for job in lineage.jobs if job.id in jobs), datasets)
