"""This package as a consumer of OpenLineage's compatibility tests: it reads their events and writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openlineage_facets import read_events
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation import FileEvent
from openlineage_facets.version import __version__
from tests.interop.compatibility.files import COMPONENT, MAINTAINERS, SPEC_VERSION, write, write_json
from tests.interop.exchanges import differences


def consume(events: Path, target: Path) -> list[dict[str, Any]]:
    """Read the events of all scenarios, and return the report.

    Args:
        events: A folder with a folder of events for each scenario.
        target: The folder to which the consumer and its report are written.
    """
    folder = target / "consumer" / "consumers" / COMPONENT
    write(
        folder / "README.md",
        "# openlineage-facets\n\nEvents are parsed into typed objects, and written again.\n",
    )
    write_json(folder / "maintainers.json", MAINTAINERS)
    known = sorted({entry.name for entry in FACETS})
    write_json(folder / "mapping.json", {"mapped": {name: name for name in known}, "unmapped": []})
    scenarios = []
    for scenario in sorted(path for path in events.iterdir() if path.is_dir()):
        tests = [_test(scenario, one) for one in read_events(scenario)]
        failed = any(test["status"] == "FAILURE" for test in tests)
        scenarios.append(
            {"name": scenario.name, "status": "FAILURE" if failed else "SUCCESS", "tests": tests}
        )
        _write_scenario(folder / "scenarios" / scenario.name, tests)
    component = {
        "name": COMPONENT,
        "component_type": "consumer",
        "component_version": __version__,
        "openlineage_version": SPEC_VERSION,
        "scenarios": scenarios,
    }
    write_json(target / f"{COMPONENT}-consumer-report.json", [component])
    return [component]


def _test(scenario: Path, one: FileEvent) -> dict[str, Any]:
    details = [str(finding) for finding in one.findings if finding.severity == "error"]
    if one.event is not None:
        details += differences(one.raw, one.event.to_dict())
    released = re.search(r"/tree/(\d+\.\d+\.\d+)", str(one.raw.get("producer")))
    path = Path(one.path).relative_to(scenario)
    return {
        "name": str(path) if one.line in (None, 1) else f"{path}:{one.line}",
        "status": "FAILURE" if details else "SUCCESS",
        "validation_type": "syntax",
        "entity_type": "openlineage",
        "details": details,
        "tags": {
            "facets": sorted(set(_facets(one.raw))),
            "openlineage_version": released[1] if released else SPEC_VERSION,
        },
    }


def _facets(event: dict[str, Any]) -> Iterator[str]:
    entities = [event.get(name) or {} for name in ("run", "job", "dataset")]
    for entity in [*entities, *(event.get("inputs") or ()), *(event.get("outputs") or ())]:
        for name in ("facets", "inputFacets", "outputFacets"):
            yield from entity.get(name) or ()


def _write_scenario(folder: Path, tests: list[dict[str, Any]]) -> None:
    named = [
        {
            "name": test["name"],
            "path": f"validation/{test['name']}",
            "entity": "openlineage",
            "tags": test["tags"],
        }
        for test in tests
    ]
    write_json(folder / "config.json", {"tests": named})
    write_json(folder / "maintainers.json", MAINTAINERS)
    write(
        folder / "scenario.md",
        "Each event is parsed into typed objects, and written again without a difference.\n",
    )
    write(folder / "validation" / ".gitkeep", "")
