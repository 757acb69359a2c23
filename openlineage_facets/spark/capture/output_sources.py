"""What each output of a run was written from, and the lineage facet that reports it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, TypeAlias

from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    LineageJobFacet,
    column_lineage_dataset,
    lineage,
)
from openlineage_facets.spark.spark_dataset import Identity

Sources: TypeAlias = "frozenset[Identity] | None"
"""The inputs of the writes of one dataset; None if they are unknown."""

NO_SOURCES: frozenset[Identity] = frozenset()

UNKNOWN_ROWS: Identity = ("", "")
"""Among the inputs of a write: rows whose datasets its plan does not show, such as values from Python."""


def united(first: Sources, second: Sources) -> Sources:
    """Return the inputs of two writes of a dataset."""
    return None if first is None or second is None else first | second


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


class OutputSources:
    """The inputs of the writes of each output, also of planned ones.

    An overwrite replaces the inputs of the writes before it, unless the run has used what they wrote, such as
    the rows of a staging table: otherwise the sources of what it has written from these rows would be lost.
    """

    def __init__(self) -> None:
        self._sources: dict[Identity, Sources] = {}
        self._read_by_writes: set[Identity] = set()
        self._collected: set[Identity] = set()
        """The inputs whose rows Python has received."""
        self._used: set[Identity] = set()
        """The datasets that were read or collected after the run has replaced or emptied them, if it has."""
        self._replaced: dict[Identity, Sources] = {}
        """The inputs of writes whose rows were replaced or removed after they were used."""
        self.replaced_lineage: dict[Identity, ColumnLineageDatasetFacet] = {}
        """The column lineage of these rows."""

    def __bool__(self) -> bool:
        return bool(self._sources)

    def __contains__(self, identity: Identity) -> bool:
        return identity in self._sources

    def of(self, identity: Identity) -> Sources:
        """Return the inputs of the writes of an output, without those of replaced rows."""
        return self._sources.get(identity, NO_SOURCES)

    def set(self, identity: Identity, sources: Sources) -> None:
        """Set the inputs of the writes of an output."""
        self._sources[identity] = sources
        self.use(sources)

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
        self._sources.pop(identity, None)

    def move(self, previous: Identity, identity: Identity) -> None:
        """Give an output that was renamed the inputs that it had under its previous name."""
        self._sources[identity] = self._sources[previous]

    def replace(
        self, identity: Identity, sources: Sources, lineage: ColumnLineageDatasetFacet | None = None
    ) -> None:
        """Note that the rows of an output are replaced or removed.

        Args:
            identity: The output.
            sources: What they were written from.
            lineage: The sources of their columns.
        """
        if identity not in self._used:
            return
        self._used.discard(identity)
        self._replaced[identity] = united(self._replaced.get(identity, NO_SOURCES), sources)
        merged = merge_column_lineage(self.replaced_lineage.get(identity), lineage)
        if merged is not None:
            self.replaced_lineage[identity] = merged

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

        return {identity: known(sources) for identity, sources in self._all().items()}

    def with_unknown_rows(self, inputs: Set[Identity]) -> list[Identity]:
        """Return the outputs with rows that may be copies of inputs, although no plan shows it."""
        if not self._copied(inputs):
            return []
        return [identity for identity, found in self._all().items() if found and UNKNOWN_ROWS in found]

    def _all(self) -> dict[Identity, Sources]:
        """Return the inputs of each output, also of replaced rows that were used."""
        return {
            identity: united(self._replaced.get(identity, NO_SOURCES), sources)
            for identity, sources in self._sources.items()
        }

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
