"""What each output of a run was written from."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import TypeAlias

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.capture.column_lineage_edits import merge_column_lineage
from openlineage_facets.spark.capture.dataset_names import Identity

Sources: TypeAlias = "frozenset[Identity] | None"
"""The inputs of the writes of one dataset; None if they are unknown."""

NO_SOURCES: frozenset[Identity] = frozenset()

UNKNOWN_ROWS: Identity = ("", "")
"""Among the inputs of a write: rows whose datasets its plan does not show, such as values from Python."""


def united(first: Sources, second: Sources) -> Sources:
    """Return the inputs of two writes of a dataset."""
    return None if first is None or second is None else first | second


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
