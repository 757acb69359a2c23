"""Dataset names that the user passes, used in the whole run instead of the names found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from openlineage_facets.spark.capture.merged_lineage import MergedLineage
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset


class DatasetNames:
    """Maps datasets found in plans to the names that the user passed for them."""

    def __init__(self) -> None:
        self._names: dict[Identity, Identity] = {}
        self._input_only: set[Identity] = set()

    def apply(self, dataset: SparkDataset, is_output: bool = False) -> SparkDataset:
        """Return a dataset under the name that the user passed for it, if any.

        Args:
            dataset: The dataset.
            is_output: The dataset is written. The name of several datasets together, or of a partition,
                does not apply to outputs.
        """
        identity = dataset.identity
        name = self._names.get(identity, identity)
        if is_output and name in self._input_only:
            name = identity
        return replace(dataset, namespace=name[0], name=name[1])

    def assign(self, found: Sequence[SparkDataset], name: Identity) -> None:
        """Use a name for datasets from now on."""
        if len(found) > 1 or any(dataset.is_part for dataset in found):
            self._input_only.add(name)
        for identity in (dataset.identity for dataset in found):
            previous = self._names.setdefault(identity, name)
            if previous != name:
                self._names[identity] = name
                log_once(
                    f"the dataset {' '.join(identity)} was named {' '.join(previous)} and is now named "
                    f"{' '.join(name)} in the same run; its statistics and column lineage use the new name"
                )

    def apply_to_lineage(self, lineage: MergedLineage) -> MergedLineage:
        """Return column lineage with the user's names for its source datasets."""
        return lineage.renamed(self._names) if self._names else lineage


def checked_identity(value: Any) -> Identity | None:
    """Validate the `dataset=` argument of a read or write; None if it was not passed.

    Raises:
        ValueError: It is not a pair of two non-empty strings.
    """
    if value is None:
        return None
    if isinstance(value, (tuple, list)) and len(value) == 2 and all(isinstance(part, str) for part in value):
        namespace, name = value
        if namespace and name:
            return namespace, name
    raise ValueError(f"dataset: expected (namespace, name), two non-empty strings, found {value!r}")
