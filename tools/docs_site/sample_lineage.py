"""The page of a sample graph, which the start page of the site contains."""

from __future__ import annotations

from typing import NamedTuple

from openlineage_facets import RunEventBuilder
from openlineage_facets.graphs import page
from openlineage_facets.state import LineageState

__all__ = ["sample_page"]


class _Job(NamedTuple):
    """A job: what it reads, and the columns of what it writes with their sources, such as `orders:amount`."""

    name: str
    inputs: tuple[str, ...]
    output: str
    columns: dict[str, list[str]]
    rows: int
    minutes: int
    fails: bool = False


_NAMESPACES = {
    "shop.": "postgres://shop:5432",
    "curated/": "s3://lake",
    "bi.": "bigquery",
}

_TYPES = {"day": "date", "amount": "double", "revenue": "double", "value": "double"}

# Few enough layers to be read at the width of a page.
_JOBS = (
    _Job(
        "orders.clean",
        ("shop.public.orders", "shop.public.customers"),
        "curated/orders",
        {
            "day": ["shop.public.orders:day"],
            "country": ["shop.public.customers:country"],
            "customer": ["shop.public.orders:customer"],
            "amount": ["shop.public.orders:amount"],
        },
        47_988,
        11,
    ),
    _Job(
        "customers.load",
        ("shop.public.customers",),
        "curated/customers",
        {
            "customer": ["shop.public.customers:customer"],
            "email_hash": ["shop.public.customers:email"],
            "country": ["shop.public.customers:country"],
        },
        9_120,
        2,
    ),
    _Job(
        "revenue.daily",
        ("curated/orders",),
        "bi.sales.revenue",
        {
            "day": ["curated/orders:day"],
            "country": ["curated/orders:country"],
            "revenue": ["curated/orders:amount"],
        },
        365,
        6,
    ),
    _Job(
        "customers.value",
        ("curated/orders", "curated/customers"),
        "bi.sales.customer_value",
        {
            "customer": ["curated/customers:customer"],
            "email_hash": ["curated/customers:email_hash"],
            "value": ["curated/orders:amount"],
        },
        9_004,
        9,
        fails=True,
    ),
)


def sample_page() -> str:
    """Return the page of the sample graph."""
    state = LineageState()
    for hour, job in enumerate(_JOBS, start=1):
        build = RunEventBuilder(
            "shop",
            job.name,
            run_id=f"019d3719-f020-7c3e-9f10-{hour:012d}",
            producer="https://example.com/v7/etl",
        )
        for name in job.inputs:
            build.input(_namespace(name), name)
        output = build.output(_namespace(job.output), job.output)
        output.schema(
            fields=[{"name": column, "type": _TYPES.get(column, "string")} for column in job.columns]
        )
        output.column_lineage(
            fields={
                column: {"inputFields": [*map(_source, sources)]} for column, sources in job.columns.items()
            }
        )
        output.output_statistics(row_count=job.rows)
        state.apply(build.start(f"2026-03-29T{hour:02d}:00:00Z"))
        end = f"2026-03-29T{hour:02d}:{job.minutes:02d}:00Z"
        state.apply(
            build.fail("a column is missing: email_hash", event_time=end)
            if job.fails
            else build.complete(end)
        )
    return page(state.lineage(), title="Lineage of a shop", columns=True)


def _namespace(name: str) -> str:
    return next(namespace for prefix, namespace in _NAMESPACES.items() if name.startswith(prefix))


def _source(text: str) -> dict[str, str]:
    name, _, column = text.partition(":")
    return {"namespace": _namespace(name), "name": name, "field": column}
