"""The page of a sample graph, which the start page of the site contains."""

from __future__ import annotations

from typing import NamedTuple

from openlineage_facets import RunEventBuilder
from openlineage_facets.graphs import page
from openlineage_facets.state import LineageState

__all__ = ["sample_page"]


class _Job(NamedTuple):
    """A job: what it reads, and the columns of what it writes with their sources, such as `orders.amount`."""

    name: str
    inputs: tuple[str, ...]
    output: str
    columns: dict[str, list[str]]
    rows: int
    minutes: int
    fails: bool = False


_NAMESPACES = {
    "shop.": "postgres://shop:5432",
    "raw/": "s3://lake",
    "curated/": "s3://lake",
    "bi.": "bigquery",
}

_JOBS = (
    _Job(
        "load.orders",
        ("shop.public.orders",),
        "raw/orders",
        {one: [f"shop.public.orders:{one}"] for one in ("id", "customer", "day", "amount")},
        48_210,
        4,
    ),
    _Job(
        "load.customers",
        ("shop.public.customers",),
        "raw/customers",
        {one: [f"shop.public.customers:{one}"] for one in ("customer", "email", "country")},
        9_120,
        2,
    ),
    _Job(
        "orders.clean",
        ("raw/orders", "raw/customers"),
        "curated/orders",
        {
            "day": ["raw/orders:day"],
            "country": ["raw/customers:country"],
            "customer": ["raw/orders:customer"],
            "amount": ["raw/orders:amount"],
        },
        47_988,
        11,
    ),
    _Job(
        "orders.daily",
        ("curated/orders",),
        "curated/daily_revenue",
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
        ("curated/orders", "raw/customers"),
        "curated/customer_value",
        {
            "customer": ["curated/orders:customer"],
            "email_hash": ["raw/customers:email"],
            "value": ["curated/orders:amount"],
        },
        9_004,
        9,
        fails=True,
    ),
    _Job(
        "report.revenue",
        ("curated/daily_revenue",),
        "bi.sales.revenue",
        {"day": ["curated/daily_revenue:day"], "revenue": ["curated/daily_revenue:revenue"]},
        365,
        1,
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
        output.schema(fields=[{"name": column, "type": "string"} for column in job.columns])
        output.column_lineage(
            fields={
                column: {"inputFields": [*map(_source, sources)]} for column, sources in job.columns.items()
            }
        )
        output.output_statistics(row_count=job.rows)
        state.apply(build.start(f"2026-03-29T{hour:02d}:00:00Z"))
        end = f"2026-03-29T{hour:02d}:{job.minutes:02d}:00Z"
        state.apply(
            build.fail("a column is missing: email", event_time=end) if job.fails else build.complete(end)
        )
    return page(state.lineage(), title="Lineage of a shop")


def _namespace(name: str) -> str:
    return next(namespace for prefix, namespace in _NAMESPACES.items() if name.startswith(prefix))


def _source(text: str) -> dict[str, str]:
    name, _, column = text.partition(":")
    return {"namespace": _namespace(name), "name": name, "field": column}
