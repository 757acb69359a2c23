"""Number of function calls of the fold, for each event, with limits as in `tests/speed/test_counts.py`."""

from __future__ import annotations

import pytest

from benchmarks.archives import lines
from openlineage_facets.base.json.json_input import json_value
from openlineage_facets.spark.archives.event_columns import errors_of
from openlineage_facets.spark.archives.folding import PartialFold, merged_in_order
from openlineage_facets.spark.archives.record import Record, packed_records
from openlineage_facets.spark.archives.tables.saved_state import files_of_records
from openlineage_facets.validation import validate
from tests.speed.counting import python_calls

pytestmark = pytest.mark.thorough

LINES = [line for line in lines(300) if not validate(line, rules=False)]


def records() -> list[Record]:
    fold = PartialFold()
    for line in LINES:
        fold.add(json_value(line), len(line))
    return list(fold.take())


def test_validating_a_line() -> None:
    errors_of(LINES[0], null_is_absent=False)
    assert python_calls(lambda: [errors_of(line, null_is_absent=False) for line in LINES]) <= 40 * len(LINES)


def test_folding_an_event() -> None:
    assert python_calls(records) <= 285 * len(LINES)


def test_packing_records() -> None:
    folded = records()
    assert python_calls(lambda: list(packed_records(folded))) <= 31 * len(LINES)


def test_merging_records() -> None:
    twice = sorted(records() * 2)
    assert python_calls(lambda: list(merged_in_order(twice))) <= 185 * len(LINES)


def test_the_tables_of_a_small_state() -> None:
    folded = records()
    assert python_calls(lambda: list(files_of_records(folded))) <= 450 * len(LINES)
