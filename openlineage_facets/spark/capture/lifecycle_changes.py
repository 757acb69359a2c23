"""What a run did to each dataset as a whole, if it changed one several times."""

from __future__ import annotations

from dataclasses import dataclass

from openlineage_facets.facets import LifecycleStateChangeDatasetFacet, lifecycle_state_change_dataset
from openlineage_facets.spark.spark_dataset import Change, Identity

_ARRIVALS = ("CREATE", "RENAME")
"""Changes after which there is a dataset that did not exist before."""


@dataclass(frozen=True)
class _Changed:
    """Changes of one dataset in a run.

    Args:
        change: What they did together.
        previous: The name of the dataset before the run renamed it.
        is_new: The dataset did not exist before the run.
    """

    change: Change
    previous: Identity | None
    is_new: bool

    def and_then(self, change: Change, previous: Identity | None) -> _Changed:
        if change in ("DROP", "RENAME"):  # Consumers need the name before it was renamed.
            return _Changed(change, previous, self.is_new)
        if self.change == "DROP":
            is_replaced = change == "CREATE" and not self.is_new
            return _Changed("OVERWRITE" if is_replaced else change, previous, self.is_new)
        if self.is_new or change == "ALTER":
            return self
        return _Changed(change, previous, False)


class LifecycleChanges:
    """Compare each dataset after the run with the dataset before the run.

    A dataset that the run has created stays created if the run overwrites, truncates or alters it. What it
    has created and dropped is dropped: earlier events of the run may contain the dataset. A dataset that it
    has dropped or renamed, and created again, is overwritten.
    """

    def __init__(self) -> None:
        self._changed: dict[Identity, _Changed] = {}
        self._renamed: set[Identity] = set()
        """The previous names of datasets that existed before the run."""

    def add(self, identity: Identity, change: Change | None, previous: Identity | None = None) -> None:
        """Add a change of a dataset.

        Args:
            identity: The dataset.
            change: The change; None if there was none, or if it is unknown.
            previous: The name of the dataset before it was renamed.
        """
        if change is None:
            return
        if previous is not None and not (previous in self._changed and self._changed[previous].is_new):
            self._renamed.add(previous)
        if change == "CREATE" and identity in self._renamed:
            change = "OVERWRITE"
        earlier = self._changed.get(identity)
        if earlier is None:
            self._changed[identity] = _Changed(change, previous, change in _ARRIVALS)
        else:
            self._changed[identity] = earlier.and_then(change, previous)

    def facets_of(self, identity: Identity) -> list[LifecycleStateChangeDatasetFacet]:
        """Return the facet of a dataset, if the run has changed it as a whole."""
        change = self._changed.get(identity)
        if change is None:
            return []
        previous = None
        if change.previous is not None:
            namespace, name = change.previous
            previous = lifecycle_state_change_dataset.PreviousIdentifier(namespace=namespace, name=name)
        return [
            LifecycleStateChangeDatasetFacet(
                lifecycle_state_change=change.change, previous_identifier=previous
            )
        ]
