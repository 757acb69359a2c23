"""Who reads the lineage of an operator: an extractor registered for its class, or the operator itself."""

from __future__ import annotations

import inspect
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, TypeVar

from openlineage_facets.operators.lineage import TaskInstanceLineage
from openlineage_facets.operators.task_instance import Operator, TaskInstance

__all__ = ["DefaultExtractor", "Extractor", "ExtractorRegistry", "LineageTold", "Stage", "register"]

_log = logging.getLogger("openlineage_facets.operators")

LineageTold: TypeAlias = "TaskInstanceLineage | Mapping[str, Any] | None"
"""What tells a lineage: the lineage itself, or its plain form; None for nothing known."""

Stage: TypeAlias = Literal["start", "complete", "failure"]
"""What happens to the task."""

_OPERATOR_METHODS: dict[Stage, tuple[str, ...]] = {
    "start": ("get_openlineage_facets_on_start",),
    "complete": ("get_openlineage_facets_on_complete", "get_openlineage_facets_on_start"),
    "failure": (
        "get_openlineage_facets_on_failure",
        "get_openlineage_facets_on_complete",
        "get_openlineage_facets_on_start",
    ),
}
"""The methods of an operator at each stage: the first that is there is called."""

_EXTRACTOR_METHODS: dict[Stage, tuple[str, ...]] = {
    "start": ("extract",),
    "complete": ("extract_on_complete", "extract"),
    "failure": ("extract_on_failure", "extract_on_complete", "extract"),
}


class Extractor(ABC):
    """Reads the lineage of operators that don't tell it themselves.

    An extractor written for Airflow's provider serves as well: it needs no base class of ours, only these
    methods, and may leave `task_instance` out of `extract`.

    Args:
        operator: The operator to read.
    """

    def __init__(self, operator: Operator) -> None:
        self.operator = operator

    @classmethod
    @abstractmethod
    def get_operator_classnames(cls) -> Iterable[str]:
        """Return the class names of the operators this extractor reads, without their modules."""

    @abstractmethod
    def extract(self, task_instance: TaskInstance) -> LineageTold:
        """Return what is known when the task starts."""

    def extract_on_complete(self, task_instance: TaskInstance) -> LineageTold:
        """Return what is known when the task has ended well; as at its start, if not overridden."""
        return self.extract(task_instance)

    def extract_on_failure(self, task_instance: TaskInstance) -> LineageTold:
        """Return what is known when the task has failed; as when it ends well, if not overridden."""
        return self.extract_on_complete(task_instance)


class DefaultExtractor(Extractor):
    """Asks the operator itself, by its `get_openlineage_facets_on_...` methods.

    Without `..._on_complete` the operator is asked `..._on_start`, without `..._on_failure` what it would
    be asked on completion. One without any of them has no lineage to tell, which is no error.
    """

    @classmethod
    def get_operator_classnames(cls) -> Iterable[str]:
        """Return no names: it serves where no other extractor does."""
        return ()

    def extract(self, task_instance: TaskInstance) -> LineageTold:
        """Return what the operator tells when the task starts."""
        return self._told("start", task_instance)

    def extract_on_complete(self, task_instance: TaskInstance) -> LineageTold:
        """Return what the operator tells when the task has ended well."""
        return self._told("complete", task_instance)

    def extract_on_failure(self, task_instance: TaskInstance) -> LineageTold:
        """Return what the operator tells when the task has failed."""
        return self._told("failure", task_instance)

    def _told(self, stage: Stage, task_instance: TaskInstance) -> LineageTold:
        method = _first_method(self.operator, _OPERATOR_METHODS[stage])
        if method is None:
            return TaskInstanceLineage()
        told: LineageTold = _call(method, task_instance)
        return told


E = TypeVar("E", bound=type[Any])


class ExtractorRegistry:
    """The extractors by the class name of the operators they read."""

    def __init__(self) -> None:
        self._by_classname: dict[str, type[Any]] = {}

    def register(self, extractor: E) -> E:
        """Let an extractor read the operators it names; of two for one name the later holds.

        Args:
            extractor: The class; returned as it is, so that this serves as a decorator.

        Raises:
            TypeError: It has no `get_operator_classnames`, or that gives no class names.

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
            raise TypeError(f"{extractor!r} is no extractor: it has no get_operator_classnames()")
        classnames: Any = names()
        if isinstance(classnames, str):
            raise TypeError(f"{extractor.__name__}.get_operator_classnames() gives text: wrap it in a list")
        listed = list(classnames)
        wrong = [name for name in listed if not isinstance(name, str)]
        if wrong:
            raise TypeError(
                f"{extractor.__name__}.get_operator_classnames() gives {wrong[0]!r}, no class name"
            )
        for name in listed:
            earlier = self._by_classname.get(name, extractor)
            if earlier is not extractor:
                _log.warning("%s reads %s from now on, no longer %s", extractor, name, earlier)
            self._by_classname[name] = extractor
        return extractor

    def get_extractor_class(self, operator: Operator) -> type[Any]:
        """Return the extractor that reads an operator, `DefaultExtractor` where none is registered."""
        task_type = getattr(operator, "task_type", None)
        # A mapped operator stands for another one, whose class it names so.
        name = task_type if isinstance(task_type, str) else type(operator).__name__
        return self._by_classname.get(name, DefaultExtractor)

    def extract(self, stage: Stage, task_instance: TaskInstance) -> LineageTold:
        """Return what the extractor of a task instance's operator tells at a stage, as it tells it.

        Raises:
            Exception: Whatever the extractor or the operator raises.
        """
        extractor = self.get_extractor_class(task_instance.task)(task_instance.task)
        method = _first_method(extractor, _EXTRACTOR_METHODS[stage])
        if method is None:
            raise TypeError(f"{type(extractor).__name__} is no extractor: it has no extract()")
        told: LineageTold = _call(method, task_instance)
        return told


def _first_method(owner: object, names: tuple[str, ...]) -> Callable[..., Any] | None:
    methods = (getattr(owner, name, None) for name in names)
    return next((method for method in methods if callable(method)), None)


def _call(method: Callable[..., Any], task_instance: TaskInstance) -> Any:
    """Call a method with the task instance, or without it where, as in Airflow's on_start, it takes none."""
    try:
        signature = inspect.signature(method)
    except ValueError:
        return method(task_instance)
    try:
        signature.bind(task_instance)
    except TypeError:
        return method()
    return method(task_instance)


_registry = ExtractorRegistry()

register = _registry.register
"""Register an extractor for every listener that has no registry of its own."""


def default_registry() -> ExtractorRegistry:
    """Return the registry that `register` fills."""
    return _registry
