"""Data quality metrics of a DataFrame, measured during the first action of the job.

Spark's `observe` computes them while it reads the rows. It cannot compute exact distinct counts:
`distinctCount` is an estimate with an error of about 5 %, capped at the number of values.
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

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_ACCURACY = 1000
"""The rank of a quantile is off by at most 1/1000 of the rows."""

_ROWS = "rows"


@dataclass(frozen=True)
class QualityObservation:
    """An observation of a DataFrame's data quality.

    Args:
        name: The name of the observation in the plan.
        observation: Spark's observation.
        columns: The measured columns, in order.
    """

    name: str
    observation: Observation
    columns: tuple[str, ...]

    def metrics(self) -> DataQualityMetricsInputDatasetFacet | None:
        """Return the metrics of a complete observation; None if the action needed no rows."""
        values = self.observation.get
        return _facet(self.columns, values) if values else None

    def is_complete(self, timeout: float = 0.0) -> bool:
        """Return whether an action has completed the observation.

        Args:
            timeout: Seconds to wait for the result of an action that has ended.
        """
        deadline = time.monotonic() + timeout
        while not self._is_complete_now():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
        return True

    def _is_complete_now(self) -> bool:
        promise: Any = getattr(self.observation, "_jo", None)
        if promise is None:  # Spark Connect, where an action returns the values.
            return bool(self.observation.get)
        return bool(promise.future().isCompleted())


def observe_quality(df: DataFrame, columns: bool | Iterable[str]) -> tuple[DataFrame, QualityObservation]:
    """Return a DataFrame with the same rows that measures them, and its observation.

    Args:
        df: A batch DataFrame.
        columns: The columns to measure; True for all.

    Raises:
        ValueError: A column is missing or ambiguous.
    """
    from pyspark.sql import Observation
    from pyspark.sql.functions import count, lit

    names = _column_names(df, columns)
    types = {field.name: field.dataType for field in df.schema}
    measures = [count(lit(1)).alias(_ROWS)]
    for position, name in enumerate(names):
        measures += _measures(df, name, types[name], position)
    name = f"openlineage-facets-{uuid4()}"
    observation = Observation(name)
    return df.observe(observation, *measures), QualityObservation(name, observation, tuple(names))


def _column_names(df: DataFrame, columns: bool | Iterable[str]) -> list[str]:
    unique = [name for name in df.columns if df.columns.count(name) == 1]
    if columns is True:
        return unique
    names = [columns] if isinstance(columns, str) else list(columns or ())
    unknown = [name for name in names if name not in unique]
    if unknown:
        raise ValueError(f"quality: expected columns of the DataFrame, found {', '.join(map(repr, unknown))}")
    return names


def _measures(df: DataFrame, name: str, data_type: Any, position: int) -> list[Column]:
    """Return the expressions that measure a column. Their names end with the position of the column."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import AtomicType, NumericType

    column = df["`" + name.replace("`", "``") + "`"]
    measures = {"values": f.count(column)}
    if isinstance(data_type, AtomicType) and data_type.typeName() != "variant":
        measures["distinct"] = f.approx_count_distinct(column)
    if isinstance(data_type, NumericType):
        # Integers and decimals are summed as doubles: an overflow would fail the job in ANSI mode.
        measures["sum"] = f.sum(column.cast("double"))
        measures["min"], measures["max"] = f.min(column), f.max(column)
        measures["quantiles"] = f.percentile_approx(column.cast("double"), list(_QUANTILES), _ACCURACY)
    return [expression.alias(f"{key}_{position}") for key, expression in measures.items()]


def _facet(columns: tuple[str, ...], values: Mapping[str, Any]) -> DataQualityMetricsInputDatasetFacet:
    rows = values[_ROWS]
    return DataQualityMetricsInputDatasetFacet(
        row_count=rows,
        column_metrics={
            name: _column_metrics(rows, position, values) for position, name in enumerate(columns)
        },
    )


def _column_metrics(rows: int, position: int, values: Mapping[str, Any]) -> Any:
    from openlineage_facets.facets import data_quality_metrics_input_dataset

    count = values[f"values_{position}"]
    distinct = values.get(f"distinct_{position}")
    quantiles = _list(values.get(f"quantiles_{position}"))
    metrics: dict[str, Any] = {
        "null_count": rows - count,
        "count": count,
        "distinct_count": None if distinct is None else min(distinct, count),
        "quantiles": {
            str(fraction): value
            for fraction, value in zip(_QUANTILES, map(_json_number, quantiles), strict=False)
            if value is not None
        }
        or None,
        **{key: _json_number(values.get(f"{key}_{position}")) for key in ("sum", "min", "max")},
    }
    return data_quality_metrics_input_dataset.ColumnMetrics(
        **{key: value for key, value in metrics.items() if value is not None}
    )


def _list(values: Any) -> list[Any]:
    """Return an array as a list. PySpark 3.5 returns the JVM's sequence."""
    if values is None or isinstance(values, (list, tuple)):
        return list(values or ())
    with suppress(Exception):
        return [values.apply(index) for index in range(values.size())]
    return []


def _json_number(value: Any) -> int | float | None:
    """Return a value as a JSON number; None if it is not a finite number."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else None
