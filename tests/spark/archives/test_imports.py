"""Without Spark, importing reports what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import sys
sys.modules[{module!r}] = None
import openlineage_facets.spark.archives as events
try:
    events.read_events
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("module", ["pyspark", "pyarrow"])
def test_missing_dependency_is_reported_with_a_fix(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", CODE.format(module=module)], capture_output=True, text=True, check=True
    )
    assert ended.stdout == (
        "openlineage_facets.spark.archives.read_events needs "
        f'{module}: pip install "openlineage-facets[spark]"\n'
    )
