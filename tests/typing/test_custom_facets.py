"""Jobs that use generated custom facets run; `test_checkers.py` shows them to type checkers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

CODE = """
from openlineage_facets import producer
with producer('https://acme.example.com'):
    import job, documented_job, documented_combined_builders
"""


def test_the_jobs_run(custom_facet_jobs: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=custom_facet_jobs,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
