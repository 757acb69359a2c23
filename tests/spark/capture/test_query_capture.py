"""A command that Spark reports is recorded unless a call of the job has reported what it defines."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest

from openlineage_facets.spark.capture import query_capture
from openlineage_facets.spark.capture.query_capture import ExecutedQuery, QueryCapture
from openlineage_facets.spark.capture.reported_writes import CapturedCall, ReportedWrites
from openlineage_facets.spark.spark_dataset import SparkDataset
from openlineage_facets.spark.statements import DefinedTable
from tests.cases import each

MADE = SparkDataset("file", "/made")


class Capture:
    """The capture of a session in which another thread executes a call.

    Attributes:
        call: The call.
        defined: What a command defines.
        ignores_existing: The command does nothing if its table exists.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.defined: DefinedTable | None = DefinedTable(MADE, "CREATE")
        self.ignores_existing = False
        monkeypatch.setattr(query_capture, "is_command", lambda *_: True)
        monkeypatch.setattr(query_capture, "effects_of", lambda *_: [])
        monkeypatch.setattr(query_capture, "class_of", lambda _: "CreateTableCommand")
        monkeypatch.setattr(query_capture, "executed_definition", lambda *_: self.defined)
        monkeypatch.setattr(query_capture, "ignores_existing_table", lambda _: self.ignores_existing)
        run = Mock()
        run.recorder.names.apply = lambda dataset, _: dataset
        self._queries = QueryCapture(Mock(), run)
        self._gaps = run.gaps.add
        self._definitions = run.recorder.add_definition
        monkeypatch.setattr(self._queries._commands, "record_definition", self._definitions)
        self._reported = ReportedWrites()
        self.call = self._running_call()

    def _running_call(self) -> CapturedCall:
        with self._reported.call() as call:
            pass
        call.began, call.ended = 100, None
        return call

    def record(self) -> None:
        """Record a command that began during the call."""
        query = SimpleNamespace(plan=None, began=110, failed=False)
        self._queries.record(cast(ExecutedQuery, query), [self._reported])

    @property
    def definitions(self) -> Sequence[Any]:
        return [recorded.args[0] for recorded in self._definitions.call_args_list]

    @property
    def gaps(self) -> Sequence[Any]:
        return [added.args[0] for added in self._gaps.call_args_list]


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> Capture:
    return Capture(monkeypatch)


def test_a_table_defined_by_a_library_is_recorded_while_a_call_writes_another(capture: Capture) -> None:
    capture.call.writes(SparkDataset("file", "/slow"))
    capture.record()
    assert (capture.definitions, capture.gaps) == ([capture.defined], [])


@each("reason", ["the call defines it", "it exists", "its table is unknown"])
def test_what_a_call_may_have_defined_is_not_recorded_again(
    monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    capture = Capture(monkeypatch)
    if reason == "the call defines it":
        capture.call.writes(MADE)
    capture.ignores_existing = reason == "it exists"
    if reason == "its table is unknown":
        capture.defined = None
    capture.record()
    assert (capture.definitions, capture.gaps) == ([], [])
