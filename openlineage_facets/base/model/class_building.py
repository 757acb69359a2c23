"""Build classes on first use, in the scope that defines them.

pydantic builds a deferred class in the scope of its first user: a class `Job` there would replace ours. Every
build calls `Model.model_rebuild`, which uses this module.
"""

from __future__ import annotations

import builtins
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pydantic import PydanticUndefinedAnnotation

from openlineage_facets.base.wire.pydantic_internals import are_fields_resolved, is_built

if TYPE_CHECKING:
    from pydantic import BaseModel


LOCK = threading.RLock()
"""One build at a time: before 2.14, pydantic leaves a class without validators while it builds them.

What a build depends on, such as the known facets, changes under this lock, too. No module of another
package is imported under it: another thread may be importing it, and wait for this lock.
"""

_PREPARATIONS: list[Callable[[type[BaseModel]], object]] = []


class _State(threading.local):
    building = 0
    fields_of: type[BaseModel] | None = None


_STATE = _State()


def build(
    cls: type[BaseModel],
    rebuild: Callable[..., bool | None],
    *,
    force: bool,
    raise_errors: bool,
    names: Mapping[str, Any] | None,
) -> bool | None:
    """Build a class with the names of the module and of the function that define it.

    Other names are looked up where the class is first used, which supports forward references in
    functions. They never replace a name of the class's own scope.

    Args:
        cls: The class.
        rebuild: pydantic's `model_rebuild` of this class.
        force: Whether to rebuild a class that is already built.
        raise_errors: Whether to raise for a name that is not defined.
        names: Names to use instead of those of the first user.

    Returns:
        None for a class that was already built, otherwise whether it is built now.
    """
    if (force or not is_built(cls)) and _STATE.fields_of is not cls:
        for prepare in _PREPARATIONS:
            prepare(cls)
    with LOCK:
        if is_built(cls) and not force:
            return None
        with _building():
            if names is not None:
                return rebuild(force=force, raise_errors=raise_errors, _types_namespace=names)
            if rebuild(force=force, raise_errors=False, _types_namespace={}):
                return True
            names = _names_of_caller(cls)
            return rebuild(force=force, raise_errors=raise_errors, _types_namespace=names)


def call_before_build(prepare: Callable[[type[BaseModel]], object]) -> None:
    """Call a function with each class before it is built, outside of the lock, to import what it needs."""
    _PREPARATIONS.append(prepare)


def resolve_fields(cls: type[BaseModel]) -> bool:
    """Resolve the annotations of a class's fields in its own scope, without building its schema.

    Returns:
        Whether every name in them is defined.
    """
    if are_fields_resolved(cls):
        return True
    with LOCK:
        outer, _STATE.fields_of = _STATE.fields_of, cls
        try:
            cls.model_rebuild(raise_errors=False)
        finally:
            _STATE.fields_of = outer
    return are_fields_resolved(cls)


def stop_after_fields(cls: type[BaseModel]) -> None:
    """Stop a build that `resolve_fields` started, after pydantic has resolved the fields.

    Raises:
        PydanticUndefinedAnnotation: `resolve_fields` started the build. pydantic keeps the class deferred.
    """
    if _STATE.fields_of is cls:
        raise PydanticUndefinedAnnotation("all referenced types", "the schema is built on first use")


def is_building() -> bool:
    """Return whether one of our classes is being built, not a schema that contains one."""
    return _STATE.building > 0


def subclasses_of(cls: type[Any]) -> Iterator[Any]:
    """Yield the classes that extend a class, also indirectly."""
    for subclass in cls.__subclasses__():
        yield subclass
        yield from subclasses_of(subclass)


@contextmanager
def _building() -> Iterator[None]:
    _STATE.building += 1
    try:
        yield
    finally:
        _STATE.building -= 1


_INTERNAL = ("openlineage_facets", "pydantic", "contextlib")


def _names_of_caller(cls: type[BaseModel]) -> dict[str, Any]:
    """Return the names of the first frame outside this package that a class's own module does not define."""
    module = sys.modules.get(cls.__module__)
    own = vars(builtins).keys() | (vars(module).keys() if module else ())
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _INTERNAL:
        frame = frame.f_back
    return {name: value for name, value in frame.f_locals.items() if name not in own}
