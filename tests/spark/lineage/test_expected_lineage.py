"""The column lineage of each query is the expected one.

`test_lineage_of_changed_inputs.py` verifies what is expected here. After an intended change, run it, and
`UPDATE_EXPECTED=1 pytest tests/spark/lineage/test_expected_lineage.py`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from tests.cases import each
from tests.spark.lineage.changed_inputs import Source, lineage_in
from tests.spark.lineage.query_cases import QUERIES, Frames, write_tables

pytestmark = pytest.mark.check

FILE = Path(__file__).parent / "expected_lineage.json"
EXPECTED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Frames:
    return write_tables(spark, tmp_path_factory.mktemp("tables"))


def names(sources: set[Source]) -> list[str]:
    return sorted(".".join(source) for source in sources)


def lineage_of(name: str, spark: SparkSession, tables: Frames) -> dict[str, Any]:
    facet = column_lineage_facet(QUERIES[name](spark, tables))
    assert facet is not None
    listed = lineage_in(facet)
    return {
        "rows": names(listed.of_rows),
        "order": names(listed.of_order),
        "direct": {column: names(sources) for column, sources in listed.direct.items()},
        "indirect": {column: names(sources) for column, sources in listed.indirect.items() if sources},
    }


@each("name", QUERIES)
def test_the_lineage_of_a_query_is_the_expected_one(name: str, spark: SparkSession, tables: Frames) -> None:
    lineage = lineage_of(name, spark, tables)
    if os.environ.get("UPDATE_EXPECTED"):
        EXPECTED[name] = lineage
        lines = (f"{json.dumps(query)}: {json.dumps(EXPECTED[query])}" for query in sorted(EXPECTED))
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    assert lineage == EXPECTED.get(name)
