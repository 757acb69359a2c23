"""Without Spark, the package says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import sys
sys.modules[{module!r}] = None
import openlineage_facets.spark.events as events
try:
    events.read_events
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("module", ["pyspark", "pyarrow"])
def test_what_is_missing_and_how_to_get_it_is_said(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", CODE.format(module=module)], capture_output=True, text=True, check=True
    )
    assert ended.stdout == (
        "openlineage_facets.spark.events.read_events needs "
        f'{module}: pip install "openlineage-facets[spark]"\n'
    )
