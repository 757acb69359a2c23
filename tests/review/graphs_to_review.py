"""Random graphs with everything that a lock file contains."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from openlineage_facets.state import LineageState
from tests.graphs.sample_graphs import run_event

_NAMES = st.sampled_from(["a", "b", "c", "ü/ \n"])
_COLUMNS = st.sampled_from(["x", "y", "z"])
_STEPS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["DIRECT", "INDIRECT"])},
        optional={
            "subtype": st.sampled_from(["IDENTITY", "AGGREGATION", "FILTER", "JOIN", "SORT"]),
            "masking": st.booleans(),
            "description": st.sampled_from(["a > 1", "b"]),
        },
    ),
    max_size=2,
)
_SOURCES = st.lists(
    st.builds(
        lambda name, column, steps: {
            "namespace": "db", "name": name, "field": column, "transformations": steps,
        },
        _NAMES, _COLUMNS, _STEPS,
    ),
    max_size=2,
)  # fmt: skip
_FIELDS = st.lists(
    st.fixed_dictionaries(
        {"name": _COLUMNS},
        optional={
            "type": st.sampled_from(["long", "string", "struct"]),
            "description": st.sampled_from(["number", "text"]),
            "fields": st.just([{"name": "inner", "type": "long"}]),
        },
    ),
    max_size=3,
    unique_by=lambda field: field["name"],
)
_BASE = {"_producer": "https://example.com/v7/etl", "_schemaURL": "https://schemas.example.com/1-0-0/F.json"}
_OWNERSHIP = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["team:a", "team:b"])}, optional={"type": st.just("OWNER")}
    ),
    max_size=2,
).map(lambda owners: {**_BASE, "owners": owners})
_TAGS = st.lists(
    st.fixed_dictionaries(
        {"key": st.sampled_from(["pii", "gold"]), "value": st.sampled_from(["true", "false"])},
        optional={"field": _COLUMNS, "source": st.just("USER")},
    ),
    max_size=2,
).map(lambda tags: {**_BASE, "tags": tags})
_DATASET_FACETS = st.fixed_dictionaries(
    {},
    optional={
        "schema": _FIELDS.map(lambda fields: {**_BASE, "fields": fields}),
        "columnLineage": st.builds(
            lambda fields, rows: {
                **_BASE,
                "fields": {name: {"inputFields": sources} for name, sources in fields.items()},
                "dataset": rows,
            },
            st.dictionaries(_COLUMNS, _SOURCES, max_size=2),
            _SOURCES,
        ),
        "ownership": _OWNERSHIP,
        "tags": _TAGS,
        "documentation": st.just({**_BASE, "description": "what it is"}),
    },
)
_DATASETS = st.lists(
    st.builds(
        lambda name, facets: {"namespace": "db", "name": name, "facets": facets}, _NAMES, _DATASET_FACETS
    ),
    max_size=2,
)


def _lineage_facet(inputs: list[dict[str, Any]], outputs: list[dict[str, Any]]) -> dict[str, Any]:
    fed = [{"namespace": "db", "name": dataset["name"], "type": "DATASET"} for dataset in inputs]
    columns = [{**source, "field": "x", "transformations": [{"type": "DIRECT"}]} for source in fed]
    end = {"namespace": "db", "type": "DATASET"}
    fields = {"y": {"inputs": columns}}
    entries = [{**end, "name": dataset["name"], "inputs": fed, "fields": fields} for dataset in outputs]
    return {**_BASE, "entries": entries}


def _event(
    job: str, inputs: list[Any], outputs: list[Any], declares: bool, owner: Any, second: int
) -> dict[str, Any]:
    event = run_event(job, inputs, outputs, second=second)
    facets = {"ownership": owner}
    event["job"]["facets"] = {**facets, "lineage": _lineage_facet(inputs, outputs)} if declares else facets
    return event


EVENTS = st.lists(
    st.builds(
        _event,
        st.sampled_from(["load", "merge", "report"]),
        _DATASETS,
        _DATASETS,
        st.booleans(),
        _OWNERSHIP,
        st.integers(0, 59),
    ),
    max_size=4,
)
"""Events of a few jobs and datasets."""


def folded(events: list[dict[str, Any]]) -> LineageState:
    """Return the state of events."""
    state = LineageState()
    for event in events:
        state.apply(event)
    return state
