"""What each output of a run was written from, and the lineage facet that reports it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import TypeAlias

from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    LineageJobFacet,
    column_lineage_dataset,
    lineage,
)
from openlineage_facets.spark.capture.merged_lineage import NO_LINEAGE, MergedLineage
from openlineage_facets.spark.spark_dataset import Identity

Sources: TypeAlias = "frozenset[Identity] | None"
"""The inputs of the writes of one dataset; None if they are unknown."""

NO_SOURCES: frozenset[Identity] = frozenset()

UNKNOWN_ROWS: Identity = ("", "")
"""Among the inputs of a write: rows whose datasets its plan does not show, such as values from Python."""


def _united(first: Sources, second: Sources) -> Sources:
    """Return the inputs of two writes of a dataset."""
    return None if first is None or second is None else first | second


@dataclass(frozen=True)
class Origin:
    """What rows of a dataset were written from.

    Args:
        sources: The inputs of their writes.
        lineage: The sources of their columns.
    """

    sources: Sources = NO_SOURCES
    lineage: MergedLineage = NO_LINEAGE

    @classmethod
    def of(cls, sources: Sources, lineage: ColumnLineageDatasetFacet | None) -> Origin:
        """Return what one write has read."""
        return cls(sources, MergedLineage.of(lineage))

    def __or__(self, later: Origin) -> Origin:
        return Origin(_united(self.sources, later.sources), self.lineage | later.lineage)


@dataclass
class _Output:
    """What the rows of one output were written from.

    Args:
        settled: That of successful writes and of definitions; None before the first.
        is_filled: `settled` contains writes. Without them, it does not count if there is a write.
        failed: That of failed writes.
        planned: That of the write that is being executed, the last one if there are several.
        replaced: That of rows which were replaced or removed after they were used.
    """

    settled: Origin | None = None
    is_filled: bool = False
    failed: Origin | None = None
    planned: Origin | None = None
    replaced: Origin = field(default_factory=Origin)

    @property
    def lasting(self) -> Origin | None:
        """What all rows were written from, without those of a planned write; None without any write."""
        return self._with(self.failed)

    @property
    def current(self) -> Origin | None:
        """What all rows were written from, with those of a planned write; None without any write."""
        return self.lasting if self.planned is None else self._with(self.failed, self.planned)

    def _with(self, *others: Origin | None) -> Origin | None:
        known = [origin for origin in others if origin is not None]
        if self.settled is not None and (self.is_filled or not known):
            known.insert(0, self.settled)
        return reduce(or_, known) if known else None


_NO_OUTPUT = _Output()


class OutputSources:
    """The inputs of the writes of each output, also of planned and failed ones.

    A failed write may have left rows. An overwrite replaces the inputs of the writes before it, unless the
    run has used what they wrote, such as the rows of a staging table: otherwise the sources of what it has
    written from these rows would be lost.
    """

    def __init__(self) -> None:
        self._outputs: dict[Identity, _Output] = {}
        self._read_by_writes: set[Identity] = set()
        self._collected: set[Identity] = set()
        """The inputs whose rows Python has received."""
        self._used: set[Identity] = set()
        """The datasets that were read or collected after the run has replaced or emptied them, if it has."""

    def __bool__(self) -> bool:
        return bool(self._outputs)

    def of(self, identity: Identity) -> Origin:
        """Return what the rows of an output were written from, without replaced rows."""
        output = self._outputs.get(identity, _NO_OUTPUT)
        return output.current or Origin()

    def replaced(self, identity: Identity) -> Origin:
        """Return what the rows were written from that were replaced or removed after they were used."""
        return self._outputs.get(identity, _NO_OUTPUT).replaced

    def plan(self, identity: Identity, origin: Origin) -> None:
        """Note a write that is about to be executed."""
        self._output(identity).planned = origin
        self.use(origin.sources)

    def refuse(self, identity: Identity) -> None:
        """Forget the planned write of an output, which was not executed."""
        if identity in self._outputs:
            self._outputs[identity].planned = None

    def add(self, identity: Identity, origin: Origin, *, is_new: bool = False) -> None:
        """Add a successful write; failed writes have left nothing if it has created the dataset."""
        output = self._output(identity)
        if output.settled is None or not output.is_filled:
            output.settled = origin
        else:
            output.settled |= origin
        output.is_filled, output.planned = True, None
        if is_new:
            output.failed = None
        self.use(origin.sources)

    def fail(self, identity: Identity, origin: Origin) -> None:
        """Add a failed write, which may have left rows."""
        output = self._output(identity)
        output.failed = origin if output.failed is None else output.failed | origin
        output.planned = None
        self.use(origin.sources)

    def define(self, identity: Identity, origin: Origin) -> None:
        """Add the definition of a table or view. Its columns, if it has any, replace those before."""
        output = self._output(identity)
        earlier = output.settled or Origin()
        lineage = origin.lineage or earlier.lineage
        output.settled = Origin(_united(earlier.sources, origin.sources), lineage)
        output.is_filled |= bool(origin.lineage)
        self.use(origin.sources)

    def use(self, sources: Sources) -> None:
        """Note what a write reads."""
        known = (sources or NO_SOURCES) - {UNKNOWN_ROWS}
        self._read_by_writes |= known
        self._used |= known

    def collect(self, inputs: Iterable[Identity]) -> None:
        """Note inputs whose rows Python has received, which may be among the rows that it writes."""
        collected = set(inputs)
        self._collected |= collected
        self._used |= collected

    def discard(self, identity: Identity) -> None:
        """Remove an output."""
        self._outputs.pop(identity, None)

    def move(self, previous: Identity, identity: Identity) -> None:
        """Give an output that was renamed what it had under its previous name.

        The previous name remains an output, as in earlier events.
        """
        before = self._outputs.get(previous)
        if before is not None and before.lasting is not None:
            self._outputs[identity] = replace(before, planned=None, replaced=self.replaced(identity))
            before.settled, before.is_filled, before.failed = before.lasting, False, None

    def replace(self, identity: Identity) -> None:
        """Note that the rows of an output are replaced or removed."""
        output = self._output(identity)
        if output.lasting is not None and identity in self._used:
            output.replaced |= output.lasting
        self._used.discard(identity)
        self._outputs[identity] = _Output(replaced=output.replaced)

    def known(self, inputs: Set[Identity]) -> dict[Identity, Sources]:
        """Return the inputs of each output, None if they are unknown.

        Rows that Python has received may be among the rows from Python in an output. Therefore the sources of
        such an output are only known if they contain all that Python may have received. Rows that a plan
        generates, such as a range or constants of a statement, have no sources.

        Args:
            inputs: All inputs of the run.
        """
        copied = self._copied(inputs)

        def known(sources: Sources) -> Sources:
            if sources is None:
                return None
            datasets = sources - {UNKNOWN_ROWS}
            return None if UNKNOWN_ROWS in sources and not copied <= datasets else datasets

        return {identity: known(origin.sources) for identity, origin in self.origins().items()}

    def with_unknown_rows(self, inputs: Set[Identity]) -> list[Identity]:
        """Return the outputs with rows that may be copies of inputs, although no plan shows it."""
        if not self._copied(inputs):
            return []
        return [
            identity
            for identity, origin in self.origins().items()
            if origin.sources and UNKNOWN_ROWS in origin.sources
        ]

    def origins(self) -> dict[Identity, Origin]:
        """Return what each output was written from, also replaced rows that were used."""
        return {
            identity: output.replaced | current
            for identity, output in self._outputs.items()
            if (current := output.current) is not None
        }

    def _output(self, identity: Identity) -> _Output:
        return self._outputs.setdefault(identity, _Output())

    def _copied(self, inputs: Set[Identity]) -> Set[Identity]:
        """Return the inputs whose rows Python has received, or may have: no write has read them."""
        return (inputs - self._read_by_writes) | self._collected


def run_lineage_facet(
    outputs: Mapping[Identity, Sources], columns: Mapping[Identity, ColumnLineageDatasetFacet]
) -> LineageJobFacet:
    """Return the lineage facet of the job of a run.

    Args:
        outputs: The inputs of each output.
        columns: The column lineage of outputs, as far as it is known.
    """
    entries = []
    for identity, sources in outputs.items():
        # What was dropped after it was written keeps the facets of earlier events. Of unknown sources, those
        # of columns would be taken for all.
        own = columns.get(identity) if sources else None
        of_dataset = [_dataset(source) for source in sorted(sources or ())]
        if own is not None:
            of_dataset += map(_column, own.dataset or ())
        fields = _fields(own.fields) if own is not None else {}
        entries.append(
            lineage.LineageDatasetEntry(
                namespace=identity[0],
                name=identity[1],
                type="DATASET",
                inputs=None if sources is None else of_dataset,
                fields=fields or None,
            )
        )
    return LineageJobFacet(entries=entries)


def _dataset(identity: Identity) -> lineage.LineageDatasetInput:
    return lineage.LineageDatasetInput(namespace=identity[0], name=identity[1], type="DATASET")


def _fields(columns: Mapping[str, column_lineage_dataset.Fields]) -> dict[str, lineage.LineageFieldEntry]:
    return {
        name: lineage.LineageFieldEntry(inputs=[*map(_column, column.input_fields)])
        for name, column in columns.items()
    }


def _column(source: column_lineage_dataset.InputField) -> lineage.LineageDatasetInput:
    steps = source.transformations
    return lineage.LineageDatasetInput(
        namespace=source.namespace,
        name=source.name,
        type="DATASET",
        field=source.field,
        transformations=None if steps is None else _transformations(steps),
    )


def _transformations(
    steps: Iterable[column_lineage_dataset.Transformation],
) -> list[lineage.LineageTransformation]:
    return [lineage.LineageTransformation.from_json(step.to_dict()) for step in steps]
