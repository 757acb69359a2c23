"""What all jobs say about a dataset, in whatever order they ran."""

from __future__ import annotations

import json
from collections.abc import Container
from functools import partial, reduce
from typing import Any

from openlineage_facets.base.model.tombstones import is_tombstone
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.facet_history import FacetVersion
from openlineage_facets.state.lineage_nodes import joined_items
from openlineage_facets.state.records import Records


def versions_by_job(dataset: Key, key: str, records: Records) -> list[FacetVersion]:
    """Return the last version of a facet of a dataset from the runs of each job, without deleted ones.

    The last version from a dataset or job event comes first, then those from jobs by name. Jobs that only
    read the dataset count if no job that writes it has the facet: what they find depends on who has written
    last.
    """
    last: dict[Key, FacetVersion] = {}
    for version in records.datasets[dataset].facets[key]:
        run = records.runs.get(version.source)
        job = ("", "") if run is None or run.job is None else run.job[1]
        last[job] = max(last.get(job, version), version)
    current = [(job, version) for job, version in sorted(last.items()) if not is_tombstone(version.value)]
    declared = [version for job, version in current if not version.source or _writes(job, dataset, records)]
    return declared or [version for _, version in current]


def facets_by_job(dataset: Key, records: Records, keys: Container[str] | None) -> dict[str, Any]:
    """Return the facets of a dataset with these keys, or all, as JSON.

    A schema has the columns of all jobs; of other facets, the first counts.
    """
    facets: dict[str, Any] = {}
    for key in sorted(records.datasets[dataset].facets):
        if keys is not None and key not in keys:
            continue
        values = [json.loads(version.value) for version in versions_by_job(dataset, key, records)]
        if values:
            facets[key] = reduce(partial(joined_items, key), values) if key == "schema" else values[0]
    return facets


def _writes(job: Key, dataset: Key, records: Records) -> bool:
    record = records.jobs.get(job)
    return record is not None and any(("output", by, *dataset) in record.uses for by in ("run", "job"))
