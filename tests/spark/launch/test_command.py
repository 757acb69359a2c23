"""`openlineage-facets spark-run` is a process in which nothing but the job has happened."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.check

COMMAND = [sys.executable, "-m", "openlineage_facets.cli", "spark-run"]
MODULE = [sys.executable, "-m", "openlineage_facets.spark"]


def spark_run(
    folder: Path, *arguments: str, command: Sequence[str] = COMMAND
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments],
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


@pytest.mark.thorough
def test_errors_have_no_frames_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("raise ValueError('no orders today')\n")
    done = spark_run(tmp_path, "job.py")
    assert done.returncode == 1
    assert done.stderr.count("  File ") == 1
    assert done.stderr.endswith("ValueError: no orders today\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--conf=spark.a=1", "--conf", "spark.b=2", "--runs", "per_write", "--", "job.py", "--", "-h", ""],
        ["-m", "job", "--namespace", "x", "-m", "job", "--"],
        *(
            pytest.param(arguments, marks=pytest.mark.thorough)
            for arguments in (["job.py", "--name", "x", "--", "--help", "-m", "z"], ["-mjob", "--help"])
        ),
    ],
)
def test_both_commands_pass_the_arguments_of_the_job_unchanged(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("import sys\nprint(sys.argv[1:])\n")
    expected = arguments[arguments.index("job.py") + 1 :] if "job.py" in arguments else arguments[2:]
    if arguments[0] == "-mjob":
        expected = ["--help"]
    for command in (COMMAND, MODULE):
        done = spark_run(tmp_path, *arguments, command=command)
        assert (done.returncode, done.stdout) == (0, f"{expected}\n"), done.stderr


def test_both_commands_have_the_same_options(tmp_path: Path) -> None:
    option = re.compile(r"^  (?:-h, )?(--?\w+)(?: [A-Z]|,|  )", re.M)
    options = [
        set(option.findall(spark_run(tmp_path, "--help", command=one).stdout)) for one in (COMMAND, MODULE)
    ]
    names = "--namespace --name --emit --runs --backend --naming --conf -m --help"
    assert options[0] == options[1] == set(names.split())


@pytest.mark.thorough
def test_an_unknown_option_is_not_passed_on(tmp_path: Path) -> None:
    for command in (COMMAND, MODULE):
        done = spark_run(tmp_path, "--nmae", "x", "job.py", command=command)
        assert (done.returncode, done.stdout) == (2, "")
        assert "--nmae" in done.stderr
