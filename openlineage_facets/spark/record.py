"""What a run has read and written so far, as it goes into its events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    InputStatisticsInputDatasetFacet,
    LifecycleStateChangeDatasetFacet,
    OutputStatisticsOutputDatasetFacet,
)
from openlineage_facets.spark.attribution import scans_of
from openlineage_facets.spark.datasets import SparkDataset
from openlineage_facets.spark.lifecycle import Change
from openlineage_facets.spark.measuring import Counts, Scan
from openlineage_facets.spark.notices import notice

__all__ = ["Identity", "Record", "Written", "identity_given"]

Identity: TypeAlias = tuple[str, str]
"""Namespace and name of a dataset."""


@dataclass(frozen=True)
class Written:
    """What one write did to a dataset.

    Args:
        dataset: What was written to.
        counts: How much was written.
        change: What became of the dataset as such.
        overwrote: Whether everything it held before is gone.
        column_lineage: What its columns are made from.
    """

    dataset: SparkDataset
    counts: Counts
    change: Change | None = None
    overwrote: bool = False
    column_lineage: ColumnLineageDatasetFacet | None = None


class Record:
    """Puts what a run reads and writes on the builder of its events.

    Args:
        builder: The builder.
        lock: What lets one thread at a time change the builder, or make an event of it.
    """

    def __init__(self, builder: RunEventBuilder, lock: AbstractContextManager[Any]) -> None:
        self._builder = builder
        self._lock = lock
        self._has_news = False
        self._names: dict[Identity, Identity] = {}
        self._not_to_write: set[Identity] = set()
        self._read: dict[Identity, Counts] = {}
        self._written: dict[Identity, Written] = {}
        self._said: dict[tuple[str, Identity], dict[Any, Any]] = {}

    def named(self, dataset: SparkDataset, is_written: bool = False) -> SparkDataset:
        """Return a dataset under the name that the user gave it.

        Args:
            dataset: The dataset.
            is_written: Whether it is written to: then the name of several datasets together, or of a
                partition, is not its own.
        """
        found = _identity(dataset)
        given = self._names.get(found, found)
        namespace, name = found if is_written and given in self._not_to_write else given
        return replace(dataset, namespace=namespace, name=name)

    def rename(self, found: Sequence[SparkDataset], given: Identity) -> None:
        """Take what was found for the dataset of this name, now and whenever it is met again."""
        if len(found) > 1 or any(one.is_part for one in found):
            self._not_to_write.add(given)
        for identity in map(_identity, found):
            earlier = self._names.setdefault(identity, given)
            if earlier != given:
                self._names[identity] = given
                notice(
                    f"the dataset {' '.join(identity)} was called {' '.join(earlier)} and is called "
                    f"{' '.join(given)} now, in one run: statistics and column lineage go by the new name"
                )

    def read(self, found: Iterable[SparkDataset]) -> list[SparkDataset]:
        """Add datasets that are read, and return them, distinct, by their names."""
        distinct = {_identity(dataset): dataset for dataset in map(self.named, found)}
        for identity, dataset in distinct.items():
            self._say("input", identity, dataset.facets)
        return list(distinct.values())

    def writes(self, dataset: SparkDataset) -> None:
        """Name a dataset that is going to be written; what becomes of it is told afterwards."""
        self._say("output", _identity(dataset), ())

    def wrote(self, write: Written) -> None:
        """Add a write that ended well to those before it."""
        identity = _identity(write.dataset)
        with self._lock:
            earlier = None if write.overwrote else self._written.get(identity)
            if earlier is not None:
                write = replace(
                    write,
                    counts=earlier.counts + write.counts,
                    column_lineage=_both(earlier.column_lineage, write.column_lineage),
                )
            self._written[identity] = write
        facets: list[Any] = list(write.dataset.facets)
        if write.column_lineage is not None:
            facets.append(self._renamed(write.column_lineage))
        if write.change is not None:
            facets.append(LifecycleStateChangeDatasetFacet(lifecycle_state_change=write.change))
        if write.counts:
            facets.append(
                OutputStatisticsOutputDatasetFacet(**_statistics(write.counts)),
            )
        self._say("output", identity, facets)

    def scanned(self, inputs: Iterable[SparkDataset], scans: Iterable[Scan]) -> None:
        """Add what was read of each input in one action, as far as it can be told which scan was whose."""
        for dataset, counts in scans_of(list(inputs), list(scans)):
            identity = _identity(self.named(dataset))
            with self._lock:
                total = self._read.get(identity, Counts(0, 0, 0)) + counts
                self._read[identity] = total
            if total:
                facet = InputStatisticsInputDatasetFacet(**_statistics(total))
                self._say("input", identity, [facet])

    def measured(self, identity: Identity, quality: Any) -> None:
        """Add the data quality of an input."""
        self._say("input", identity, [quality])

    def take_news(self) -> bool:
        """Tell whether anything was added since this was last asked."""
        with self._lock:
            news, self._has_news = self._has_news, False
        return news

    def _say(self, side: Literal["input", "output"], identity: Identity, facets: Iterable[Any]) -> None:
        """Add facets of a dataset, save those that are there already: an event tells what is new."""
        with self._lock:
            said = self._said.get((side, identity))
            if said is None:
                said = self._said[side, identity] = {}
                self._has_news = True
            builder = (self._builder.input if side == "input" else self._builder.output)(*identity)
            for facet in facets:
                key = type(facet).__facet_key__
                if said.get(key) != facet:
                    builder.facet(facet)
                    said[key] = facet
                    self._has_news = True

    def _renamed(self, lineage: ColumnLineageDatasetFacet) -> ColumnLineageDatasetFacet:
        """Return column lineage with the names that the user gave to datasets."""
        if not self._names:
            return lineage
        document = lineage.to_dict()
        for source in _sources(document):
            given = self._names.get((source["namespace"], source["name"]))
            if given is not None:
                source["namespace"], source["name"] = given
        return ColumnLineageDatasetFacet.from_json(document)


def identity_given(given: Any) -> Identity | None:
    """Return namespace and name as the user gave them; None where nothing was given.

    Raises:
        ValueError: They are not two texts.
    """
    if given is None:
        return None
    if isinstance(given, (tuple, list)) and len(given) == 2 and all(isinstance(one, str) for one in given):
        namespace, name = given
        if namespace and name:
            return namespace, name
    raise ValueError(f"dataset: expected (namespace, name), two texts that are not empty, found {given!r}")


def _identity(dataset: SparkDataset) -> Identity:
    return dataset.namespace, dataset.name


def _statistics(counts: Counts) -> dict[str, Any]:
    told = {"row_count": counts.rows, "size": counts.bytes, "file_count": counts.files}
    return {key: value for key, value in told.items() if value is not None}


def _sources(document: dict[str, Any]) -> list[dict[str, Any]]:
    by_column = [field["inputFields"] for field in document.get("fields", {}).values()]
    return [source for sources in [*by_column, document.get("dataset") or []] for source in sources]


def _both(
    one: ColumnLineageDatasetFacet | None, other: ColumnLineageDatasetFacet | None
) -> ColumnLineageDatasetFacet | None:
    """Return the lineage of columns that two writes have filled."""
    if one is None or other is None or one == other:
        return other if one is None else one
    merged, added = one.to_dict(), other.to_dict()
    for column, field in added["fields"].items():
        known = merged["fields"].setdefault(column, field)
        known["inputFields"] += [one for one in field["inputFields"] if one not in known["inputFields"]]
    known = merged.get("dataset") or []
    indirect = known + [one for one in added.get("dataset") or [] if one not in known]
    if indirect:
        merged["dataset"] = indirect
    return ColumnLineageDatasetFacet.from_json(merged)
