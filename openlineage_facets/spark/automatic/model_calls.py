"""Capture the methods that save and load models of MLlib: a model is one dataset, its folder."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from openlineage_facets.spark.capture.lineage_capture import LineageCapture


def model_writers() -> Iterator[type]:
    """Yield the classes of MLlib with a method `save`, as far as they are loaded."""
    return _subclasses("MLWriter")


def model_readers() -> Iterator[type]:
    """Yield the classes of MLlib with a method `load`, as far as they are loaded."""
    return _subclasses("MLReader")


def capture_model_save(
    capture: LineageCapture, writer: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
) -> Any:
    """Save a model and capture its folder."""
    return capture.save_folder(action, arguments["path"])


def capture_model_load(
    capture: LineageCapture, reader: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
) -> Any:
    """Load a model and capture its folder."""
    return capture.load_folder(action, arguments["path"])


def _subclasses(name: str) -> Iterator[type]:
    module = sys.modules.get("pyspark.ml.util")
    # Without the class, the module is being imported.
    pending: list[type] = [vars(module)[name]] if module is not None and name in vars(module) else []
    while pending:
        current = pending.pop()
        if current.__module__.startswith("pyspark.ml."):
            yield current
            pending += current.__subclasses__()
