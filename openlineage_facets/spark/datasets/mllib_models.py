"""What models of MLlib were fitted to or loaded from, and the columns that they have computed.

The plan of predictions has functions, and does not show which model they belong to. The expression ids of
their columns do.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from pyspark.sql import DataFrame

from openlineage_facets.spark.analyzed_plan import analyzed_plan
from openlineage_facets.spark.jvm import JavaObject, has_jvm, members
from openlineage_facets.spark.spark_dataset import SparkDataset

_ID = re.compile(r"#(\d+)")
_ID_IN_JSON = re.compile(r'"id":(\d+)')

_models: WeakKeyDictionary[Any, tuple[SparkDataset, ...]] = WeakKeyDictionary()
"""The datasets that each model was fitted to or loaded from."""

_computed: dict[int, tuple[SparkDataset, ...]] = {}
"""The datasets of the model that has computed a column, by the expression id of the column."""

_lock = threading.Lock()
"""Held while one of the two is read or changed."""


def add_model(model: Any, datasets: Iterable[SparkDataset]) -> None:
    """Remember the datasets that a model was fitted to, or from which it was loaded.

    Args:
        model: The model. Its stages, and the best of several models, are remembered, too.
        datasets: The datasets.
    """
    found = tuple(datasets)
    with _lock:
        for part in _parts(model):
            if isinstance(part, Hashable):  # A data class may not be.
                _models[part] = found


def _parts(model: Any) -> Iterator[Any]:
    yield model
    for part in (getattr(model, "bestModel", None), *(getattr(model, "stages", None) or ())):
        if part is not None:
            yield from _parts(part)


def add_computed_columns(model: Any, df: DataFrame, transformed: DataFrame) -> Callable[[], None] | None:
    """Find the columns that a model has computed from now on, until the returned function is called.

    Args:
        model: The model.
        df: The DataFrame that it has transformed.
        transformed: The result.

    Returns:
        The function; None if there are no such columns, as those of an unknown model or of a transformer.
    """
    with _lock:
        datasets = _models.get(model, ()) if isinstance(model, Hashable) else ()
    is_followed = datasets and has_jvm(df.sparkSession)
    columns = _column_ids(transformed) - _column_ids(df) if is_followed else set()
    if not columns:
        return None
    with _lock:
        _computed.update(dict.fromkeys(columns, datasets))

    def remove() -> None:
        with _lock:
            for column in columns:
                _computed.pop(column, None)

    return remove


def _column_ids(df: DataFrame) -> set[int]:
    plan = analyzed_plan(df)
    return set() if plan is None else _output_ids(plan)


def _output_ids(plan: JavaObject) -> set[int]:
    return {int(found) for found in _ID.findall(plan.output().mkString(" "))}


def datasets_of_models(plan: JavaObject) -> tuple[SparkDataset, ...]:
    """Return the datasets of the models that have computed columns of a plan."""
    if not _computed:
        return ()
    ids = _ids_in(plan)
    with _lock:
        found = [_computed[column] for column in sorted(ids & _computed.keys())]
    return tuple(dict.fromkeys(dataset for datasets in found for dataset in datasets))


def _ids_in(plan: JavaObject) -> set[int]:
    try:
        return {int(found) for found in _ID_IN_JSON.findall(plan.toJSON())}
    except Exception:  # Spark cannot write a Summarizer as JSON. Training, too, has plans with one.
        below = (_ids_in(child) for child in members(plan.children()))
        return set().union(_output_ids(plan), *below)
