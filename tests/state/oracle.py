"""A slow reference implementation: collect all facets, sort them, use the last."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import datetime, timezone
from functools import cache
from typing import Any, NamedTuple

from openlineage_facets.state import LineageState

Json = dict[str, Any]

DIGITS = 30
UNIT: int = 10**30

RUN = "(the run itself)"

RANKS = {"static": 0, "START": 1, "RUNNING": 2, "OTHER": 3, "FAIL": 4, "ABORT": 5, "COMPLETE": 6}


class ReportedFacet(NamedTuple):
    """A facet in one event."""

    moment: int
    rank: int
    of_output: bool
    text: str
    entity: tuple[str, str]
    """Kind and name."""
    key: str
    source: str


@cache
def instant_of(text: str) -> int:
    """Return the instant as an exact integer."""
    match = re.fullmatch(r"(.{19})(?:\.(\d+))?(.+)", text)
    assert match is not None
    whole, digits, zone = match[1], match[2] or "0", match[3].replace("Z", "+00:00")
    since = datetime.fromisoformat(whole + zone) - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (since.days * 86_400 + since.seconds) * UNIT + int(digits.ljust(DIGITS, "0"))


def _rank(event: Json) -> int:
    return RANKS[event.get("eventType", "OTHER")] if "run" in event else RANKS["static"]


def _reported_facets(event: Json) -> Iterable[ReportedFacet]:
    source = event.get("run", {}).get("runId", "")
    entities = [("job", event["job"], False)] if "job" in event else [("dataset", event["dataset"], False)]
    entities += [("dataset", dataset, False) for dataset in event.get("inputs", ())]
    entities += [("dataset", dataset, True) for dataset in event.get("outputs", ())]
    for kind, entity, of_output in entities:
        for key, value in entity.get("facets", {}).items():
            text = json.dumps(value, sort_keys=True, separators=(",", ":"))
            yield ReportedFacet(
                instant_of(event["eventTime"]),
                _rank(event),
                of_output,
                text,
                (kind, entity["name"]),
                key,
                source,
            )


def _without_repeats(reported: list[ReportedFacet]) -> list[ReportedFacet]:
    """Keep the first and the last time at which a source reported the same value of a facet."""
    groups: dict[tuple[Any, ...], list[ReportedFacet]] = {}
    for statement in reported:
        groups.setdefault((statement.entity, statement.key, statement.source, statement.text), []).append(
            statement
        )
    return [end for group in groups.values() for end in (min(group), max(group))]


def _in_force(reported: Iterable[ReportedFacet], entity: tuple[str, str]) -> Json:
    last: dict[str, ReportedFacet] = {}
    for statement in sorted(reported):
        if statement.entity == entity:
            last[statement.key] = statement
    facets = {key: json.loads(statement.text) for key, statement in last.items()}
    return {key: value for key, value in facets.items() if not value.get("_deleted")}


def _run(run: str, events: list[Json], reported: list[ReportedFacet]) -> Json:
    own = sorted(
        (event for event in events if event.get("run", {}).get("runId") == run),
        key=lambda event: (instant_of(event["eventTime"]), _rank(event)),
    )
    terminal = [event for event in own if event.get("eventType") in ("FAIL", "ABORT", "COMPLETE")]
    types = {event.get("eventType") for event in own}
    state = next((name for name in ("RUNNING", "START") if name in types), None)
    if terminal:
        state = terminal[0]["eventType"]
    moment = instant_of((terminal or own[-1:])[0]["eventTime"])
    known = [statement for statement in reported if statement.moment <= moment or statement.source == run]
    job = max((instant_of(event["eventTime"]), _rank(event), event["job"]["name"]) for event in own)[-1]
    return {
        "state": state,
        "job": job,
        "facets": _accumulated(own, lambda event: [event["run"]]).get(RUN, {}),
        "job_facets": _in_force(known, ("job", job)),
        **{
            role: {
                name: (_in_force(known, ("dataset", name)), facets)
                for name, facets in _accumulated(own, lambda event, role=role: event.get(role, ())).items()
            }
            for role in ("inputs", "outputs")
        },
    }


def _accumulated(events: list[Json], entities_of: Any) -> dict[str, Json]:
    latest: dict[str, dict[str, Any]] = {}
    for event in events:
        for entity in entities_of(event):
            kept = latest.setdefault(entity.get("name", RUN), {})
            own_facets = next(
                (entity[name] for name in ("inputFacets", "outputFacets") if name in entity),
                entity.get("facets", {}) if "runId" in entity else {},
            )
            for key, value in own_facets.items():
                place = (instant_of(event["eventTime"]), _rank(event), json.dumps(value, sort_keys=True))
                kept[key] = max(kept.get(key, (place, value)), (place, value), key=lambda pair: pair[0])
    return {name: {key: value for key, (_, value) in facets.items()} for name, facets in latest.items()}


def expected(events: list[Json], *, exact_history: bool) -> Json:
    """Return the expected result of `summary`."""
    reported = [statement for event in events for statement in _reported_facets(event)]
    if not exact_history:
        reported = _without_repeats(reported)
    jobs = {event["job"]["name"] for event in events if "job" in event}
    datasets = {event["dataset"]["name"] for event in events if "dataset" in event} | {
        dataset["name"]
        for event in events
        for role in ("inputs", "outputs")
        for dataset in event.get(role, ())
    }
    edges = {
        (dataset["name"], event["job"]["name"], role)
        for event in events
        for role in ("inputs", "outputs")
        for dataset in event.get(role, ())
    }
    return {
        "jobs": {name: _in_force(reported, ("job", name)) for name in jobs},
        "datasets": {name: _in_force(reported, ("dataset", name)) for name in datasets},
        "runs": {
            run: _run(run, events, reported)
            for run in {event["run"]["runId"] for event in events if "run" in event}
        },
        "edges": edges,
    }


def _plain(facets: Any) -> Json:
    return {key: value.to_dict() for key, value in facets.items()}


def summary(state: LineageState) -> Json:
    """Return the content of a state as plain types."""
    jobs = {job.name: state.job(job.namespace, job.name) for job in state.jobs()}
    datasets = {it.name: state.dataset(it.namespace, it.name) for it in state.datasets()}
    runs = {run: state.run(run) for run in state.runs()}
    return {
        "jobs": {name: _plain(job.facets) for name, job in jobs.items() if job},
        "datasets": {name: _plain(dataset.facets) for name, dataset in datasets.items() if dataset},
        "runs": {
            name: {
                "state": run.state.value if run.state else None,
                "job": run.job.name,
                "facets": _plain(run.facets),
                "job_facets": _plain(run.job_facets),
                "inputs": {it.name: (_plain(it.facets), _plain(it.input_facets)) for it in run.inputs},
                "outputs": {it.name: (_plain(it.facets), _plain(it.output_facets)) for it in run.outputs},
            }
            for name, run in runs.items()
            if run
        },
        "edges": {
            (dataset.name, name, role)
            for name, job in jobs.items()
            if job
            for role, used in (("inputs", job.inputs), ("outputs", job.outputs))
            for dataset in used
        },
    }
