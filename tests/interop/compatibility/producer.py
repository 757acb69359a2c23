"""This package as a producer of OpenLineage's compatibility tests: scenarios, and the validators' report."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from openlineage_facets.version import __version__
from tests.conftest import ROOT
from tests.interop.compatibility.files import COMPONENT, MAINTAINERS, SPEC_VERSION, write, write_json
from tests.interop.compatibility.jobs import JOBS, NAMESPACE
from tests.interop.programs import python_of, run

STAND_IN = Path(__file__).with_name("stand_in")
"""A module that the scripts import, for a checkout that lacks it."""

DATASETS = {
    "parquet": ("file", ".*/parquet/orders", ".*/parquet/totals"),
    "delta": ("file", ".*/warehouse/delta_orders", ".*/warehouse/delta_totals"),
    "iceberg": ("file", ".*/ice/shop/orders", ".*/ice/shop/totals"),
    "jdbc": ("derby:memory:shop", "ORDERS", "TOTALS"),
}
"""Of each scenario, the namespace of its datasets, and patterns for the names of the input and the output."""

FACETS = (
    "run_event processing_engine spark_properties spark_applicationDetails jobType lineage dataSource schema "
    "columnLineage lifecycleStateChange inputStatistics outputStatistics"
).split()
"""The facets in the events of each scenario."""

_ANY = "{{ any(result) }}"


def produce(scripts: Path, target: Path) -> list[dict[str, Any]]:
    """Run the jobs and the validators of the tests, and return the report.

    Args:
        scripts: The folder of the tests' scripts.
        target: The folder to which the producer, its events and its report are written.
    """
    work = target / "work"
    work.mkdir(parents=True)
    run([sys.executable, "-m", "tests.interop.compatibility.jobs", work])
    folder = target / "producer" / COMPONENT
    _write_producer(folder)
    for name in JOBS:
        _write_scenario(folder / "scenarios" / name, name)
    report = target / f"{COMPONENT}-producer-report.json"
    script = scripts / "validate_ol_events.py"
    options = {
        "event_base_dir": work / "events",
        "spec_base_dir": _specification(target / "spec"),
        "producer_dir": target / "producer",
        "component": COMPONENT,
        "component_version": __version__,
        "openlineage_version": SPEC_VERSION,
        "target": report,
    }
    lacking = {} if (scripts / "compare_releases.py").exists() else {"PYTHONPATH": str(STAND_IN)}
    arguments = [f"--{name}={value}" for name, value in options.items()]
    run([python_of("common"), script, *arguments], cwd=target, environment=lacking)
    components: list[dict[str, Any]] = json.loads(report.read_text())
    shutil.rmtree(target / "spec")
    shutil.rmtree(work)
    return components


def _write_producer(folder: Path) -> None:
    write(
        folder / "README.md",
        "# openlineage-facets\n\nThe events of PySpark jobs, captured with SparkRun.\n",
    )
    write_json(folder / "maintainers.json", MAINTAINERS)
    write(folder / "runner" / "jobs.py", Path(__file__).with_name("jobs.py").read_text())
    write(
        folder / f"run_{COMPONENT}_tests.sh",
        "#!/bin/bash\n# In a checkout of openlineage-facets; $1 is a checkout of the compatibility tests.\n"
        'make compat COMPAT="$1"\n',
    )


def _write_scenario(folder: Path, name: str) -> None:
    lineage = ["dataset", "column", "transformation"]
    tags = {
        "facets": FACETS,
        "max_version": SPEC_VERSION,
        "min_version": SPEC_VERSION,
        "lineage_level": {name: lineage},
    }
    tests = [
        {
            "name": f"{name}_{kind.lower()}",
            "path": f"events/{kind.lower()}.json",
            "tags": tags if kind == "COMPLETE" else {"facets": ["run_event"]},
        }
        for kind in ("START", "COMPLETE")
    ]
    write_json(folder / "config.json", {"tests": tests})
    write_json(folder / "maintainers.json", MAINTAINERS)
    write(folder / "scenario.md", f"# {name}\n\n{JOBS[name].__doc__}\n")
    write_json(folder / "events" / "start.json", _expected(name, "START"))
    write_json(folder / "events" / "complete.json", _expected(name, "COMPLETE") | _expected_datasets(name))


def _expected(name: str, kind: str) -> dict[str, Any]:
    return {
        "eventType": kind,
        "eventTime": "{{ is_datetime(result) }}",
        "run": {"runId": "{{ is_uuid(result) }}", "facets": {"processing_engine": {"name": "spark"}}},
        "job": {
            "namespace": NAMESPACE,
            "name": name,
            "facets": {"jobType": {"processingType": "BATCH", "integration": "SPARK", "jobType": "JOB"}},
        },
    }


def _expected_datasets(name: str) -> dict[str, Any]:
    namespace, orders, totals = DATASETS[name]
    source = {"namespace": namespace, "name": _matching(orders)}

    def lineage(column: str, subtype: str) -> dict[str, Any]:
        transformations = [{"type": "DIRECT", "subtype": subtype}]
        return {"inputFields": [{**source, "field": column, "transformations": transformations}]}

    columns = {"customer": lineage("customer", "IDENTITY"), "total": lineage("amount", "AGGREGATION")}
    of_orders = {"schema": _schema(id="integer", customer="string", amount="double"), "dataSource": _ANY}
    of_totals = {
        "schema": _schema(customer="string", total="double"),
        "columnLineage": {"fields": columns},
        "lifecycleStateChange": {"lifecycleStateChange": "CREATE"},
    }
    statistics = {"outputStatistics": {"rowCount": 2}}
    output = {
        "namespace": namespace,
        "name": _matching(totals),
        "facets": of_totals,
        "outputFacets": statistics,
    }
    return {"inputs": [{**source, "facets": of_orders}], "outputs": [output]}


def _matching(pattern: str) -> str:
    return f"{{{{ match(result, '{pattern}') }}}}"


def _schema(**types: str) -> dict[str, Any]:
    return {"fields": [{"name": name, "type": kind} for name, kind in types.items()]}


def _specification(folder: Path) -> Path:
    """Write the schemas of the specification to one folder, as the validators read them."""
    version = folder / SPEC_VERSION
    version.mkdir(parents=True)
    spec = ROOT / "spec"
    for path in spec.rglob("*.json"):
        if "proposals" not in path.relative_to(spec).parts:
            shutil.copy(path, version)
    return folder
