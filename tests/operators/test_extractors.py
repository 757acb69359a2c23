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
from openlineage_facets.operators.extractors import DEFAULT_REGISTRY
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


def test_a_method_gets_the_task_instance_unless_it_has_no_parameters_as_airflow_allows() -> None:
    seen: list[Any] = []
    ti = Try(task=operator(on_start=seen.append))
    Recorder().listener.on_start(ti)
    assert seen == [ti]
    task = operator(on_start=lambda: reporting("alone")(None))
    assert [sql_of(event) for event in Recorder().life(task)] == ["alone", "alone"]


def test_a_type_error_inside_a_method_does_not_call_it_again() -> None:
    calls: list[Any] = []

    def on_start(ti: Any) -> Any:
        calls.append(ti)
        raise TypeError("on_start() takes no such thing")

    Recorder().listener.on_start(Try(task=operator(on_start=on_start)))
    assert len(calls) == 1


@pytest.fixture
def extractors() -> ExtractorRegistry:
    registry = ExtractorRegistry()
    assert registry.register(CopyExtractor) is CopyExtractor
    return registry


def test_a_registered_extractor_is_used_for_the_operators_it_names(extractors: ExtractorRegistry) -> None:
    events = Recorder(extractors=extractors).life(CopyOperator(), "broken")
    assert [sql_of(event) for event in events] == ["extracted from load_orders"] * 2
    mapped: Any = SilentOperator()
    mapped.task_type = "MoveOperator"  # The class that a mapped operator maps.
    assert extractors.get_extractor_class(mapped) is CopyExtractor


def test_other_operators_and_subclasses_use_the_default_extractor(extractors: ExtractorRegistry) -> None:
    for task in (SilentOperator(), type("SafeCopyOperator", (CopyOperator,), {})()):
        assert extractors.get_extractor_class(task) is DefaultExtractor
    assert list(DefaultExtractor.get_operator_classnames()) == []


def test_an_extractor_written_for_airflow_works_unchanged(extractors: ExtractorRegistry) -> None:
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

    extractors.register(AirflowExtractor)
    events = Recorder(extractors=extractors).life(SilentOperator(), "broken")
    assert [sql_of(event) for event in events] == ["extract", "extract_on_complete"]


def test_a_later_extractor_replaces_an_earlier_one_with_a_warning(
    extractors: ExtractorRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    class OtherExtractor(CopyExtractor):
        pass

    extractors.register(CopyExtractor)
    assert caplog.messages == []
    extractors.register(OtherExtractor)
    assert extractors.get_extractor_class(CopyOperator()) is OtherExtractor
    ends = [message.rpartition(" replaces ")[2] for message in caplog.messages]
    assert ends == [
        f"{CopyExtractor} as the extractor of {name}" for name in ("CopyOperator", "MoveOperator")
    ]


def test_the_default_registry_is_the_one_used_by_register(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(DEFAULT_REGISTRY, "_by_classname", {})
    register(CopyExtractor)
    assert sql_of(Recorder(extractors=None).life(CopyOperator())[0]) == "extracted from load_orders"


@each(
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


def test_an_extractor_without_extract_is_logged(
    extractors: ExtractorRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    odd = type("Odd", (), {"get_operator_classnames": classmethod(lambda cls: ["SilentOperator"])})
    odd.__init__ = lambda self, operator: None  # type: ignore[misc]
    extractors.register(odd)
    assert len(Recorder(extractors=extractors).life(SilentOperator())) == 2
    assert "Odd is not an extractor: it has no extract()" in caplog.text
