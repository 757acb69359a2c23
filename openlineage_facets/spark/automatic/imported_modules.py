"""Notice imports of PySpark, the classes in its loaded modules, and new sessions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

SESSION_MODULES = ("pyspark.sql.session", "pyspark.sql.connect.session")
"""The modules of the two classes of sessions, with a JVM and of Spark Connect."""


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
        finders = list(sys.meta_path)
        # Those before this one have been asked: if one of them is another of this class, it asks this one.
        for finder in finders[finders.index(self) + 1 :] if self in finders else ():
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(fullname, path, target) if find is not None else None
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


def loaded_classes(class_name: str, *modules: str) -> Iterator[Any]:
    """Yield the distinct classes of this name in loaded modules. One that is being imported has none yet."""
    classes = (vars(sys.modules[module]).get(class_name) for module in modules if module in sys.modules)
    yield from dict.fromkeys(cls for cls in classes if cls is not None)


def announcing(constructor: Any, created: Callable[[Any], None]) -> Any:
    """Return a constructor that calls a function with each object that it has created."""

    @wraps(constructor)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> None:
        constructor(self, *args, **kwargs)
        created(self)

    return wrapper
