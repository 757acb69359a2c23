"""A state's records as plain JSON types and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openlineage_facets.state.history import FacetHistory, Order, Statement
from openlineage_facets.state.moments import Moment, Span
from openlineage_facets.state.reading import Key
from openlineage_facets.state.records import DatasetRecord, Facets, JobRecord, RunRecord

__all__ = ["records_of", "to_plain"]

_FORMAT = "openlineage-facets state 1"


def to_plain(
    jobs: Mapping[Key, JobRecord], datasets: Mapping[Key, DatasetRecord], runs: Mapping[str, RunRecord]
) -> dict[str, Any]:
    """Return records as plain JSON types; equal records give equal dicts."""
    return {
        "format": _FORMAT,
        "jobs": [
            {
                **_plain_entity(key, record),
                "uses": [[list(use), list(map(list, record.uses[use]))] for use in sorted(record.uses)],
            }
            for key, record in sorted(jobs.items())
        ],
        "datasets": [_plain_entity(key, record) for key, record in sorted(datasets.items())],
        "runs": [_plain_run(run, record) for run, record in sorted(runs.items())],
    }


def records_of(
    plain: Mapping[str, Any], *, every: bool
) -> tuple[dict[Key, JobRecord], dict[Key, DatasetRecord], dict[str, RunRecord]]:
    """Return the records that `to_plain` wrote.

    Raises:
        ValueError: `plain` is something else.
    """
    if plain.get("format") != _FORMAT:
        raise ValueError(f"expected a state written as {_FORMAT!r}, found {plain.get('format')!r}")
    jobs: dict[Key, JobRecord] = {}
    for entity in plain["jobs"]:
        uses = {tuple(use): _span(span) for use, span in entity["uses"]}
        record = JobRecord(_span(entity["seen"]), _histories(entity["facets"], every=every), uses)
        jobs[entity["namespace"], entity["name"]] = record
    datasets = {
        (entity["namespace"], entity["name"]): DatasetRecord(
            _span(entity["seen"]), _histories(entity["facets"], every=every)
        )
        for entity in plain["datasets"]
    }
    return jobs, datasets, {run["runId"]: _run(run) for run in plain["runs"]}


def _plain_entity(key: Key, record: DatasetRecord) -> dict[str, Any]:
    assert record.seen is not None
    return {
        "namespace": key[0],
        "name": key[1],
        "seen": list(map(list, record.seen)),
        "facets": {
            name: [[list(said.order), said.source, said.value] for said in sorted(history)]
            for name, history in sorted(record.facets.items())
        },
    }


def _plain_run(run: str, record: RunRecord) -> dict[str, Any]:
    assert record.seen is not None
    assert record.job is not None
    return {
        "runId": run,
        "seen": list(map(list, record.seen)),
        "job": [list(record.job[0]), *record.job[1]],
        "firstOfType": {name: list(moment) for name, moment in sorted(record.first_of_type.items())},
        "facets": _plain_facets(record.facets),
        "inputs": [[*key, _plain_facets(facets)] for key, facets in sorted(record.inputs.items())],
        "outputs": [[*key, _plain_facets(facets)] for key, facets in sorted(record.outputs.items())],
    }


def _plain_facets(facets: Facets) -> dict[str, Any]:
    return {key: [list(order), value] for key, (order, value) in sorted(facets.items())}


def _run(plain: Mapping[str, Any]) -> RunRecord:
    order, *job = plain["job"]
    return RunRecord(
        seen=_span(plain["seen"]),
        first_of_type={name: _moment(moment) for name, moment in plain["firstOfType"].items()},
        job=(_order(order), (job[0], job[1])),
        facets=_facets(plain["facets"]),
        inputs={(namespace, name): _facets(facets) for namespace, name, facets in plain["inputs"]},
        outputs={(namespace, name): _facets(facets) for namespace, name, facets in plain["outputs"]},
    )


def _facets(plain: Mapping[str, Any]) -> Facets:
    return {key: (_order(order), value) for key, (order, value) in plain.items()}


def _histories(plain: Mapping[str, Any], *, every: bool) -> dict[str, FacetHistory]:
    histories: dict[str, FacetHistory] = {}
    for key, statements in plain.items():
        histories[key] = FacetHistory()
        for order, source, value in statements:
            histories[key].add(Statement(_order(order), value, source), every=every)
    return histories


def _order(plain: list[Any]) -> Order:
    seconds, fraction, rank = plain
    return seconds, fraction, rank


def _moment(plain: list[Any]) -> Moment:
    seconds, fraction = plain
    return seconds, fraction


def _span(plain: list[Any]) -> Span:
    first, last = plain
    return _moment(first), _moment(last)
