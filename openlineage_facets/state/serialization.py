"""Convert records to plain JSON types and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.facet_history import FacetHistory, SortKey
from openlineage_facets.state.instants import Span
from openlineage_facets.state.records import EntityRecord, JobRecord, LatestFacets, Records, RunRecord

_FORMAT = "openlineage-facets state 1"


def records_to_dict(records: Records) -> dict[str, Any]:
    """Return records as plain JSON types. Equal records return equal dicts."""
    return {
        "format": _FORMAT,
        "jobs": [
            {
                **_entity_to_dict(key, record),
                "uses": [[list(use), list(map(list, record.uses[use]))] for use in sorted(record.uses)],
            }
            for key, record in sorted(records.jobs.items())
        ],
        "datasets": [_entity_to_dict(key, record) for key, record in sorted(records.datasets.items())],
        "runs": [_run_to_dict(run, record) for run, record in sorted(records.runs.items())],
    }


def records_from_dict(plain: Mapping[str, Any], *, exact: bool) -> Records:
    """Return the records written by `records_to_dict`.

    Raises:
        ValueError: `plain` has another format.
    """
    if plain.get("format") != _FORMAT:
        raise ValueError(f"expected a state with the format {_FORMAT!r}, found {plain.get('format')!r}")
    try:
        return _records(plain, exact=exact)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"expected a state as `to_dict` returns it: {error!r}") from None


def _records(plain: Mapping[str, Any], *, exact: bool) -> Records:
    records = Records()
    for entity in plain["jobs"]:
        uses = {tuple(use): _span(span) for use, span in entity["uses"]}
        record = JobRecord(_span(entity["seen"]), _histories(entity["facets"], exact=exact), uses)
        records.jobs[entity["namespace"], entity["name"]] = record
    for entity in plain["datasets"]:
        records.datasets[entity["namespace"], entity["name"]] = EntityRecord(
            _span(entity["seen"]), _histories(entity["facets"], exact=exact)
        )
    for run in plain["runs"]:
        records.runs[run["runId"]] = _run(run)
    return records


def _entity_to_dict(key: Key, record: EntityRecord) -> dict[str, Any]:
    assert record.seen is not None
    return {
        "namespace": key[0],
        "name": key[1],
        "seen": list(map(list, record.seen)),
        "facets": {
            name: [[list(version.sort_key), version.source, version.value] for version in sorted(history)]
            for name, history in sorted(record.facets.items())
        },
    }


def _run_to_dict(run: str, record: RunRecord) -> dict[str, Any]:
    assert record.seen is not None
    assert record.job is not None
    return {
        "runId": run,
        "seen": list(map(list, record.seen)),
        "job": [list(record.job[0]), *record.job[1]],
        "firstOfType": {name: list(instant) for name, instant in sorted(record.first_of_type.items())},
        "facets": _facets_to_dict(record.facets),
        "inputs": [[*key, _facets_to_dict(facets)] for key, facets in sorted(record.inputs.items())],
        "outputs": [[*key, _facets_to_dict(facets)] for key, facets in sorted(record.outputs.items())],
        **({} if record.writes is None else {"writes": [list(record.writes[0]), record.writes[1]]}),
    }


def _facets_to_dict(facets: LatestFacets) -> dict[str, Any]:
    return {key: [list(sort_key), value] for key, (sort_key, value) in sorted(facets.items())}


def _run(plain: Mapping[str, Any]) -> RunRecord:
    sort_key, *job = plain["job"]
    writes = plain.get("writes")
    return RunRecord(
        seen=_span(plain["seen"]),
        first_of_type={name: _instant(instant) for name, instant in plain["firstOfType"].items()},
        job=(_sort_key(sort_key), (job[0], job[1])),
        facets=_facets(plain["facets"]),
        inputs={(namespace, name): _facets(facets) for namespace, name, facets in plain["inputs"]},
        outputs={(namespace, name): _facets(facets) for namespace, name, facets in plain["outputs"]},
        writes=None if writes is None else (_sort_key(writes[0]), writes[1]),
    )


def _facets(plain: Mapping[str, Any]) -> LatestFacets:
    return {key: (_sort_key(sort_key), value) for key, (sort_key, value) in plain.items()}


def _histories(plain: Mapping[str, Any], *, exact: bool) -> dict[str, FacetHistory]:
    histories: dict[str, FacetHistory] = {}
    for key, versions in plain.items():
        if not versions:
            raise ValueError(f"expected at least one version of the facet {key!r}, found none")
        histories[key] = FacetHistory()
        for sort_key, source, value in versions:
            histories[key].add(_sort_key(sort_key), value, source, exact=exact)
    return histories


def _sort_key(plain: list[Any]) -> SortKey:
    seconds, fraction, rank = plain
    return seconds, fraction, rank


def _instant(plain: list[Any]) -> Instant:
    seconds, fraction = plain
    return seconds, fraction


def _span(plain: list[Any]) -> Span:
    first, last = plain
    return _instant(first), _instant(last)
