"""Sample graphs for tests."""

from __future__ import annotations

from random import Random
from typing import Any

from openlineage_facets.state import Lineage
from tests import events as examples
from tests.events import PRODUCER as PRODUCER
from tests.events import facet

lineage_facet = facet

HOSTILE_NAMES = (
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked = 1">',
    "javascript:window.hacked=1",
    "`](javascript:window.hacked=1)",
    'x"]; end; click a href "javascript:alert(1)"',
    "1. <b>list</b> #quot; &lt; %%{init: {}}%%",
    '\\N \\" <!-- ]]> {{a}}',
    "line\nbreak\u202egnp.exe",
    "__proto__",
    "constructor",
)


def dataset(name: str, columns: tuple[str, ...] = (), sources: Any = None) -> dict[str, Any]:
    """Return a dataset with a schema and, for each column in `sources`, pairs of input dataset and column."""
    facets: dict[str, Any] = {}
    if columns:
        facets["schema"] = facet(fields=[{"name": one, "type": "string"} for one in columns])
    if sources:
        fields = {
            column: {
                "inputFields": [
                    {
                        "namespace": "db",
                        "name": source,
                        "field": field,
                        "transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}],
                    }
                    for source, field in inputs
                ]
            }
            for column, inputs in sources.items()
        }
        facets["columnLineage"] = facet(fields=fields)
    return {"namespace": "db", "name": name, "facets": facets}


def run_event(
    job: str,
    inputs: list[dict[str, Any]],
    outputs: list[dict[str, Any]],
    state: str = "COMPLETE",
    second: int = 0,
) -> dict[str, Any]:
    """Return a run event of a job."""
    number = sum(map(ord, job)) * 100 + second
    return examples.run_event(
        eventType=state,
        eventTime=f"2026-11-21T08:30:{second:02}Z",
        run={"runId": f"01950000-0000-7000-8000-{number:012}"},
        job={"namespace": "etl", "name": job},
        inputs=inputs,
        outputs=outputs,
    )


def orders_events(second_job: str = "FAIL") -> list[dict[str, Any]]:
    """Return events of two jobs: raw/orders and raw/customers to curated/daily to reports/weekly."""
    raw = dataset("raw/orders", ("customer", "amount"))
    customers = dataset("raw/customers", ("id", "email"))
    daily = dataset(
        "curated/daily",
        ("customer", "amount", "day"),
        {"customer": [("raw/customers", "email")], "amount": [("raw/orders", "amount")]},
    )
    daily["outputFacets"] = {"outputStatistics": facet(rowCount=1234567, size=45678901)}
    weekly = dataset("reports/weekly", ("total",), {"total": [("curated/daily", "amount")]})
    last = run_event("reports.weekly", [dataset("curated/daily")], [weekly], second_job, 40)
    last["run"]["facets"] = {"errorMessage": facet(message="disk full", programmingLanguage="python")}
    return [
        run_event("orders.daily", [raw, customers], [daily], "START", 1),
        run_event("orders.daily", [raw, customers], [daily], "COMPLETE", 1)
        | {"eventTime": "2026-11-21T08:31:13Z"},
        last,
    ]


def checked_events() -> list[dict[str, Any]]:
    """Return an event of a job whose input has tags and two checks, one of which has failed."""
    source = dataset("raw/orders", ("email", "amount"))
    tags = [{"key": "gold", "value": "true"}, {"key": "pii", "value": "true", "field": "email"}]
    source["facets"]["tags"] = facet(tags=tags)
    checks = [
        {"assertion": "not_null", "success": False, "column": "email"},
        {"assertion": "row_count", "success": True},
    ]
    source["inputFacets"] = {"dataQualityAssertions": facet(assertions=checks)}
    return [run_event("orders.daily", [source], [dataset("curated/daily")])]


def same_names_events() -> list[dict[str, Any]]:
    """Return events of jobs and datasets that differ only in their namespaces, and of long names."""
    events = []
    for namespace in (
        "postgres://test-warehouse.example.com:5432",
        "postgres://live-warehouse.example.com:5432",
    ):
        event = run_event("copy", [dataset("raw/orders")], [dataset("shop.public.orders", ("id",))])
        event["run"]["runId"] = event["run"]["runId"][:-1] + str(len(events))
        for one in (event["job"], *event["inputs"], *event["outputs"]):
            one["namespace"] = namespace
        events.append(event)
    regions = [
        dataset(f"/warehouse/region-{region}/orders/daily/partitioned-by-month") for region in ("eu", "us")
    ]
    return [*events, run_event("merge", regions, [])]


def between_namespaces_events() -> list[dict[str, Any]]:
    """Return events of jobs from the namespace raw to clean, and from there to marts."""
    names = {"raw": ["orders"], "clean": ["orders"], "marts": ["orders", "totals"]}
    data = {space: [{**dataset(name), "namespace": space} for name in names[space]] for space in names}
    return [
        run_event("clean", data["raw"], data["clean"]),
        run_event("marts", data["clean"], data["marts"]),
    ]


def several_runs_events(count: int) -> list[dict[str, Any]]:
    """Return events of runs of a job, one on each day: each takes longer, the third has failed."""
    events = []
    for day in range(1, count + 1):
        output = dataset("orders")
        output["outputFacets"] = {"outputStatistics": facet(rowCount=100 * day)}
        for state, minute in (("START", 0), ("FAIL" if day == 3 else "COMPLETE", day)):
            event = run_event("job", [], [output], state, day)
            events.append(event | {"eventTime": f"2026-11-{day:02}T08:{minute:02}:00Z"})
    return events


def filtered() -> Lineage:
    """Return a graph in which all columns of shop/open depend on a filter by raw/orders.status."""
    target = dataset("shop/open", ("id", "amount"), {"id": [("raw/orders", "id")]})
    target["facets"]["columnLineage"]["dataset"] = [
        {
            "namespace": "db",
            "name": "raw/orders",
            "field": "status",
            "transformations": [{"type": "INDIRECT", "subtype": "FILTER"}],
        }
    ]
    report = dataset("shop/report", ("total", "day"), {"total": [("shop/open", "amount")]})
    source = dataset("raw/orders", ("id", "status", "note"))
    return folded(
        [run_event("filter", [source], [target]), run_event("report", [dataset("shop/open")], [report])]
    )


def folded(events: list[dict[str, Any]], *, by_job: bool = False) -> Lineage:
    """Return the graph of events."""
    return examples.folded(*events).lineage(by_job=by_job)


def orders() -> Lineage:
    """Return the graph of `orders_events`."""
    return folded(orders_events())


def hostile() -> Lineage:
    """Return a graph whose jobs, datasets and columns have hostile names."""
    events = []
    for name in HOSTILE_NAMES:
        source = dataset(name, (name,))
        target = dataset(f"copy of {name}", (name,), {name: [(name, name)]})
        events.append(run_event(name, [source], [target]))
    return folded(events)


def wide(jobs: int, inputs: int) -> Lineage:
    """Return a graph with a chain of jobs, each with many inputs."""
    events = []
    for job in range(jobs):
        sources = [dataset(f"part-{job}-{number}") for number in range(inputs)]
        events.append(
            run_event(f"job-{job}", [dataset(f"step-{job}"), *sources], [dataset(f"step-{job + 1}")])
        )
    return folded(events)


def long_link_events() -> list[dict[str, Any]]:
    """Return events in which sessions are used by the next job, and by one that is two layers later."""
    return [
        run_event(job, [dataset(name) for name in inputs], [dataset(output)])
        for job, inputs, output in (
            ("j1", ["clicks"], "sessions"),
            ("j2", ["orders"], "clean"),
            ("c", ["clean", "sessions"], "c360"),
            ("j3", ["clean"], "enriched"),
            ("attribution", ["ads", "sessions", "enriched"], "attr"),
        )
    ]


def random_graph(seed: int) -> Lineage:
    """Return a graph of up to 60 jobs and datasets of several namespaces, with long links and cycles.

    All columns have lineage.
    """
    random = Random(seed)
    jobs, datasets = random.randrange(3, 20), random.randrange(6, 40)
    reads: list[list[int]] = []
    writes: list[list[int]] = []
    sources: list[dict[str, list[tuple[str, str]]]] = [{} for _ in range(datasets)]
    columns: list[dict[str, None]] = [{} for _ in range(datasets)]
    for job in range(jobs):
        written = range(job * datasets // jobs + 1, (job + 1) * datasets // jobs + 1)
        writes.append([number for number in written if number < datasets and random.random() < 0.7])
        others = range(datasets) if random.random() < 0.1 else range(written.start)
        reads.append(sorted({random.choice(others) for _ in range(random.randrange(1, 5))}))
        for target in writes[-1]:
            for row in range(random.choice([0, 0, 2, 6])):
                source, name = random.choice(reads[-1]), f"column {random.randrange(4)}"
                sources[target][f"result {row}"] = [(f"dataset {source}", name)]
                columns[source][name] = columns[target][f"result {row}"] = None
    everything = [
        dataset(f"dataset {number}", tuple(columns[number]), sources[number]) for number in range(datasets)
    ]
    for node in everything:
        fields = node["facets"].get("columnLineage", {"fields": {}})["fields"].values()
        for one in (node, *(source for field in fields for source in field["inputFields"])):
            one["namespace"] = f"db{int(one['name'].split()[1]) % 4}"
    return folded(
        [
            run_event(f"job {job}", [everything[one] for one in read], [everything[one] for one in written])
            for job, (read, written) in enumerate(zip(reads, writes, strict=True))
        ]
    )


def copies() -> Lineage:
    """Return the graph of a job that declares which dataset it copies to which, and of one that follows."""
    names = ("a", "b", "c")
    event = run_event("copy", [*map(dataset, names)], [dataset(f"{name}_copy") for name in names])
    entries = [
        {
            "namespace": "db",
            "name": f"{name}_copy",
            "type": "DATASET",
            "inputs": [{"namespace": "db", "name": name, "type": "DATASET"}],
        }
        for name in names
    ]
    event["job"]["facets"] = {"lineage": facet(entries=entries)}
    return folded([event, run_event("report", [dataset("b_copy")], [dataset("sums")])])
