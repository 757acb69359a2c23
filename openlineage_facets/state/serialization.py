"""Convert records to plain JSON types and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, Field, StrictInt, StrictStr, TypeAdapter, ValidationError
from typing_extensions import NotRequired, TypedDict

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.facet_history import FacetHistory, SortKey
from openlineage_facets.state.instants import FIRST_SECOND, LAST_SECOND
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


def _with_json(text: str) -> str:
    json.loads(text)
    return text


def _with_writes(text: str) -> str:
    _WRITES.validate_python(json.loads(text))
    return text


_Seconds: TypeAlias = Annotated[int, Field(strict=True, ge=FIRST_SECOND, le=LAST_SECOND)]
_Fraction: TypeAlias = Annotated[StrictStr, Field(pattern=r"^[0-9]*\z")]
_PlainInstant: TypeAlias = tuple[_Seconds, _Fraction]
_PlainSortKey: TypeAlias = tuple[_Seconds, _Fraction, StrictInt]
_PlainSpan: TypeAlias = tuple[_PlainInstant, _PlainInstant]
_Json: TypeAlias = Annotated[StrictStr, AfterValidator(_with_json)]
_Versions: TypeAlias = Annotated[list[tuple[_PlainSortKey, StrictStr, _Json]], Field(min_length=1)]
_Latest: TypeAlias = dict[StrictStr, tuple[_PlainSortKey, _Json]]
_Use: TypeAlias = tuple[Literal["input", "output"], Literal["job", "run"], StrictStr, StrictStr]
_Used: TypeAlias = list[tuple[StrictStr, StrictStr, _Latest]]


class _Entity(TypedDict):
    namespace: StrictStr
    name: StrictStr
    seen: _PlainSpan
    facets: dict[StrictStr, _Versions]


class _Job(_Entity):
    uses: list[tuple[_Use, _PlainSpan]]


class _Run(TypedDict):
    runId: StrictStr
    job: tuple[_PlainSortKey, StrictStr, StrictStr]
    firstOfType: dict[StrictStr, _PlainInstant]
    seen: _PlainSpan
    facets: _Latest
    inputs: _Used
    outputs: _Used
    writes: NotRequired[tuple[_PlainSortKey, Annotated[StrictStr, AfterValidator(_with_writes)]]]


class _State(TypedDict):
    jobs: list[_Job]
    datasets: list[_Entity]
    runs: list[_Run]


_STATE = TypeAdapter(_State)
_WRITES = TypeAdapter(list[tuple[StrictStr, StrictStr, list[tuple[StrictStr, StrictStr]]]])


def records_from_dict(plain: Mapping[str, Any], *, exact: bool) -> Records:
    """Return the records written by `records_to_dict`.

    Raises:
        ValueError: `plain` has another format, or is invalid.
    """
    found = plain.get("format") if isinstance(plain, Mapping) else plain
    if found != _FORMAT:
        raise ValueError(f"expected a state with the format {_FORMAT!r}, found {describe(found)}")
    try:
        return _records(_STATE.validate_python(plain), exact=exact)
    except ValidationError as error:
        raise ValueError(f"expected a state as `to_dict` returns it: {first_problem(error)}") from None


def first_problem(error: ValidationError) -> str:
    """Return the first problem of invalid JSON, with its location."""
    (first, *_) = error.errors(include_url=False)
    found = "" if first["type"] in ("missing", "json_invalid") else f", found {describe(first['input'])}"
    problem = first["msg"].removeprefix("Value error, ")
    return f"{json_pointer(first['loc']) or '(root)'}: {problem[:1].lower()}{problem[1:]}{found}"


def _records(state: _State, *, exact: bool) -> Records:
    records = Records()
    for job in state["jobs"]:
        histories = _histories(job["facets"], exact=exact)
        records.jobs[job["namespace"], job["name"]] = JobRecord(job["seen"], histories, dict(job["uses"]))
    for dataset in state["datasets"]:
        histories = _histories(dataset["facets"], exact=exact)
        records.datasets[dataset["namespace"], dataset["name"]] = EntityRecord(dataset["seen"], histories)
    for index, run in enumerate(state["runs"]):
        records.runs[run["runId"]] = record = run_from_plain(run, _LISTS)
        sort_key, namespace, name = run["job"]
        record.job, record.first_of_type = (sort_key, (namespace, name)), run["firstOfType"]
        used = record.inputs.keys() | record.outputs.keys()
        missing = {(namespace, name)} - records.jobs.keys() or used - records.datasets.keys()
        if missing:
            names = " ".join(min(missing))
            problem = f"/runs/{index}: expected {names} among the jobs and datasets, found none"
            raise ValueError(f"expected a state as `to_dict` returns it: {problem}")
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


def _histories(plain: Mapping[str, _Versions], *, exact: bool) -> dict[str, FacetHistory]:
    histories: dict[str, FacetHistory] = {}
    for key, versions in plain.items():
        histories[key] = FacetHistory()
        for sort_key, source, value in versions:
            histories[key].add(sort_key, value, source, exact=exact)
    return histories


_LISTS = PlainTimes(lambda *parts: list(parts), tuple, tuple)
