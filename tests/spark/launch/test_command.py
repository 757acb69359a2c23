"""`openlineage-facets spark-run` is a process in which nothing but the job has happened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

COMMAND = [sys.executable, "-m", "openlineage_facets.cli", "spark-run"]


def spark_run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "OPENLINEAGE_DISABLED": "true"},
        input="day 1\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_job_gets_its_arguments_and_streams_and_its_exit_code_is_returned(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(
        "import sys\n"
        "print(sys.argv, __name__, sys.stdin.read(), 'typer' in sys.modules)\n"
        "print('log', file=sys.stderr)\n"
        "sys.exit(7)\n"
    )
    done = spark_run(tmp_path, "--namespace", "etl", "job.py", "--name", "x")
    assert (done.returncode, done.stdout) == (7, "['job.py', '--name', 'x'] __main__ day 1\n False\n")
    assert done.stderr == "log\n"


def test_errors_have_no_frames_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("raise ValueError('no orders today')\n")
    done = spark_run(tmp_path, "job.py")
    assert done.returncode == 1
    assert done.stderr.count("  File ") == 1
    assert done.stderr.endswith("ValueError: no orders today\n")


def test_a_missing_job_is_one_line(tmp_path: Path) -> None:
    done = spark_run(tmp_path, "nowhere.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("openlineage-facets spark-run: expected a script")


def test_help_lists_the_options(tmp_path: Path) -> None:
    done = spark_run(tmp_path, "--help")
    assert done.returncode == 0
    for option in ("--namespace", "--name", "--emit", "--conf", "-m"):
        assert option in done.stdout
