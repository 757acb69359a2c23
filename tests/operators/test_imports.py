"""Operator lineage needs no scheduler: nothing of Airflow or the official client is imported."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("airflow", "openlineage", "attr", "pluggy", "pyspark"):
            raise AssertionError(f"{name} is imported")

sys.meta_path.insert(0, Refused())
from openlineage_facets.operators import *
from tests.operators.scheduler import Recorder, operator
Recorder().life(operator(on_start=lambda: {"jobFacets": {"sql": {"query": ""}}}), ValueError("broken"))
"""


def test_events_are_emitted_without_a_scheduler_installed() -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
