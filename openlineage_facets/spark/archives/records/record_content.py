"""The content of the records of runs and jobs, as JSON text that merges."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from openlineage_facets.spark.archives.records.record import instant_at, moment_of, sort_key_at
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.facet_history import SortKey
from openlineage_facets.state.instants import Span
from openlineage_facets.state.records import LatestFacets, RunRecord, Use

DIGEST_DIGITS = 32
"""Number of hexadecimal digits of SHA-256 that identify a facet among those of its entity."""

_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def digest_of(facet: str) -> str:
    """Return what stands for a facet in the runs that reported it."""
    return sha256(facet.encode()).hexdigest()[:DIGEST_DIGITS]


class ReportedFacet(NamedTuple):
    """A facet of a job or dataset that a run reported."""

    entity: str
    """"job" or "dataset"."""
    namespace: str
    name: str
    key: str
    digest: str


Moments: TypeAlias = tuple[str, str]
"""The first and the last sort key, as text."""


@dataclass(slots=True)
class FoldedRun:
    """A run as `LineageState` stores it, and its part in the histories of jobs and datasets.

    Histories grow with the number of runs. Since they are stored with the runs, the history of a dataset in
    every event is spread over all partitions.
    """

    record: RunRecord
    reported: dict[ReportedFacet, Moments] = field(default_factory=dict)

    def merge(self, other: FoldedRun) -> None:
        """Add everything in `other`."""
        self.record.merge(other.record)
        for facet, moments in other.reported.items():
            first, last = self.reported.get(facet, moments)
            self.reported[facet] = min(first, moments[0]), max(last, moments[1])

    def to_json(self) -> str:
        """Return the run as JSON. Equal runs return equal texts."""
        record = self.record
        assert record.job is not None
        assert record.seen is not None
        facets: dict[tuple[str, str, str], list[list[str]]] = {}
        for facet, moments in sorted(self.reported.items()):
            facets.setdefault(facet[:3], []).append([*facet[3:], *moments])
        return _encode(
            {
                "job": [*record.job[1], moment_of(*record.job[0])],
                "seen": [moment_of(*instant) for instant in record.seen],
                "types": {name: moment_of(*instant) for name, instant in record.first_of_type.items()},
                "facets": _facets_to_json(record.facets),
                "inputs": _used_to_json(record.inputs),
                "outputs": _used_to_json(record.outputs),
                **({} if record.writes is None else {"writes": _writes_to_json(record.writes)}),
                "reported": [[*entity, versions] for entity, versions in facets.items()],
            }
        )

    @classmethod
    def from_json(cls, text: str) -> FoldedRun:
        """Return the run written by `to_json`."""
        plain = json.loads(text)
        return cls(_record(plain), dict(_reported(plain["reported"])))


@lru_cache(maxsize=1)
def run_record(text: str) -> RunRecord:
    """Return a run written by `FoldedRun.to_json`, without its part in histories.

    Do not change it: it is returned again for the next table.
    """
    return _record(json.loads(text))


def _record(plain: dict[str, Any]) -> RunRecord:
    namespace, name, moment = plain["job"]
    writes = plain.get("writes")
    return RunRecord(
        seen=_span(plain["seen"]),
        first_of_type={kind: sort_key_at(at)[:2] for kind, at in plain["types"].items()},
        job=(sort_key_at(moment), (namespace, name)),
        facets=_facets(plain["facets"]),
        inputs=_used(plain["inputs"]),
        outputs=_used(plain["outputs"]),
        writes=None if writes is None else (sort_key_at(writes[0]), writes[1]),
    )


def _writes_to_json(writes: tuple[SortKey, str]) -> list[str]:
    return [moment_of(*writes[0]), writes[1]]


def _facets_to_json(facets: LatestFacets) -> dict[str, Any]:
    return {key: [moment_of(*sort_key), value] for key, (sort_key, value) in facets.items()}


def _used_to_json(used: dict[Key, LatestFacets]) -> list[Any]:
    return [[*key, _facets_to_json(facets)] for key, facets in sorted(used.items())]


def _facets(plain: dict[str, Any]) -> LatestFacets:
    return {key: (sort_key_at(moment), value) for key, (moment, value) in plain.items()}


def _used(plain: list[Any]) -> dict[Key, LatestFacets]:
    return {(namespace, name): _facets(facets) for namespace, name, facets in plain}


def _span(plain: list[str]) -> Span:
    first, last = (sort_key_at(moment)[:2] for moment in plain)
    return first, last


def _reported(plain: list[Any]) -> Iterator[tuple[ReportedFacet, Moments]]:
    for entity, namespace, name, versions in plain:
        for key, digest, first, last in versions:
            yield ReportedFacet(entity, namespace, name, key, digest), (first, last)


def uses_to_json(uses: Mapping[Use, Span]) -> str:
    """Return the uses as JSON. Equal uses return equal texts."""
    return _encode([[*use, *(moment_of(*instant) for instant in span)] for use, span in sorted(uses.items())])


def uses_from_json(text: str) -> dict[Use, Span]:
    """Return the uses written by `uses_to_json`."""
    return {tuple(use): (instant_at(first), instant_at(last)) for *use, first, last in json.loads(text)}
