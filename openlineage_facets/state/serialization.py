"""Convert records to plain JSON types and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

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
    assert record.job is not None
    types = {name: list(instant) for name, instant in sorted(record.first_of_type.items())}
    job = [list(record.job[0]), *record.job[1]]
    return {"runId": run, "job": job, "firstOfType": types, **run_to_plain(record, _LISTS)}


def _run(plain: Mapping[str, Any]) -> RunRecord:
    sort_key, *job = plain["job"]
    record = run_from_plain(plain, _LISTS)
    record.job = _sort_key(sort_key), (job[0], job[1])
    record.first_of_type = {name: _instant(instant) for name, instant in plain["firstOfType"].items()}
    return record


class PlainTimes(NamedTuple):
    """How instants and sort keys are written as plain JSON types."""

    write: Callable[..., Any]
    """Returns an instant or sort key, whose parts it accepts, as plain JSON."""
    instant: Callable[[Any], Instant]
    """Returns a written instant."""
    sort_key: Callable[[Any], SortKey]
    """Returns a written sort key."""


def run_to_plain(record: RunRecord, times: PlainTimes) -> dict[str, Any]:
    """Return a run, except its job and the first events of each type, as plain JSON types."""
    write = times.write

    def facets_to_plain(facets: LatestFacets) -> dict[str, Any]:
        return {key: [write(*sort_key), value] for key, (sort_key, value) in sorted(facets.items())}

    def used_to_plain(used: dict[Key, LatestFacets]) -> list[Any]:
        return [[*key, facets_to_plain(facets)] for key, facets in sorted(used.items())]

    assert record.seen is not None
    return {
        "seen": [write(*instant) for instant in record.seen],
        "facets": facets_to_plain(record.facets),
        "inputs": used_to_plain(record.inputs),
        "outputs": used_to_plain(record.outputs),
        **({} if record.writes is None else {"writes": [write(*record.writes[0]), record.writes[1]]}),
    }


def run_from_plain(plain: Mapping[str, Any], times: PlainTimes) -> RunRecord:
    """Return the run written by `run_to_plain`."""

    def facets(plain: Mapping[str, Any]) -> LatestFacets:
        return {key: (times.sort_key(at), value) for key, (at, value) in plain.items()}

    def used(plain: list[Any]) -> dict[Key, LatestFacets]:
        return {(namespace, name): facets(of_dataset) for namespace, name, of_dataset in plain}

    first, last = map(times.instant, plain["seen"])
    writes = plain.get("writes")
    return RunRecord(
        seen=(first, last),
        facets=facets(plain["facets"]),
        inputs=used(plain["inputs"]),
        outputs=used(plain["outputs"]),
        writes=None if writes is None else (times.sort_key(writes[0]), writes[1]),
    )


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


_LISTS = PlainTimes(lambda *parts: list(parts), _instant, _sort_key)
