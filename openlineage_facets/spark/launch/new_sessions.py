"""Call a function for each Spark session that a job creates."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_SESSION_MODULES = ("pyspark.sql.session", "pyspark.sql.connect.session")


def call_for_new_sessions(function: Callable[[Any], None]) -> None:
    """Call a function with each session when it has been created, with a JVM or through Spark Connect.

    PySpark is not imported before the job does so: the job may first add it to `sys.path`, or set variables
    that PySpark reads.

    Args:
        function: Accepts the session. It must not raise. PySpark also creates objects for existing sessions.
    """
    sys.meta_path.insert(0, _SessionModules(function))
    for name in _SESSION_MODULES:
        if name in sys.modules:
            _wrap_sessions(sys.modules[name], function)


class _SessionModules(MetaPathFinder):
    """Finds the modules that define sessions, and wraps these classes when they have been loaded."""

    def __init__(self, function: Callable[[Any], None]) -> None:
        self._function = function

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in _SESSION_MODULES:
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self else None
            if spec is not None:
                self._wrap_loader(spec.loader)
                return spec
        return None

    def _wrap_loader(self, loader: Any) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            loader.exec_module = execute
            execute(module)
            _wrap_sessions(module, self._function)

        loader.exec_module = exec_module


def _wrap_sessions(module: ModuleType, function: Callable[[Any], None]) -> None:
    session: Any = module.SparkSession
    init = session.__init__

    @wraps(init)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        function(self)

    session.__init__ = wrapped
