"""The work of the benchmarks, as plain facts that each side makes its own events of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

PRODUCER = "https://example.com/etl/v7"
MOMENT = "2026-03-29T01:04:10Z"
RUN_ID = "019d3719-f020-7c3e-9f10-2b7d4e8a6c31"
LAKE, RAW, DAILY = "s3://lake", "raw/orders", "curated/daily"
QUERY = "INSERT INTO daily SELECT day, sum(amount) FROM orders GROUP BY day"
ROW_COUNT = 365


@dataclass(frozen=True)
class Facts:
    """What one run has to tell.

    Args:
        columns: The rows of the schema facet of the input and of the output.
        lineage: The sources of each column of the output.
    """

    columns: list[dict[str, Any]] = field(default_factory=list)
    lineage: dict[str, Any] = field(default_factory=dict)


def facts(width: int) -> Facts:
    """Return the facts of a run that copies a dataset of `width` columns."""
    names = [f"column_{number}" for number in range(1, width + 1)]
    return Facts(
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
