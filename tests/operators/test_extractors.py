"""Who is asked for the lineage of an operator, by which method, and with which arguments."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from openlineage_facets.operators import (
    DefaultExtractor,
    Extractor,
    ExtractorRegistry,
    TaskInstanceLineage,
    register,
)
from openlineage_facets.operators.extractors import default_registry
from tests.cases import each
from tests.operators.scheduler import Recorder, SilentOperator, Try, operator


def reporting(name: str) -> Any:
    """Return a method that tells a lineage whose job runs the SQL `name`."""
    return lambda ti: {"jobFacets": {"sql": {"query": name}}}


def sql_of(event: Any) -> str | None:
    facets = event.job.facets
    return facets.sql.query if facets and facets.sql else None


class CopyExtractor(Extractor):
    @classmethod
    def get_operator_classnames(cls) -> list[str]:
        return ["CopyOperator", "MoveOperator"]

    def extract(self, task_instance: Any) -> Any:
        return TaskInstanceLineage(job_facets={"sql": {"query": f"extracted from {self.operator.task_id}"}})


class CopyOperator(SilentOperator):
    def get_openlineage_facets_on_start(self, ti: Any) -> Any:
        raise AssertionError("an extractor is registered: the operator is not asked")


@each(
    ("methods", "started", "completed", "failed"),
    [
        ("on_start", "on_start", "on_start", "on_start"),
        ("on_complete", None, "on_complete", "on_complete"),
        ("on_failure", None, None, "on_failure"),
        ("on_start on_complete", "on_start", "on_complete", "on_complete"),
        ("on_start on_failure", "on_start", "on_start", "on_failure"),
        ("on_complete on_failure", None, "on_complete", "on_failure"),
        ("on_start on_complete on_failure", "on_start", "on_complete", "on_failure"),
        ("", None, None, None),
    ],
)
def test_completion_falls_back_to_the_start_and_failure_to_completion(
    methods: str,
    started: str | None,
    completed: str | None,
    failed: str | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    task = operator(**{name: reporting(name) for name in methods.split()})
    assert [sql_of(event) for event in Recorder().life(task)] == [started, completed]
    assert [sql_of(event) for event in Recorder().life(task, "broken")] == [started, failed]
    assert caplog.records == []


def test_a_failing_method_has_no_fallback() -> None:
    task = operator(on_start=reporting("on_start"), on_complete=lambda ti: 1 / 0)
    assert [sql_of(event) for event in Recorder().life(task)] == ["on_start", None]


def test_a_method_gets_the_task_instance() -> None:
    seen: list[Any] = []
    ti = Try(task=operator(on_start=seen.append))
    Recorder().listener.on_start(ti)
    assert seen == [ti]


def test_a_method_without_parameters_is_called_without_any_as_airflow_does() -> None:
    task = operator(on_start=lambda: {"jobFacets": {"sql": {"query": "alone"}}})
    assert [sql_of(event) for event in Recorder().life(task)] == ["alone", "alone"]


def test_a_type_error_inside_a_method_does_not_call_it_again() -> None:
    calls: list[Any] = []

    def on_start(ti: Any) -> Any:
        calls.append(ti)
        raise TypeError("on_start() takes no such thing")

    Recorder().listener.on_start(Try(task=operator(on_start=on_start)))
    assert len(calls) == 1


def test_a_registered_extractor_is_used_for_the_operators_it_names() -> None:
    extractors = ExtractorRegistry()
    assert extractors.register(CopyExtractor) is CopyExtractor
    events = Recorder(extractors=extractors).life(CopyOperator(), "broken")
    assert [sql_of(event) for event in events] == ["extracted from load_orders"] * 2


def test_other_operators_use_the_default_extractor() -> None:
    extractors = ExtractorRegistry()
    extractors.register(CopyExtractor)
    assert extractors.get_extractor_class(SilentOperator()) is DefaultExtractor
    assert list(DefaultExtractor.get_operator_classnames()) == []


def test_subclasses_of_a_named_operator_are_not_included() -> None:
    extractors = ExtractorRegistry()
    extractors.register(CopyExtractor)
    assert extractors.get_extractor_class(type("SafeCopyOperator", (CopyOperator,), {})()) is DefaultExtractor


def test_a_mapped_operator_uses_the_class_that_it_maps() -> None:
    extractors = ExtractorRegistry()
    extractors.register(CopyExtractor)
    mapped: Any = SilentOperator()
    mapped.task_type = "MoveOperator"
    assert extractors.get_extractor_class(mapped) is CopyExtractor


def test_an_extractor_written_for_airflow_works_unchanged() -> None:
    class AirflowExtractor:
        def __init__(self, operator: Any, source_code_enabled: bool = True) -> None:
            self.operator = operator

        @classmethod
        def get_operator_classnames(cls) -> list[str]:
            return ["SilentOperator"]

        def extract(self) -> Any:
            return reporting("extract")(None)

        def extract_on_complete(self, task_instance: Any) -> Any:
            return reporting("extract_on_complete")(task_instance)

    extractors = ExtractorRegistry()
    extractors.register(AirflowExtractor)
    events = Recorder(extractors=extractors).life(SilentOperator(), "broken")
    assert [sql_of(event) for event in events] == ["extract", "extract_on_complete"]


def test_a_later_extractor_replaces_an_earlier_one_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class OtherExtractor(CopyExtractor):
        pass

    extractors = ExtractorRegistry()
    extractors.register(CopyExtractor)
    extractors.register(CopyExtractor)
    assert caplog.records == []
    extractors.register(OtherExtractor)
    assert extractors.get_extractor_class(CopyOperator()) is OtherExtractor
    assert [record.args[2] for record in caplog.records if record.args] == ["CopyOperator", "MoveOperator"]  # type: ignore[index]


def test_the_default_registry_is_the_one_used_by_register(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(default_registry(), "_by_classname", {})
    register(CopyExtractor)
    assert sql_of(Recorder(extractors=None).life(CopyOperator())[0]) == "extracted from load_orders"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("CopyOperator", "expected a list of class names, found a string; wrap it in a list"),
        ([CopyOperator], "expected class names, found <class"),
        (None, "is not an extractor: it has no get_operator_classnames()"),
    ],
)
def test_invalid_extractors_are_rejected(names: Any, message: str) -> None:
    methods = {} if names is None else {"get_operator_classnames": classmethod(lambda cls: names)}
    with pytest.raises(TypeError) as caught:
        ExtractorRegistry().register(type("Odd", (), methods))
    assert message in str(caught.value)


def test_an_extractor_without_extract_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    odd = type("Odd", (), {"get_operator_classnames": classmethod(lambda cls: ["SilentOperator"])})
    odd.__init__ = lambda self, operator: None  # type: ignore[misc]
    extractors = ExtractorRegistry()
    extractors.register(odd)
    assert len(Recorder(extractors=extractors).life(SilentOperator())) == 2
    assert "Odd is not an extractor: it has no extract()" in caplog.text
