"""Custom facets that parsers recognise: those of packages and code, and which versions a class reads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

from pydantic_core import core_schema

from openlineage_facets.base.containers.facet_fit import Fit, fit, read_as
from openlineage_facets.base.containers.known_facets import FacetEntry, FacetSlot, schema_url_of
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.model.class_building import LOCK, call_before_build, subclasses_of
from openlineage_facets.base.model.field_names import holds_facets
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.wire.pydantic_internals import is_built

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from pydantic import BaseModel, GetCoreSchemaHandler

ENTRY_POINTS = "openlineage_facets.facets"
"""The group of entry points that announce facets."""

_GENERATED = "openlineage_facets.generated"

_ERRORS = (Exception, SystemExit)
"""What modules of other packages may raise on import, which must not end a process that reads events."""

_CACHES: list[Callable[[], object]] = []
"""Functions that clear what was computed from the known facets."""


class _Installed:
    """The facets of installed packages."""

    are_registered = False


class _Thread(threading.local):
    is_loading = False


_THREAD = _Thread()


def register_facets(*facets: type[FacetModel] | FacetEntry) -> None:
    """Make parsers and validators recognise custom facets.

    `parse_event`, `read_event` and `validate` then check these facets and return them typed. Registering a
    facet again has no effect. Facets of packages with an entry point `openlineage_facets.facets` are
    registered without a call. A class that was defined again, such as by a notebook cell or
    `importlib.reload`, replaces the earlier one.

    Args:
        facets: Facet classes with a `__facet_key__`, or entries of a generated registry.

    Raises:
        TypeError: A class is not a facet, or has no key.
        ValueError: The key belongs to another facet.

    Example:
        >>> register_facets(AcmeCostRunFacet)
        >>> parse_event(wire).run.facets.get(AcmeCostRunFacet)
        AcmeCostRunFacet(usd=1.5)
    """
    with LOCK:
        added = list(_slots(facets))
        for container, slot in added:
            _assert_free(container, slot)
        _add(added)


def _add(added: Iterable[tuple[Any, RegisteredFacet]]) -> None:
    """Add facets to their containers, whose keys are free or those of an earlier class of the same path."""
    is_new = False
    for container, slot in added:
        known = container.__slots_by_key__.get(slot.key)
        if known is None or slot.redefines(known):
            container.__slots_by_key__ = {**container.__slots_by_key__, slot.key: slot}
            _NOT_IMPORTED.add(slot)
            is_new = True
    if is_new:
        _forget()


def load_installed_facets() -> None:
    """Register the facets of installed packages, once. One that cannot be loaded is reported as a warning.

    Threads that need them at the same time all import the packages, without a lock of ours: a module that
    another thread is importing may use this library, and wait for that lock.
    """
    if _Installed.are_registered or _THREAD.is_loading:  # Registering and packages may build schemas.
        return
    _THREAD.is_loading = True
    try:
        from importlib.metadata import entry_points

        entries = entry_points(group=ENTRY_POINTS)
        installed = [(_origin(entry), _facets_of(entry)) for entry in entries]
        with LOCK:
            problems = _register(installed)
            is_first, _Installed.are_registered = not _Installed.are_registered, True
    finally:
        _THREAD.is_loading = False
    for origin, error in problems if is_first else ():
        _warn(f"facets of {origin} were not registered", error)


def _origin(entry: EntryPoint) -> str:
    package = f" of {entry.dist.name}" if entry.dist is not None else ""
    return f"the entry point {entry.name!r}{package} ({entry.value})"


def _facets_of(entry: EntryPoint) -> list[Any] | BaseException:
    """Return the facets that an entry point names, or why they cannot be imported."""
    try:
        loaded: Any = entry.load()
        is_one = isinstance(loaded, str) or not isinstance(loaded, Iterable)
        return [loaded] if is_one else list(loaded)
    except _ERRORS as error:
        return error


def _register(
    installed: Iterable[tuple[str, list[Any] | BaseException]],
) -> list[tuple[str, BaseException]]:
    """Register the facets of packages, each with its origin, and return why some of them are not."""
    problems: list[tuple[str, BaseException]] = []
    added: dict[tuple[Any, str], tuple[Any, RegisteredFacet]] = {}
    for origin, facets in installed:
        if isinstance(facets, BaseException):
            problems.append((origin, facets))
            continue
        for facet in facets:
            try:
                for container, slot in _slots([facet]):
                    _assert_free(container, slot)
                    other = added.setdefault((container, slot.key), (container, slot))[1]
                    if other.path != slot.path:
                        raise _clash(container, slot, other)
            except Exception as error:
                problems.append((origin, error))
    _add(added.values())
    return problems


def _import_facets(cls: type[BaseModel]) -> None:
    """Import the registered facets before a class with facets is built."""
    if holds_facets(cls):
        load_installed_facets()
        for slot in tuple(_NOT_IMPORTED):
            slot.classes()  # Imports the class, or reports why it cannot be used.
            _NOT_IMPORTED.discard(slot)


call_before_build(_import_facets)

_NOT_IMPORTED: set[RegisteredFacet] = set()
"""Registered facets whose modules are imported when a class with facets is built."""


def _warn(problem: str, error: BaseException) -> None:
    """Report a facet that cannot be used; the others can."""
    warn(f"{problem}: {_reason(error)}", RuntimeWarning, stacklevel=2)


def _reason(error: BaseException) -> str:
    from openlineage_facets.base.redaction.redact import redact_for_display  # Importing a class needs none.

    return redact_for_display(" ".join(f"{type(error).__name__}: {error}".split()))


def registered_facet(container: str, key: str) -> RegisteredFacet | None:
    """Return the registered custom facet with a key in a container class, None without one."""
    load_installed_facets()
    cls = getattr(import_module(f"{_GENERATED}.containers"), container, None)
    slot = None if cls is None else cls.__slots_by_key__.get(key)
    return slot if isinstance(slot, RegisteredFacet) else None


def forget_on_registration(clear: Callable[[], object]) -> None:
    """Call a function whenever facets are registered, to clear what depends on the known facets."""
    _CACHES.append(clear)


class RegisteredFacet(FacetSlot[FacetModel]):
    """A custom facet of a container.

    Its class applies to facets that name its schema in the same MODEL. Others stay untyped, as do all of them
    if the class cannot be used, for example because its package needs another version of this library.

    Args:
        key: The facet key.
        facet: Its class, or module and class as `package.module:Class`.

    Attributes:
        path: Module and class.
    """

    def __init__(self, key: str, facet: type[FacetModel] | str) -> None:
        path = facet if isinstance(facet, str) else f"{facet.__module__}:{facet.__qualname__}"
        super().__init__(key, path)
        self.path = path
        self._class = None if isinstance(facet, str) else facet
        self._problem = ""

    @property
    def facet_class(self) -> type[FacetModel]:
        """The class, imported on first use."""
        if self._class is None:
            module, _, name = self.path.partition(":")
            self._class = getattr(import_module(module), name)
        return self._class

    def redefines(self, other: FacetSlot[FacetModel]) -> bool:
        """Return whether the class is another one than that of an earlier facet with the same path."""
        if not isinstance(other, RegisteredFacet) or (other._class is None and not other._problem):
            return False  # The earlier facet imports its class on first use.
        return not self.problem and self.facet_class is not other._class

    @property
    def problem(self) -> str:
        """Why the class cannot be used, "" if it can."""
        if not self._problem:
            try:
                _ = self.facet_class
            except _ERRORS as error:
                self._cannot_be_used(error)
        return self._problem

    def _cannot_be_used(self, error: BaseException) -> None:
        self._problem = _reason(error)
        facets = f"facets with the key {self.key!r} stay untyped, since {self.path} cannot be used"
        _warn(f"{facets}; update its package, or generate it with this version of openlineage-facets", error)

    def classes(self) -> tuple[type[FacetModel], ...]:
        """Return the class, nothing if it cannot be used."""
        return () if self.problem else super().classes()

    def classes_of(self, schema_url: str | None) -> tuple[type[FacetModel], ...]:
        """Return the class if a facet with this schema URL may have it."""
        return super().classes() if not self.problem and self.fit(schema_url).may_apply else ()

    def fit(self, schema_url: object) -> Fit:
        """Return how the class applies to a facet with this schema URL. It must be usable."""
        return fit(schema_url if isinstance(schema_url, str) else "", self.facet_class.__schema_url__)

    def is_its_own(self, facet: object) -> bool:
        """Return whether `facet` is not deleted and an instance of exactly this class."""
        if self.problem:
            return False
        return type(facet) is self.facet_class and facet.__dict__.get("deleted") is not True

    def typed(self, facet: FacetModel) -> FacetModel:
        """Return a base facet as one of the class, if the class applies to it.

        Raises:
            EventError: It is invalid for the class.
        """
        return facet if self.problem else read_as(self.facet_class, facet) or facet

    def core_schema(self, handler: GetCoreSchemaHandler, base: type[FacetModel]) -> core_schema.CoreSchema:
        """Return the schema of the key: the class for facets of its schema, otherwise the base facet.

        A newer version may have values that the class does not know. Such a facet stays untyped, too.
        """
        untyped = handler.generate_schema(base)
        if self.problem:
            return untyped
        try:
            typed = super().core_schema(handler, base)
        except Exception as error:  # Importing a class does not resolve the types of its fields.
            self._cannot_be_used(error)
            return untyped
        return core_schema.tagged_union_schema(
            {
                Fit.SAME.value: typed,
                Fit.NEWER.value: core_schema.union_schema([typed, untyped], mode="left_to_right"),
                Fit.OTHER_MODEL.value: untyped,
                Fit.OTHER_SCHEMA.value: untyped,
            },
            discriminator=self._fit_of,
        )

    def _fit_of(self, value: Any) -> str:
        """Return how the class applies to a facet, as the name of a branch of the schema."""
        return (Fit.SAME if isinstance(value, self.facet_class) else self.fit(schema_url_of(value))).value


def _slots(facets: Iterable[type[FacetModel] | FacetEntry]) -> Iterator[tuple[Any, RegisteredFacet]]:
    for facet in facets:
        if isinstance(facet, FacetEntry):
            container = load_class(_GENERATED, f"containers:{facet.container}")
            yield container, RegisteredFacet(facet.key, f"{facet.module}:{facet.name}")
        elif not (isinstance(facet, type) and issubclass(facet, FacetModel)):
            raise TypeError(f"expected a facet class or an entry of a generated registry, found {facet!r}")
        elif facet.__facet_key__ is None:
            raise TypeError(
                f"{facet.__name__} has no facet key; set __facet_key__ to a key such as 'acme_cost'"
            )
        else:
            for container in _containers():
                if issubclass(facet, container._base_facet()):
                    yield container, RegisteredFacet(facet.__facet_key__, facet)
                    break
            else:
                raise TypeError(f"{facet.__name__} extends no base facet such as RunFacet; extend one")


def _containers() -> Iterator[Any]:
    """Yield the containers of the specification's entities."""
    for entry in dict.fromkeys(known.container for known in load_class(_GENERATED, "registry:FACETS")):
        yield load_class(_GENERATED, f"containers:{entry}")


def _assert_free(container: Any, slot: RegisteredFacet) -> None:
    other = container.__slots_by_key__.get(slot.key)
    if other is None or (isinstance(other, RegisteredFacet) and other.path == slot.path):
        return
    raise _clash(container, slot, other)


def _clash(container: Any, slot: RegisteredFacet, other: FacetSlot[FacetModel]) -> ValueError:
    """Return the error of a facet whose key belongs to another one."""
    name, owner = _full_name(slot), _full_name(other)
    fix = "register one of them" if isinstance(other, RegisteredFacet) else "choose another key"
    return ValueError(f"the key {slot.key!r} of {name} is that of {owner} in {container.__name__}; {fix}")


def _full_name(slot: FacetSlot[FacetModel]) -> str:
    """Return the class of a facet with its module."""
    if isinstance(slot, RegisteredFacet):
        return slot.path.replace(":", ".")
    return f"openlineage_facets.facets.{slot.class_names()[0]}"


def _forget() -> None:
    """Clear caches, and rebuild the classes that were built with the facets known before."""
    for clear in _CACHES:
        clear()
    built = (cls for cls in subclasses_of(Model) if is_built(cls) and holds_facets(cls))
    for cls in sorted(built, key=lambda cls: (cls.__outermost__, len(cls.__mro__))):
        with suppress(Exception):  # The next use of a user's class reports why it cannot be built.
            cls.model_rebuild(force=True, raise_errors=False)  # Events contain entities, which come first.
