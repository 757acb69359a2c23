"""Errors of workers that a wrong PYSPARK_PYTHON causes are explained in one line."""

from __future__ import annotations

import sys

import pytest

from openlineage_facets.spark.run.worker_python import explain_worker_error
from tests.cases import each

VERSION = ".".join(map(str, sys.version_info[:2]))
WORKER = 'File "pyspark.zip/pyspark/worker.py", line 4207, in invoke_udf\n'


@pytest.fixture(autouse=True)
def _workers_run_another_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "no-such-python")


@each(
    "text, explanation",
    [
        (
            "Python in worker has different version: 3.12 than that in driver: 3.11, PySpark cannot",
            f"Spark's workers run no-such-python with Python 3.12, the driver runs Python {VERSION}; ",
        ),
        (
            "Python in worker has different version (3, 12) than that in driver 3.11, PySpark cannot",
            f"Spark's workers run no-such-python with Python 3.12, the driver runs Python {VERSION}; ",
        ),
        (
            'java.io.IOException: Cannot run program "no-such-python": error=2\n\tat PythonWorkerFactory',
            "Spark's workers cannot run no-such-python; ",
        ),
        (
            f"{WORKER}ModuleNotFoundError: No module named 'openlineage_facets'",
            "Spark's workers run no-such-python, which lacks the module openlineage_facets of the driver; ",
        ),
        (
            "pyspark.daemon' (ModuleNotFoundError: No module named 'pyspark')",
            "Spark's workers run no-such-python, which lacks the module pyspark of the driver; ",
        ),
    ],
)
def test_a_wrong_python_is_explained_with_a_fix(text: str, explanation: str) -> None:
    found = explain_worker_error(RuntimeError(f"Job aborted\n{text}\nmany\nlines"))
    assert found is not None
    assert found.startswith(explanation)
    assert (
        f"set PYSPARK_PYTHON to a Python {VERSION} that the workers have, such as {sys.executable}" in found
    )
    assert "\n" not in found


@each(
    "text",
    [
        "no orders today",
        f"{WORKER}ValueError: no orders today",
        f"{WORKER}ModuleNotFoundError: No module named 'no_such_module'",
        "ModuleNotFoundError: No module named 'openlineage_facets'",
        'java.io.IOException: Cannot run program "git"',
    ],
)
def test_other_errors_are_not_explained(text: str) -> None:
    assert explain_worker_error(RuntimeError(text)) is None
