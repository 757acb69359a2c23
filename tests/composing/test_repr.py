"""The `repr` of a value is short, whatever its size."""

from __future__ import annotations

from typing import Any

from openlineage_facets import InputDataset, Run, Timestamp
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    RunFacet,
    RunFacets,
    column_lineage_dataset,
    schema_dataset,
)
from tests.cases import each
from tests.composing.orders import RUN_ID, columns, full_event, job, nominal_time, run_event, sql


def test_the_repr_of_a_small_value_is_its_constructor_call() -> None:
    assert repr(job()) == "Job(namespace='etl', name='orders.daily')"
    assert repr(sql()) == "SQLJobFacet(query='select 1')"
    assert repr(RunFacet(usd=1.5)) == "RunFacet(usd=1.5)"
    assert repr(Timestamp("2026-11-21T08:30:00.123456789Z")) == "Timestamp('2026-11-21T08:30:00.123456789Z')"
    facets = RunFacets({"nominalTime": nominal_time(), "acme_cost": RunFacet()})
    assert repr(facets) == "RunFacets(nominalTime, acme_cost)"


def test_absent_fields_are_not_shown() -> None:
    assert "facets" not in repr(job())
    assert "None" not in repr(run_event())


def test_an_event_shows_what_identifies_it() -> None:
    shown = repr(full_event())
    for part in ("START", RUN_ID, "etl", "orders.daily", "nominalTime", "raw/orders", "outputStatistics"):
        assert part in shown


def column(*inner: Any) -> Any:
    """Return a column that contains another one three times."""
    return schema_dataset.SchemaDatasetFacetFields(name="a" * 50, fields=[*inner, *inner, *inner])


LARGE = {
    "two thousand columns": run_event(
        inputs=[
            InputDataset(namespace="a", name="b", facets=[columns(*(f"column_{n}" for n in range(2000)))])
        ]
    ),
    "two thousand columns by themselves": columns(*(f"column_{n}" for n in range(2000))),
    "two thousand inputs": run_event(inputs=[InputDataset(namespace="a", name=f"{n}") for n in range(2000)]),
    "a long query": job(facets=[sql("select 1 " * 1000)]),
    "a long query by itself": sql("select 1 " * 1000),
    "the lineage of a wide table": ColumnLineageDatasetFacet(
        fields={
            f"column_{n}": column_lineage_dataset.Fields(
                input_fields=[
                    column_lineage_dataset.InputField(namespace="a", name="b", field=f"column_{m}")
                    for m in range(50)
                ]
            )
            for n in range(50)
        }
    ),
    "a custom facet of long texts": RunFacet(notes={"a": ["word " * 1000] * 3}),
    "columns nested four deep": column(column(column(column()))),
    "a thousand fields": RunFacet(**dict.fromkeys((f"f{n}" for n in range(1000)), 1)),
    "a container of a thousand facets": RunFacets({f"acme_{n}": RunFacet(x=n) for n in range(1000)}),
    "a hundred custom facets": Run(facets={f"acme_{n:090}": RunFacet(x=n) for n in range(100)}),
}


@each("value", LARGE.values(), ids=LARGE)
def test_a_large_value_still_fits_on_a_screen(value: object) -> None:
    assert len(repr(value)) < 2000
    assert "\n" not in repr(value)


def test_the_repr_says_how_much_it_leaves_out() -> None:
    for name in ("a thousand fields", "a container of a thousand facets"):
        assert repr(LARGE[name]).endswith("99=1, and 900 more)" if "fields" in name else "_99, and 900 more)")
