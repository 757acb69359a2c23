"""Custom facets that parsers recognise: those of installed packages, and those registered in code.

A package announces its facets with an entry point of the group `openlineage_facets.facets`. Entry points are
read when the first schema with facets is built, or when the first facet with an unknown key is composed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from openlineage_facets.base.containers.known_facets import FacetEntry, FacetSlot
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.wire.pydantic_internals import is_built

ENTRY_POINTS = "openlineage_facets.facets"
"""The group of entry points that announce facets."""

_GENERATED = "openlineage_facets.generated"

_LOCK = threading.RLock()

_CACHES: list[Callable[[], object]] = []
"""Functions that clear what was computed from the known facets."""


class _State:
    is_loaded = False


def register_facets(*facets: type[FacetModel] | FacetEntry) -> None:
    """Make parsers and validators recognise custom facets.

    `parse_event`, `read_event` and `validate` then check these facets and return them typed. Registering a
    facet again has no effect. Facets of packages with an entry point `openlineage_facets.facets` are
    registered without a call.

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
    with _LOCK:
        added = list(_slots(facets))
        is_new = False
        for container, slot in added:
            _assert_free(container, slot)
        for container, slot in added:
            if slot.key not in container.__slots_by_key__:
                container.__slots_by_key__ = {**container.__slots_by_key__, slot.key: slot}
                is_new = True
        if is_new:
            _forget()


def load_installed_facets() -> None:
    """Register the facets of installed packages, once. One that cannot be loaded is reported as a warning."""
    if _State.is_loaded:
        return
    with _LOCK:
        if _State.is_loaded:
            return
        _State.is_loaded = True  # Set first: registering may build schemas, which call this function.
        from importlib.metadata import entry_points

        for entry in entry_points(group=ENTRY_POINTS):
            try:
                found: Any = entry.load()
                is_one = isinstance(found, str) or not isinstance(found, Iterable)
                facets: list[Any] = [found] if is_one else list(found)
                register_facets(*facets)
            except Exception as error:
                from warnings import warn

                reason = " ".join(f"{type(error).__name__}: {error}".split())
                package = f" of {entry.dist.name}" if entry.dist is not None else ""
                text = (
                    f"facets of the entry point {entry.name!r}{package} ({entry.value}) were not registered: "
                    f"{reason}"
                )
                warn(text, RuntimeWarning, stacklevel=2)


def is_registered(container: str, key: str) -> bool:
    """Return whether a key of a container class is that of a registered custom facet."""
    load_installed_facets()
    cls = getattr(import_module(f"{_GENERATED}.containers"), container, None)
    return cls is not None and isinstance(cls.__slots_by_key__.get(key), _RegisteredSlot)


def forget_on_registration(clear: Callable[[], object]) -> None:
    """Call a function whenever facets are registered, to clear what depends on the known facets."""
    _CACHES.append(clear)


class _RegisteredSlot(FacetSlot[FacetModel]):
    """A custom facet of a container.

    Args:
        key: The facet key.
        facet: Its class, or module and class as `package.module:Class`.
    """

    def __init__(self, key: str, facet: type[FacetModel] | str) -> None:
        path = facet if isinstance(facet, str) else f"{facet.__module__}:{facet.__qualname__}"
        super().__init__(key, path)
        self.path = path
        self._class = None if isinstance(facet, str) else facet

    @property
    def facet_class(self) -> type[FacetModel]:
        if self._class is None:
            module, _, name = self.path.partition(":")
            self._class = getattr(import_module(module), name)
        return self._class

    def is_its_own(self, facet: object) -> bool:
        return type(facet) is self.facet_class and facet.__dict__.get("deleted") is not True


def _slots(
    facets: Iterable[type[FacetModel] | FacetEntry],
) -> Iterator[tuple[Any, _RegisteredSlot]]:
    for facet in facets:
        if isinstance(facet, FacetEntry):
            container = load_class(_GENERATED, f"containers:{facet.container}")
            yield container, _RegisteredSlot(facet.key, f"{facet.module}:{facet.name}")
        elif not (isinstance(facet, type) and issubclass(facet, FacetModel)):
            raise TypeError(f"expected a facet class or an entry of a generated registry, found {facet!r}")
        elif facet.__facet_key__ is None:
            raise TypeError(
                f"{facet.__name__} has no facet key; set __facet_key__ to a key such as 'acme_cost'"
            )
        else:
            for container in _containers():
                if issubclass(facet, container._base_facet()):
                    yield container, _RegisteredSlot(facet.__facet_key__, facet)
                    break
            else:
                raise TypeError(f"{facet.__name__} extends no base facet such as RunFacet; extend one")


def _containers() -> Iterator[Any]:
    """Yield the containers of the specification's entities."""
    for entry in dict.fromkeys(one.container for one in load_class(_GENERATED, "registry:FACETS")):
        yield load_class(_GENERATED, f"containers:{entry}")


def _assert_free(container: Any, slot: _RegisteredSlot) -> None:
    other = container.__slots_by_key__.get(slot.key)
    if other is None or (isinstance(other, _RegisteredSlot) and other.path == slot.path):
        return
    name, owner = _full_name(slot), _full_name(other)
    fix = "register one of them" if isinstance(other, _RegisteredSlot) else "choose another key"
    raise ValueError(f"the key {slot.key!r} of {name} is that of {owner} in {container.__name__}; {fix}")


def _full_name(slot: FacetSlot[FacetModel]) -> str:
    """Return the class of a facet with its module."""
    if isinstance(slot, _RegisteredSlot):
        return slot.path.replace(":", ".")
    return f"openlineage_facets.facets.{slot.class_names()[0]}"


def _forget() -> None:
    """Clear caches, and rebuild the classes that were built with the facets known before."""
    for clear in _CACHES:
        clear()
    core = import_module(f"{_GENERATED}.open_lineage")
    models: list[Any] = [
        one for one in vars(core).values() if isinstance(one, type) and hasattr(one, "__outermost__")
    ]
    built = [one for one in models if one.__module__ == core.__name__ and is_built(one)]
    for cls in sorted(
        built, key=lambda cls: (cls.__outermost__, len(cls.__mro__))
    ):  # Events contain entities.
        cls.model_rebuild(force=True)
