"""Commands that need PySpark name the missing extra."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from openlineage_facets.version import install_command

WITHOUT_PYSPARK = """\
import runpy, sys
sys.modules["pyspark"] = None
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    "command",
    [("openlineage_facets.spark", "job.py"), ("openlineage_facets.cli", "spark-validate", "lineage/")],
    ids=["spark-run", "spark-validate"],
)
def test_the_error_names_the_extra(command: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PYSPARK, *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"PySpark is not installed: {install_command('spark')}\n")
    assert done.stderr.count("\n") == 1
