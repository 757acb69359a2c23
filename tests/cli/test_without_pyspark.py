"""Commands that need PySpark name the missing extra."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from openlineage_facets.version import install_command

WITHOUT_PYSPARK = """\
import runpy, sys
sys.modules["pyspark"] = None
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


MESSAGE = f"PySpark is not installed: {install_command('spark')}\n"


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    python = [sys.executable, "-c", WITHOUT_PYSPARK]
    return subprocess.run([*python, *command], cwd=folder, capture_output=True, text=True, check=False)


def test_spark_validate_names_the_extra(tmp_path: Path) -> None:
    done = run(tmp_path, "openlineage_facets.cli", "spark-validate", "lineage/")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(MESSAGE)
    assert done.stderr.count("\n") == 1


def test_spark_run_names_the_extra_if_the_job_does_not_find_pyspark(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("import pyspark\n")
    done = run(tmp_path, "openlineage_facets.spark", "job.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"openlineage-facets spark-run: {MESSAGE}" in done.stderr
    assert "ModuleNotFoundError: " in done.stderr


def test_spark_run_runs_a_job_that_does_not_need_pyspark(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("print('done')\n")
    assert run(tmp_path, "openlineage_facets.spark", "job.py").stdout == "done\n"
