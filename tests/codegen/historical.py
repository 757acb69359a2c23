"""States of the specification at earlier releases: four upstream checkouts, and one for each core."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from tests.conftest import SHARED

LAYOUTS = ("0.8.0", "0.20.0", "1.7.0", "1.47.0")
"""Releases whose folder `spec` is provided as upstream lays it out."""

CORES = ("1-0-0", "1-0-1", "1-0-2", "1-0-3", "1-0-4", "1-0-5", "2-0-0", "2-0-1", "2-0-2")
"""Every published release of the core."""

STATES = (*(f"release {one}" for one in LAYOUTS), *(f"core {one}" for one in CORES))

EARLIER = (
    *(f"core {one} with version 1" for one in CORES[2:]),
    *(f"core 2-0-2 with version {one}" for one in (2, 3, 4)),
)
"""States in which each facet has its n-th published version, or its last one if it has fewer."""

Version = tuple[int, int, int]


def spec_of(state: str, folder: Path) -> Path:
    """Return the folder of schemas of a state, assembled below `folder` unless it is provided."""
    kind, _, version = state.partition(" ")
    if kind == "release":
        return SHARED / "upstream-layouts" / version / "spec"
    version, _, facets = version.partition(" with version ")
    spec = folder / f"spec-{version}"
    (spec / "facets").mkdir(parents=True)
    shutil.copy(SHARED / "published" / version / "OpenLineage.json", spec)
    for paths in facet_versions(_version(version)).values():
        shutil.copy(paths[min(int(facets), len(paths)) - 1] if facets else paths[-1], spec / "facets")
    return spec


def facet_versions(core: Version) -> dict[str, list[Path]]:
    """Return the versions of each facet that extend `core` or an earlier one, oldest first, by file name."""
    found: dict[str, list[tuple[Version, Path]]] = {}
    for path in sorted((SHARED / "published" / "facets").rglob("*.json")):
        text = path.read_text(encoding="utf-8")
        cores = [_version(one) for one in re.findall(r"spec/(\d+-\d+-\d+)/OpenLineage.json", text)]
        if max(cores) <= core and path.name not in _WITHDRAWN:
            found.setdefault(path.name, []).append((_version(path.parent.name), path))
    return {name: [path for _, path in sorted(versions)] for name, versions in found.items()}


_WITHDRAWN = frozenset({"GcpCommonJobFacet.json"})
"""Published, but in no release of the folder `spec`."""


def _version(text: str) -> Version:
    major, minor, patch = map(int, text.split("-"))
    return major, minor, patch


def event_of(spec: Path) -> dict[str, Any]:
    """Return a run event that is valid in every state."""
    core = json.loads((spec / "OpenLineage.json").read_text(encoding="utf-8"))
    marks = {"_producer": "https://example.com", "_schemaURL": "https://example.com/x.json"}
    return {
        "eventType": "COMPLETE",
        "eventTime": "2026-11-22T09:00:00Z",
        "run": {
            "runId": "01936f7e-0000-7000-8000-000000000000",
            "facets": {"nominalTime": {**marks, "nominalStartTime": "2026-11-22T00:00:00Z"}},
        },
        "job": {"namespace": "etl", "name": "orders", "facets": {"sql": {**marks, "query": "SELECT 1"}}},
        "inputs": [{"namespace": "s3://lake", "name": "orders"}],
        "outputs": [
            {
                "namespace": "s3://lake",
                "name": "daily",
                "facets": {"schema": {**marks, "fields": [{"name": "day", "type": "date"}]}},
                "outputFacets": {"outputStatistics": {**marks, "rowCount": 3, "size": 10}},
            }
        ],
        "producer": "https://example.com",
        "schemaURL": f"{core['$id']}#/$defs/RunEvent",
    }
