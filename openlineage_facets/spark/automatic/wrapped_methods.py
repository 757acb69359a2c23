"""Wrap the methods of PySpark that write, for as long as a run is active, also in modules imported later."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeAlias

from openlineage_facets.spark.automatic.captured_calls import (
    FORMAT_METHODS,
    RDD_SAVES,
    MethodCall,
    capture_checkpoint,
    capture_fit,
    capture_model_load,
    capture_model_save,
    capture_rdd_action,
    capture_rdd_job,
    capture_rdd_save,
    capture_read,
    capture_statement,
    capture_stream,
    capture_table_write,
    capture_transform,
    capture_write,
    classes_of_models,
)
from openlineage_facets.spark.automatic.imported_modules import (
    SESSION_MODULES,
    ImportedModules,
    announcing,
    loaded_classes,
)
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.reported_writes import inside_captured_call

CaptureMethod: TypeAlias = Callable[[MethodCall], Any]
"""Executes a call and captures it."""

FindCapture: TypeAlias = Callable[[Any], "LineageCapture | None"]
"""Returns the capture of the run that a call of a method of an object belongs to."""

_WRITERS = ("pyspark.sql.readwriter", "pyspark.sql.connect.readwriter")
_STREAM_WRITERS = ("pyspark.sql.streaming.readwriter", "pyspark.sql.connect.streaming.readwriter")
_FRAMES = ("pyspark.sql.dataframe", "pyspark.sql.classic.dataframe")
_REMOTE_FRAMES = ("pyspark.sql.connect.dataframe",)
_RDDS = ("pyspark.core.rdd", "pyspark.rdd")
_MODELS = ("pyspark.ml.base",)
_CONTEXTS = ("pyspark.core.context", "pyspark.context")

WRITE_METHODS = ("save", "saveAsTable", "insertInto", "jdbc", *FORMAT_METHODS)
TABLE_METHODS = ("create", "replace", "createOrReplace", "append", "overwrite", "overwritePartitions")
_STREAM_METHODS = ("start", "toTable")
_RDD_ACTIONS = ("collect", "toLocalIterator")
"""Actions on which most others are based; the remaining ones call `SparkContext.runJob`."""

_UNREPORTED_ACTIONS = ("toLocalIterator", "foreach", "foreachPartition")
"""Actions that Spark does not report."""

_REMOTE_ACTIONS = ("collect", "count", "toPandas", "toArrow", "show", "tail", *_UNREPORTED_ACTIONS)
"""Actions of Spark Connect, which reports none."""

_METHODS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], CaptureMethod], ...] = (
    ("DataFrameWriter", _WRITERS, WRITE_METHODS, capture_write),
    ("DataFrameWriterV2", _WRITERS, TABLE_METHODS, capture_table_write),
    ("DataStreamWriter", _STREAM_WRITERS, _STREAM_METHODS, capture_stream),
    ("DataFrame", _FRAMES, _UNREPORTED_ACTIONS, capture_read),
    ("DataFrame", _FRAMES, ("transpose",), capture_read),  # Spark executes it at once.
    ("DataFrame", _FRAMES, ("checkpoint", "localCheckpoint"), capture_checkpoint),
    ("DataFrame", _REMOTE_FRAMES, _REMOTE_ACTIONS, capture_read),
    ("RDD", _RDDS, _RDD_ACTIONS, capture_rdd_action),
    ("RDD", _RDDS, tuple(RDD_SAVES), capture_rdd_save),
    ("SparkContext", _CONTEXTS, ("runJob",), capture_rdd_job),
    ("SparkSession", SESSION_MODULES, ("sql",), capture_statement),
    ("Estimator", _MODELS, ("fit",), capture_fit),
    ("Transformer", _MODELS, ("transform",), capture_transform),
)
"""Classes, the modules that may define them, the methods to capture, and how.

The modules depend on the version of Spark, and on whether a session has a JVM.
"""

_OUR_CODE = str(Path(__file__).parents[1])


@dataclass(frozen=True)
class _Wrapped:
    owner: type
    method: str
    original: Any
    wrapper: Any


class WrappedMethods:
    """The methods of PySpark that are captured, in classic sessions and in those of Spark Connect.

    Args:
        find_capture: Returns the capture of the run that a call of an object belongs to.
        listen: Called with each session that the job creates.
        lose: Receives what cannot be captured because one of the others has failed.
    """

    def __init__(
        self, find_capture: FindCapture, listen: Callable[[Any], None], lose: Callable[[str], None]
    ) -> None:
        self._find_capture = find_capture
        self._listen = listen
        self._lose = lose
        self._wrapped: list[_Wrapped] = []
        self._lock = threading.Lock()
        self._imports = ImportedModules(self._wrap_imported)

    def install(self) -> None:
        """Wrap the methods that are not wrapped yet, and from now on those of modules that are imported."""
        self._imports.register()
        self._wrap_all()

    def _wrap_imported(self) -> None:
        try:
            self._wrap_all()
        except Exception as error:
            self._lose(f"methods of a module that was imported: {error}")

    def _wrap_all(self) -> None:
        with self._lock:
            known = {(wrapped.owner, wrapped.method) for wrapped in self._wrapped}
            for owner, method, capture in _methods():
                if (owner, method) not in known:
                    self._wrap(
                        owner, method, partial(_wrapper, method, capture, self._find_capture, self._lose)
                    )
            for session in loaded_classes("SparkSession", "pyspark.sql.session"):
                if (session, "__init__") not in known:
                    self._wrap(session, "__init__", partial(announcing, created=self._session_created))

    def _session_created(self, session: Any) -> None:
        try:
            if not inside_captured_call():
                self._listen(session)
        except Exception as error:
            self._lose(f"the queries of a new session: {error}")

    def _wrap(self, owner: type, method: str, wrapper_of: Callable[[Any], Any]) -> None:
        original = vars(owner)[method]
        wrapper = wrapper_of(original)
        setattr(owner, method, wrapper)
        self._wrapped.append(_Wrapped(owner, method, original, wrapper))

    def restore(self) -> None:
        """Restore the methods. One that others have wrapped since then stays, and only calls the original."""
        self._imports.unregister()
        with self._lock:
            for wrapped in self._wrapped:
                if vars(wrapped.owner).get(wrapped.method) is wrapped.wrapper:
                    setattr(wrapped.owner, wrapped.method, wrapped.original)
            self._wrapped.clear()


def _methods() -> Iterator[tuple[type, str, CaptureMethod]]:
    """Yield class, name and capture of the methods in the loaded modules of PySpark."""
    classes: list[tuple[type, tuple[str, ...], CaptureMethod]] = [
        (owner, names, capture)
        for class_name, modules, names, capture in _METHODS
        for owner in loaded_classes(class_name, *modules)
    ]
    classes += ((owner, ("save",), capture_model_save) for owner in classes_of_models("MLWriter"))
    classes += ((owner, ("load",), capture_model_load) for owner in classes_of_models("MLReader"))
    return (
        (owner, name, capture) for owner, names, capture in classes for name in names if name in vars(owner)
    )


def _wrapper(
    method: str,
    capture_method: CaptureMethod,
    find_capture: FindCapture,
    lose: Callable[[str], None],
    original: Any,
) -> Any:
    signature = inspect.signature(original)

    @wraps(original)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        found: LineageCapture | None = None
        try:
            found = None if inside_captured_call() else find_capture(self)
        except Exception as error:
            lose(f"a call of a thread whose run is unknown: {error}")
        if found is None:
            return original(self, *args, **kwargs)
        try:
            arguments = signature.bind(self, *args, **kwargs).arguments
        except TypeError:
            return original(self, *args, **kwargs)  # Raises the same error about the arguments.
        call = MethodCall(found, self, method, arguments, partial(original, self, *args, **kwargs))
        try:
            return found.guard.call(
                call.execute, lambda action: capture_method(replace(call, execute=action))
            )
        except BaseException as error:
            first = error.__traceback__  # The traceback starts with the first frame outside of this package.
            while first is not None and first.tb_frame.f_code.co_filename.startswith(_OUR_CODE):
                first = first.tb_next
            raise error.with_traceback(first or error.__traceback__)  # noqa: B904  (the same error)

    return wrapper
