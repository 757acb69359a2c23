"""Wrap the methods of PySpark that write, for as long as a run is active, also in modules imported later."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from openlineage_facets.spark.automatic.captured_calls import (
    RDD_ACTIONS,
    RDD_SAVES,
    STREAM_METHODS,
    TABLE_METHODS,
    WRITE_METHODS,
    Arguments,
    capture_model_load,
    capture_model_save,
    capture_rdd_action,
    capture_rdd_job,
    capture_rdd_save,
    capture_stream,
    capture_table_write,
    capture_write,
    model_readers,
    model_writers,
)
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.reported_writes import inside_captured_call


class ImportedModules(MetaPathFinder):
    """Calls a function after each import of a module of PySpark. Nothing else about imports changes.

    Args:
        imported: The function.
    """

    def __init__(self, imported: Callable[[], None]) -> None:
        self._imported = imported

    def register(self) -> None:
        """Notice imports from now on."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def unregister(self) -> None:
        """Notice no more imports."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return what the other finders find, with a loader that calls the function."""
        if not fullname.startswith("pyspark."):
            return None
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = None
            if finder is not self and find is not None:
                spec = find(fullname, path, target)
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = _CallingLoader(spec.loader, self._imported)
                return spec
        return None


class _CallingLoader(Loader):
    """Replaces a loader until it has loaded a module, and calls a function then."""

    def __init__(self, loader: Loader, loaded: Callable[[], None]) -> None:
        self._loader = loader
        self._loaded = loaded

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Create the module as the other loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module as the other loader does, and call the function."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._loaded()


CaptureMethod: TypeAlias = Callable[[LineageCapture, Any, str, Arguments, Callable[[], Any]], Any]
"""Executes a call and captures it: the run, the object, the method, its arguments, and the call itself."""

FindCapture: TypeAlias = Callable[[Any], "LineageCapture | None"]
"""Returns the capture of the run that a call of a method of an object belongs to."""

_UNREPORTED_ACTIONS = ("toLocalIterator", "foreach", "foreachPartition")
"""Actions that Spark does not report."""

_ACTIONS_WITHOUT_ROWS = ("count", "show", "foreach", "foreachPartition")
"""Actions whose rows Python does not receive in the driver."""

_READ_METHODS = {
    "pyspark.sql.dataframe": _UNREPORTED_ACTIONS,
    "pyspark.sql.classic.dataframe": _UNREPORTED_ACTIONS,
    "pyspark.sql.connect.dataframe": (
        "collect",
        "count",
        "toPandas",
        "toArrow",
        "show",
        "tail",
        *_UNREPORTED_ACTIONS,
    ),
}
"""Actions by the module of their DataFrame. Spark Connect reports none."""

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
            for session in _loaded("SparkSession", "pyspark.sql.session"):
                if (session, "__init__") not in known:
                    self._wrap(session, "__init__", partial(_announcing, self._listen, self._lose))

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
    for writer in _loaded("DataFrameWriter", "pyspark.sql.readwriter", "pyspark.sql.connect.readwriter"):
        yield from _declared(writer, WRITE_METHODS, capture_write)
    for writer in _loaded("DataFrameWriterV2", "pyspark.sql.readwriter", "pyspark.sql.connect.readwriter"):
        yield from _declared(writer, TABLE_METHODS, capture_table_write)
    streaming = "pyspark.sql.streaming.readwriter", "pyspark.sql.connect.streaming.readwriter"
    for writer in _loaded("DataStreamWriter", *streaming):
        yield from _declared(writer, STREAM_METHODS, capture_stream)
    for module, names in _READ_METHODS.items():
        for frame in _loaded("DataFrame", module):
            yield from _declared(frame, names, _capture_read)
    for frame in _loaded("DataFrame", "pyspark.sql.dataframe", "pyspark.sql.classic.dataframe"):
        yield from _declared(frame, ("transpose",), _capture_read)  # Spark executes it at once.
        yield from _declared(frame, ("checkpoint", "localCheckpoint"), _capture_checkpoint)
    for rdd in _loaded("RDD", "pyspark.core.rdd", "pyspark.rdd"):  # Spark 4 and 3.5.
        yield from _declared(rdd, RDD_ACTIONS, capture_rdd_action)
        yield from _declared(rdd, tuple(RDD_SAVES), capture_rdd_save)
    for context in _loaded("SparkContext", "pyspark.core.context", "pyspark.context"):
        yield from _declared(context, ("runJob",), capture_rdd_job)
    for model_writer in model_writers():
        yield from _declared(model_writer, ("save",), capture_model_save)
    for reader in model_readers():
        yield from _declared(reader, ("load",), capture_model_load)
    for session in _loaded("SparkSession", "pyspark.sql.session", "pyspark.sql.connect.session"):
        yield from _declared(session, ("sql",), _capture_statement)


def _loaded(class_name: str, *modules: str) -> Iterator[Any]:
    """Yield the distinct classes of this name in loaded modules. One that is being imported has none yet."""
    classes = (vars(sys.modules[module]).get(class_name) for module in modules if module in sys.modules)
    yield from dict.fromkeys(cls for cls in classes if cls is not None)


def _declared(
    owner: type, names: tuple[str, ...], capture: CaptureMethod
) -> Iterator[tuple[type, str, CaptureMethod]]:
    return ((owner, name, capture) for name in names if name in vars(owner))


def _capture_read(
    capture: LineageCapture, df: Any, method: str, arguments: Arguments, action: Callable[[], Any]
) -> Any:
    with capture.guard.step("find the inputs of an action"):
        in_session = capture.in_session(df.sparkSession)
        in_session.read_unreported(df, collects=method not in _ACTIONS_WITHOUT_ROWS)
    return action()


def _capture_checkpoint(
    capture: LineageCapture, df: Any, method: str, arguments: Arguments, action: Callable[[], Any]
) -> Any:
    in_session = capture
    with capture.guard.step("find the session of a checkpoint"):
        in_session = capture.in_session(df.sparkSession)
    return in_session.checkpoint(action, df)


def _capture_statement(
    capture: LineageCapture, session: Any, method: str, arguments: Arguments, action: Callable[[], Any]
) -> Any:
    in_session = capture
    with capture.guard.step("find the session of a SQL statement"):
        in_session = capture.in_session(session)
    query = arguments["sqlQuery"]
    if not isinstance(query, str):
        return action()
    return in_session.statement(action, query, arguments.get("kwargs", {}))


def _announcing(listen: Callable[[Any], None], lose: Callable[[str], None], original: Any) -> Any:
    """Return a constructor of sessions that passes each session on."""

    @wraps(original)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        try:
            if not inside_captured_call():
                listen(self)
        except Exception as error:
            lose(f"the queries of a new session: {error}")

    return wrapper


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
        capture = found
        try:
            return capture.guard.call(
                partial(original, self, *args, **kwargs),
                lambda action: capture_method(capture, self, method, arguments, action),
            )
        except BaseException as error:
            first = error.__traceback__  # The traceback starts with the first frame outside of this package.
            while first is not None and first.tb_frame.f_code.co_filename.startswith(_OUR_CODE):
                first = first.tb_next
            raise error.with_traceback(first or error.__traceback__)  # noqa: B904  (the same error)

    return wrapper
