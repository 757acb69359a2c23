"""Input of the benchmarks: a run as plain data, from which each package composes its event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

PRODUCER = "https://example.com/v7/etl"
MOMENT = "2026-03-29T01:04:10Z"
RUN_ID = "019d3719-f020-7c3e-9f10-2b7d4e8a6c31"
LAKE, RAW, DAILY = "s3://lake", "raw/orders", "curated/daily"
QUERY = "INSERT INTO daily SELECT day, sum(amount) FROM orders GROUP BY day"
ROW_COUNT = 365


@dataclass(frozen=True)
class SampleData:
    """Data of one run.

    Args:
        columns: Fields of the schema facets of the input and of the output.
        lineage: Input fields of each column of the output.
    """

    columns: list[dict[str, Any]] = field(default_factory=list)
    lineage: dict[str, Any] = field(default_factory=dict)


def sample_data(width: int) -> SampleData:
    """Return the data of a run that copies a dataset with `width` columns."""
    names = [f"column_{number}" for number in range(1, width + 1)]
    return SampleData(
        [
            {"name": name, "type": "decimal(12,2)", "description": "As measured.", "ordinal_position": number}
            for number, name in enumerate(names, start=1)
        ],
        {
            name: {
                "inputFields": [
                    {
                        "namespace": LAKE,
                        "name": RAW,
                        "field": name,
                        "transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}],
                    }
                ]
            }
            for name in names
        },
    )
