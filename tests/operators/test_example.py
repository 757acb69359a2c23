"""The example of operator lineage emits valid events, and needs no scheduler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from openlineage_facets import RunEvent, parse_event
from tests.conftest import ROOT

SCRIPT = """
import runpy, sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("airflow", "openlineage", "attr", "pluggy", "pyspark"):
            raise AssertionError(f"{name} is imported")

sys.meta_path.insert(0, Refused())
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def test_the_example_prints_the_events_of_tasks_without_importing_a_scheduler(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, ROOT / "examples" / "operator_lineage.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    events = [parse_event(line) for line in ran.stdout.splitlines()]
    reported = [
        (event.job.name, event.event_type.value, [one.name for one in event.inputs or event.outputs or ()])
        for event in events
        if isinstance(event, RunEvent) and event.event_type
    ]
    assert reported == [
        ("shop.load_orders", "START", ["shop.public.landing"]),
        ("shop.load_orders", "COMPLETE", ["shop.public.orders"]),
        ("shop.copy_orders", "START", ["/landing/orders.csv"]),
        ("shop.copy_orders", "FAIL", ["/landing/orders.csv"]),
    ]
    started, completed, _, failed = (event.to_dict() for event in events)
    assert completed["outputs"][0]["outputFacets"]["outputStatistics"]["rowCount"] == 1345
    assert failed["run"]["facets"]["errorMessage"]["message"] == "/landing/orders.csv"
    assert started["run"]["facets"]["parent"] == failed["run"]["facets"]["parent"]
