"""Extractors, which return the lineage of operators, and their registry."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, TypeVar

from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.operators.task_instance import Operator, TaskInstance
from openlineage_facets.operators.task_lineage import TaskInstanceLineage

_log = redacting_logger("openlineage_facets.operators")

ReportedLineage: TypeAlias = "TaskInstanceLineage | Mapping[str, Any] | None"
"""The lineage that an operator or extractor returns: typed, as a dict by wire name, or None if unknown."""

Stage: TypeAlias = Literal["start", "complete", "failure"]
"""The stage of a task for which lineage is extracted."""

_OPERATOR_METHODS: dict[Stage, tuple[str, ...]] = {
    "start": ("get_openlineage_facets_on_start",),
    "complete": ("get_openlineage_facets_on_complete", "get_openlineage_facets_on_start"),
    "failure": (
        "get_openlineage_facets_on_failure",
        "get_openlineage_facets_on_complete",
        "get_openlineage_facets_on_start",
    ),
}
"""The methods of an operator for each stage; the first existing one is called."""

_EXTRACTOR_METHODS: dict[Stage, tuple[str, ...]] = {
    "start": ("extract",),
    "complete": ("extract_on_complete", "extract"),
    "failure": ("extract_on_failure", "extract_on_complete", "extract"),
}


class Extractor(ABC):
    """Extracts the lineage of operators that have no lineage methods.

    Extractors written for Airflow's provider work as well: this base class is optional, and `extract` may
    have no `task_instance` parameter.

    Args:
        operator: The operator.
    """

    def __init__(self, operator: Operator) -> None:
        self.operator = operator

    @classmethod
    @abstractmethod
    def get_operator_classnames(cls) -> Iterable[str]:
        """Return the names of the supported operator classes, without their modules."""

    @abstractmethod
    def extract(self, task_instance: TaskInstance) -> ReportedLineage:
        """Return the lineage known when the task starts."""

    def extract_on_complete(self, task_instance: TaskInstance) -> ReportedLineage:
        """Return the lineage known when the task has succeeded. Defaults to `extract`."""
        return self.extract(task_instance)

    def extract_on_failure(self, task_instance: TaskInstance) -> ReportedLineage:
        """Return the lineage known when the task has failed. Defaults to `extract_on_complete`."""
        return self.extract_on_complete(task_instance)


class DefaultExtractor(Extractor):
    """Calls the operator's `get_openlineage_facets_on_...` methods.

    Without `..._on_failure`, `..._on_complete` is called; without that, `..._on_start`. An operator without
    any of these methods has no lineage.
    """

    @classmethod
    def get_operator_classnames(cls) -> Iterable[str]:
        """Return no names: this is the fallback for all operators."""
        return ()

    def extract(self, task_instance: TaskInstance) -> ReportedLineage:
        """Return the operator's lineage when the task starts."""
        return self._reported("start", task_instance)

    def extract_on_complete(self, task_instance: TaskInstance) -> ReportedLineage:
        """Return the operator's lineage when the task has succeeded."""
        return self._reported("complete", task_instance)

    def extract_on_failure(self, task_instance: TaskInstance) -> ReportedLineage:
        """Return the operator's lineage when the task has failed."""
        return self._reported("failure", task_instance)

    def _reported(self, stage: Stage, task_instance: TaskInstance) -> ReportedLineage:
        method = _first_method(self.operator, _OPERATOR_METHODS[stage])
        return TaskInstanceLineage() if method is None else _call(method, task_instance)


E = TypeVar("E", bound=type[Any])


class ExtractorRegistry:
    """Extractors by the class name of their operators."""

    def __init__(self) -> None:
        self._by_classname: dict[str, type[Any]] = {}

    def register(self, extractor: E) -> E:
        """Register an extractor for the operators it names. A later registration replaces an earlier one.

        Args:
            extractor: The class. It is returned unchanged, so that `register` can be used as a decorator.

        Raises:
            TypeError: `get_operator_classnames` is missing or does not return class names.

        Example:
            >>> extractors = ExtractorRegistry()
            >>> @extractors.register
            ... class CopyExtractor(Extractor):
            ...     @classmethod
            ...     def get_operator_classnames(cls):
            ...         return ["CopyOperator"]
            ...
            ...     def extract(self, task_instance):
            ...         return {"inputs": [{"namespace": "file", "name": self.operator.source}]}
        """
        names = getattr(extractor, "get_operator_classnames", None)
        if not callable(names):
            raise TypeError(f"{extractor!r} is not an extractor: it has no get_operator_classnames()")
        classnames: Any = names()
        if isinstance(classnames, str):
            raise TypeError(
                f"{extractor.__name__}.get_operator_classnames(): expected a list of class names, found a"
                " string; wrap it in a list"
            )
        listed = list(classnames)
        wrong = [name for name in listed if not isinstance(name, str)]
        if wrong:
            raise TypeError(
                f"{extractor.__name__}.get_operator_classnames(): expected class names, found {wrong[0]!r}"
            )
        for name in listed:
            earlier = self._by_classname.get(name, extractor)
            if earlier is not extractor:
                _log.warning("%s replaces %s as the extractor of %s", extractor, earlier, name)
            self._by_classname[name] = extractor
        return extractor

    def get_extractor_class(self, operator: Operator) -> type[Any]:
        """Return the extractor of an operator, `DefaultExtractor` if none is registered."""
        task_type = getattr(operator, "task_type", None)
        # `task_type` of a mapped operator is the class that it maps.
        name = task_type if isinstance(task_type, str) else type(operator).__name__
        return self._by_classname.get(name, DefaultExtractor)

    def extract(self, stage: Stage, task_instance: TaskInstance) -> ReportedLineage:
        """Return the lineage of a task instance's operator at a stage, unchecked.

        Raises:
            Exception: The extractor or the operator raised it.
        """
        extractor = self.get_extractor_class(task_instance.task)(task_instance.task)
        method = _first_method(extractor, _EXTRACTOR_METHODS[stage])
        if method is None:
            raise TypeError(f"{type(extractor).__name__} is not an extractor: it has no extract()")
        return _call(method, task_instance)


def _first_method(owner: object, names: tuple[str, ...]) -> Callable[..., Any] | None:
    methods = (getattr(owner, name, None) for name in names)
    return next((method for method in methods if callable(method)), None)


def _call(method: Callable[..., ReportedLineage], task_instance: TaskInstance) -> ReportedLineage:
    """Call a method with the task instance, or without it if, as in Airflow, it has no parameter."""
    try:
        signature = inspect.signature(method)
    except ValueError:
        return method(task_instance)
    try:
        signature.bind(task_instance)
    except TypeError:
        return method()
    return method(task_instance)


DEFAULT_REGISTRY = ExtractorRegistry()
"""The registry to which `register` adds extractors."""

register = DEFAULT_REGISTRY.register
"""Register an extractor in the default registry, used by listeners without a custom registry."""
