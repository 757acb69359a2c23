"""Without PySpark, importing reports what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

from openlineage_facets.version import install_command

CODE = """
import sys
sys.modules[{missing!r}] = None
try:
    from {package} import {name}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("package", "name", "missing"),
    [
        ("openlineage_facets.spark", "SparkRun", "pyspark"),
        ("openlineage_facets.spark.archives", "read_events", "pyspark"),
        ("openlineage_facets.spark.archives", "read_events", "pyarrow"),
    ],
)
def test_missing_dependency_is_reported_with_a_fix(package: str, name: str, missing: str) -> None:
    code = CODE.format(package=package, name=name, missing=missing)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == f"{package}.{name} needs {missing}: {install_command('spark')}\n"
