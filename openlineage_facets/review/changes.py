"""The changes between two lineage graphs, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from openlineage_facets.review.downstream import Downstream
from openlineage_facets.review.reviewed_lineage import entities_of, joined, owners_of
from openlineage_facets.state import DatasetId, JobId, Lineage, Node, Transformation
from openlineage_facets.state.column_edges import End, node_of

Part: TypeAlias = Literal[
    "job",
    "dataset",
    "column",
    "input",
    "output",
    "source",
    "rows",
    "columns",
    "order",
    "owners",
    "tags",
    "description",
    "lifecycle",
    "statistics",
]
"""What a fact is about.

The value of a `column` is its type; of an `output` the declared inputs that feed it, None if undeclared; of a
`source` and of `rows` their transformations; of `order` the columns; of the others texts.
"""

ENTITIES = ("job", "dataset", "column")
"""The parts that are jobs, datasets and columns themselves."""

_ABOUT_DATA = ("owners", "description", "tags")
"""The parts that say something about data, which stays the same. Tags that propagate are data."""

ChangeKind: TypeAlias = Literal["added", "removed", "renamed", "changed"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about a graph, such as a source of a column."""

    part: Part
    subject: End
    """The job, dataset or column."""
    other: End | None = None
    """What it reads or writes, or what it is computed from."""
    value: Any = None
    """See `Part`."""


@dataclass(frozen=True, slots=True)
class LineageChange:
    """One change."""

    part: Part
    """What has changed, such as `column` for a column or its type, `source` or `rows`."""
    before: Fact | None
    """None if it was added."""
    after: Fact | None
    """None if it was removed."""
    parts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
    """Facts about an added or removed job, dataset or column, such as its sources and tags."""
    is_breaking: bool = field(default=False, compare=False)
    """Whether a reader of the dataset notices it."""
    new_tags: tuple[str, ...] = field(default=(), compare=False)
    """The propagated tags that a column or dataset has only now, such as `pii=true`."""

    @property
    def kind(self) -> ChangeKind:
        """What happened."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        return "renamed" if self.is_of_entity and self.before.value == self.after.value else "changed"

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts in the earlier and the later graph."""
        return tuple(fact for fact in (self.before, self.after) if fact is not None)

    @property
    def subject(self) -> End:
        """The job, dataset or column: its later name unless it was removed."""
        return self.facts[-1].subject

    @property
    def node(self) -> Node:
        """The job or dataset, or the dataset of the column."""
        return node_of(self.subject)

    @property
    def masking(self) -> Literal["lost", "new"] | None:
        """Whether a source of a column is no longer masked, or is masked now."""
        if self.part != "source" or self.before is None or self.after is None:
            return None
        was, is_now = is_masked(self.before.value), is_masked(self.after.value)
        return None if was == is_now else "lost" if was else "new"

    @property
    def is_of_entity(self) -> bool:
        """Whether a job, dataset or column itself has changed."""
        return self.part in ENTITIES


def _reached(graph: Downstream, changes: Iterable[LineageChange], most: int | None) -> set[Node]:
    """Return the jobs and datasets of a graph that changes reach, as in `Downstream.of`."""
    starts: set[End] = set()
    changed: set[Node] = set()
    for change in changes:
        if isinstance(job := change.subject, JobId) and isinstance(used := change.facts[-1].other, DatasetId):
            # Another input or output of a job does not change what else the job writes.
            changed |= graph.outputs_from(used, job) if change.part == "input" else {used}
        elif change.part not in _ABOUT_DATA or change.new_tags:
            starts.update(fact.subject for fact in change.facts)
    return changed | graph.of(starts | changed, most)


def is_masked(steps: Iterable[Transformation]) -> bool:
    """Return whether transformations hide the original value."""
    steps = list(steps)
    is_shown = any(step.is_direct and not step.masking for step in steps)
    return not is_shown and any(step.masking for step in steps)


@dataclass(frozen=True)
class LineageChanges:
    """All changes, the most important ones first."""

    changes: tuple[LineageChange, ...]
    before: Lineage = field(repr=False)
    """The earlier graph, without runs and times."""
    after: Lineage = field(repr=False)
    """The later graph, without runs and times."""
    context: Lineage | None = field(default=None, repr=False)
    """Lineage of others that may read what has changed."""

    def __bool__(self) -> bool:
        return bool(self.changes)

    @property
    def is_breaking(self) -> bool:
        """Whether a reader of a dataset notices any of the changes."""
        return any(change.is_breaking for change in self.changes)

    @property
    def has_removals(self) -> bool:
        """Whether a job, dataset or column is gone or has another name."""
        return any(change.is_of_entity and change.kind in ("removed", "renamed") for change in self.changes)

    def downstream(self, *changes: LineageChange, most: int | None = None) -> tuple[Node, ...]:
        """Return the jobs and datasets of the later graph and the context that changes reach, sorted.

        What was computed from a removed job, dataset or column is reached if it still exists.

        Args:
            changes: The changes.
            most: How many are enough, since many changes may each reach a large graph. Default: all.
        """
        enough = None if most is None else most + len(changes)
        reached = _reached(self._downstream, changes, enough)
        removed = [change for change in changes if change.kind == "removed"]
        if removed:
            enough = None if enough is None else enough + len(self._gone)
            was_reached = _reached(self._was_downstream, removed, enough)
            reached |= {self._later_names.get(node, node) for node in was_reached} - self._gone
        nodes = reached.difference(change.node for change in changes)
        order = sorted(nodes, key=lambda node: (isinstance(node, JobId), node.namespace, node.name))
        return tuple(order[:most])

    def owners(self, node: Node) -> tuple[str, ...]:
        """Return the owners of a job or dataset."""
        return self._owners.get(node, ())

    @cached_property
    def everything(self) -> Lineage:
        """The later graph with the context."""
        return self.after if self.context is None else joined([self.context, self.after])

    @cached_property
    def _downstream(self) -> Downstream:
        return Downstream(self.everything)

    @cached_property
    def _was_downstream(self) -> Downstream:
        return Downstream(self.before)

    @cached_property
    def _owners(self) -> dict[Node, tuple[str, ...]]:
        """The owners in the later graphs, or else in the earlier one."""
        entities = (*entities_of(self.before), *entities_of(self.everything))
        return {entity.id: owners for entity in entities if (owners := owners_of(entity))}

    @cached_property
    def _later_names(self) -> dict[End, Node]:
        """The jobs and datasets of the later graph that had another name, by that name."""
        return {change.facts[0].subject: change.node for change in self.changes if change.kind == "renamed"}

    @cached_property
    def _gone(self) -> set[Node]:
        """The jobs and datasets of the earlier graph that do not exist any more."""
        exists = {entity.id for entity in entities_of(self.everything)}
        return {entity.id for entity in entities_of(self.before)} - exists
