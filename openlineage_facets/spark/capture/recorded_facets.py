"""The facets of the inputs and outputs of a run, of which each event only has what has changed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.builders.entity_builders import InputBuilder, OutputBuilder
from openlineage_facets.spark.spark_dataset import Identity

Facets: TypeAlias = dict[str, Any]
"""Facets by facet key."""


class RecordedFacets:
    """Facets of inputs and outputs, which are added to the builder of events when they are new or changed.

    Args:
        builder: Builder of the run's events.
        lock: Held while the builder is changed or an event is composed.
        reports_outputs: Whether the events of the run contain its outputs.
    """

    def __init__(
        self, builder: RunEventBuilder, lock: AbstractContextManager[Any], *, reports_outputs: bool
    ) -> None:
        self._builder = builder
        self._lock = lock
        self._reports_outputs = reports_outputs
        self._has_changes = False
        self.inputs: dict[Identity, Facets] = {}
        self.outputs: dict[Identity, Facets] = {}

    def add_input(self, identity: Identity, facets: Iterable[Any]) -> None:
        """Add facets of an input."""
        with self._lock:
            self._add(self.inputs, identity, facets, self._builder.input(*identity))

    def add_output(self, identity: Identity, facets: Iterable[Any]) -> None:
        """Add facets of an output."""
        with self._lock:
            builder = self._builder.output(*identity) if self._reports_outputs else None
            self._add(self.outputs, identity, facets, builder)

    def discard_output(self, identity: Identity) -> None:
        """Remove an output with its facets."""
        self._builder.discard_output(*identity)
        self.outputs.pop(identity, None)

    def reset_changes(self) -> bool:
        """Return True if anything was added since the last call."""
        with self._lock:
            changed, self._has_changes = self._has_changes, False
        return changed

    def _add(
        self,
        recorded: dict[Identity, Facets],
        identity: Identity,
        facets: Iterable[Any],
        builder: InputBuilder | OutputBuilder | None,
    ) -> None:
        if identity not in recorded:
            recorded[identity] = {}
            self._has_changes = True
        known = recorded[identity]
        for facet in facets:
            key = type(facet).__facet_key__
            if known.get(key) != facet:
                if builder is not None:
                    builder.facet(facet)
                known[key] = facet
                self._has_changes = True
