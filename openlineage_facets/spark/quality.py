"""Data quality of what a run reads, measured in the same pass as the job's own first action.

Spark's `observe` computes the numbers beside the rows. What it can't compute is left out: exact distinct
counts, for one, so `distinctCount` is an estimate, off by some 5 %, and never above the number of values.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from openlineage_facets.facets import DataQualityMetricsInputDatasetFacet

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Observation

__all__ = ["Observed", "observe_quality"]

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_ACCURACY = 1000
"""A quantile is off by at most one in so many of the rows."""

_ROWS = "rows"


@dataclass(frozen=True)
class Observed:
    """A DataFrame that is measured as it is read.

    Args:
        name: The name of the observation, which stands in the plan.
        observation: What Spark puts the numbers into.
        columns: The columns measured, in order.
    """

    name: str
    observation: Observation
    columns: tuple[str, ...]

    def metrics(self) -> DataQualityMetricsInputDatasetFacet | None:
        """Return the metrics that an action has measured; None where it was found to need no rows."""
        numbers = self.observation.get
        return _facet(self.columns, numbers) if numbers else None

    def is_measured(self, patience: float = 0.0) -> bool:
        """Tell whether an action has measured it by now.

        Args:
            patience: How many seconds to wait for an action that has ended.
        """
        deadline = time.monotonic() + patience
        while not self._is_measured():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
        return True

    def _is_measured(self) -> bool:
        promise: Any = getattr(self.observation, "_jo", None)
        if promise is None:  # Spark Connect: there are numbers once an action has brought them.
            return bool(self.observation.get)
        return bool(promise.future().isCompleted())


def observe_quality(df: DataFrame, wanted: bool | Iterable[str]) -> tuple[DataFrame, Observed]:
    """Return a DataFrame that gives the same rows and measures them, and where the numbers will be.

    Args:
        df: The DataFrame; it is no stream.
        wanted: The columns to measure, or True for all.

    Raises:
        ValueError: A column is not there, or there twice.
    """
    from pyspark.sql import Observation
    from pyspark.sql.functions import count, lit

    names = _columns(df, wanted)
    types = {field.name: field.dataType for field in df.schema}
    measures = [count(lit(1)).alias(_ROWS)]
    for position, name in enumerate(names):
        measures += _measures(df, name, types[name], position)
    name = f"openlineage-facets-{uuid4()}"
    observation = Observation(name)
    return df.observe(observation, *measures), Observed(name, observation, tuple(names))


def _columns(df: DataFrame, wanted: bool | Iterable[str]) -> list[str]:
    unique = [name for name in df.columns if df.columns.count(name) == 1]
    if wanted is True:
        return unique
    asked = [wanted] if isinstance(wanted, str) else list(wanted or ())
    wrong = [name for name in asked if name not in unique]
    if wrong:
        raise ValueError(f"quality: expected columns of the DataFrame, found {', '.join(map(repr, wrong))}")
    return asked


def _measures(df: DataFrame, name: str, of_type: Any, position: int) -> list[Column]:
    """Return the expressions that measure one column, each named by the column's position."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import AtomicType, NumericType

    column = df["`" + name.replace("`", "``") + "`"]
    measured = {"values": f.count(column)}
    if isinstance(of_type, AtomicType) and of_type.typeName() != "variant":
        measured["distinct"] = f.approx_count_distinct(column)
    if isinstance(of_type, NumericType):
        # A sum over doubles: one over integers or decimals may overflow and fail the job in ANSI mode.
        measured["sum"] = f.sum(column.cast("double"))
        measured["min"], measured["max"] = f.min(column), f.max(column)
        measured["quantiles"] = f.percentile_approx(column.cast("double"), list(_QUANTILES), _ACCURACY)
    return [expression.alias(f"{key}_{position}") for key, expression in measured.items()]


def _facet(columns: tuple[str, ...], numbers: Mapping[str, Any]) -> DataQualityMetricsInputDatasetFacet:
    rows = numbers[_ROWS]
    return DataQualityMetricsInputDatasetFacet(
        row_count=rows,
        column_metrics={
            name: _column_metrics(rows, position, numbers) for position, name in enumerate(columns)
        },
    )


def _column_metrics(rows: int, position: int, numbers: Mapping[str, Any]) -> Any:
    from openlineage_facets.facets import data_quality_metrics_input_dataset

    values = numbers[f"values_{position}"]
    distinct = numbers.get(f"distinct_{position}")
    quantiles = _list(numbers.get(f"quantiles_{position}"))
    told: dict[str, Any] = {
        "null_count": rows - values,
        "count": values,
        "distinct_count": None if distinct is None else min(distinct, values),
        "quantiles": {
            str(fraction): value
            for fraction, value in zip(_QUANTILES, map(_number, quantiles), strict=False)
            if value is not None
        }
        or None,
        **{key: _number(numbers.get(f"{key}_{position}")) for key in ("sum", "min", "max")},
    }
    return data_quality_metrics_input_dataset.ColumnMetrics(
        **{key: value for key, value in told.items() if value is not None}
    )


def _list(values: Any) -> list[Any]:
    """Return an array as a list: PySpark 3.5 hands out the JVM's own."""
    if values is None or isinstance(values, (list, tuple)):
        return list(values or ())
    with suppress(Exception):
        return [values.apply(index) for index in range(values.size())]
    return []


def _number(value: Any) -> int | float | None:
    """Return a number as JSON has it; None for what it has no number for."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else None
